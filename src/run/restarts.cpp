// SPDX-License-Identifier: BSD-3-Clause
// Restart points: which one counts, what they are made of.
#include "restarts.hpp"

#include <fmt/format.h>

#include <utility>

#include "polhode/io/deck/restart_deck.hpp"

namespace polhode::run {
namespace {

// Relative: a time that is given in decimals means the point whose time is n h.
constexpr double same_time = 1e-9;

// The first analysis that is longer than that of the run in the file; all before are the same.
std::size_t first_longer(const io::Deck& deck, const io::RestartSource& source) {
  const std::vector<std::size_t> longer = io::longer_analyses(deck, source);
  return longer.empty() ? deck.analyses.size() : longer.front();
}

}  // namespace

// Behind the begin of a longer analysis only what does not depend on the duration is the same.
std::optional<io::RestartHead> choose_point(const io::RestartSource& source, const io::Deck& deck,
                                            const std::optional<double>& at) {
  const std::size_t longer = first_longer(deck, source);
  std::optional<io::RestartHead> best;
  for (const io::RestartHead& point : source.points()) {
    const auto analysis = static_cast<std::size_t>(point.analysis);
    if (at && point.time > *at * (1 + same_time)) continue;
    if (analysis > longer || analysis >= deck.analyses.size()) continue;
    if (analysis == longer && point.step > 0 && !point.any_duration) continue;
    best = point;
  }
  return best;
}

std::string text_of(const std::optional<io::RestartHead>& point, const io::Deck& deck, const std::string& file) {
  if (!point) return fmt::format("{}: no restart point to go on from, the run begins anew", file);
  const std::string path = io::analysis_path(deck, static_cast<std::size_t>(point->analysis));
  const std::string where = point->step == 0 ? "at the begin of" : fmt::format("behind step {} of", point->step);
  return fmt::format("{}: goes on from t = {:.9g} s, {} `{}`", file, point->time, where, path);
}

std::vector<double> Restarts::go_on_from(const std::string& file, const io::RestartHead& point,
                                         const std::vector<double>& body) {
  file_ = file;
  number_ = point.number;
  std::vector<double> of_run;
  std::vector<double> of_analysis;
  math::Archive a(body);
  a(of_run, of_observer_, of_analysis);
  if (!a.is_at_end()) refuse();
  if (point.step > 0) of_analysis_ = std::move(of_analysis);
  return of_run;
}

// The first analysis begins with the run: that point needs no data. One that is taken up there has it already.
void Restarts::begin_analysis(int index, std::vector<double> of_run) {
  const bool goes_on = !file_.empty() && number_ > 0 && of_run_.empty();
  analysis_ = index;
  of_run_ = std::move(of_run);
  if (index > 0 && !goes_on && every(1) > 0) keep({}, {});
}

void Restarts::keep(const analyses::RestartPlace& place, const std::vector<double>& words) {
  math::Archive of_observer;
  if (place.step > 0) observer_.archive(of_observer);
  std::vector<double> of_observer_now = of_observer.words();
  std::vector<double> of_analysis = words;
  math::Archive body;
  body(of_run_, of_observer_now, of_analysis);
  io::RestartHead head;
  head.number = ++number_;
  head.analysis = analysis_;
  head.step = place.step;
  head.time = place.time;
  head.any_duration = place.any_duration;
  recorder_.keep_point(head, body.words());
}

std::optional<std::vector<double>> Restarts::take() { return std::exchange(of_analysis_, std::nullopt); }

void Restarts::taken(bool good) {
  math::Archive a(of_observer_);
  if (good) observer_.archive(a);
  if (!good || !a.is_at_end()) refuse();
}

void Restarts::refuse() const {
  throw io::FileError(file_ +
                      ": the restart point does not fit the model of its deck: it was written by another build of "
                      "polhode, or is damaged; run the deck from the begin");
}

}  // namespace polhode::run
