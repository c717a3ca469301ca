// SPDX-License-Identifier: BSD-3-Clause
// CVODE and ARKODE behind one door.
#include "polhode/integrators/sundials/sundials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#ifdef POLHODE_WITH_SUNDIALS
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "integrators/nodal.hpp"

namespace polhode::integrators {

bool has_sundials() { return true; }

// What the library has made, and frees.
struct SundialsObjects {
  bool runge_kutta = false;
  SUNContext context = nullptr;
  void* solver = nullptr;  // of CVODE or ARKODE
  N_Vector y = nullptr;
  N_Vector between = nullptr;
  N_Vector errors = nullptr;
  N_Vector weights = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver linear = nullptr;
  SUNNonlinearSolver fixed_point = nullptr;

  SundialsObjects() = default;
  SundialsObjects(const SundialsObjects&) = delete;
  ~SundialsObjects() {
    if (solver && runge_kutta) ERKStepFree(&solver);
    if (solver && !runge_kutta) CVodeFree(&solver);
    if (fixed_point) SUNNonlinSolFree(fixed_point);
    if (linear) SUNLinSolFree(linear);
    if (matrix) SUNMatDestroy(matrix);
    for (N_Vector v : {y, between, errors, weights})
      if (v) N_VDestroy(v);
    if (context) SUNContext_Free(&context);
  }
};

struct Sundials::Memory : SundialsObjects {
  static constexpr int steps_of_a_matrix = 4;
  AmbientOde* form = nullptr;
  double tolerance = 0;
  double turnover = 0;  // of steps, J
  bool newton = false;
  bool started = false;
  double t = 0;
  std::string said;                                 // the last message of the library
  bool no_positions = false;                        // at the last evaluation
  const math::StopRequest* stop_request = nullptr;  // within a step
  bool stopped = false;
  struct Counts {
    long evaluations = 0;
    long setups = 0;
    long error_failures = 0;
    long convergence_failures = 0;
  } counts;

  static int rates(double t, N_Vector y, N_Vector ydot, void* user) {
    auto& memory = *static_cast<Memory*>(user);
    memory.stopped = memory.stopped || (memory.stop_request && math::is_asked_to_stop(*memory.stop_request));
    if (memory.stopped) return -1;  // no smaller step will do
    memory.no_positions = !memory.form->rates(t, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot));
    return memory.no_positions ? 1 : 0;  // 1: a smaller step may do
  }
  static int set_weights(N_Vector y, N_Vector weights, void* user) {
    auto& memory = *static_cast<Memory*>(user);
    memory.form->set_weights(memory.tolerance, memory.turnover, N_VGetArrayPointer(y), N_VGetArrayPointer(weights));
    return 0;
  }
  static void hear(int code, const char*, const char*, char* message, void* user) {
    if (code < 0) static_cast<Memory*>(user)->said = std::string("SUNDIALS: ") + message;
  }
  double* data(N_Vector v) const { return N_VGetArrayPointer(v); }

  void make(bool adams) {
    expect(SUNContext_Create(nullptr, &context));
    y = N_VNew_Serial(form->size(), context);
    expect(y ? 0 : -1);
    between = N_VClone(y);
    errors = N_VClone(y);
    weights = N_VClone(y);
    if (runge_kutta) return;
    solver = CVodeCreate(adams ? CV_ADAMS : CV_BDF, context);
  }

  // Of things that cannot fail but for want of memory.
  static void expect(int flag) {
    if (flag < 0) throw std::runtime_error("SUNDIALS could not be set up, flag " + std::to_string(flag));
  }

