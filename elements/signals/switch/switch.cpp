// SPDX-License-Identifier: BSD-3-Clause
// A relay with hysteresis: held is whether it is on, which two events of its own change in a transient.
#include "elements/signals/switch/switch.hpp"

#include "elements/signals/blocks/fields.hpp"

namespace polhode::elements {
namespace {

enum Input { input, when_on, when_off, inputs };

class Switch final : public model::SignalBlock {
 public:
  Switch(double on, double off, bool starts_on)
      : SignalBlock({.inputs = inputs, .held = 1}), on_(on), off_(off), starts_on_(starts_on) {}
  // The input acts by events alone
  bool follows(int which) const override { return which != input; }
  void start(std::span<double>, std::span<double> held) const override { held[0] = starts_on_ ? 1 : 0; }
  void evaluate(double, std::span<const double> u, std::span<const double>, std::span<const double> held,
                Values& values) const override {
    const bool on = held[0] != 0;
    values.y[0] = u[on ? when_on : when_off];
    values.y_by_u(0, when_on) = on ? 1 : 0;
    values.y_by_u(0, when_off) = on ? 0 : 1;
  }
  // Between the thresholds it stays as it is.
  void enter(std::span<const double> u, std::span<double> held) const override {
    if (u[input] > on_) held[0] = 1;
    if (u[input] < off_) held[0] = 0;
  }

 private:
  double on_;
  double off_;
  bool starts_on_;
};

constexpr model::Field output_field(std::string_view name, std::string_view doc, std::string_view standard) {
  return {.name = name,
          .type = model::FieldType::function,
          .unit = "",
          .doc = doc,
          .default_text = standard,
          .signals = true};
}
constexpr std::array switch_fields{
    signals::input_field,
    model::Field{.name = "on_above",
                 .type = model::FieldType::number,
                 .unit = "",
                 .doc = "it becomes on where the input rises above",
                 .required = true},
    model::Field{.name = "off_below",
                 .type = model::FieldType::number,
                 .unit = "",
                 .doc = "it becomes off where the input falls below; not above `on_above`, its default"},
    output_field("when_on", "output while it is on", "1"),
    output_field("when_off", "output while it is off", "0"),
    model::Field{.name = "starts_on",
                 .type = model::FieldType::flag,
                 .doc = "whether it is on at the start, where the input is between both",
                 .default_text = "false"}};

// Of the signal that has been added last.
void add_change(const model::Entry& entry, model::Builder& builder, double level, bool on) {
  model::Event event;
  event.entry = builder.index_of(entry);
  event.when = entry.function("input");
  event.level = level;
  event.direction = on ? model::Event::Direction::up : model::Event::Direction::down;
  event.set.push_back(builder.signals_.size() - 1);
  event.values.emplace_back(on ? 1.0 : 0.0);
  event.only_changes = true;
  event.what = on ? "switches on" : "switches off";
  builder.add_event(std::move(event));
}

// A constant as the function of an event would be taken for its time.
void build_switch(const model::Entry& entry, model::Builder& builder) {
  const double on = entry.number("on_above");
  const double off = entry.number("off_below", on);
  if (off > on) return builder.problem(entry, "off_below", "is above `on_above`");
  if (entry.function("input").is_constant())
    return builder.problem(entry, "input", "is a constant, which never switches; give a signal or a function of time");
  const auto output = [&](std::string_view key, double standard) {
    return entry.has(key) ? entry.function(key) : model::TimeFunction(standard);
  };
  signals::add_block(entry, builder, std::make_unique<Switch>(on, off, entry.flag("starts_on", false)),
                     {entry.function("input"), output("when_on", 1), output("when_off", 0)});
  add_change(entry, builder, on, true);
  add_change(entry, builder, off, false);
}

}  // namespace

const model::KindInfo switch_info{
    "switch",     model::Family::signal, "one of two signals, by a threshold with hysteresis", switch_fields, {},
    build_switch, signals::no_samples};

}  // namespace polhode::elements
