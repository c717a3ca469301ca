// SPDX-License-Identifier: BSD-3-Clause
// Shards: by hand, of Slurm's arrays and steps, of MPI launchers, and of one within the other.
#include "polhode/studies/shard.hpp"

#include <gtest/gtest.h>

#include <map>

namespace polhode::studies {
namespace {

using Environment = std::map<std::string, std::string>;

Shard shard_of(const Environment& environment, std::string& problem) {
  return shard_of_environment(
      [&](const char* name) {
        const auto found = environment.find(name);
        return found == environment.end() ? "" : found->second;
      },
      problem);
}

std::string text_of(const Environment& environment) {
  std::string problem;
  const Shard shard = shard_of(environment, problem);
  if (!problem.empty()) return "problem";
  return shard.given ? std::to_string(shard.index) + " of " + std::to_string(shard.count) : "all";
}

TEST(Shard, ByHandCountsFromOne) {
  std::string problem;
  const Shard shard = read_shard("2/3", problem);
  EXPECT_EQ(problem, "");
  EXPECT_EQ(shard.index, 1u);
  EXPECT_TRUE(shard.has(4));
  EXPECT_FALSE(shard.has(5));
  for (const char* wrong : {"0/3", "4/3", "3", "1/0", "a/b", "-1/2", "1/2/3", "", "1/", "/2"}) {
    problem.clear();
    read_shard(wrong, problem);
    EXPECT_NE(problem, "") << wrong;
  }
}

TEST(Shard, FollowsSlurmAndMpiLaunchers) {
  EXPECT_EQ(text_of({}), "all");
  EXPECT_EQ(text_of({{"OMPI_COMM_WORLD_RANK", "2"}, {"OMPI_COMM_WORLD_SIZE", "4"}}), "2 of 4");
  EXPECT_EQ(text_of({{"PMI_RANK", "0"}, {"PMI_SIZE", "3"}}), "0 of 3");
  EXPECT_EQ(text_of({{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "1"}}), "all");
  const Environment array = {{"SLURM_JOB_ID", "7"},
                             {"SLURM_ARRAY_TASK_ID", "5"},
                             {"SLURM_ARRAY_TASK_MIN", "1"},
                             {"SLURM_ARRAY_TASK_STEP", "2"},
                             {"SLURM_ARRAY_TASK_COUNT", "4"}};
  EXPECT_EQ(text_of(array), "2 of 4");
  Environment step = array;  // srun within a task of an array
  step.insert({{"SLURM_PROCID", "1"}, {"SLURM_STEP_NUM_TASKS", "3"}, {"SLURM_NTASKS", "3"}});
  EXPECT_EQ(text_of(step), "7 of 12");
  Environment batch = array;  // the batch script itself, although Slurm tells it the number of tasks
  batch.insert({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "3"}});
  EXPECT_EQ(text_of(batch), "2 of 4");
  Environment ranks = array;  // mpirun within a task of an array
  ranks.insert({{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "2"}});
  EXPECT_EQ(text_of(ranks), "4 of 8");
  Environment gaps = array;
  gaps["SLURM_ARRAY_TASK_ID"] = "4";
  EXPECT_EQ(text_of(gaps), "problem");
  EXPECT_EQ(text_of({{"OMPI_COMM_WORLD_RANK", "4"}, {"OMPI_COMM_WORLD_SIZE", "4"}}), "problem");
  EXPECT_EQ(text_of({{"PMI_RANK", "1"}}), "problem");
}

}  // namespace
}  // namespace polhode::studies
