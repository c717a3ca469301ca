// SPDX-License-Identifier: BSD-3-Clause
// The motion: which rows its inputs ask for, outputs and building.
#include "elements/joints/motion/motion.hpp"

#include "elements/joints/rows/axis_sensor.hpp"

namespace polhode::elements {
namespace {

// One driven coordinate as an input.
constexpr model::Field coordinate(std::string_view name, std::string_view unit, std::string_view doc) {
  return {.name = name, .type = model::FieldType::function, .unit = unit, .doc = doc, .signals = true};
}
constexpr std::array motion_fields{coordinate("x", "m", "displacement of b against a along the joint's x axis on a"),
                                   coordinate("y", "m", "along its y axis"),
                                   coordinate("z", "m", "along its z axis"),
                                   coordinate("rx", "rad", "component of the rotation vector of b against a"),
                                   coordinate("ry", "rad", "second component of that rotation vector"),
                                   coordinate("rz", "rad", "third component; only one of the three may differ from 0")};
constexpr std::array fields{
    connects_field, at_field,
    model::Field{.name = "axes",
                 .type = model::FieldType::axes,
                 .unit = "",
                 .doc = "the joint's x axis, and a vector whose part normal to it is the y axis; inertial, in the "
                        "initial configuration; default: the inertial axes",
                 .default_text = "[[1, 0, 0], [0, 1, 0]]",
                 .frame = model::Frame::direction},
    model::Field{.name = "motion",
                 .type = model::FieldType::group,
                 .unit = "",
                 .doc = "driven coordinates as functions of time; coordinates that are not named are free",
                 .required = true,
                 .members = motion_fields}};
constexpr std::array outputs{force_output, moment_output,
                             model::Output{"coordinates", "m, m, m, rad", "",
                                           "displacements of b against a along the joint's axes on a, and its angle "
                                           "about the driven axis, without jumps (0 if no rotation is named)",
                                           4},
                             model::Output{"rates", "m/s, m/s, m/s, rad/s", "", "rates of these coordinates", 4}};

// In the order of the axes, for loops over them.
constexpr std::array shift_keys{"motion.x", "motion.y", "motion.z"};
constexpr std::array turn_keys{"motion.rx", "motion.ry", "motion.rz"};

// What an entry names, and the axis that it drives.
struct Named {
  std::array<bool, 3> shifts{};
  std::array<bool, 3> turns{};
  int driven = 0;  // of the rotations: the one that is not zero at all times, else the first
};

bool is_zero(const model::TimeFunction& f) { return f.is_constant() && f(0).value == 0; }

// Right-handed markers whose third axis is the column `third` of `d`, and whose first is the column `first`.
// The angle rows turn about the third axis and measure t1_b against t1 and t2 of a,
// so a permutation of the joint's axes serves every driven axis.
Markers turned_markers(const Markers& d, int first, int third) {
  const auto frame = [&](const Mat3& E) {
    Mat3 turned;
    turned << E.col(first), E.col(third).cross(E.col(first)), E.col(third);
    return turned;
  };
  return {d.s_a, d.s_b, frame(d.E_a), frame(d.E_b)};
}

// The rows of the header. With two rotations named, i_a . f_b = 0 keeps b's axis f in the plane normal to
// i_a, and the angle is that of f_b about i_a; with three, both other axes stay normal to i_b,
// so i is common to both bodies.
template <class Kind>
void set_rows(const Named& named, typename Kind::Data& d) {
  std::size_t next = 0;
  for (int i = 0; i < 3; ++i)
    if (named.shifts[static_cast<std::size_t>(i)] && next < d.directions.size()) d.directions[next++] = d.E_a.col(i);
  const int i = named.driven;
  const int j = (i + 1) % 3;
  const int k = (i + 2) % 3;
  if constexpr (Kind::n_dots == 2) {
    d.dots_a = {Vec3(d.E_a.col(j)), Vec3(d.E_a.col(k))};
    d.dots_b = {Vec3(d.E_b.col(i)), Vec3(d.E_b.col(i))};
  }
  int first = j;
  if constexpr (Kind::n_dots == 1) {
    first = named.turns[static_cast<std::size_t>(j)] ? k : j;  // the axis that is not named
    d.dots_a = {Vec3(d.E_a.col(i))};
    d.dots_b = {Vec3(d.E_b.col(first))};
  }
  d.turned = turned_markers(d, first, i);
}

}  // namespace

// Any axis may be the driven one; those that follow it cyclically are named besides.
template <int translations, int rotations>
typename Motion<translations, rotations>::Data Motion<translations, rotations>::sample(std::mt19937& random) {
  Data d{sample_markers(random), {}, {}, {}, {}, {}, model::Expression::parse("0.3 + 0.8*t + sin(3*t)", {}, true)};
  for (model::TimeFunction& shift : d.shifts) shift = model::Expression::parse("0.2 + sin(2*t)", {}, true);
  Named named;
  named.driven = static_cast<int>(random() % 3);
  for (std::size_t i = 0; i < translations; ++i) named.shifts[i] = true;
  for (std::size_t i = 0; i < rotations; ++i) named.turns[(static_cast<std::size_t>(named.driven) + i) % 3] = true;
  set_rows<Motion>(named, d);
  return d;
}

namespace {

// Two components of a rotation vector that both vary are no angles about fixed axes:
// rows for them would depend on the order of turns. Components that are zero at all times fix axes and are
// fine.
bool read_named(const model::Entry& entry, model::Builder& builder, Named& named) {
  int moving = 0;
  int first = -1;
  for (std::size_t i = 0; i < 3; ++i) {
    named.shifts[i] = entry.has(shift_keys[i]);
    named.turns[i] = entry.has(turn_keys[i]);
    if (!named.turns[i]) continue;
    if (first < 0) first = static_cast<int>(i);
    if (is_zero(entry.function(turn_keys[i]))) continue;
    named.driven = static_cast<int>(i);
    if (++moving < 2) continue;
    builder.problem(entry, turn_keys[i],
                    "is a second rotation that is not zero, and one at most may differ from 0; chain two joints with a "
                    "body between them");
    return false;
  }
  if (moving == 0) named.driven = std::max(first, 0);
  if (first >= 0 || named.shifts[0] || named.shifts[1] || named.shifts[2]) return true;
  builder.problem(entry, "motion", "names no coordinate; give one out of x, y, z, rx, ry, rz");
  return false;
}

// The second vector needs no right angle to the first: its part normal to x counts.
bool read_frame(const model::Entry& entry, model::Builder& builder, Mat3& frame) {
  frame.setIdentity();
  if (!entry.has("axes")) return true;
  const math::MatrixX& axes = entry.matrix("axes");
  const Vec3 x = Vec3(axes.col(0)).normalized();
  const Vec3 y = Vec3(axes.col(1)).normalized();
  const Vec3 z = x.cross(y);
  if (z.norm() < 1e-6) {
    builder.problem(entry, "axes", "both axes are parallel, so they give no y axis; give two that differ");
    return false;
  }
  frame << x, z.cross(x).normalized(), z.normalized();
  return true;
}

// Coordinates that are named, in the order x, y, z: the order of the rows' names.
template <int translations, int rotations>
void add(const model::Entry& entry, model::Builder& builder, const std::array<int, 2>& at, const Markers& markers,
         const Named& named) {
  using Kind = Motion<translations, rotations>;
  typename Kind::Data d{markers, {}, {}, {}, {}, {}, {}};
  std::size_t next = 0;
  for (std::size_t i = 0; i < 3; ++i)
    if (named.shifts[i] && next < d.shifts.size()) d.shifts[next++] = entry.function(shift_keys[i]);
  if constexpr (rotations > 0) d.rotation = entry.function(turn_keys[static_cast<std::size_t>(named.driven)]);
  set_rows<Kind>(named, d);
  const Markers turned = d.turned;
  add_joint<Kind>(entry, builder, at, std::move(d));
  add_displacements<Kind>(entry, builder, at, markers, 3);
  if (rotations > 0) add_measured_coordinate<Kind, AxisAngle>(entry, builder, at, turned, 3);
}

// Calls add<translations, rotations> for the numbers of what is named, out of 0 ... 3 each.
// The numbers of rows are known when the deck is read, those of a kind when it is compiled:
// the one of fifteen kinds that fits.
template <int... index>
void add_counted(int translations, int rotations, std::integer_sequence<int, index...>, const model::Entry& entry,
                 model::Builder& builder, const std::array<int, 2>& at, const Markers& markers, const Named& named) {
  ((index == 4 * translations + rotations ? add<index / 4, index % 4>(entry, builder, at, markers, named) : void()),
   ...);
}

// b needs a rotation only where one is named; a always, since its axes give the directions. Node 0,
// the ground, stands in for b then.
void build(const model::Entry& entry, model::Builder& builder) {
  const auto [a, b] = connected(entry, builder);
  Named named;
  Mat3 frame;
  if (!read_named(entry, builder, named) || !read_frame(entry, builder, frame)) return;
  const int shifts = static_cast<int>(std::count(named.shifts.begin(), named.shifts.end(), true));
  const int turns = static_cast<int>(std::count(named.turns.begin(), named.turns.end(), true));
  const Vec3 at = entry.vector3("at");
  const Markers markers = make_markers(builder, a, b, at, at, frame);
  if (!check_rotations(entry, builder, a, turns > 0 ? b : 0) ||
      !builder.check_lever(entry, b, markers.s_b, "the joint"))
    return;
  add_counted(shifts, turns, std::integer_sequence<int, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15>{}, entry,
              builder, {a, b}, markers, named);
}

}  // namespace

const model::KindInfo motion_info{"motion",
                                  model::Family::joint,
                                  "named displacements and rotations of b against a are given functions of time",
                                  fields,
                                  outputs,
                                  build,
                                  model::samples<Motion<0, 1>, Motion<0, 2>, Motion<0, 3>, Motion<1, 0>, Motion<1, 1>,
                                                 Motion<2, 0>, Motion<2, 2>, Motion<3, 0>, Motion<3, 3>>};

}  // namespace polhode::elements
