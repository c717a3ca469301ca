// SPDX-License-Identifier: BSD-3-Clause
// The tables of what a deck asks for: analyses, integrator, Newton iteration, output, responses.
#include "tables.hpp"

namespace polhode::io {
namespace {

using model::FieldType;

constexpr std::string_view transient_type[] = {"transient"};
constexpr std::string_view methods[] = {"lie_alpha",   "lie_alpha_index2",
                                        "ul_crv",      "ul_rotation_vector",
                                        "variational", "energy_momentum",
                                        "rosenbrock4", "rosenbrock_w2",
                                        "adams",       "bdf",
                                        "explicit_rk"};
constexpr std::string_view coordinates[] = {"weighted", "mass", "partition"};
constexpr std::string_view starts[] = {"consistent", "perturbed"};
constexpr std::string_view first_steps[] = {"given", "euler", "energy_momentum", "corrected"};
constexpr std::string_view charts[] = {"quaternion", "cayley"};
constexpr std::string_view potentials[] = {"midpoint", "node", "left"};
constexpr std::string_view predictors[] = {"zero", "extrapolate"};
constexpr std::string_view criteria[] = {"residual", "increment"};
constexpr std::string_view jacobians[] = {"full", "kept"};

constexpr model::Field positive(std::string_view name, std::string_view unit, std::string_view doc,
                                std::string_view otherwise = "") {
  return {.name = name,
          .type = FieldType::number,
          .unit = unit,
          .doc = doc,
          .min = 0,
          .min_exclusive = true,
          .default_text = otherwise};
}

constexpr model::Field choice(std::string_view name, std::string_view doc, std::span<const std::string_view> choices,
                              std::string_view otherwise) {
  return {
      .name = name, .type = FieldType::choice, .unit = "", .doc = doc, .default_text = otherwise, .choices = choices};
}

constexpr model::Field required(model::Field field) {
  field.required = true;
  return field;
}

constexpr Key transient_keys[] = {
    {required(choice("type", "what is done", transient_type, ""))},
    {required(
        positive("duration", "s", "of this analysis; the time of the run goes on from one analysis to the next"))},
    {required(positive("step", "s",
                       "fixed step h: t_n = t_0 + n h, with a shorter last step if needed; or a mapping: the program "
                       "chooses steps by their estimated error")),
     Form::value_or_mapping, &step_table},
    {{"integrator", FieldType::text, "", "the method and its parameters"}, Form::mapping, &integrator_table},
    {{"newton", FieldType::text, "", "Newton's iteration in each step"}, Form::mapping, &newton_table},
};

constexpr Key step_keys[] = {
    {{.name = "tolerance",
      .type = FieldType::number,
      .unit = "",
      .doc = "intended error of the motion: root mean square over the unknowns, positions divided by the size of the "
             "model, rotations in rad",
      .required = true,
      .min = 0,
      .max = 0.1,
      .min_exclusive = true}},
    {positive("initial", "s", "first step; default: duration / 10000; adams, bdf, explicit_rk estimate it")},
    {positive("min", "s", "a run that needs a smaller step ends; default: 1.0e-10 duration")},
    {positive("max", "s", "largest step; default: duration / 200; state-space methods: duration / 5")},
    {{.name = "safety",
      .type = FieldType::number,
      .unit = "",
      .doc = "step over the largest step that the tolerance allows; larger values give more rejected steps",
      .min = 0.1,
      .max = 1,
      .max_exclusive = true,
      .default_text = "0.5; Rosenbrock methods 0.84"}},
    {{.name = "growth",
      .type = FieldType::number,
      .unit = "",
      .doc = "largest ratio of one step to the one before; at most 2, since generalized-alpha methods amplify "
             "vibrations beyond; Rosenbrock methods: at most 100",
      .min = 1,
      .max = 100,
      .min_exclusive = true,
      .default_text = "2; Rosenbrock methods 10"}},
};

constexpr Key integrator_keys[] = {
    {choice("method",
            "lie_alpha: Lie group generalized-alpha, index 3; lie_alpha_index2: the same, stabilized index 2, which "
            "meets velocity constraints too; ul_crv, ul_rotation_vector: updated Lagrangian generalized-alpha in the "
            "conformal or the Cartesian rotation vector; variational: discrete Euler-Lagrange equations; "
            "energy_momentum: keeps energy and momenta (both for rigid bodies and points, with an iteration of their "
            "own: of `newton` they use max_iterations); rosenbrock4, rosenbrock_w2: linearly implicit in state-space "
            "form, without iteration, orders 4 and 2; rosenbrock_w2 works with reused tangents too (newton: {jacobian: "
            "kept}); adams (orders 1 to 12, fixed-point iteration), bdf (orders 1 to 5, Newton), explicit_rk (order "
            "5): SUNDIALS on the state-space form, with `step: {tolerance}`",
            methods, "lie_alpha")},
    {{.name = "rho_infinity",
      .type = FieldType::number,
      .unit = "",
      .doc = "generalized-alpha methods only: spectral radius at infinite frequency (Chung & Hulbert); 1: no numerical "
             "damping",
      .min = 0,
      .max = 1,
      .default_text = "0.9"}},
    {{.name = "hht_alpha",
      .type = FieldType::number,
      .unit = "",
      .doc = "instead of rho_infinity: alpha_m = 0, alpha_f = a, gamma = 1/2 + a, beta = (1 + a)^2/4",
      .min = 0,
      .max = 1.0 / 3.0}},
    {choice(
        "initial",
        "consistent: velocities meet the constraints, a_0 = vdot_0; perturbed: velocities and a_0 as the method itself "
        "produces them along a smooth motion, which gives multipliers of second order from the first step on",
        starts, "consistent")},
    {choice("coordinates",
            "Rosenbrock methods: choice of independent coordinates. weighted: by inertia, stiffness and damping, so "
            "that stiff forces are nearly linear in them; mass: by kinetic energy; partition: a subset of the "
            "unknowns, chosen by pivoting",
            coordinates, "weighted")},
    {{.name = "velocity_projection",
      .type = FieldType::numbers,
      .unit = "s",
      .doc = "times at which velocities are projected to the constraints, with the least change in the norm of the "
             "mass matrix, at the end of the step that reaches the time"}},
    {choice("start",
            "start of structure-preserving methods. variational: given: from the momenta of the state; euler: by fine "
            "steps, the first of them Euler's (Wendlandt & Marsden); energy_momentum: by fine steps of that method. "
            "energy_momentum: given: from the velocities of the state; corrected: velocities off the constraints as "
            "the method itself produces them, so that its multipliers do not alternate",
            first_steps, "given")},
    {positive("start_step", "s", "size of the fine steps of `start`", "1.0e-5")},
    {choice("increments",
            "variational: parameters of the rotation of a step. quaternion: h |Omega| < 1 (Wendlandt & Marsden); "
            "cayley: no such limit",
            charts, "quaternion")},
    {choice("potential",
            "variational: springs and loads act at the midpoint of the step, all forces at its ends (node), or all at "
            "its beginning (left)",
            potentials, "midpoint")},
};

constexpr Key newton_keys[] = {
    {choice("predictor", "zero: accelerations and multipliers start from zero; extrapolate: from the last step",
            predictors, "extrapolate")},
    {choice("criterion",
            "residual: norms of residual and constraints, checked before each solve; increment: weighted "
            "root-mean-square norm of the increments",
            criteria, "increment")},
    {positive("residual_tolerance", "N, N m",
              "Euclidean norm over all free equations of motion; needed with criterion: residual")},
    {positive("constraint_tolerance", "m, rad",
              "Euclidean norm over all constraints; needed with criterion: residual where there are joints")},
    {positive("relative", "", "weight of the increments relative to the unknowns (criterion: increment)", "1.0e-6")},
    {positive("absolute", "", "absolute weight of the increments (criterion: increment)", "1.0e-9")},
    {{.name = "max_iterations",
      .type = FieldType::integer,
      .unit = "",
      .doc = "number of linear solves after which a step fails",
      .min = 1,
      .max = 1000,
      .default_text = "20"}},
    {choice("jacobian",
            "full: a new iteration matrix for every solve; kept: one matrix is reused over solves and steps while "
            "increments shrink fast enough, which saves time where the motion is smooth",
            jacobians, "full")},
    {{.name = "halvings",
      .type = FieldType::integer,
      .unit = "",
      .doc = "a failed step is repeated as 2, 4, ... up to 2^halvings equal sub-steps; 0: never",
      .min = 0,
      .max = 20,
      .default_text = "4"}},
};

}  // namespace

const Table transient_table{"transient", "The motion in time.", transient_keys};
const Table step_table{
    "step",
    "Controlled steps: as large as the tolerance allows. For state-space methods the tolerance is the error allowed in "
    "a step, absolute and relative, of positions (m, rad) and velocities (m/s, rad/s).",
    step_keys};
const Table integrator_table{"integrator", "The time integration method.", integrator_keys};
const Table newton_table{"newton", "The Newton iteration of a step.", newton_keys};
}  // namespace polhode::io
