// SPDX-License-Identifier: BSD-3-Clause
// A number that events set: held, and no function of anything.
#include "elements/signals/mode/mode.hpp"

#include "elements/signals/blocks/fields.hpp"

namespace polhode::elements {
namespace {

class Mode final : public model::SignalBlock {
 public:
  explicit Mode(double initial) : SignalBlock({.held = 1}), initial_(initial) {}
  void start(std::span<double>, std::span<double> held) const override { held[0] = initial_; }
  void evaluate(double, std::span<const double>, std::span<const double>, std::span<const double> held,
                Values& values) const override {
    values.y[0] = held[0];
  }

 private:
  double initial_;
};

constexpr std::array mode_fields{model::Field{.name = "initial",
                                              .type = model::FieldType::number,
                                              .doc = "the value until an event sets another one",
                                              .default_text = "0"}};

void build_mode(const model::Entry& entry, model::Builder& builder) {
  signals::add_block(entry, builder, std::make_unique<Mode>(entry.number("initial", 0)), {});
}

}  // namespace

const model::KindInfo mode_info{
    "mode",     model::Family::signal, "a number that events set, to switch what takes it", mode_fields, {},
    build_mode, signals::no_samples};

}  // namespace polhode::elements
