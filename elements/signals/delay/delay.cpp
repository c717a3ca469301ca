// SPDX-License-Identifier: BSD-3-Clause
// A dead time. The network of signals keeps what it has been given.
#include "elements/signals/delay/delay.hpp"

#include "elements/signals/blocks/fields.hpp"
#include "elements/signals/delay/pade.hpp"

namespace polhode::elements {
namespace {

class DeadTime final : public model::SignalBlock {
 public:
  explicit DeadTime(Delay delay) : SignalBlock({.inputs = 1, .held = 2}), delay_(delay) {}
  Delay delay() const override { return delay_; }
  // Of a delay that is shorter than the step a part of the present input.
  void evaluate(double, std::span<const double> u, std::span<const double>, std::span<const double> held,
                Values& values) const override {
    values.y[0] = held[0] + held[1] * u[0];
    values.y_by_u(0, 0) = held[1];
  }
  // A gain of one.
  std::unique_ptr<model::SignalBlock> resting() const override {
    using signals::MatrixX;
    return signals::continuous(
        {MatrixX(0, 0), MatrixX(0, 1), MatrixX(1, 0), MatrixX::Identity(1, 1), signals::VectorX(0)});
  }
  std::unique_ptr<model::SignalBlock> approximant(int order, bool lags) const override {
    return signals::continuous(lags ? lagging_approximant(delay_.time, order) : pade_approximant(delay_.time, order));
  }

 private:
  Delay delay_;
};

constexpr std::array delay_fields{signals::input_field, signals::positive_field("time", "s", "of the delay"),
                                  model::Field{.name = "initial",
                                               .type = model::FieldType::number,
                                               .unit = "",
                                               .doc = "output for that time, from the start on",
                                               .default_text = "0"}};

void build_delay(const model::Entry& entry, model::Builder& builder) {
  signals::add_block(
      entry, builder,
      std::make_unique<DeadTime>(model::SignalBlock::Delay{entry.number("time"), entry.number("initial", 0)}),
      {entry.function("input")});
}

}  // namespace

const model::KindInfo delay_info{"delay",     model::Family::signal, "the input as it was a time ago", delay_fields, {},
                                 build_delay, signals::no_samples};

}  // namespace polhode::elements
