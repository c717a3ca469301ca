#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A study as a job array, one share of its cases a task:
#
#   sbatch --array=0-15 scripts/slurm/study.sh STUDY [options of polhode sweep]
#   polhode sweep STUDY --collect                      when all tasks have ended, in the folder of submission
#
# The program is $POLHODE, else `polhode` of the PATH, else that of build/release below the folder of submission. After
# a failure submit the same array again: only missing cases are run.
#SBATCH --job-name=polhode-study
#SBATCH --array=0-3
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=%x-%A_%a.log
set -eu
if [[ $# == 0 ]]; then
  echo "usage: sbatch --array=0-15 $0 STUDY [options of polhode sweep]" >&2
  exit 1
fi
program=${POLHODE:-$(command -v polhode || echo "$SLURM_SUBMIT_DIR/build/release/polhode")}
exec "$program" sweep "$@"
