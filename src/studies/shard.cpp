// SPDX-License-Identifier: BSD-3-Clause
// Shards by --shard and by the environment.
#include "polhode/studies/shard.hpp"

#include <charconv>
#include <optional>

namespace polhode::studies {
namespace {

using Variable = std::function<std::string(const char*)>;

// Digits only: neither sign nor space.
std::optional<std::size_t> whole(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The index of a process among `count`, and which variable says so.
struct Rank {
  std::size_t index = 0;
  std::size_t count = 1;
  std::string source;
};

// The rank that two variables give; nothing where the first is not set.
std::optional<Rank> rank_of(const Variable& variable, const char* rank, const char* size, std::string& problem) {
  const std::string at = variable(rank);
  const std::string all = variable(size);
  if (at.empty()) return std::nullopt;
  const auto index = whole(at);
  const auto count = whole(all);
  if (index && count && *index < *count) return Rank{*index, *count, rank};
  problem = std::string(rank) + " is '" + at + "' and " + size + " is '" + all +
            "', which is no rank among ranks; name the shard with --shard I/N";
  return std::nullopt;
}

// A job array counts from whatever its user chose.
std::optional<Rank> array_of(const Variable& variable, std::string& problem) {
  const std::string id = variable("SLURM_ARRAY_TASK_ID");
  if (id.empty()) return std::nullopt;
  const auto at = whole(id);
  const auto least = whole(variable("SLURM_ARRAY_TASK_MIN"));
  const auto count = whole(variable("SLURM_ARRAY_TASK_COUNT"));
  const std::size_t step = whole(variable("SLURM_ARRAY_TASK_STEP")).value_or(1);
  if (at && least && count && step > 0 && *at >= *least && (*at - *least) % step == 0 && (*at - *least) / step < *count)
    return Rank{(*at - *least) / step, *count, "SLURM_ARRAY_TASK_ID"};
  problem = "the array of this Slurm job has gaps, SLURM_ARRAY_TASK_ID is '" + id + "' of " +
            variable("SLURM_ARRAY_TASK_COUNT") + " from " + variable("SLURM_ARRAY_TASK_MIN") +
            "; name the shard with --shard I/N";
  return std::nullopt;
}

// Of the processes that one launcher has started side by side. A batch script itself is no step of srun, although Slurm
// gives it the number of tasks.
std::optional<Rank> launched(const Variable& variable, std::string& problem) {
  if (auto rank = rank_of(variable, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", problem); rank || !problem.empty())
    return rank;
  if (auto rank = rank_of(variable, "PMI_RANK", "PMI_SIZE", problem); rank || !problem.empty()) return rank;
  if (!variable("SLURM_STEP_NUM_TASKS").empty())
    return rank_of(variable, "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", problem);
  if (!variable("SLURM_PROCID").empty() && variable("SLURM_JOB_ID").empty())
    return rank_of(variable, "SLURM_PROCID", "SLURM_NTASKS", problem);
  return std::nullopt;
}

}  // namespace

// Counted from 1 by users and from 0 here.
Shard read_shard(const std::string& text, std::string& problem) {
  const std::size_t slash = text.find('/');
  const std::string_view first = std::string_view(text).substr(0, slash);
  const std::string_view second = slash == std::string::npos ? "" : std::string_view(text).substr(slash + 1);
  const bool numbers = whole(first).has_value() && whole(second).has_value();
  const std::size_t index = whole(first).value_or(0);
  const std::size_t count = whole(second).value_or(0);
  if (!numbers || count == 0)
    problem = "expected I/N, such as 1/4; found '" + text + "'";
  else if (index < 1 || index > count)
    problem = "there is no shard " + std::to_string(index) + " of " + std::to_string(count) +
              "; shards count from 1 to " + std::to_string(count);
  if (!problem.empty()) return {};
  return {index - 1, count, true, false, "--shard"};
}

// Processes of one step within a job array divide the shard of their task further.
Shard shard_of_environment(const Variable& variable, std::string& problem) {
  const auto array = array_of(variable, problem);
  if (!problem.empty()) return {};
  const auto rank = launched(variable, problem);
  if (!problem.empty()) return {};
  Shard shard;
  if (array) shard = {array->index, array->count, true, false, array->source};
  if (rank) {
    shard.index = shard.index * rank->count + rank->index;
    shard.count *= rank->count;
    shard.side_by_side = rank->count > 1;
    shard.source += (array ? " and " : "") + rank->source;
  }
  shard.given = shard.count > 1;
  return shard;
}

}  // namespace polhode::studies
