// SPDX-License-Identifier: BSD-3-Clause
// A number that a host program sets.
#include "elements/signals/external/external.hpp"

#include "elements/signals/blocks/fields.hpp"

namespace polhode::elements {
namespace {

// y = held[0], which nothing samples: who sets it is the host program.
class External final : public model::SignalBlock {
 public:
  explicit External(double initial) : SignalBlock({.held = 1}), initial_(initial) {}
  void start(std::span<double>, std::span<double> held) const override { held[0] = initial_; }
  void evaluate(double, std::span<const double>, std::span<const double>, std::span<const double> held,
                Values& values) const override {
    values.y[0] = held[0];
  }

 private:
  double initial_;
};

constexpr std::array external_fields{signals::initial_field};

void build_external(const model::Entry& entry, model::Builder& builder) {
  signals::add_block(entry, builder, std::make_unique<External>(entry.number("initial", 0)), {});
}

}  // namespace

const model::KindInfo external_info{
    "external",     model::Family::signal, "a number that a host program sets between steps", external_fields, {},
    build_external, signals::no_samples};

}  // namespace polhode::elements
