// SPDX-License-Identifier: BSD-3-Clause
// The static analysis of a run: limit points, counts, and why it stopped.
#include "polhode/analyses/analysis.hpp"

#include <fmt/format.h>

namespace polhode::analyses {
namespace {

std::vector<std::string> summary_of(const StaticResult& done) {
  std::vector<std::string> lines;
  for (const double load : done.limit_loads)
    lines.push_back(fmt::format("static: limit point at load factor {:.6g}", load));
  const std::string wasted = done.wasted ? fmt::format(" and {} of failed attempts", done.wasted) : "";
  lines.push_back(fmt::format("static: {} load steps to load factor {:.6g}, {} linear solves{}, smallest pivot {:.2g}",
                              done.steps, done.load_factor, done.iterations, wasted, done.smallest_pivot));
  return lines;
}

}  // namespace

AnalysisResult run_analysis(const StaticSettings& settings, AnalysisContext& context) {
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

}  // namespace polhode::analyses
