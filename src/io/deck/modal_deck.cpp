// SPDX-License-Identifier: BSD-3-Clause
// The keys of a modal analysis, and how they are read.
#include "model_reader.hpp"

namespace polhode::io {
namespace {

using model::FieldType;

constexpr std::string_view modal_type[] = {"modal"};

constexpr Key rotation_key = {
    {"rotation", FieldType::text, "", "about an equilibrium in a frame that turns steadily, and as seen in that frame"},
    Form::mapping,
    &rotation_table};

constexpr model::Field band_field{.name = "band",
                                  .type = FieldType::numbers,
                                  .unit = "Hz",
                                  .doc = "instead of a number: all from the lower to the upper frequency, [f1, f2]",
                                  .min = 0};

constexpr Key modal_keys[] = {
    {{.name = "type",
      .type = FieldType::choice,
      .unit = "",
      .doc = "what is done",
      .required = true,
      .choices = modal_type}},
    {{.name = "modes",
      .type = FieldType::integer,
      .unit = "",
      .doc = "how many, the lowest; free motions count",
      .min = 1,
      .max = 10000,
      .default_text = "10"}},
    {band_field, Form::numbers, nullptr, 2},
    rotation_key,
};

}  // namespace

const Table modal_table{
    "modal", "Frequencies, damping ratios and shapes of small motions about the present state, an equilibrium.",
    modal_keys};

analyses::ModalSettings read_modal(const Mapping& given, Reader& reader) {
  analyses::ModalSettings settings;
  settings.modes = static_cast<int>(given.number("modes", settings.modes));
  settings.rotation = read_rotation(given, reader);
  if (const Item* item = given.find("band")) {
    if (given.has("modes"))
      reader.findings.add(*item, given.path + ".band", "excludes modes, both choose what is computed; remove one");
    if (const auto band = reader.numbers(*item, given.path + ".band", band_field, 2)) {
      settings.band = {(*band)[0], (*band)[1]};
      if (!((*band)[0] < (*band)[1]))
        reader.findings.add(*item, given.path + ".band",
                            "goes from " + number_text((*band)[0]) + " Hz to " + number_text((*band)[1]) +
                                " Hz; give the lower frequency first, and a higher one after it");
    }
  }
  return settings;
}

}  // namespace polhode::io
