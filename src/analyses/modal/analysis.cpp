// SPDX-License-Identifier: BSD-3-Clause
// The modal analysis of a run: its table, and the modes of all modal analyses of the run in the results.
#include "analyses/modal/analysis.hpp"

#include <fmt/format.h>

#include "polhode/analyses/modal/modal.hpp"

namespace polhode::analyses {
namespace {

// The modes of all modal analyses of a run so far.
struct KnownModes {
  std::vector<Mode> modes;
  std::vector<int> analysis;  // the index of that of each
  ModeNumbers numbers;
};

// Kept in the run, as the numbers of modes go on from one modal analysis to the next.
KnownModes& known_modes(AnalysisContext& context) {
  if (!context.modes.has_value()) context.modes.emplace<KnownModes>();
  return *std::any_cast<KnownModes>(&context.modes);
}

std::vector<std::string> summary_of(const ModalSettings& settings, const ModalResult& done) {
  const std::vector<Mode>& modes = done.modes;
  const std::string turning =
      settings.rotation ? fmt::format(", turning at {:.6g} rad/s", settings.rotation->speed) : "";
  std::vector<std::string> lines;
  if (!modes.empty()) lines = table_of(modes, done.free_text);
  lines.insert(lines.begin(),
               fmt::format("modal: {} modes{}{}", modes.size(), turning, modes.empty() ? ", none is in the band" : ""));
  return lines;
}

class ModalAnalysis final : public AnalysisTypeOf<ModalSettings> {
 public:
  using AnalysisTypeOf::AnalysisTypeOf;
  AnalysisResult run(const ModalSettings& settings, AnalysisContext& context) const override;
  results::RunContents contents(const ModalSettings& settings) const override {
    constexpr double of_a_band = 20;  // which may hold none or 400
    return {.modes = settings.band ? of_a_band : settings.modes};
  }
  std::string describe(const ModalSettings& settings) const override;
};

// The dataset of modes is replaced as a whole: HDF5 has no rows of texts that grow.
AnalysisResult ModalAnalysis::run(const ModalSettings& settings, AnalysisContext& context) const {
  AnalysisResult result;
  ModalResult done = run_modal(context.system, settings, context.q, context.path, context.problems,
                               [&context] { return context.observer.interrupted(); });
  if (done.end == ModalResult::End::invalid) {
    result.end = End::invalid;
    return result;
  }
  context.observer.observe(context.q, context.external_work);
  if (!done.note.empty()) context.observer.warn(done.note);
  if (done.end == ModalResult::End::interrupted) {
    result.end = End::interrupted;
    result.summary.emplace_back("interrupted in `modal`: no modes were stored");
    return result;
  }
  if (done.end == ModalResult::End::failed) {
    result.end = End::failed;
    result.failure = Failure{done.failure, {}, {}, {}};
    return result;
  }
  KnownModes& known = known_modes(context);
  known.numbers.give(context.system, done.modes);
  result.summary = summary_of(settings, done);
  for (const Mode& mode : done.modes) {
    known.modes.push_back(mode);
    known.analysis.push_back(context.index);
  }
  if (!known.modes.empty()) context.observer.store(modal_data(context.system, known.modes, known.analysis));
  result.data = std::move(done);
  return result;
}

std::string ModalAnalysis::describe(const ModalSettings& settings) const {
  const std::string which = settings.band
                                ? fmt::format("from {:g} to {:g} Hz", (*settings.band)[0], (*settings.band)[1])
                                : fmt::format("the lowest {} modes", settings.modes);
  return which + (settings.rotation ? ", in a rotating frame" : "");
}

}  // namespace

void archive_modes(math::Archive& a, std::any& modes) {
  bool has = modes.has_value();
  a(has);
  if (!has) return;
  if (a.is_reading()) modes.emplace<KnownModes>();
  auto& known = *std::any_cast<KnownModes>(&modes);
  a(known.modes, known.analysis, known.numbers);
}

const AnalysisTypeOf<ModalSettings>& modal_analysis() {
  static const ModalAnalysis type(modal_table);
  return type;
}

}  // namespace polhode::analyses
