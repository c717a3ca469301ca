// SPDX-License-Identifier: BSD-3-Clause
// Blocks by their matrices.
#include "elements/signals/blocks/linear.hpp"

namespace polhode::elements::signals {
namespace {

class Continuous final : public model::SignalBlock {
 public:
  explicit Continuous(StateSpace s)
      : SignalBlock({.inputs = s.inputs(), .outputs = s.outputs(), .states = s.states()}), s_(std::move(s)) {}
  void start(std::span<double> z, std::span<double>) const override {
    std::copy(s_.start.begin(), s_.start.end(), z.begin());
  }
  std::optional<Range> linear_range() const override { return Range{}; }
  void evaluate(double, std::span<const double> u, std::span<const double> z, std::span<const double>,
                Values& values) const override {
    const Eigen::Map<const VectorX> x(z.data(), s_.A.rows());
    const Eigen::Map<const VectorX> in(u.data(), s_.B.cols());
    values.f.noalias() = s_.A * x;
    values.f.noalias() += s_.B * in;
    values.y.noalias() = s_.C * x;
    values.y.noalias() += s_.D * in;
    values.f_by_z = s_.A;
    values.f_by_u = s_.B;
    values.y_by_z = s_.C;
    values.y_by_u = s_.D;
  }

 private:
  StateSpace s_;
};

// Held: x, then y.
class Sampled final : public model::SignalBlock {
 public:
  Sampled(StateSpace s, double period)
      : SignalBlock({.inputs = s.inputs(), .outputs = s.outputs(), .held = s.states() + s.outputs()}),
        s_(std::move(s)),
        period_(period) {}
  double period() const override { return period_; }
  void start(std::span<double>, std::span<double> held) const override {
    std::copy(s_.start.begin(), s_.start.end(), held.begin());
  }
  void evaluate(double, std::span<const double>, std::span<const double>, std::span<const double> held,
                Values& values) const override {
    values.y = Eigen::Map<const VectorX>(held.data() + s_.states(), s_.outputs());
  }
  // The output is that of the states before the moment: what is measured now acts on x for the next one.
  void sample(double, std::span<const double> u, std::span<double> held) const override {
    Eigen::Map<VectorX> x(held.data(), s_.states());
    const Eigen::Map<const VectorX> in(u.data(), s_.inputs());
    Eigen::Map<VectorX>(held.data() + s_.states(), s_.outputs()) = s_.C * x + s_.D * in;
    x = (s_.A * x + s_.B * in).eval();
  }
  // x = A x + B u as z' = ((A - 1) z + B u) / period = 0.
  std::unique_ptr<model::SignalBlock> resting() const override {
    StateSpace s = s_;
    s.A.diagonal().array() -= 1;
    s.A /= period_;
    s.B /= period_;
    return continuous(std::move(s));
  }

 private:
  StateSpace s_;
  double period_;
};

}  // namespace

StateSpace first_order(double A, double B, double C, double D, double start) {
  const auto one = [](double value) { return MatrixX(MatrixX::Constant(1, 1, value)); };
  return {one(A), one(B), one(C), one(D), VectorX::Constant(1, start)};
}

std::unique_ptr<model::SignalBlock> continuous(StateSpace s) { return std::make_unique<Continuous>(std::move(s)); }

// Whether it is sampled is seen by its period alone; kinds without that key never are.
void add_linear(const model::Entry& entry, model::Builder& builder, StateSpace s,
                std::vector<model::TimeFunction> inputs) {
  if (entry.has("period"))
    add_block(entry, builder, std::make_unique<Sampled>(std::move(s), entry.number("period")), std::move(inputs));
  else
    add_block(entry, builder, continuous(std::move(s)), std::move(inputs));
}

}  // namespace polhode::elements::signals
