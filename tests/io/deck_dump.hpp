// SPDX-License-Identifier: BSD-3-Clause
// All that was read from a deck, as text: two decks are the same where their texts are, to the last bit.
#pragma once
#include <fmt/format.h>

#include <string>

#include "polhode/analyses/catalog.hpp"
#include "polhode/io/deck/deck.hpp"
#include "polhode/model/catalog.hpp"
#include "polhode/results/settings.hpp"

namespace polhode::test {

template <class Numbers>
std::string bits_of(const Numbers& numbers) {
  std::string text = "[";
  for (const double number : numbers) text += fmt::format(" {:a}", number);
  return text + " ]";
}

inline std::string dump(const math::MatrixX& matrix) {
  return fmt::format("{}x{}{}", matrix.rows(), matrix.cols(), bits_of(matrix.reshaped()));
}

// Values and both derivatives at times that lie between and beyond what decks name.
inline std::string dump(const model::TimeFunction& function) {
  std::string text = "function";
  for (const double t : {0.0, 0.013, 0.31, 0.77, 1.9, 6.1, 40.0}) {
    const model::Jet jet = function(t);
    text += fmt::format(" ({:a}, {:a}, {:a})", jet.value, jet.first, jet.second);
  }
  return text;
}

// Values and gradients at times and numbers for its one or two variables.
inline std::string dump(const model::Expression& law) {
  std::string text = "law";
  for (const double t : {0.0, 0.31, 1.9})
    for (const std::array<double, 2> at : {std::array{0.0, 0.0}, {0.7, -0.3}, {-0.2, 1.9}}) {
      std::array<double, 2> gradient{};
      text += fmt::format(" ({:a}", law.value(t, at, gradient));
      text += bits_of(gradient) + ")";
    }
  return text;
}

inline std::string dump(const model::Value& value) {
  if (const auto* matrix = std::get_if<math::MatrixX>(&value)) return dump(*matrix);
  if (const auto* numbers = std::get_if<math::VectorX>(&value)) return bits_of(*numbers);
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{:a}", *number);
  if (const auto* function = std::get_if<model::TimeFunction>(&value)) return dump(*function);
  if (const auto* law = std::get_if<model::Expression>(&value)) return dump(*law);
  std::string text;
  if (const auto* weights = std::get_if<model::Weights>(&value))
    for (const auto& [joint, weight] : *weights) text += fmt::format("{}: {:a}, ", joint, weight);
  return text + model::text_of(value);
}

// The settings of a table, and of the mappings inside that are there.
inline std::string dump(const model::SettingsTable& table, const void* settings) {
  std::string text;
  for (const model::Setting& setting : table.settings) {
    if (setting.read) text += fmt::format("{}={} ", setting.field.name, dump(setting.read(settings)));
    const void* inner = setting.members ? setting.find(settings) : nullptr;
    if (inner && setting.members != &table)
      text += fmt::format("{}: {{ {}}} ", setting.field.name, dump(*setting.members, inner));
  }
  if (!table.alternatives) return text;
  const std::string_view chosen = table.alternatives->name_of(settings);
  text += fmt::format("{}={} ", table.alternatives->key.name, chosen);
  const void* own = table.alternatives->find(settings);
  for (const model::Alternative& one : table.alternatives->all())
    if (one.name == chosen && one.table && own) text += dump(*one.table, own);
  return text;
}

inline std::string dump(const model::Model& model) {
  std::string text = "gravity " + bits_of(model.gravity) + "\n";
  for (const model::NodeEntry& node : model.nodes) {
    text += fmt::format("node {} {} {}", node.name, bits_of(node.position), bits_of(node.orientation.coeffs()));
    if (node.velocity) text += " velocity " + bits_of(*node.velocity);
    if (node.angular_velocity) text += " angular velocity " + bits_of(*node.angular_velocity);
    for (const bool fixed : node.fixed) text += fixed ? " 1" : " 0";
    text += node.translation_only ? " point\n" : "\n";
  }
  for (const model::SectionEntry& section : model.sections)
    text += fmt::format("section {} {} {} {} {} {:a}\n", section.name, dump(math::MatrixX(section.stiffness)),
                        dump(math::MatrixX(section.mass)), bits_of(section.damping),
                        dump(math::MatrixX(section.damping_matrix)), section.mass_damping);
  for (const model::Entry& entry : model.entries) {
    text += entry.path() + " " + std::string(entry.kind->name);
    for (const auto& [key, value] : entry.values) text += fmt::format(" {}={}", key, dump(value));
    text += "\n";
  }
  for (const model::InitialMotion& motion : model.initial_motion) {
    text += fmt::format("motion {} {} {} {}", bits_of(motion.velocity), bits_of(motion.angular_velocity),
                        bits_of(motion.about), motion.everything);
    for (const auto* names : {&motion.nodes, &motion.bodies, &motion.beams}) text += " " + model::text_of(*names);
    text += "\n";
  }
  return text +
         fmt::format("{} {:a} {:a}\n", model.resolve_redundant, model.position_tolerance, model.velocity_tolerance);
}

inline std::string dump(const io::Deck& deck) {
  std::string text = deck.title + "\n" + deck.description + "\n" + dump(deck.model);
  for (analyses::Analysis analysis : deck.analyses)
    text += fmt::format("{} {}\n", analysis.type().name(), dump(*analysis.type().table(), analysis.settings_struct()));
  text += "output " + dump(results::output_table, &deck.output) + "\n";
  for (const results::Response& response : deck.responses)
    text += fmt::format("response {} {} {} {:a}\n", response.name, static_cast<int>(response.kind), response.of,
                        response.time);
  return text;
}

}  // namespace polhode::test
