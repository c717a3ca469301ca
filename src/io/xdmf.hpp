// SPDX-License-Identifier: BSD-3-Clause
// The XDMF beside a results file: the same data, moving, in ParaView and VisIt, without a copy of it.
#pragma once
#include <string>
#include <vector>

#include "polhode/analyses/channel.hpp"

namespace polhode::io {

class Xdmf {
 public:
  Xdmf(const std::string& results_file, const analyses::Layout& layout);

  const std::string& file() const { return file_; }
  // Replaces the file at once (a temporary file is renamed), so that a reader never sees half of it.
  // Throws ResultsError.
  void write(const std::vector<double>& times) const;

 private:
  struct Beam {
    std::string name;
    std::size_t nodes;
  };
  std::string file_, results_;  // results_: as the XDMF names it
  std::size_t nodes_ = 0;
  bool has_velocity_ = false, has_rotation_ = false;
  std::vector<Beam> beams_;
};

}  // namespace polhode::io
