// SPDX-License-Identifier: BSD-3-Clause
// One shard of the cases: by hand, or by what Slurm and MPI launchers tell each of their processes.
#pragma once
#include <functional>
#include <string>

namespace polhode::studies {

// Cases index, index + count, index + 2 count, ... of the study.
struct Shard {
  // index from 0
  std::size_t index = 0;
  std::size_t count = 1;
  // False: all cases, by a process of its own
  bool given = false;
  // A launcher has started several processes, each to use its own processors
  bool side_by_side = false;
  // "--shard", "Slurm's array", ...; for messages
  std::string source;

  bool has(std::size_t number) const { return number % count == index; }
};

// "I/N", I from 1 to N. `problem` says what is wrong.
Shard read_shard(const std::string& text, std::string& problem);

// Of the environment: Slurm's job arrays (SLURM_ARRAY_TASK_ID, _MIN, _STEP, _COUNT), times the rank in an MPI launcher
// (OMPI_COMM_WORLD_RANK, PMI_RANK) or else in a step of srun (SLURM_PROCID). `variable` gives "" for what is not there.
Shard shard_of_environment(const std::function<std::string(const char*)>& variable, std::string& problem);

}  // namespace polhode::studies
