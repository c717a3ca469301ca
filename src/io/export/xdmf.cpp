// SPDX-License-Identifier: BSD-3-Clause
// XDMF: a collection of times; at each the points of all nodes, and a polyline for each beam or lines for all beams.
#include "xdmf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "io/files/part_file.hpp"
#include "polhode/io/hdf5/results.hpp"

namespace polhode::io {
namespace {

// ParaView reads the description of every time at once, and no animation has more pictures; beyond this number of times
// it shows every second, third, ...
constexpr std::size_t most_times = 1000;
constexpr std::size_t block_size = 128 * 1024;  // bytes

// Names of decks are safe in XML, but names of files are not.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

// Where the index of a time stands in a text that is made once for all times.
constexpr char index_here = '\1';

// `columns` components from `first` on, of all nodes at one time, out of a history [times, nodes, width].
struct Slab {
  std::string source;  // "file.h5:/nodes/position"
  std::size_t times;
  std::size_t nodes;
  std::size_t width;

  std::string part(std::size_t first, std::size_t columns) const {
    return fmt::format(
        "<DataItem ItemType=\"HyperSlab\" Dimensions=\"{n} {c}\">"
        "<DataItem Dimensions=\"3 3\" NumberType=\"Int\" Format=\"XML\">{index} 0 {first} 1 1 1 1 {n} {c}</DataItem>"
        "<DataItem Dimensions=\"{times} {n} {width}\" NumberType=\"Float\" Precision=\"8\" Format=\"HDF\">{source}"
        "</DataItem></DataItem>",
        fmt::arg("n", nodes), fmt::arg("c", columns), fmt::arg("index", index_here), fmt::arg("first", first),
        fmt::arg("times", times), fmt::arg("width", width), fmt::arg("source", source));
  }
};

// Numbers at nodes, for colors and glyphs.
std::string attribute(const char* name, const char* type, const std::string& data) {
  return fmt::format("<Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"Node\">{}</Attribute>", name, type, data);
}

// What stands between the places of an index.
std::vector<std::string> pieces_of(const std::string& text) {
  std::vector<std::string> pieces;
  std::size_t begin = 0;
  std::size_t end = text.find(index_here);
  while (end != std::string::npos) {
    pieces.push_back(text.substr(begin, end - begin));
    begin = end + 1;
    end = text.find(index_here, begin);
  }
  pieces.push_back(text.substr(begin));
  return pieces;
}

}  // namespace

std::string picture_of(const std::string& results_file) {
  return std::filesystem::path(results_file).replace_extension(".xdmf").string();
}

// Which histories there are depends on `output: {fields: …}`; without positions there is no picture.
Xdmf::Xdmf(const std::string& results_file, const results::Layout& layout) {
  // The picture stands beside the results and names them without a folder, so that both can be moved.
  const std::filesystem::path path(results_file);
  file_ = picture_of(results_file);
  results_ = escaped(path.filename().string());
  for (const results::Channel& channel : layout.states) {
    if (channel.path == "/nodes/position" && !channel.shape.empty())
      nodes_ = static_cast<std::size_t>(channel.shape[0]);
    has_velocity_ = has_velocity_ || channel.path == "/nodes/velocity";
    has_rotation_ = has_rotation_ || channel.path == "/nodes/rotation";
  }
  // A beam is a line along its nodes.
  for (const results::StaticData& data : layout.statics) {
    const std::string_view name = data.path;
    const std::string_view begin = "/beams/";
    const std::string_view end = "/nodes";
    if (name.starts_with(begin) && name.ends_with(end) && name.size() > begin.size() + end.size())
      beams_.push_back(
          {std::string(name.substr(begin.size(), name.size() - begin.size() - end.size())), data.indices.size()});
    if (name == "/beams/segments") segments_ = data.indices.size() / 2;
  }
  // Where some beam has no data by its name, all of them are one grid.
  const std::vector<std::string>* names = results::names_of(layout, "beams");
  if (names && beams_.size() < names->size())
    beams_.clear();
  else
    segments_ = 0;
}

// Evenly spaced; the last state always, since it is what a run is often looked at for.
std::vector<hsize_t> Xdmf::pictures(std::size_t states) {
  const std::size_t stride = (states + most_times - 1) / most_times;
  std::vector<hsize_t> chosen;
  for (std::size_t k = 0; k < states; k += stride) chosen.push_back(k);
  if (!chosen.empty() && chosen.back() + 1 != states) chosen.push_back(states - 1);
  return chosen;
}

// All times have the same text but for their value and index, so it is made once.
std::string Xdmf::picture(std::size_t states) const {
  // Dimensions of the whole history, out of which each picture takes one time.
  const Slab position{results_ + ":/nodes/position", states, nodes_, 3};
  const Slab velocity{results_ + ":/nodes/velocity", states, nodes_, 3};
  const Slab rotation{results_ + ":/nodes/rotation", states, nodes_, 4};
  const std::string geometry = "<Geometry GeometryType=\"XYZ\">" + position.part(0, 3) + "</Geometry>";
  const std::string color = has_velocity_ ? attribute("velocity", "Vector", velocity.part(0, 3)) : "";
  std::string attributes = color;
  if (has_rotation_) {  // unit quaternion; four components in one attribute are not understood everywhere
    attributes += attribute("rotation_w", "Scalar", rotation.part(0, 1));
    attributes += attribute("rotation_xyz", "Vector", rotation.part(1, 3));
  }
  std::string text = fmt::format(
      "\"/>\n <Grid Name=\"nodes\" GridType=\"Uniform\"><Topology TopologyType=\"Polyvertex\" NodesPerElement=\"1\" "
      "NumberOfElements=\"{}\"/>{}{}</Grid>\n",
      nodes_, geometry, attributes);
  for (const Beam& beam : beams_)
    text += fmt::format(
        " <Grid Name=\"{name}\" GridType=\"Uniform\"><Topology TopologyType=\"Polyline\" NodesPerElement=\"{n}\" "
        "NumberOfElements=\"1\"><DataItem Dimensions=\"{n}\" NumberType=\"Int\" Precision=\"4\" Format=\"HDF\">"
        "{results}:/beams/{name}/nodes</DataItem></Topology>{geometry}{color}</Grid>\n",
        fmt::arg("name", beam.name), fmt::arg("n", beam.nodes), fmt::arg("results", results_),
        fmt::arg("geometry", geometry), fmt::arg("color", color));
  if (segments_ > 0)
    text += fmt::format(
        " <Grid Name=\"beams\" GridType=\"Uniform\"><Topology TopologyType=\"Polyline\" NodesPerElement=\"2\" "
        "NumberOfElements=\"{n}\"><DataItem Dimensions=\"{n} 2\" NumberType=\"Int\" Precision=\"4\" Format=\"HDF\">"
        "{results}:/beams/segments</DataItem></Topology>{geometry}{color}</Grid>\n",
        fmt::arg("n", segments_), fmt::arg("results", results_), fmt::arg("geometry", geometry),
        fmt::arg("color", color));
  return text + "</Grid>\n";
}

// Written beside the old file and renamed, so a reader never sees half of it.
void Xdmf::write(std::size_t states, const std::vector<double>& times) const {
  PartFile part(file_);
  const auto refuse_picture = [&](int number) {
    throw ResultsError(fmt::format("{}: cannot be written: {}", file_, std::strerror(number)));
  };
  if (const int number = part.problem()) refuse_picture(number);
  std::FILE* out = std::fopen(part.temporary().c_str(), "w");
  if (!out) refuse_picture(errno);
  part.made();
  const auto print = [&](const std::string& text) { std::fputs(text.c_str(), out); };

  print(std::string(head));
  // The same choice that `times` was made by.
  const std::vector<hsize_t> chosen = pictures(states);
  const std::vector<std::string> pieces = pieces_of(picture(states));
  // One system call for many times.
  std::string block;  // written in large ones
  for (std::size_t i = 0; i < times.size() && nodes_ > 0; ++i) {
    const std::string index = fmt::to_string(chosen[i]);
    block += "<Grid Name=\"state\" GridType=\"Collection\" CollectionType=\"Spatial\"><Time Value=\"";
    block += fmt::to_string(times[i]);
    block += pieces.front();
    for (std::size_t k = 1; k < pieces.size(); ++k) {
      block += index;
      block += pieces[k];
    }
    if (block.size() < block_size) continue;
    print(block);
    block.clear();
  }
  print(block);
  print("</Grid>\n</Domain></Xdmf>\n");

  // Errors of all writes show here.
  const bool written = std::ferror(out) == 0;
  const bool closed = std::fclose(out) == 0;
  if (!written || !closed) refuse_picture(errno);
  if (const int number = part.put_in_place()) refuse_picture(number);
}

}  // namespace polhode::io
