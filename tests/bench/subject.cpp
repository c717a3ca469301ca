// SPDX-License-Identifier: BSD-3-Clause
// Models of inputs/benchmarks in motion.
#include "subject.hpp"

#include <map>
#include <memory>
#include <stdexcept>

#include "polhode/analyses/initial/start.hpp"
#include "support/places.hpp"

namespace polhode::bench {
namespace {

io::Deck read(const std::string& name) {
  const std::string folder = POLHODE_SOURCE_DIR "/inputs/benchmarks/";
  if (name.starts_with("chain_")) return io::read_deck(folder + "chain.yaml", {"parameters.N=" + name.substr(6)});
  return io::read_deck(folder + name + ".yaml");
}

void refuse(const model::Problems& problems) {
  for (const model::Problem& problem : problems) throw std::runtime_error(problem.path + ": " + problem.message);
}

assembly::System make_system(const model::Model& model) {
  model::Problems problems;
  std::optional<assembly::System> system = assembly::System::make(model, problems);
  refuse(problems);
  return std::move(*system);
}

}  // namespace

Subject::Subject(const std::string& name)
    : deck(read(name)), system(make_system(deck.model)), stepper(system, settings().integrator, settings().newton) {
  q = system.initial_state();
  model::Problems problems;
  analyses::meet_constraints(system, q, settings().duration, problems);
  if (problems.empty()) analyses::set_accelerations(system, q, problems);
  refuse(problems);
  stepper.start(q);
  while (steps < (system.elements() > 10000 ? 2 : 20)) advance();
}

void Subject::advance() {
  ++steps;
  if (!stepper.advance(q, settings().step, static_cast<double>(steps) * settings().step))
    throw std::runtime_error("a step failed");
  for (const integrators::StepReport& report : stepper.reports()) iterations += report.iterations;
}

Subject& subject(const std::string& name) {
  static std::map<std::string, std::unique_ptr<Subject>> made;
  std::unique_ptr<Subject>& one = made[name];
  if (!one) one = std::make_unique<Subject>(name);
  return *one;
}

}  // namespace polhode::bench