  void set_up(double first, double min, double max, double stop) {
    if (runge_kutta) {
      expect(ERKStepSetUserData(solver, this));
      expect(ERKStepSetErrHandlerFn(solver, hear, this));
      expect(ERKStepWFtolerances(solver, set_weights));
      expect(ERKStepSetOrder(solver, 5));
      expect(ERKStepSetMaxStep(solver, max));
      expect(ERKStepSetMinStep(solver, min));
      expect(ERKStepSetInitStep(solver, first));
      expect(ERKStepSetMaxHnilWarns(solver, -1));
      expect(ERKStepSetStopTime(solver, stop));
      return;
    }
    expect(CVodeSetUserData(solver, this));
    expect(CVodeSetErrHandlerFn(solver, hear, this));
    expect(CVodeWFtolerances(solver, set_weights));
    expect(CVodeSetMaxStep(solver, max));
    expect(CVodeSetMinStep(solver, min));
    expect(CVodeSetInitStep(solver, first));
    expect(CVodeSetMaxHnilWarns(solver, -1));
    expect(CVodeSetStopTime(solver, stop));
    if (newton && !linear) {
      matrix = SUNDenseMatrix(form->size(), form->size(), context);
      expect(matrix ? 0 : -1);
      linear = SUNLinSol_Dense(y, matrix, context);
      expect(CVodeSetLinearSolver(solver, linear, matrix));
      // By default 20 and 51: with sharp friction an old matrix lets Newton's method stop far from the solution.
      expect(CVodeSetLSetupFrequency(solver, steps_of_a_matrix));
      expect(CVodeSetJacEvalFrequency(solver, steps_of_a_matrix));
    } else if (!newton && !fixed_point) {
      fixed_point = SUNNonlinSol_FixedPoint(y, 0, context);
      expect(CVodeSetNonlinearSolver(solver, fixed_point));
    }
  }

  Counts count() const {
    Counts now;
    now.evaluations = form->evaluations();
    if (runge_kutta) {
      ERKStepGetNumErrTestFails(solver, &now.error_failures);
      return now;
    }
    CVodeGetNumErrTestFails(solver, &now.error_failures);
    CVodeGetNumNonlinSolvConvFails(solver, &now.convergence_failures);
    if (newton) CVodeGetNumLinSolvSetups(solver, &now.setups);
    return now;
  }
};

Sundials::Sundials(const assembly::System& system, const std::string& method, const StepControlSettings& control,
                   double min, double max, double duration)
    : system_(system),
      form_(system),
      control_(control),
      min_(min),
      max_(max),
      about_(duration / 100),
      memory_(std::make_unique<Memory>()) {
  memory_->form = &form_;
  memory_->tolerance = control.tolerance;
  memory_->runge_kutta = method == "explicit_rk";
  memory_->newton = method == "bdf";
  memory_->make(method == "adams");
}

Sundials::~Sundials() = default;

void Sundials::start(const State& q, const Start& start) {
  Memory& m = *memory_;
  const double stop = start.stop;
  form_.remember(q);
  // Loads and drives that jump at the stop have not jumped yet at the end of the step.
  form_.set_interval(q.t + start.instant, stop - 8 * std::numeric_limits<double>::epsilon() * std::abs(stop));
  form_.write(q, start.external_work, m.data(m.y));
  m.t = q.t;
  if (m.runge_kutta) {
    if (m.solver)
      Memory::expect(ERKStepReInit(m.solver, Memory::rates, q.t, m.y));
    else
      m.solver = ERKStepCreate(Memory::rates, q.t, m.y, m.context);
  } else {
    Memory::expect(m.started ? CVodeReInit(m.solver, q.t, m.y) : CVodeInit(m.solver, Memory::rates, q.t, m.y));
  }
  m.started = true;
  const double longest = std::max(std::min(max_, start.longest), min_);
  m.set_up(std::min(start.h, stop - q.t), std::min(min_, stop - q.t), longest, stop);
  m.counts = {form_.evaluations()};
}

bool Sundials::make_consistent(State& q, double instant) {
  Memory& m = *memory_;
  form_.remember(q);
  form_.set_weights_of_projection(q, about_);
  form_.set_interval(q.t + instant, std::numeric_limits<double>::infinity());
  form_.write(q, 0, m.data(m.between));
  if (!form_.place(q.t, m.data(m.between))) return false;
  take_motion(q, form_.state());
  return true;
}

double Sundials::time() const { return memory_->t; }

double Sundials::work() const { return memory_->data(memory_->y)[form_.size() - 1]; }

