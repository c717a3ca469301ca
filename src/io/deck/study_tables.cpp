// SPDX-License-Identifier: BSD-3-Clause
// The tables of a study file.
#include "polhode/results/settings.hpp"
#include "study_reader.hpp"
#include "tables.hpp"

namespace polhode::io {
namespace {

using model::FieldType;

constexpr std::string_view samplings[] = {"grid", "zip"};
constexpr std::string_view kept[] = {"responses", "failed", "all"};

// Read, documented and checked by the same code as the deck's tables.
constexpr Key study_keys[] = {
    {{"format", FieldType::text, "", "polhode-study/1; the first key of a study", true}},
    {{"title", FieldType::text, "", "one line, stored in the table"}},
    {{"description", FieldType::text, "", "free text"}},
    {{"deck", FieldType::text, "", "the deck that is run in each case, relative to the study", true}},
    {{"vary", FieldType::number, "",
      "values of the deck by their paths (sections.CD.stiffness.EA, nodes.tip.position.2, analysis.integrator.method)",
      true},
     Form::variations,
     &range_table},
    {{.name = "sampling",
      .type = FieldType::choice,
      .unit = "",
      .doc =
          "grid: each value with each, the last key fastest; zip: first values together, then second ones, ...; or a "
          "number of samples spread over the ranges",
      .default_text = "grid",
      .choices = samplings},
     Form::value_or_mapping,
     &sampling_table},
    {{"responses", FieldType::text, "", "named numbers of a run, in addition to those of the deck"},
     Form::named,
     nullptr,
     0,
     &results::response_table},
    {{.name = "keep",
      .type = FieldType::choice,
      .unit = "",
      .doc = "which results files are kept beside the table: none (responses), those of cases that did not complete "
             "(failed), or all",
      .default_text = "responses",
      .choices = kept}},
};

// Three numbers each: first, last, how many.
constexpr Key range_keys[] = {
    {{"linspace", FieldType::number, "",
      "[first, last, number], equally spaced; samples lie anywhere between the ends"},
     Form::numbers,
     nullptr,
     3},
    {{.name = "logspace",
      .type = FieldType::number,
      .unit = "",
      .doc = "[first, last, number], with equal ratios; samples the same way",
      .min = 0,
      .min_exclusive = true},
     Form::numbers,
     nullptr,
     3},
};

constexpr model::Setting study_samples_keys[] = {
    model::setting<&Sampling::samples>(
        {.name = "samples", .doc = "number of cases", .required = true, .min = 1, .max = most_cases}),
    model::setting<&Sampling::seed>({.name = "seed",
                                     .doc = "of the random numbers; the same seed gives the same cases on any machine",
                                     .min = 0,
                                     .max = 1e9}),
};

constexpr Key sampling_keys[] = {
    {{"latin_hypercube", FieldType::text, "",
      "one sample in each of as many equal slices of each range, in random order"},
     Form::mapping,
     nullptr,
     0,
     &samples_of_study_table},
    {{"sobol", FieldType::text, "",
      "Sobol's sequence with a random digital shift; even where samples are a power of two"},
     Form::mapping,
     nullptr,
     0,
     &samples_of_study_table},
};

}  // namespace

const Table study_table{"study", "A study: many runs of one deck with different values.", study_keys};
const Table range_table{"range", "A range of a varied number, in one of two forms.", range_keys};
const Table sampling_table{"sampling", "Samples instead of a grid, by one of two methods.", sampling_keys};
const model::SettingsTable samples_of_study_table{"samples", "How many samples.", study_samples_keys};

}  // namespace polhode::io
