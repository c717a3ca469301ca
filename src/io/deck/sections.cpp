// SPDX-License-Identifier: BSD-3-Clause
// Cross-sections of beams: named constants or full matrices, checked for what any section's matrices must be.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "model_reader.hpp"
#include "polhode/math/dense.hpp"
#include "section_shapes.hpp"

namespace polhode::io {
namespace {

using math::Mat6;

// A mass matrix is [m I, m tilde(c)^T; m tilde(c), J] of a mass m at c, J about the section's axis: the entry that is
// not so, or nothing.
std::string wrong_mass_entry(const Mat6& mass) {
  const auto entry = [](int i, int j) { return "[" + std::to_string(i + 1) + ", " + std::to_string(j + 1) + "]"; };
  const double m = mass(0, 0);
  const double tolerance = 1e-9 * mass.cwiseAbs().maxCoeff();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      if (std::abs(mass(i, j) - (i == j ? m : 0)) > 1e-9 * std::abs(m))
        return "the upper left block must be the mass per length times the identity; entry " + entry(i, j) + " is " +
               number_text(mass(i, j));
      if (std::abs(mass(3 + i, j) + mass(3 + j, i)) > tolerance)
        return "the lower left block must be skew, mass per length times the offset of the center of mass; entries " +
               entry(3 + i, j) + " and " + entry(3 + j, i) + " are " + number_text(mass(3 + i, j)) + " and " +
               number_text(mass(3 + j, i));
    }
  return "";
}

// One entry of `sections`: by a shape, by constants, or by full matrices, whose symmetry and definiteness
// are checked so that energies cannot be negative.
class SectionReader {
 public:
  SectionReader(const Item& item, std::string path, Reader& reader)
      : item_(item), path_(std::move(path)), reader_(reader) {}

  model::SectionEntry read() {
    model::SectionEntry section;
    section.name = item_.key;
    const auto given = reader_.mapping(item_, path_, section_table);
    if (!given) return section;
    section.mass_damping = given->number("mass_damping", 0);
    if (const Item* damping = item_.find("damping")) read_damping(*damping, *given, section);
    if (given->has("shape")) {
      if (given->value<std::string>("shape")) read_shape(*given, reader_, section);
      return section;
    }
    for (const Key& key : section_table.keys)
      if ((key.field.name == "stiffness" || key.field.name == "mass") && !given->has(key.field.name))
        reader_.findings.add(item_, path_,
                             "'" + std::string(key.field.name) + "' is missing: " + std::string(key.field.doc));
    if (const Item* stiffness = item_.find("stiffness")) section.stiffness = read_stiffness(*stiffness);
    const bool of_cables = section.stiffness(0, 0) != 0 && section.stiffness(1, 1) == 0;
    if (const Item* mass = item_.find("mass")) section.mass = read_mass(*mass, of_cables);
    return section;
  }

 private:
  const Item& item_;
  std::string path_;
  Reader& reader_;

  // Six rows, symmetric.
  std::optional<Mat6> full_matrix(const Item& item, const std::string& path) {
    const model::Field field{"", model::FieldType::matrix6, "", ""};
    const auto value = reader_.value(item, path, field, "");
    if (!value) return std::nullopt;
    return Mat6(std::get<math::MatrixX>(*value));
  }

  // `stiffness: {matrix: [[...]]}`, which other programs have.
  bool is_full_matrix_in_a_key(const Item& item, const std::string& path, const std::string& key) {
    const Item* matrix = item.find("matrix");
    if (!matrix) return false;
    reader_.findings.add(*matrix, path + ".matrix", "a full matrix is six rows: `" + key + ": [[...], ...]`");
    return true;
  }

  // Six rows are the matrix itself, a mapping a ratio; else time constants.
  void read_damping(const Item& item, const Mapping& given, model::SectionEntry& section) {
    const std::string path = path_ + ".damping";
    if (item.kind == Item::Kind::mapping) return read_ratio(item, path, given, section);
    if (item.kind == Item::Kind::sequence && !item.items.empty() && item.items[0].kind == Item::Kind::sequence) {
      const auto full = full_matrix(item, path);
      if (!full) return;
      section.damping_matrix = *full;
      const double smallest = math::least_scaled_eigenvalue(*full);
      if (smallest < -1e-12)
        reader_.findings.add(item, path,
                             "must be positive semidefinite, or some motion gains energy, but scaled to a unit "
                             "diagonal it has the eigenvalue " +
                                 rounded_text(smallest) +
                                 "; raise the diagonal, or give six time constants, which go with any stiffness");
      return;
    }
    const auto key = std::find_if(section_table.keys.begin(), section_table.keys.end(),
                                  [](const Key& k) { return k.field.name == "damping"; });
    if (const auto value = reader_.value(item, path, key->field, section_table.name))
      section.damping = std::get<math::VectorX>(*value);
  }

