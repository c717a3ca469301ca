// SPDX-License-Identifier: BSD-3-Clause
// The XDMF beside a results file: the same data, moving, in ParaView and VisIt, without a copy of it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "io/hdf5/hdf5.hpp"
#include "polhode/results/channel.hpp"

namespace polhode::io {

class Xdmf {
 public:
  // The first lines, with the mark by which a later run knows the file; and those of versions without the mark.
  static constexpr std::string_view head =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- polhode-picture/1 -->\n<Xdmf Version=\"3.0\"><Domain>\n"
      "<Grid Name=\"motion\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
  static constexpr std::string_view head_without_mark =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Xdmf Version=\"3.0\"><Domain>\n"
      "<Grid Name=\"motion\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";

  Xdmf(const std::string& results_file, const results::Layout& layout);

  const std::string& file() const { return file_; }
  // Replaces the file at once (a temporary file is renamed), so that a reader never sees half of it.
  // Throws ResultsError.
  // `states` have been stored; `times` are those of pictures(states).
  void write(std::size_t states, const std::vector<double>& times) const;

  // Which of the stored states become pictures: the first, the last, and a thousand of those between at most.
  static std::vector<hsize_t> pictures(std::size_t states);

 private:
  struct Beam {
    std::string name;
    std::size_t nodes;
  };
  std::string picture(std::size_t states) const;  // what follows the value of a time, with a mark for its index
  std::string file_;
  std::string results_;  // as the XDMF names it
  // Without positions in the results there is no picture.
  std::size_t nodes_ = 0;
  bool has_velocity_ = false;
  bool has_rotation_ = false;
  std::vector<Beam> beams_;
  // Lines of all beams together, where there are too many for a grid each; else 0.
  std::size_t segments_ = 0;
};

}  // namespace polhode::io
