// SPDX-License-Identifier: BSD-3-Clause
// The static analysis of a run: limit points, counts, and why it stopped.
#include "analyses/static/analysis.hpp"

#include <fmt/format.h>

namespace polhode::analyses {
namespace {

std::vector<std::string> summary_of(const StaticResult& done) {
  std::vector<std::string> lines;
  for (const double load : done.limit_loads)
    lines.push_back(fmt::format("static: limit point at load factor {:.6g}", load));
  for (const std::string& note : done.notes) lines.push_back("static: " + note);
  const std::string wasted = done.wasted ? fmt::format(" and {} of failed attempts", done.wasted) : "";
  lines.push_back(fmt::format("static: {} load steps to load factor {:.6g}, {} linear solves{}, smallest pivot {:.2g}",
                              done.steps, done.load_factor, done.iterations, wasted, done.smallest_pivot));
  return lines;
}

class StaticAnalysis final : public AnalysisTypeOf<StaticSettings> {
 public:
  using AnalysisTypeOf::AnalysisTypeOf;
  AnalysisResult run(const StaticSettings& settings, AnalysisContext& context) const override;
  std::string check_start(const StaticSettings& settings, const StartContext& context) const override;
  results::RunContents contents(const StaticSettings&) const override { return {.static_analyses = true}; }
  std::string describe(const StaticSettings& settings) const override;
};

// Loads stay at their full size for the analyses that follow.
AnalysisResult StaticAnalysis::run(const StaticSettings& settings, AnalysisContext& context) const {
  const StaticResult done =
      run_static(context.system, settings, context.loaded, context.q, context.observer, context.problems);
  AnalysisResult result;
  result.data = done;
  if (done.end == StaticResult::End::invalid) {
    result.end = End::invalid;
    return result;
  }
  context.loaded = true;
  context.external_work = context.observer.external_work();
  result.summary = summary_of(done);
  if (done.end == StaticResult::End::interrupted) {
    result.end = End::interrupted;
    result.summary.push_back(fmt::format("interrupted at load factor {:.6g}", done.load_factor));
  } else if (done.end == StaticResult::End::failed) {
    result.end = End::failed;
    result.failure = Failure{done.failure, {}, {}, done.details};
  }
  return result;
}

std::string StaticAnalysis::check_start(const StaticSettings&, const StartContext& context) const {
  check_static_start(context.system, context.q, false, context.problems);
  return "";
}

std::string StaticAnalysis::describe(const StaticSettings& settings) const {
  const bool arc_length = settings.control == StaticSettings::Control::arc_length;
  return fmt::format("{}{}", arc_length ? "along the path of equilibria" : "load factor from 0 to 1",
                     settings.rotation ? ", in a rotating frame" : "");
}

}  // namespace

const AnalysisTypeOf<StaticSettings>& static_analysis() {
  static const StaticAnalysis type(static_table);
  return type;
}

}  // namespace polhode::analyses
