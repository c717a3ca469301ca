// SPDX-License-Identifier: BSD-3-Clause
// Studies of a spinning top out of texts, for tests.
#pragma once
#include "polhode/io/deck/study.hpp"
#include "support/places.hpp"
#include "tests/support/deck_text.hpp"

namespace polhode::support {

inline std::string top_study(const std::string& rest) {
  return "format: polhode-study/1\ndeck: " POLHODE_SOURCE_DIR "/inputs/benchmarks/heavy_top.yaml\nvary:\n" + rest;
}

struct StudyFile {
  explicit StudyFile(const std::string& rest) : file("study.yaml", top_study(rest)), study(io::read_study(file.path)) {}
  TemporaryFile file;
  io::Study study;
};

inline std::string refusal_of_study(const std::string& text) {
  return refusal_by([](const std::string& path) { io::read_study(path); }, "study.yaml", text);
}

}  // namespace polhode::support
