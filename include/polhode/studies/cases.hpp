// SPDX-License-Identifier: BSD-3-Clause
// The cases of a study: their numbers 0, 1, 2, ... and the values of each, fixed by the study file alone.
#pragma once
#include "polhode/io/deck/study.hpp"

namespace polhode::studies {

class Cases {
 public:
  // Keeps a reference to `study`.
  explicit Cases(const io::Study& study);

  std::size_t size() const { return size_; }
  bool is_text(std::size_t axis) const { return !study_.axes[axis].texts.empty(); }
  double number(std::size_t index, std::size_t axis) const;
  const std::string& text(std::size_t index, std::size_t axis) const;

  // Writes the values of a case into a deck.
  void apply(std::size_t index, io::DeckSource& deck) const;

 private:
  const io::Study& study_;
  std::size_t size_;
  // Products of the sizes of a grid's axes.
  std::vector<std::size_t> strides_;
  // Positions in the unit interval, one axis after the other
  std::vector<double> hypercube_;
  // Random shifts of Sobol's points, one for each axis.
  std::vector<std::uint32_t> shifts_;

  // In [0, 1)
  double sample(std::size_t index, std::size_t axis) const;
  // Which value of a list
  std::size_t choice(std::size_t index, std::size_t axis) const;
};

}  // namespace polhode::studies
