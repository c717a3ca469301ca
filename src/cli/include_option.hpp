// SPDX-License-Identifier: BSD-3-Clause
// --allow-outside, an option of all commands that read a deck.
#pragma once
#include "options.hpp"
#include "polhode/io/deck/deck.hpp"

namespace polhode::cli {

struct IncludeOption {
  bool outside = false;

  void declare(Options& options) {
    options.flag({"--allow-outside", "the deck may include files outside of its folder"}, outside);
  }
  io::Includes value() const { return outside ? io::Includes::anywhere : io::Includes::inside; }
};

}  // namespace polhode::cli
