// SPDX-License-Identifier: BSD-3-Clause
// Initial coordinates of all kinds of joints: random trees and loops report what is given, and coordinates that follow
// from each other are found where they fit, next to dead centers, too.
#include <gtest/gtest.h>

#include <numbers>

#include "polhode/analyses/initial/posture.hpp"
#include "support/postures.hpp"

namespace polhode::support::posture_joints_test {
namespace {

constexpr double pi = std::numbers::pi;

// Keys of value and rate, in the order of the results.
struct Keys {
  const char* value;
  const char* rate;
  bool is_angle;
};
std::vector<Keys> keys_of(std::string_view type) {
  const Keys angle{"initial.angle", "initial.angle_rate", true};
  const Keys displacement{"initial.displacement", "initial.displacement_rate", false};
  const Keys along_1{"initial.displacement_1", "initial.displacement_1_rate", false};
  const Keys along_2{"initial.displacement_2", "initial.displacement_2_rate", false};
  if (type == "revolute") return {{"initial.angle", "initial.rate", true}};
  if (type == "prismatic" || type == "point_on_line") return {{"initial.displacement", "initial.rate", false}};
  if (type == "cylindrical") return {angle, displacement};
  if (type == "planar") return {along_1, along_2, angle};
  if (type == "point_on_plane") return {along_1, along_2};
  if (type == "universal")
    return {{"initial.angle_1", "initial.angle_1_rate", true}, {"initial.angle_2", "initial.angle_2_rate", true}};
  return {};
}

// What results show of a joint at a state.
std::vector<double> reported(const assembly::System& system, State q, std::string_view name) {
  for (const auto& batch : system.batches())
    for (std::size_t e = 0; e < batch->size(); ++e) {
      const model::Entry& entry = system.model().entries[static_cast<std::size_t>(batch->entry_of(e))];
      if (entry.family != Family::joint || entry.name != name) continue;
      std::size_t size = 0;
      for (const model::Output& output : entry.kind->outputs) size += static_cast<std::size_t>(output.size);
      std::vector<double> out(size);
      batch->write_outputs(e, 1, q, system.context(q), out.data(), out.size());
      return {out.begin() + 6, out.end()};
    }
  throw std::logic_error("no such joint");
}

// Their rates, by differences along the motion.
std::vector<double> reported_rates(const assembly::System& system, const State& q, std::string_view name) {
  constexpr double dt = 2e-5;
  const auto at = [&](double time) {
    State later = flow(q, time);
    system.update_history(later);
    return reported(system, later, name);
  };
  const std::array<std::vector<double>, 4> f{at(-2 * dt), at(-dt), at(dt), at(2 * dt)};
  std::vector<double> rates(f[0].size());
  for (std::size_t i = 0; i < rates.size(); ++i) rates[i] = (8 * (f[2][i] - f[1][i]) - (f[3][i] - f[0][i])) / (12 * dt);
  return rates;
}

Vec3 relative_angular_velocity(const assembly::System& system, const State& q, std::string_view name) {
  const State deck = system.initial_state();
  for (const model::JointTopology& joint : system.joints()) {
    if (system.model().entries[static_cast<std::size_t>(joint.entry)].name != name) continue;
    const auto a = static_cast<std::size_t>(joint.nodes[0]);
    const auto b = static_cast<std::size_t>(joint.nodes[1]);
    const Vec3 omega = q.R[b] * q.v[b].tail<3>() - q.R[a] * q.v[a].tail<3>();
    return deck.R[a] * q.R[a].transpose() * omega;
  }
  throw std::logic_error("no such joint");
}

model::Value axes(const Vec3& u, const Vec3& v) {
  math::MatrixX both(3, 2);
  both << u, v;
  return both;
}

void set_axes(model::Entry& entry, std::string_view type, std::mt19937& random) {
  const Vec3 u = random_direction(random);
  if (type == "universal") entry.values.emplace("axes", axes(u, u.cross(random_direction(random)).normalized()));
  if (type != "universal" && type != "spherical") entry.values.emplace("axis", value(u));
  if (type == "screw") entry.values.emplace("pitch", (random() % 2 == 0 ? -1 : 1) * uniform(random, 0.1, 0.6));
}

void give(model::Entry& entry, std::string_view type, std::mt19937& random) {
  for (const Keys& keys : keys_of(type)) {
    const double size = keys.is_angle ? 4 : 1;
    if (random() % 4 != 0) entry.values.emplace(keys.value, uniform(random, -size, size));
    if (random() % 4 != 0) entry.values.emplace(keys.rate, uniform(random, -2, 2));
  }
  if (type == "spherical" && random() % 4 != 0)
    entry.values.emplace("initial.rotation_vector", value(Vec3(random_direction(random) * uniform(random, 0, 3.1))));
  if (type == "spherical" && random() % 4 != 0)
    entry.values.emplace("initial.angular_velocity", value(random_vector(random, 2)));
  if (type == "screw") {
    const bool by_angle = random() % 2 == 0;
    entry.values.emplace(by_angle ? "initial.angle" : "initial.displacement", uniform(random, -2, 2));
    if (random() % 4 != 0)
      entry.values.emplace(by_angle ? "initial.angle_rate" : "initial.displacement_rate", uniform(random, -2, 2));
  }
}

// All that the entry gives is what results show, values to 1e-12.
void expect_given(const Machine& machine, const State& q, const model::Entry& entry, const std::string& what) {
  const assembly::System& system = machine.system;
  const std::vector<double> values = reported(system, q, entry.name);
  const std::vector<double> rates = reported_rates(system, q, entry.name);
  const std::vector<Keys> keys =
      keys_of(entry.kind->name == "screw" ? std::string_view("cylindrical") : entry.kind->name);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    EXPECT_NEAR(values[i], entry.number(keys[i].value, values[i]), 1e-12) << what << keys[i].value;
    EXPECT_NEAR(rates[i], entry.number(keys[i].rate, rates[i]), 1e-7) << what << keys[i].rate;
  }
  if (entry.kind->name != "spherical") return;
  const Vec3 turned(values[0], values[1], values[2]);
  const Vec3 turning = relative_angular_velocity(system, q, entry.name);
  EXPECT_LE((turned - entry.vector3("initial.rotation_vector", turned)).norm(), 1e-12) << what;
  EXPECT_LE((turning - entry.vector3("initial.angular_velocity", turning)).norm(), 1e-11) << what;
}

constexpr std::array<const char*, 9> types{"revolute",  "prismatic", "cylindrical",   "screw",         "planar",
                                           "universal", "spherical", "point_on_line", "point_on_plane"};

TEST(PostureJoints, TreesReportWhatIsGiven) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    std::mt19937 random(seed);
    ModelMaker m;
    std::vector<std::string> names{"ground"};
    const int bodies = 1 + static_cast<int>(random() % 6);
    for (int i = 0; i < bodies; ++i) {
      const std::string name = "b" + std::to_string(i);
      const std::string inboard = names[random() % names.size()];
      add_body(m, name, random_vector(random, 2), random);
      const char* const type = types[random() % types.size()];
      const bool turned_round = random() % 3 == 0;
      model::Entry& entry = m.joint(type, "j" + std::to_string(i), turned_round ? name : inboard,
                                    turned_round ? inboard : name, Vec3(random_vector(random, 2)));
      set_axes(entry, type, random);
      give(entry, type, random);
      names.push_back(name);
    }
    std::stable_sort(m.model.entries.begin(), m.model.entries.end(),
                     [](const model::Entry& a, const model::Entry& b) { return a.family < b.family; });
    const Machine machine(std::move(m.model));
    State q = machine.system.initial_state();
    analyses::PostureReport report;
    model::Problems problems;
    ASSERT_TRUE(analyses::set_coordinates(machine.system, q, report, problems)) << "seed " << seed;
    EXPECT_LE(violation(machine.system, q), 1e-12) << "seed " << seed;
    EXPECT_LE(rate_violation(machine.system, q), 1e-11) << "seed " << seed;
    for (const model::Entry& entry : machine.model.entries)
      if (entry.family == Family::joint)
        expect_given(machine, q, entry,
                     "seed " + std::to_string(seed) + ", " + std::string(entry.kind->name) + " " + entry.name + " ");
  }
}

