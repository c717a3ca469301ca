// SPDX-License-Identifier: BSD-3-Clause
// Modal analysis: which motions are asked for, their order and normal form, and what is said of them.
#include "polhode/analyses/modal/modal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "eigen.hpp"
#include "polhode/analyses/linearize/linear_model.hpp"
#include "polhode/analyses/linearize/prepared_loops.hpp"
#include "polhode/analyses/motion/free_motion.hpp"
#include "polhode/analyses/redundancy.hpp"
#include "polhode/math/dense.hpp"

namespace polhode::analyses {

using assembly::System;
using Complex = std::complex<double>;
using Eigen::VectorXcd;

namespace {

constexpr double two_pi = 2 * std::numbers::pi;
constexpr int most_modes_of_a_band = 400;
// Each costs a solution and a column of all unknowns.
constexpr int most_coupled_states = 1000;

// Rotates shapes of one frequency (relative 1e-7) among themselves so that of the first all, of the others nothing is
// seen where they move most: equal models give equal shapes.
// Any basis of an eigenspace is right, and round-off chooses one. A Householder reflection of the group's
// row at the node that moves most leaves one shape that moves there.
void settle_equal_frequencies(const VectorX& squares, MatrixX& shapes, const VectorX& metric) {
  for (Eigen::Index begin = 0, end; begin < squares.size(); begin = end) {
    for (end = begin + 1; end < squares.size(); ++end)
      if (squares[end] - squares[begin] > 1e-7 * std::abs(squares[end])) break;
    for (Eigen::Index first = begin; first + 1 < end; ++first) {
      MatrixX group = shapes.middleCols(first, end - first);
      const VectorX sizes = (metric.cwiseSqrt().asDiagonal() * group).rowwise().norm();
      const double most = sizes.maxCoeff();
      Eigen::Index pivot = 0;
      while (sizes[pivot] < 0.99 * most) ++pivot;
      const Eigen::VectorXd row = group.row(pivot).transpose();
      shapes.middleCols(first, end - first) = group * math::orthonormal_columns(row, row.size());
    }
  }
}

// Turns count where hardly anything else moves: of bending in short waves they are large against the displacements.
constexpr double weight_of_turns = 0.01;

// The largest displacement (or turn, by the model's length) becomes 1, and real.
void normalize(const VectorX& metric, const std::vector<bool>& is_turn, VectorXcd& shape) {
  VectorX sizes = metric.cwiseSqrt().cwiseProduct(shape.cwiseAbs());
  double displacement = 0;
  double turn = 0;
  for (Eigen::Index i = 0; i < sizes.size(); ++i) {
    double& largest = is_turn[static_cast<std::size_t>(i)] ? turn : displacement;
    largest = std::max(largest, sizes[i]);
  }
  const bool turns = displacement < weight_of_turns * turn;
  for (Eigen::Index i = 0; i < sizes.size(); ++i)
    if (is_turn[static_cast<std::size_t>(i)] != turns) sizes[i] = 0;
  const double most = sizes.maxCoeff();
  if (!(most > 0)) return;
  Eigen::Index first = 0;  // of those nearly as large the first, so that round-off does not choose
  while (sizes[first] < (1 - 1e-6) * most) ++first;
  shape /= shape[first] * std::sqrt(metric[first]);
  for (Complex& value : shape)
    if (std::abs(value.imag()) < 1e-12) value.imag(0);
}

// What moves most, and how: along a line, about an axis, or round a circle where real and imaginary parts differ in
// direction.
std::string text_of(const System& system, const model::State& q, const VectorXcd& shape) {
  VectorX all = VectorX::Zero(system.size());
  std::vector<model::Vec6> real(system.nodes(), model::Vec6::Zero());
  std::vector<model::Vec6> imaginary = real;
  all.head(shape.size()) = shape.real();
  system.scatter(all, real);
  all.head(shape.size()) = shape.imag();
  system.scatter(all, imaginary);
  std::size_t most = 0;
  double largest = 0;
  bool turns = true;
  const auto find = [&](int part, double factor) {
    for (std::size_t i = 1; i < system.nodes(); ++i) {
      const double size = factor * std::hypot(real[i].segment<3>(part).norm(), imaginary[i].segment<3>(part).norm());
      if (size > (1 + 1e-6) * largest) {
        largest = size;
        most = i;
        turns = part == 3;
      }
    }
  };
  find(3, weight_of_turns * system.length());  // displacements count first: most motions are seen by them
  find(0, 1);
  const auto part = turns ? real[most].tail<3>() : real[most].head<3>();
  const auto other = turns ? imaginary[most].tail<3>() : imaginary[most].head<3>();
  math::Vec3 a = part;
  math::Vec3 b = other;
  if (turns) {
    a = q.R[most] * a;
    b = q.R[most] * b;
  }
  // Phases: a motion along a line has real and imaginary parts in one direction.
  const bool both = b.norm() > 1e-3 * a.norm();
  const bool circle = both && a.cross(b).norm() > 1e-2 * (a.squaredNorm() + b.squaredNorm());
  if (b.norm() > a.norm()) std::swap(a, b);
  const auto vector = [](math::Vec3 v) {
    Eigen::Index i = 0;
    const double size = v.cwiseAbs().maxCoeff(&i);
    v /= v[i] < 0 ? -v.norm() : v.norm();
    for (double& x : v)
      if (std::abs(x) < 1e-4 * size) x = 0;
    return fmt::format("[{:.3g}, {:.3g}, {:.3g}]", v[0], v[1], v[2]);
  };
  const std::string who = system.node(most).label();
  if (circle) return who + (turns ? " wobbles about " : " runs round ") + vector(a.cross(b));
  return who + (turns ? " turns about " : " moves along ") + vector(a);
}

// omega^2 < 0: a real pair, of which the growing one is given.
void add_real(const Linearized& linear, RealModes& found, std::vector<Mode>& modes) {
  settle_equal_frequencies(found.squares, found.shapes, linear.metric);
  for (Eigen::Index i = 0; i < found.squares.size(); ++i) {
    Mode mode;
    mode.free = found.is_free(i);
    const double square = mode.free ? 0 : found.squares[i];
    mode.lambda = square < 0 ? Complex(std::sqrt(-square), 0) : Complex(0, std::sqrt(square));
    mode.shape = found.shapes.col(i).cast<Complex>();
    modes.push_back(std::move(mode));
  }
}

// Free motions appear twice, as position and as speed: each is kept once, made real and independent of those
// before. Real and imaginary parts at round-off become zero.
void add_complex(const ComplexModes& found, std::vector<Mode>& modes) {
  MatrixX free(found.shapes.rows(), 0);
  for (Eigen::Index i = 0; i < found.lambda.size(); ++i) {
    Mode mode;
    mode.lambda = found.lambda[i];
    mode.free = std::abs(mode.lambda) < 1e-5 * found.shift;
    mode.shape = found.shapes.col(i);
    if (mode.free) {  // twice zero with one shape: position and speed of one motion
      mode.lambda = 0;
      Eigen::Index largest = 0;
      mode.shape.cwiseAbs().maxCoeff(&largest);
      VectorX y = (mode.shape / mode.shape[largest]).real().normalized();
      for (int twice = 0; twice < 2; ++twice) y -= free * (free.transpose() * y);
      if (y.norm() < 1e-3) continue;
      free.conservativeResize(Eigen::NoChange, free.cols() + 1);
      free.col(free.cols() - 1) = y.normalized();
      mode.shape = y.cast<Complex>();
    }
    if (std::abs(mode.lambda.real()) < 1e-11 * std::abs(mode.lambda)) mode.lambda.real(0);
    if (std::abs(mode.lambda.imag()) < 1e-11 * std::abs(mode.lambda)) mode.lambda.imag(0);
    modes.push_back(std::move(mode));
  }
}

// False if more have to be computed for the band.
// All modes up to the end of the band are known when one beyond it has been found.
bool keep_band(const std::array<double, 2>& band, bool all, std::vector<Mode>& modes) {
  double reach = 0;
  for (const Mode& mode : modes) reach = std::max(reach, std::abs(mode.lambda) / two_pi);
  if (!all && reach <= band[1] && static_cast<int>(modes.size()) < most_modes_of_a_band) return false;
  std::erase_if(modes, [&](const Mode& mode) { return mode.frequency() < band[0] || mode.frequency() > band[1]; });
  return true;
}

// With states of signals by the state space, where there is one.
ComplexModes complex_modes_of(const Linearized& linear, const std::optional<LinearModel>& controlled,
                              const std::optional<Rotation>& rotation, int count, const math::StopRequest& stop) {
  if (!controlled) return complex_modes(linear, count, stop);
  if (controlled->a.size() == 0) return coupled_modes(*controlled, rotation, count, stop);
  if (controlled->driven.size() == 0) return state_space_modes(linear, controlled->a, controlled->z, stop);
  MatrixX motion(controlled->z.rows(), controlled->a.cols());
  motion << controlled->z, MatrixX::Zero(motion.rows(), controlled->z.cols()), controlled->driven;
  return state_space_modes(linear, controlled->a, motion, stop);
}

}  // namespace

double Mode::frequency() const { return lambda.imag() / two_pi; }
// -Re(lambda)/|lambda|; adding zero turns -0 into 0.
double Mode::damping() const { return std::abs(lambda) > 0 ? -lambda.real() / std::abs(lambda) + 0.0 : 0; }

// Of a band, numbers of modes are doubled until the band is covered, or 400 are in it.
ModalResult run_modal(const System& system, const ModalSettings& settings, model::State q, const std::string& path,
                      model::Problems& problems, const math::StopRequest& stop) {
  ModalResult result;
  // Delays have no eigenvalues of their own but for endless ones: approximants stand for them
  if (PreparedLoops::are_needed(system, {})) {
    const PreparedLoops loops(system, {}, settings.pade, std::move(q), path, problems);
    if (loops.system) return run_modal(*loops.system, settings, loops.q, path, problems, stop);
    result.end = ModalResult::End::invalid;
    return result;
  }
  Redundancy redundancy(system);
  result.note = redundancy.begin(q);
  // States of signals make the matrices of motions a part of the equations alone: those of the state space are taken.
  std::optional<LinearModel> controlled;
  std::optional<Linearized> linear;
  if (system.signals().states() > 0) {
    controlled =
        make_linear_model(system, {.inputs = {}, .outputs = {}, .open = {}, .modes = {}, .rotation = settings.rotation},
                          q, path, problems, stop);
    if (controlled) linear = controlled->linear;
    if (controlled && controlled->a.size() == 0 && system.signals().states() > most_coupled_states)
      problems.push_back({path, fmt::format("signals have {} states beside {} degrees of freedom; of models with more "
                                            "than 1000 of these up to {} states are taken. A `linearize` with `modes` "
                                            "gives a state space of the lowest motions",
                                            system.signals().states(), linear->degrees(), most_coupled_states)});
    if (const int entry = system.signals().first_driven_by_states();
        controlled && controlled->a.size() == 0 && entry >= 0)
      problems.push_back(
          {path, fmt::format("{} follows signals, which is not solved beside {} degrees of freedom; at most 1000 are "
                             "taken. A `linearize` with `modes` gives a state space of the lowest motions",
                             system.model().entries[static_cast<std::size_t>(entry)].path(), linear->degrees())});
    if (const int entry = system.signals().first_wide_with_states();
        controlled && controlled->a.size() == 0 && entry >= 0)
      problems.push_back(
          {path, fmt::format("{} reads a reaction, an acceleration, an energy or a momentum, and forces follow it "
                             "through states; of models with more than 1000 degrees of freedom, here {}, that is not "
                             "solved. A `linearize` with `modes` gives a state space of the lowest motions",
                             system.model().entries[static_cast<std::size_t>(entry)].path(), linear->degrees())});
    if (!controlled && problems.empty()) {
      result.end = ModalResult::End::interrupted;
      return result;
    }
  } else {
    linear = linearize(system, settings.rotation, q, path, problems);
  }
  if (!linear || !problems.empty()) {
    result.end = ModalResult::End::invalid;
    return result;
  }
  if (linear->degrees() == 0) {
    result.note += (result.note.empty() ? "" : "; ") + std::string("joints and supports leave nothing that can move");
    return result;
  }
  // Eigenvalues nearest to zero first, since lowest frequencies are asked for.
  // Where signals have states, all eigenvalues of a small model come at once: then `count` says how many are shown.
  for (int count = settings.band ? 20 : settings.modes;; count *= 2) {
    bool all = false;
    bool failed = false;
    bool interrupted = false;
    result.modes.clear();
    if (linear->symmetric && !controlled) {
      RealModes found = real_modes(*linear, count, 0, stop);
      all = found.all;
      failed = found.failed;
      interrupted = found.interrupted;
      if (!failed && !interrupted) add_real(*linear, found, result.modes);
    } else {
      const ComplexModes found = complex_modes_of(*linear, controlled, settings.rotation, count, stop);
      all = found.all;
      failed = found.failed;
      interrupted = found.interrupted;
      if (!failed && !interrupted) add_complex(found, result.modes);
      if (!settings.band && result.modes.size() > static_cast<std::size_t>(count))
        result.modes.resize(static_cast<std::size_t>(count));
    }
    if (interrupted) {
      result.end = ModalResult::End::interrupted;
      return result;
    }
    if (failed) {
      result.end = ModalResult::End::failed;
      result.failure = "the eigenvalues nearest to zero did not converge; ask for fewer `modes`";
      return result;
    }
    if (!settings.band) break;
    if (count >= linear->degrees()) all = true;
    if (!keep_band(*settings.band, all, result.modes)) continue;
    if (!all && count >= most_modes_of_a_band && result.modes.size() >= most_modes_of_a_band)
      result.note += (result.note.empty() ? "" : "; ") +
                     std::string("the band holds more than 400 modes, those above are dropped; narrow it");
    break;
  }
  std::stable_sort(result.modes.begin(), result.modes.end(), [](const Mode& a, const Mode& b) {
    if (a.free != b.free) return a.free;
    return a.frequency() < b.frequency();
  });
  // Whether an unknown is a rotation, for norms of shapes.
  std::vector<bool> is_turn(static_cast<std::size_t>(system.free_unknowns()));
  for (const model::NodeUnknowns& at : system.unknowns())
    for (std::size_t j = 3; j < 6; ++j)
      if (at.local[j] >= 0) is_turn[static_cast<std::size_t>(at.first + at.local[j])] = true;
  std::vector<VectorX> free;
  for (Mode& mode : result.modes) {
    normalize(linear->metric, is_turn, mode.shape);
    mode.text = mode.free ? "free: " + describe_motion(system, linear->q, mode.shape.real())
                          : text_of(system, linear->q, mode.shape);
    if (mode.free) free.emplace_back(mode.shape.real());
  }
  result.free_text = describe_rigid_motions(system, linear->q, free);
  return result;
}

// One line a mode; growth and a change of shape since the last analysis are noted at its end.
std::vector<std::string> table_of(const std::vector<Mode>& modes, const std::string& free_text) {
  std::vector<std::string> lines{"  mode   frequency [Hz]   damping ratio   20 steps a period [s]   motion"};
  if (!free_text.empty())
    lines.push_back(fmt::format("  {:>4}   {:14}   {:13}   {:>21}   {}", "-", 0, 0, "-", free_text));
  for (const Mode& mode : modes) {
    if (mode.free && !free_text.empty()) continue;
    const std::string step = mode.frequency() > 0 ? fmt::format("{:.3g}", 1 / (20 * mode.frequency())) : "-";
    std::string line = fmt::format("  {:4}   {:14.8g}   {:13.6g}   {:>21}   {}", mode.number, mode.frequency(),
                                   mode.damping(), step, mode.text);
    if (!mode.free && mode.lambda.real() > 1e-9 * std::abs(mode.lambda))
      line += fmt::format(" (unstable: grows by e in {:.3g} s)", 1 / mode.lambda.real());
    if (!mode.free && mode.lambda.imag() == 0 && mode.lambda.real() < 0)
      line += fmt::format(" (falls by e in {:.3g} s)", -1 / mode.lambda.real());
    if (mode.agreement < 0.9)
      line += fmt::format(" (agrees by {:.2f} with mode {} before)", mode.agreement, mode.number);
    lines.push_back(line);
  }
  return lines;
}

// Shapes by node: displacements (m) inertial, turns (rad) in the node's frame, real and imaginary parts apart.
std::vector<results::StaticData> modal_data(const System& system, const std::vector<Mode>& modes,
                                            const std::vector<int>& analysis) {
  const int k = static_cast<int>(modes.size());
  const int nodes = static_cast<int>(system.nodes()) - 1;
  results::StaticData frequencies{
      "/modal/frequencies", "of the oscillation, imaginary part of the eigenvalue over 2 pi", {}, {}, {}, {k}, "Hz"};
  results::StaticData damping{
      "/modal/damping", "damping ratio, -Re / |.| of the eigenvalue; negative: the motion grows", {}, {}, {}, {k}, "1"};
  results::StaticData values{
      "/modal/eigenvalues", "real and imaginary part; 0 of free motions", {}, {}, {}, {k, 2}, "rad/s"};
  results::StaticData index{
      "/modal/analysis", "index of the analysis that the mode belongs to", {}, analysis, {}, {k}, "1"};
  results::StaticData numbers{
      "/modal/number", "of the mode: the same shape has the same in all modal analyses", {}, {}, {}, {k}, "1"};
  results::StaticData agreement{
      "/modal/agreement",
      "modal assurance criterion with the last shape of the same number; 1 where the number is new",
      {},
      {},
      {},
      {k},
      "1"};
  results::StaticData shapes{
      "/modal/shapes",
      "displacements (inertial frame) and rotations (node's frame) of each node, real and imaginary part; the largest "
      "is 1",
      {},
      {},
      {},
      {k, nodes, 6, 2},
      "m, rad"};
  results::StaticData texts{"/modal/text", "which node moves most and how", {}, {}, {}, {k}, "1"};
  VectorX all = VectorX::Zero(system.size());
  std::vector<model::Vec6> real(system.nodes(), model::Vec6::Zero());
  std::vector<model::Vec6> imaginary = real;
  shapes.numbers.reserve(static_cast<std::size_t>(k) * static_cast<std::size_t>(nodes) * 12);
  for (const Mode& mode : modes) {
    frequencies.numbers.push_back(mode.frequency());
    damping.numbers.push_back(mode.damping());
    values.numbers.insert(values.numbers.end(), {mode.lambda.real(), mode.lambda.imag()});
    texts.names.push_back(mode.text);
    numbers.indices.push_back(mode.number);
    agreement.numbers.push_back(mode.agreement);
    all.head(mode.shape.size()) = mode.shape.real();
    system.scatter(all, real);
    all.head(mode.shape.size()) = mode.shape.imag();
    system.scatter(all, imaginary);
    for (const int node : system.node_axis()) {
      const auto i = static_cast<std::size_t>(node);
      for (int j = 0; j < 6; ++j) shapes.numbers.insert(shapes.numbers.end(), {real[i][j], imaginary[i][j]});
    }
  }
  return {frequencies, damping, values, index, numbers, agreement, shapes, texts};
}

}  // namespace polhode::analyses
