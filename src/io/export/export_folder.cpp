// SPDX-License-Identifier: BSD-3-Clause
// Names of exported files, and the list of them.
#include "io/export/export_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "polhode/io/deck/deck.hpp"

namespace polhode::io {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* list_name = "polhode-export.json";
constexpr const char* list_format = "polhode-export/1";

// A part of a path that every file system takes for a name: no control characters, and none of "", ".", "..".
bool is_plain(std::string_view part) {
  const auto bad = [](unsigned char c) { return c < ' ' || c == 127 || c == '\\' || c == '/'; };
  return !part.empty() && part.front() != '.' && std::none_of(part.begin(), part.end(), bad);
}

// The first part that is no plain name.
std::optional<std::string_view> odd_part(std::string_view name) {
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    const std::string_view part = name.substr(begin, end - begin);
    if (!is_plain(part)) return part;
    begin = end + 1;
  }
  return std::nullopt;
}

// The files of earlier exports. A list that is none of ours counts as a file of others.
std::vector<std::string> read_list(const std::string& file, bool& readable) {
  std::ifstream stream(file);
  const Json json = Json::parse(stream, nullptr, false);
  readable = json.is_object() && json.value("format", Json()) == Json(list_format) && json.contains("files") &&
             json["files"].is_array();
  std::vector<std::string> files;
  if (!readable) return files;
  for (const Json& one : json["files"])
    if (one.is_string()) files.push_back(one.get<std::string>());
  return files;
}

// What a path is without its links.
fs::path real(const fs::path& path) {
  std::error_code none;
  const fs::path found = fs::weakly_canonical(fs::absolute(path.empty() ? "." : path), none);
  return none ? path : found;
}

[[noreturn]] void refuse(const std::string& file, std::string_view why) {
  throw std::invalid_argument(fmt::format("{}: {}; name another folder, or replace it with --force", file, why));
}

}  // namespace

ExportFolder::ExportFolder(std::string folder, std::string source, bool force)
    : folder_(std::move(folder)), source_(std::move(source)), force_(force) {}

// Control characters would be printed as they are.
void ExportFolder::add(const std::string& name, const std::string& path) {
  if (const auto odd = odd_part(name))
    throw FileError(
        fmt::format("{}: {:?}: {:?} cannot be the name of a file; nothing was written", source_, path, *odd));
  const auto [known, added] = paths_.emplace(name, path);
  if (!added && known->second != path)
    throw FileError(fmt::format("{}: {:?} and {:?} would be one file, {}; nothing was written", source_, known->second,
                                path, name));
}

std::string ExportFolder::file(const std::string& name) const { return (fs::path(folder_) / name).string(); }

OutputFile ExportFolder::make_file(const std::string& name) const {
  return OutputFile(file(name), OutputFile::Folders::made, PartFile::Links::replaced);
}

// Links lead out of the folder, also those that an earlier export has written into.
void ExportFolder::check(const std::string& name, const std::vector<std::string>& own) const {
  const std::string target = file(name);
  std::error_code none;
  if (fs::equivalent(target, source_, none))
    throw std::invalid_argument(target + ": is what this command reads; name another folder");
  const fs::path inside = fs::path(name).parent_path();
  if (!inside.empty() && real(fs::path(target).parent_path()) != (real(folder_) / inside).lexically_normal())
    throw std::invalid_argument(target + ": a link leads out of the folder; name another folder");
  const fs::file_status status = fs::symlink_status(target, none);
  if (force_ || !fs::exists(status)) return;
  if (fs::is_symlink(status)) refuse(target, "is a link");
  const bool empty = fs::is_regular_file(status) && fs::file_size(target, none) == 0;
  if (!empty && std::find(own.begin(), own.end(), name) == own.end())
    refuse(target, "is there already and was not written by polhode export");
}

// The list comes before the files: those of an export that is killed are known, too.
void ExportFolder::open() const {
  const std::string list = file(list_name);
  std::vector<std::string> files;
  std::error_code none;
  const fs::file_status status = fs::symlink_status(list, none);
  if (fs::is_symlink(status) && !force_) refuse(list, "is a link");
  if (fs::exists(status) && !fs::is_symlink(status)) {
    bool readable = false;
    files = read_list(list, readable);
    if (!readable && !force_) refuse(list, "is there already and is no list of exported files");
  }
  for (const auto& [name, path] : paths_) check(name, files);
  for (const auto& [name, path] : paths_) files.push_back(name);
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  Json json;
  json["format"] = list_format;
  json["files"] = files;
  OutputFile out = make_file(list_name);
  out.line(json.dump(1, ' ', false, Json::error_handler_t::replace));  // names need not be UTF-8
  out.close();
}

}  // namespace polhode::io