StepReport Sundials::step(const math::StopRequest& stop) {
  Memory& m = *memory_;
  StepReport report;
  m.said.clear();
  m.no_positions = false;
  m.stopped = false;
  m.stop_request = &stop;
  const double before = m.t;
  const double work_before = work();
  const double far = before + 1e3 * std::max(1.0, std::abs(before));  // direction only: steps are the library's
  const int flag = m.runge_kutta ? ERKStepEvolve(m.solver, far, m.y, &m.t, ARK_ONE_STEP)
                                 : CVode(m.solver, far, m.y, &m.t, CV_ONE_STEP);
  m.stop_request = nullptr;
  bool good = flag >= 0;
  if (good && !form_.place(m.t, m.data(m.y))) {
    good = false;
    m.no_positions = true;
    m.said = "no positions that meet the constraints are near the end of the step";
  }
  const Memory::Counts now = m.count();
  report.h = m.t - before;
  report.t = m.t;
  report.iterations = static_cast<int>(now.evaluations - m.counts.evaluations);
  report.factorizations = static_cast<int>(now.setups - m.counts.setups);
  report.rejected_for_error = static_cast<int>(now.error_failures - m.counts.error_failures);
  report.rejected_by_newton = static_cast<int>(now.convergence_failures - m.counts.convergence_failures);
  report.contraction = report.order = std::numeric_limits<double>::quiet_NaN();
  report.constraint_residual = form_.violation() * system_.length();
  m.counts = now;
  if (m.runge_kutta) {
    ERKStepGetEstLocalErrors(m.solver, m.errors);
  } else {
    CVodeGetEstLocalErrors(m.solver, m.errors);
  }
  form_.set_weights(m.tolerance, m.turnover, m.data(m.y), m.data(m.weights));
  report.error = N_VWrmsNorm(m.errors, m.weights);
  if (good) {
    m.turnover += std::abs(work() - work_before);
    return report;
  }

  if (m.runge_kutta) {
    ERKStepGetCurrentStep(m.solver, &report.h);
  } else {
    CVodeGetCurrentStep(m.solver, &report.h);
  }
  report.t = before + report.h;
  const bool inaccurate = flag == CV_ERR_FAILURE || flag == CV_TOO_MUCH_ACC;  // the same numbers in ARKODE
  report.outcome = inaccurate ? Outcome::inaccurate : Outcome::not_converged;
  if (m.stopped) report.outcome = Outcome::interrupted;
  report.said = m.said;
  if (m.no_positions) return report;
  std::vector<std::pair<double, int>> sizes;
  for (int i = 0; i < form_.size(); ++i)
    if (const int unknown = form_.unknown_of(i); unknown >= 0)
      sizes.push_back({std::abs(m.data(m.errors)[i] * m.data(m.weights)[i]), unknown});
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  for (std::size_t i = 0; i < std::min<std::size_t>(sizes.size(), 5) && inaccurate; ++i)
    report.worst.push_back(fmt::format("{}  {:.3g}", system_.name_of(sizes[i].second), sizes[i].first));
  return report;
}

bool Sundials::between(double t, State& q, double& work) {
  Memory& m = *memory_;
  const int flag = m.runge_kutta ? ERKStepGetDky(m.solver, t, 0, m.between) : CVodeGetDky(m.solver, t, 0, m.between);
  const long before = form_.evaluations();
  const bool good = flag >= 0 && form_.place(t, m.data(m.between));
  m.counts.evaluations += form_.evaluations() - before;  // of output, not of the step
  if (!good) return false;
  q = form_.state();
  system_.update_history(q);
  work = m.data(m.between)[form_.size() - 1];
  return true;
}

}  // namespace polhode::integrators

#else

namespace polhode::integrators {

struct Sundials::Memory {};

bool has_sundials() { return false; }

Sundials::Sundials(const assembly::System& system, const std::string&, const StepControlSettings& control, double min,
                   double max, double duration)
    : system_(system), form_(system), control_(control), min_(min), max_(max), about_(duration / 100) {
  throw std::logic_error("built without SUNDIALS");
}
Sundials::~Sundials() = default;
void Sundials::start(const State&, const Start&) {}
bool Sundials::make_consistent(State&, double) { return false; }
StepReport Sundials::step(const math::StopRequest&) { return {}; }
double Sundials::time() const { return 0; }
double Sundials::work() const { return 0; }
bool Sundials::between(double, State&, double&) { return false; }

}  // namespace polhode::integrators

#endif