// A spatial loop with one degree of freedom: crank on a hinge or a screw, a cross, a ball, a rocker on a hinge.
model::Model random_loop(std::mt19937& random, bool screw) {
  ModelMaker m;
  const std::array<Vec3, 4> at{Vec3(0, 0, 0), Vec3(0.4, 0, 0) + 0.1 * random_vector(random),
                               Vec3(0.5, 1, 0.3) + 0.2 * random_vector(random),
                               Vec3(1.2, 0.2, 0) + 0.1 * random_vector(random)};
  add_body(m, "crank", 0.5 * (at[0] + at[1]), random);
  add_body(m, "coupler", 0.5 * (at[1] + at[2]), random);
  add_body(m, "rocker", 0.5 * (at[2] + at[3]), random);
  model::Entry& a = m.joint(screw ? "screw" : "revolute", "A", "ground", "crank", at[0]);
  a.values.emplace("axis", value(Vec3(Vec3(0, 0, 1) + 0.3 * random_vector(random))));
  if (screw) a.values.emplace("pitch", 0.3);
  const Vec3 u = Vec3(Vec3(0, 0, 1) + 0.3 * random_vector(random)).normalized();
  m.joint("universal", "B", "crank", "coupler", at[1])
      .values.emplace("axes", axes(u, u.cross(Vec3(0, 1, 0)).normalized()));
  m.joint("spherical", "C", "coupler", "rocker", at[2]);
  m.joint("revolute", "D", "ground", "rocker", at[3])
      .values.emplace("axis", value(Vec3(Vec3(0.2, 0, 1) + 0.3 * random_vector(random))));
  return std::move(m.model);
}

