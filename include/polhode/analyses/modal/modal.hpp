// SPDX-License-Identifier: BSD-3-Clause
// Modal analysis: frequencies, damping ratios and shapes of small motions about an equilibrium (linearized.hpp).
#pragma once
#include <any>
#include <complex>
#include <string>
#include <vector>

#include "polhode/analyses/linearize/linearized.hpp"
#include "polhode/math/archive.hpp"
#include "polhode/math/stop.hpp"
#include "polhode/results/channel.hpp"

namespace polhode::analyses {

struct Mode {
  std::complex<double> lambda;  // rad/s: the motion is shape e^(lambda t); imaginary part not negative
  bool free = false;            // lambda is zero: nothing holds this motion
  Eigen::VectorXcd shape;       // over the free unknowns; the largest displacement of a node is 1 m, and real
  std::string text;             // which node moves most and how
  int number = 0;               // from 1; the same for the same motion in all modal analyses of a run
  double agreement = 1;         // modal assurance criterion with the shape that this number had before
  double frequency() const;     // Hz, of the oscillation
  double damping() const;       // ratio; negative where the motion grows
  void archive(math::Archive& a) { a(lambda, free, shape, text, number, agreement); }
};

struct ModalResult {
  enum class End { done, failed, interrupted, invalid } end = End::done;
  std::string failure;      // why it failed
  std::string note;         // what else the user should know
  std::vector<Mode> modes;  // free motions first, then by frequency
  std::string free_text;    // "six free motions: the model is not held", if it is not; else ""
};

// About `q`, which stays as it is. `path`: of the analysis in the deck, for problems (End::invalid). `stop` is asked
// before each factorization and each solution.
ModalResult run_modal(const assembly::System& system, const ModalSettings& settings, model::State q,
                      const std::string& path, model::Problems& problems, const math::StopRequest& stop = {});

// Gives modes of an analysis the numbers that motions of the same shape had in those before, by the modal assurance
// criterion MAC(a, b) = |a* W b|^2 / (a* W a b* W b), W as Linearized::metric: the pair that agrees best first, as long
// as they agree by more than 0.3. Others get numbers that are new.
class ModeNumbers {
 public:
  void give(const assembly::System& system, std::vector<Mode>& modes);
  void archive(math::Archive& a) { a(last_); }

 private:
  std::vector<Eigen::VectorXcd> last_;  // weighted, of length 1: the last shape of each number
};

// Lines for a person to read: number, frequency, damping ratio, step of 20 a period, shape. With a `free_text` the free
// motions have one line together.
std::vector<std::string> table_of(const std::vector<Mode>& modes, const std::string& free_text = "");

// /modal/... of the results: all modes of a run, with the number of the analysis that each comes from.
std::vector<results::StaticData> modal_data(const assembly::System& system, const std::vector<Mode>& modes,
                                            const std::vector<int>& analysis);

// AnalysisContext::modes.
void archive_modes(math::Archive& a, std::any& modes);

}  // namespace polhode::analyses
