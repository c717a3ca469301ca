// SPDX-License-Identifier: BSD-3-Clause
// From states and step reports to rows of numbers, and the layout of these rows for the results file.
#pragma once
#include <array>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "polhode/results/channel.hpp"
#include "polhode/assembly/system.hpp"
#include "polhode/integrators/structure.hpp"

namespace polhode::results {

// What a row tells of a static analysis; of states of other analyses the loads act in full.
struct StaticNumbers {
  double load_factor = 1;
  int iterations = 0;
  double smallest_pivot = std::numeric_limits<double>::quiet_NaN();
  bool limit_point = false;
};

class Sampler {
 public:
  // `fields`: groups to keep ("nodes", "joints.pivot", "energy"); empty = all. /time and /analysis are always there,
  // and /static of a run `with_static` analyses. `controlled`: rows of steps tell of their control, too. `discrete`:
  // with the invariants of structure-preserving methods.
  Sampler(const assembly::System& system, const std::vector<std::string>& fields, bool controlled = false,
          bool with_static = false, bool discrete = false);

  // Of a row: /time and /analysis, and the four of /static.
  static int numbers_before_nodes(bool with_static) { return with_static ? 6 : 2; }
  const Layout& layout() const { return layout_; }

  // The row of a state. `residual`, where given, is that of the state; else it is computed if a support's reaction is
  // asked for. Allocates nothing. The span lives until the next call.
  std::span<const double> state_row(const model::State& q, const assembly::Residual* residual, double external_work,
                                    int analysis, const StaticNumbers& statics = {},
                                    const integrators::Invariants* invariants = nullptr);
  double kinetic_energy() const { return kinetic_; }  // of the last row, J; 0 where no channel asks for energies
  std::span<const double> step_row(const integrators::StepReport& report, int wasted_iterations);

 private:
  enum class Source {
    time,
    analysis,
    position,
    velocity,
    acceleration,
    rotation,
    angular_velocity,
    angular_acceleration,
    multipliers,
    output,
    reaction_force,
    reaction_moment,
    kinetic,
    strain,
    gravity,
    total,
    external_work,
    linear_momentum,
    angular_momentum,
    invariant_energy,
    discrete_linear_momentum,
    discrete_angular_momentum,
    discrete_energy,
    load_factor,
    static_iterations,
    smallest_pivot,
    limit_point
  };
  struct Item {  // one channel and where its numbers come from
    Source source;
    std::size_t offset;
    // node; or first row and number of multipliers; or element outputs
    int index = 0;
    int count = 0;
  };
  // Elements whose numbers are computed, and then spread over the channels while they are in the processor's cache.
  static constexpr std::size_t at_a_time = 64;
  struct EntryOutputs {  // all outputs of the elements of one entry, spread over several channels
    const model::BatchBase* batch;
    // elements
    std::size_t first;
    std::size_t count;
    // integration points an element, numbers a point
    std::size_t points;
    std::size_t stride;
    std::size_t rows() const { return count * points; }
    struct Part {
      std::size_t offset;
      std::size_t size;
      bool wanted;
    };
    std::vector<Part> parts;
    bool with_totals = false;  // all elements of the batch are asked for outputs, and for energies on the way
  };
  bool add(Source source, std::string path, std::vector<int> shape, std::string units, std::string frame,
           std::string description, int index = 0, int count = 0);
  void add_nodes();
  void add_elements();
  void add_reactions();
  void add_energies();
  void add_invariants(bool discrete);
  void set_neighbours(const std::vector<int>& supports);
  void set_reactions(const model::State& q);
  void add_statics();
  void add_static_analysis();
  void add_steps(bool controlled);
  bool wanted(const std::string& path) const;

  const assembly::System& system_;
  std::vector<std::string> fields_;
  Layout layout_;
  std::vector<Item> items_;
  std::vector<EntryOutputs> entries_;
  std::vector<const model::BatchBase*> without_outputs_;  // of some or all of their elements; asked for energies apart
  std::vector<double> row_;
  std::vector<double> step_row_;
  std::vector<double> scratch_;
  bool needs_totals_ = false;
  double kinetic_ = 0;
  // Reactions are the forces of the elements at the supported nodes.
  struct Neighbours {
    const model::BatchBase* batch;
    std::vector<std::size_t> elements;
  };
  std::vector<Neighbours> neighbours_;
  std::vector<int> touched_;         // all their nodes
  std::vector<model::Vec6> forces_;  // by node; of touched ones only
};

}  // namespace polhode::results