model::Entry& entry_of(model::Model& model, std::string_view name) {
  for (model::Entry& entry : model.entries)
    if (entry.name == name) return entry;
  throw std::logic_error("no such entry");
}

// One coordinate of a loop is given; then all that results show of it there are given together, one after the other left
// out.
TEST(PostureJoints, CoordinatesReadFromALoopLeadBackToIt) {
  int closed = 0;
  for (unsigned seed = 1; seed <= 30; ++seed) {
    std::mt19937 random(seed);
    const bool screw = random() % 2 == 0;
    const model::Model loop = random_loop(random, screw);
    model::Model one = loop;
    const bool by_cross = random() % 3 == 0;
    const Keys crank{"initial.angle", screw ? "initial.angle_rate" : "initial.rate", true};
    const Keys keys = by_cross ? keys_of("universal")[random() % 2] : crank;
    model::Entry& given = entry_of(one, by_cross ? "B" : "A");
    given.values.emplace(keys.value, uniform(random, -0.6, 0.6));
    given.values.emplace(keys.rate, uniform(random, -1, 1));
    const Machine machine(one);
    State q = machine.system.initial_state();
    analyses::PostureReport report;
    model::Problems problems;
    const std::string what = "seed " + std::to_string(seed) + " ";
    if (!analyses::set_coordinates(machine.system, q, report, problems)) {
      ASSERT_EQ(problems.size(), 1u) << what;
      EXPECT_NE(problems[0].message.find("the loop of joints.A, joints.B, joints.C, joints.D does not close"),
                std::string::npos)
          << what << problems[0].message;
      continue;
    }
    ++closed;
    EXPECT_LE(violation(machine.system, q), 1e-12) << what;
    EXPECT_LE(rate_violation(machine.system, q), 1e-10) << what;
    for (const model::Entry& entry : machine.model.entries)
      if (entry.family == Family::joint) expect_given(machine, q, entry, what);
    const std::vector<double> cross = reported(machine.system, q, "B");
    const std::vector<double> ball = reported(machine.system, q, "C");
    for (int left_out = 0; left_out < 4; ++left_out) {
      model::Model all = loop;
      if (left_out != 0) entry_of(all, "A").values.emplace("initial.angle", reported(machine.system, q, "A")[0]);
      if (left_out != 1) entry_of(all, "B").values.emplace("initial.angle_1", cross[0]);
      if (left_out != 1) entry_of(all, "B").values.emplace("initial.angle_2", cross[1]);
      if (left_out != 2)
        entry_of(all, "C").values.emplace("initial.rotation_vector", value(Vec3(ball[0], ball[1], ball[2])));
      if (left_out != 3) entry_of(all, "D").values.emplace("initial.angle", reported(machine.system, q, "D")[0]);
      const Machine again(all);
      State back = again.system.initial_state();
      ASSERT_TRUE(analyses::set_coordinates(again.system, back, report, problems))
          << what << left_out << " " << problems[0].message;
      EXPECT_LE(violation(again.system, back), 1e-12) << what;
      for (std::size_t i = 0; i < back.x.size(); ++i) EXPECT_LE((back.x[i] - q.x[i]).norm(), 1e-9) << what << left_out;
    }
  }
  EXPECT_GT(closed, 15);
}

// Crank of 1 m, rod of 2.5 m, slide along x, drawn with the crank at `drawn`.
void add_slider_crank(double drawn, std::mt19937& random, ModelMaker& m, const std::string& end = "") {
  const Vec3 pin(std::cos(drawn), std::sin(drawn), 0);
  const Vec3 slide(pin.x() + std::sqrt(6.25 - pin.y() * pin.y()), 0, 0);
  add_body(m, "crank" + end, 0.5 * pin, random);
  add_body(m, "rod" + end, 0.5 * (pin + slide), random);
  add_body(m, "slide" + end, slide, random);
  const Vec3 normal(0, 0, 1);
  m.joint("revolute", "A" + end, "ground", "crank" + end, Vec3::Zero()).values.emplace("axis", value(normal));
  m.joint("cylindrical", "B" + end, "crank" + end, "rod" + end, pin).values.emplace("axis", value(normal));
  m.joint("spherical", "C" + end, "rod" + end, "slide" + end, slide);
  m.joint("prismatic", "D" + end, "ground", "slide" + end, slide).values.emplace("axis", value(Vec3(1, 0, 0)));
}
model::Model slider_crank(double drawn, std::mt19937& random) {
  ModelMaker m;
  add_slider_crank(drawn, random, m);
  return std::move(m.model);
}

