// SPDX-License-Identifier: BSD-3-Clause
// Marks of the files that polhode writes.
#include "polhode/io/own_files.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <thread>

#include "io/export/xdmf.hpp"
#include "io/files/part_file.hpp"
#include "io/hdf5/checked_data.hpp"
#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/results_reader.hpp"
#include "polhode/io/read_apart.hpp"

namespace polhode::io {
namespace {

// Without locks: another run may be writing it, which that run is asked about later.
std::string format_of(const std::string& file) {
  hdf5::silence();
  try {
    const hdf5::Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
#if H5_VERSION_GE(1, 12, 1) || (H5_VERSION_GE(1, 10, 7) && !H5_VERSION_GE(1, 12, 0))
    hdf5::checked(H5Pset_file_locking(access, false, true));
#endif
    const hdf5::Handle root(H5Fopen(file.c_str(), H5F_ACC_RDONLY, access), H5Fclose);
    return hdf5::read_text_attribute(root, "format", "/");
  } catch (const hdf5::Error&) {
    return "";
  }
}

// A file that cannot be opened, or that ends whoever tries to, is none that can be known.
bool has_own_format(const std::string& file) {
  try {
    return read_apart(file, [&] { return format_of(file); }).starts_with("polhode-");
  } catch (const FileError&) {
    return false;
  }
}

// Between two writes of the run that makes it a file may be none that can be read: it is looked at again as long as
// somebody writes it, and once more where that has just ended.
bool holds_results(const std::string& file) {
  constexpr int most_looks = 50;
  for (int look = 0; look < most_looks; ++look) {
    const bool may_change = look == 0 || is_in_use(file);
    if (has_own_format(file)) return true;
    if (!may_change) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

bool begins_with(const std::string& file, std::string_view head) {
  std::ifstream stream(file, std::ios::binary);
  std::string text(head.size(), '\0');
  return stream.read(text.data(), static_cast<std::streamsize>(text.size())) && text == head;
}

// As write_responses writes it: NaN is null.
bool holds_responses(const std::string& file) {
  std::ifstream stream(file);
  const auto json = nlohmann::json::parse(stream, nullptr, false);
  return json.is_object() &&
         std::all_of(json.begin(), json.end(), [](const auto& value) { return value.is_number() || value.is_null(); });
}

// "2026-11-22 21:13:49.268  ..." as Messages::write_to_file writes it.
bool begins_with_a_time(const std::string& file) {
  constexpr std::string_view form = "0000-00-00 00:00:00.000  ";
  std::ifstream stream(file, std::ios::binary);
  std::string text(form.size(), '\0');
  if (!stream.read(text.data(), static_cast<std::streamsize>(text.size()))) return false;
  return std::equal(form.begin(), form.end(), text.begin(), [](char wanted, char found) {
    return wanted == '0' ? found >= '0' && found <= '9' : found == wanted;
  });
}

}  // namespace

std::string temporary_name(const std::string& file) { return PartFile(file).temporary(); }

void remove_file(const std::string& file) {
  const PartFile part(file);
  std::error_code none;
  if (!part.is_special() && std::filesystem::is_regular_file(part.target(), none))
    std::filesystem::remove(part.target(), none);
}

bool may_be_replaced(const std::string& file, OwnFile kind) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(file, none) || std::filesystem::file_size(file, none) == 0) return true;
  switch (kind) {
    case OwnFile::results:
      return is_hdf5_file(file) && holds_results(file);
    case OwnFile::picture:
      return begins_with(file, Xdmf::head) || begins_with(file, Xdmf::head_without_mark);
    case OwnFile::responses:
      return holds_responses(file);
    case OwnFile::log:
      return begins_with_a_time(file);
    case OwnFile::table:
      break;
  }
  return begins_with(file, "case,");
}

}  // namespace polhode::io