  // Damping proportional to mass and to stiffness has the ratio alpha/(2 omega) + tau omega/2 at the frequency omega.
  // It is z at both frequencies if their sum and product are those of the roots: alpha = 2 z w1 w2/(w1 + w2),
  // tau = 2 z/(w1 + w2).
  void read_ratio(const Item& item, const std::string& path, const Mapping& section_keys,
                  model::SectionEntry& section) {
    if (is_full_matrix_in_a_key(item, path, "damping")) return;
    const auto given = reader_.mapping(item, path, damping_table);
    if (!given) return;
    if (const Item* beside = section_keys.find("mass_damping"))
      reader_.findings.add(*beside, path_ + ".mass_damping",
                           "stands beside the ratio of 'damping', which sets it; remove one of them");
    const auto* ratio = given->value<double>("ratio");
    const auto* frequencies = given->value<math::VectorX>("frequencies");
    if (!ratio || !frequencies) return;
    const double sum = frequencies->sum();
    section.mass_damping = 4 * std::numbers::pi * *ratio * frequencies->prod() / sum;
    section.damping.setConstant(*ratio / (std::numbers::pi * sum));
  }

  // EA alone serves cables; beams need all.
  void check_constants(const Item& item, const std::string& path, const Mapping& given) {
    const auto rest = std::span(stiffness_table.keys).subspan(1);
    const auto is_given = [&](const Key& key) { return given.has(key.field.name); };
    if (std::none_of(rest.begin(), rest.end(), is_given)) return;
    for (const Key& key : rest)
      if (!is_given(key))
        reader_.findings.add(item, path,
                             "'" + std::string(key.field.name) + "' is missing: " + std::string(key.field.doc));
  }

  // Positive definite: every strain has an energy. Constants are positive by their bounds.
  Mat6 read_stiffness(const Item& item) {
    const std::string path = path_ + ".stiffness";
    Mat6 stiffness = Mat6::Zero();
    if (item.kind == Item::Kind::sequence) {
      const auto full = full_matrix(item, path);
      if (!full) return stiffness;
      const double smallest = math::least_scaled_eigenvalue(*full);
      if (smallest <= 1e-14)
        reader_.findings.add(
            item, path,
            "must be positive definite, but scaled to a unit diagonal it has the eigenvalue " + rounded_text(smallest));
      return *full;
    }
    if (is_full_matrix_in_a_key(item, path, "stiffness")) return stiffness;
    const auto given = reader_.mapping(item, path, stiffness_table);
    if (!given) return stiffness;
    check_constants(item, path, *given);
    for (int i = 0; i < 6; ++i)  // the table has them in the order N Qy Qz Mx My Mz
      stiffness(i, i) = given->number(stiffness_table.keys[static_cast<std::size_t>(i)].field.name, 0);
    return stiffness;
  }

  // Mass per length above zero; rotational inertia may be zero about an axis, hence semidefinite,
  // with room for round-off.
  Mat6 read_mass(const Item& item, bool of_cables) {
    const std::string path = path_ + ".mass";
    Mat6 mass = Mat6::Zero();
    if (item.kind == Item::Kind::sequence) {
      const auto full = full_matrix(item, path);
      if (!full) return mass;
      const double smallest = math::least_scaled_eigenvalue(*full);
      if (const std::string wrong = wrong_mass_entry(*full); !wrong.empty())
        reader_.findings.add(item, path, wrong);
      else if ((*full)(0, 0) <= 0)
        reader_.findings.add(item, path, "the mass per length must be in (0, inf), is " + number_text((*full)(0, 0)));
      else if (smallest < -1e-12)
        reader_.findings.add(item, path,
                             "must be positive semidefinite, but scaled to a unit diagonal it has the eigenvalue " +
                                 rounded_text(smallest));
      return *full;
    }
    if (is_full_matrix_in_a_key(item, path, "mass")) return mass;
    const auto given = reader_.mapping(item, path, mass_table);
    if (!given) return mass;
    const Key& inertia = mass_table.keys[1];
    if (!of_cables && !given->has(inertia.field.name))
      reader_.findings.add(item, path, "'inertia' is missing: " + std::string(inertia.field.doc));
    mass.diagonal().head<3>().setConstant(given->number("per_length", 0));
    mass.diagonal().tail<3>() = given->vector3("inertia", math::Vec3::Zero());
    return mass;
  }
};

}  // namespace

std::vector<model::SectionEntry> read_sections(const Item& item, Reader& reader) {
  std::vector<model::SectionEntry> sections;
  reader.entries(item, "sections", [&](const Item& entry, const std::string& path) {
    sections.push_back(SectionReader(entry, path, reader).read());
  });
  return sections;
}

}  // namespace polhode::io
