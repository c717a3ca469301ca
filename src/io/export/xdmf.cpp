// SPDX-License-Identifier: BSD-3-Clause
// XDMF: a collection of times; at each the points of all nodes, and a polyline for each beam.
#include "xdmf.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "polhode/io/hdf5/results.hpp"

namespace polhode::io {
namespace {

// ParaView reads the description of every time at once, and no animation has more pictures; beyond this number of times
// it shows every second, third, ...
constexpr std::size_t most_times = 1000;
constexpr std::size_t block_size = 128 * 1024;  // bytes

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

std::string number(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string number(std::size_t value) { return std::to_string(value); }

// Where the index of a time stands in a text that is made once for all times.
constexpr char index_here = '\1';

// `columns` components from `first` on, of all nodes at one time, out of a history [times, nodes, width].
struct Slab {
  std::string source;  // "file.h5:/nodes/position"
  std::size_t times;
  std::size_t nodes;
  std::size_t width;

  std::string part(std::size_t first, std::size_t columns) const {
    const std::string n = number(nodes);
    const std::string c = number(columns);
    return "<DataItem ItemType=\"HyperSlab\" Dimensions=\"" + n + ' ' + c +
           "\">"
           "<DataItem Dimensions=\"3 3\" NumberType=\"Int\" Format=\"XML\">" +
           index_here + " 0 " + number(first) + " 1 1 1 1 " + n + ' ' + c +
           "</DataItem>"
           "<DataItem Dimensions=\"" +
           number(times) + ' ' + n + ' ' + number(width) + "\" NumberType=\"Float\" Precision=\"8\" Format=\"HDF\">" +
           source + "</DataItem></DataItem>";
  }
};

std::string attribute(const std::string& name, const char* type, const std::string& data) {
  return "<Attribute Name=\"" + name + "\" AttributeType=\"" + type + "\" Center=\"Node\">" + data + "</Attribute>";
}

}  // namespace

Xdmf::Xdmf(const std::string& results_file, const results::Layout& layout) {
  const std::filesystem::path path(results_file);
  file_ = std::filesystem::path(path).replace_extension(".xdmf").string();
  results_ = escaped(path.filename().string());
  for (const results::Channel& channel : layout.states) {
    if (channel.path == "/nodes/position" && !channel.shape.empty())
      nodes_ = static_cast<std::size_t>(channel.shape[0]);
    has_velocity_ = has_velocity_ || channel.path == "/nodes/velocity";
    has_rotation_ = has_rotation_ || channel.path == "/nodes/rotation";
  }
  for (const results::StaticData& data : layout.statics) {
    const std::string_view name = data.path;
    const std::string_view begin = "/beams/";
    const std::string_view end = "/nodes";
    if (name.starts_with(begin) && name.ends_with(end) && name.size() > begin.size() + end.size())
      beams_.push_back(
          {std::string(name.substr(begin.size(), name.size() - begin.size() - end.size())), data.indices.size()});
  }
}

std::vector<hsize_t> Xdmf::pictures(std::size_t states) {
  const std::size_t stride = (states + most_times - 1) / most_times;
  std::vector<hsize_t> chosen;
  for (std::size_t k = 0; k < states; k += stride) chosen.push_back(k);
  if (!chosen.empty() && chosen.back() + 1 != states) chosen.push_back(states - 1);
  return chosen;
}

std::string Xdmf::picture(std::size_t states) const {
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
  std::string text =
      "\"/>\n"
      " <Grid Name=\"nodes\" GridType=\"Uniform\"><Topology TopologyType=\"Polyvertex\" NodesPerElement=\"1\" "
      "NumberOfElements=\"" +
      number(nodes_) + "\"/>" + geometry + attributes + "</Grid>\n";
  for (const Beam& beam : beams_) {
    const std::string n = number(beam.nodes);
    text += " <Grid Name=\"" + beam.name +
            "\" GridType=\"Uniform\"><Topology TopologyType=\"Polyline\" NodesPerElement=\"" + n +
            "\" NumberOfElements=\"1\"><DataItem Dimensions=\"" + n +
            "\" NumberType=\"Int\" Precision=\"4\" Format=\"HDF\">" + results_ + ":/beams/" + beam.name +
            "/nodes</DataItem></Topology>" + geometry + color + "</Grid>\n";
  }
  return text + "</Grid>\n";
}

void Xdmf::write(std::size_t states, const std::vector<double>& times) const {
  const std::string temporary = file_ + ".tmp";
  std::FILE* out = std::fopen(temporary.c_str(), "w");
  if (!out) throw ResultsError(temporary + ": cannot be written: " + std::strerror(errno));
  const auto print = [&](const std::string& text) { std::fputs(text.c_str(), out); };

  print("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Xdmf Version=\"3.0\"><Domain>\n");
  print("<Grid Name=\"motion\" GridType=\"Collection\" CollectionType=\"Temporal\">\n");
  const std::vector<hsize_t> chosen = pictures(states);
  const std::string any = picture(states);
  std::vector<std::string_view> pieces;
  for (std::size_t begin = 0; begin <= any.size(); begin += pieces.back().size() + 1)
    pieces.push_back(std::string_view(any).substr(begin, any.find(index_here, begin) - begin));
  std::string block;  // written in large ones
  for (std::size_t i = 0; i < times.size() && nodes_ > 0; ++i) {
    const std::string index = number(static_cast<std::size_t>(chosen[i]));
    block += "<Grid Name=\"state\" GridType=\"Collection\" CollectionType=\"Spatial\"><Time Value=\"";
    block += number(times[i]);
    for (std::size_t k = 0; k < pieces.size(); ++k) (k > 0 ? block += index : block) += pieces[k];
    if (block.size() < block_size) continue;
    print(block);
    block.clear();
  }
  print(block);
  print("</Grid>\n</Domain></Xdmf>\n");

  const bool written = std::ferror(out) == 0;
  const bool closed = std::fclose(out) == 0;
  if (!written || !closed || std::rename(temporary.c_str(), file_.c_str()) != 0) {
    const std::string reason = std::strerror(errno);
    std::remove(temporary.c_str());
    throw ResultsError(file_ + ": cannot be written: " + reason);
  }
}

}  // namespace polhode::io