double slide_at(double angle) { return std::cos(angle) + std::sqrt(6.25 - std::pow(std::sin(angle), 2)); }

// Crank and slide are given and fit; with another digit they do not.
TEST(PostureJoints, CrankAndSlideFitNextToADeadCenter) {
  std::mt19937 random(1);
  for (const double drawn : {1.2, -2.0, 0.1, 0.0, 3.0})
    for (const double center : {0.0, pi})
      for (const double off : {0.0, 1e-8, -1e-6, 1e-4, -1e-3, 1e-2, -1e-2, 0.1, -0.1}) {
        const double angle = center + off;
        const std::string what = "drawn " + std::to_string(drawn) + ", center " + std::to_string(center) + ", off " +
                                 std::to_string(off) + " ";
        for (const double error : {0.0, 1e-3}) {
          model::Model model = slider_crank(drawn, random);
          entry_of(model, "A").values.emplace("initial.angle", angle - drawn);
          entry_of(model, "D").values.emplace("initial.displacement", slide_at(angle) - slide_at(drawn) + error);
          if (off != 0) {
            const double rate =
                -std::sin(angle) - std::sin(angle) * std::cos(angle) / std::sqrt(6.25 - std::pow(std::sin(angle), 2));
            entry_of(model, "A").values.emplace("initial.rate", 2.0);
            entry_of(model, "D").values.emplace("initial.rate", 2 * rate);
          }
          const Machine machine(model);
          State q = machine.system.initial_state();
          analyses::PostureReport report;
          model::Problems problems;
          const bool found = analyses::set_coordinates(machine.system, q, report, problems);
          ASSERT_EQ(found, error == 0) << what << (problems.empty() ? "" : problems[0].message);
          if (!found) {
            EXPECT_NE(problems.at(0).message.find("the loop of joints.A, joints.B, joints.C, joints.D does not close"),
                      std::string::npos)
                << what << problems[0].message;
            continue;
          }
          EXPECT_LE(violation(machine.system, q), 1e-12) << what;
          EXPECT_NEAR(reported(machine.system, q, "A")[0], angle - drawn, 1e-12) << what;
          EXPECT_NEAR(reported(machine.system, q, "D")[0], slide_at(angle) - slide_at(drawn), 1e-12) << what;
        }
      }
}

// Each of two loops is released for itself.
TEST(PostureJoints, TwoLoopsFitEachForItself) {
  std::mt19937 random(1);
  ModelMaker m;
  add_slider_crank(1.2, random, m);
  add_slider_crank(-0.7, random, m, "_2");
  std::stable_sort(m.model.entries.begin(), m.model.entries.end(),
                   [](const model::Entry& a, const model::Entry& b) { return a.family < b.family; });
  entry_of(m.model, "A").values.emplace("initial.angle", 3.1 - 1.2);
  entry_of(m.model, "D").values.emplace("initial.displacement", slide_at(3.1) - slide_at(1.2));
  entry_of(m.model, "A_2").values.emplace("initial.angle", 0.01 + 0.7);
  entry_of(m.model, "D_2").values.emplace("initial.displacement", slide_at(0.01) - slide_at(-0.7));
  for (const bool fits : {true, false}) {
    if (!fits) entry_of(m.model, "D_2").values.insert_or_assign("initial.displacement", 0.1);
    const Machine machine(m.model);
    State q = machine.system.initial_state();
    analyses::PostureReport report;
    model::Problems problems;
    ASSERT_EQ(analyses::set_coordinates(machine.system, q, report, problems), fits);
    if (!fits) {
      EXPECT_NE(
          problems.at(0).message.find("the loop of joints.A_2, joints.B_2, joints.C_2, joints.D_2 does not close"),
          std::string::npos)
          << problems[0].message;
      EXPECT_NE(problems[0].message.find("there, joints.B_2: offset 2 is open by "), std::string::npos)
          << problems[0].message;
    } else {
      EXPECT_LE(violation(machine.system, q), 1e-12);
      EXPECT_NEAR(reported(machine.system, q, "A")[0], 3.1 - 1.2, 1e-12);
      EXPECT_NEAR(reported(machine.system, q, "D_2")[0], slide_at(0.01) - slide_at(-0.7), 1e-12);
    }
  }
}

}  // namespace
}  // namespace polhode::support::posture_joints_test
