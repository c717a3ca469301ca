// SPDX-License-Identifier: BSD-3-Clause
// A deck checked without running it: the model assembled, its constraints met, its results laid out.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "polhode/io/deck/deck.hpp"
#include "polhode/run/mass_properties.hpp"
#include "polhode/run/result.hpp"

namespace polhode::run {

// Sizes of a model and of its results.
struct ModelSummary {
  // What is wrong with the deck. Where there is anything, the members below are not complete.
  model::Problems problems;
  // What has no effect, or another one than was meant, most likely.
  std::vector<std::string> warnings;
  // Nodes of the model, without the ground.
  std::size_t nodes = 0;
  // Number of elements by kind.
  std::map<std::string, int> kinds;
  // Free unknowns of the velocities.
  int unknowns = 0;
  int constraint_rows = 0;
  int constraint_rank = 0;
  // How redundant constraint equations are resolved; "" where there are none
  std::string redundant;
  // The whole model, then bodies and beams, in the deck's configuration.
  std::vector<MassProperties> masses;
  // Joints by path, kind and degrees of freedom between their nodes (six less their constraint equations), in the order
  // of the deck.
  struct Joint {
    std::string path;
    std::string kind;
    int freedoms = 0;
  };
  std::vector<Joint> joints;
  // Forces and torques that follow measurements, in the order of the deck: gains between their units are in formulas,
  // which have none.
  struct Feedback {
    std::string path;  // "joints.hinge.motor"
    std::string unit;  // SI; "" of a factor
    struct Measured {
      std::string path;  // signals.angle
      std::string unit;  // SI
    };
    std::vector<Measured> follows;
  };
  std::vector<Feedback> feedback;
  // Size of the model: diagonal of the box around it, m.
  double length = 0;
  // What the start of the first analysis changes; "" where nothing is known
  std::string start;
  // States that the results will hold.
  double states = 0;
  // Whether their number is a guess, because steps are under control.
  bool states_are_guessed = false;
  std::size_t histories = 0;
  // Size of the results file, bytes, about; a guess where steps are under control.
  double result_bytes = 0;
  bool result_bytes_are_guessed = false;
  // Of these what is known whatever the steps are: all of them, states at given times, or none.
  double known_result_bytes = 0;
};

ModelSummary check_deck(const io::Deck& deck);

// Whether results of this size fit on the disk of `file`, which need not be there: "" if they do, or nothing is known
// of the disk; else a message: how much they are, how much is free, and a remedy.
std::string shortage_of_space(const ModelSummary& summary, const std::string& file);
// The same of the bytes that are known: `run` refuses these, and those that are guessed nobody.
std::string known_shortage_of_space(const ModelSummary& summary, const std::string& file);
// Behind such a message, where it refuses.
inline constexpr const char* shortage_remedy =
    ", name another file with -o, or write until the disk is full with --force";

// The deck's responses without values. What they ask for and the model cannot give is reported in `problems`.
std::vector<ResponseValue> check_responses(const io::Deck& deck, model::Problems& problems);

}  // namespace polhode::run
