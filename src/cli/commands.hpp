// SPDX-License-Identifier: BSD-3-Clause
// The commands, their options, and what the program returns to the shell.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace polhode::cli {

enum ExitStatus : int {
  done = 0,
  wrong_usage = 1,
  invalid_model = 2,    // deck or model, and what is not yet in this version
  solution_failed = 3,  // what was computed is kept
  files_failed = 4,     // input or output
  interrupted = 130,
};

struct RunOptions {
  std::string deck;
  std::string output;            // "" = the deck's name with .h5, in the current folder
  std::vector<std::string> set;  // PATH=VALUE
  std::string responses_file;    // JSON; "" = none
  int threads = 0;               // 0 = chosen by the size of the model
  std::string restart;
};

struct ConvergenceOptions {
  std::string deck;
  std::string output;            // "" = the deck's name with .convergence.h5, in the current folder
  std::vector<std::string> set;  // PATH=VALUE
  std::vector<double> steps;     // s
  std::string reference;         // results file; "" = a run with a finer step
  double reference_step = 0;     // s; 0 = a tenth of the smallest step
  double from = 0;               // s; 0 = not given
  double to = 0;                 // s; 0 = not given
  int jobs = 0;                  // 0 = one a processor
};

struct SweepOptions {
  std::string study;
  std::string output;              // "" = the study's name with .h5, in the current folder
  int jobs = 0;                    // 0 = one a processor
  std::string shard;               // I/N; "" = by the environment
  double case_timeout = 0;         // s; 0 = none
  std::optional<long> print_case;  // prints the deck of this case
  bool collect = false;
  bool csv = false;
};

struct CheckOptions {
  std::string deck;
};

struct InfoOptions {
  std::string file;  // a deck or a results file
};

struct ExportOptions {
  std::string file;
  std::string folder;              // "" = the file's name without ending, in the current folder
  std::vector<std::string> paths;  // empty = all groups of histories
  std::string matrices;            // folder for the matrices of linear models; "" = none are written
};

struct SchemaOptions {
  std::string what = "deck";  // or "study"
  bool markdown = false;      // the reference page in place of the JSON Schema
};

// Each returns an exit status; bad input, failed files and the like are exceptions that main() turns into one.
int run(const RunOptions& options);
int convergence(const ConvergenceOptions& options);
int sweep(const SweepOptions& options);
int check(const CheckOptions& options);
int info(const InfoOptions& options);
int export_tables(const ExportOptions& options);
int schema(const SchemaOptions& options);

// Why the files of a run may not be written: they are the deck, each other, or no results; "" if they may.
std::string clash_of_outputs(const RunOptions& options, const std::string& results);

// The same for one file that takes the place of others of its kind.
std::string clash_of_output(const std::string& output, const std::vector<std::string>& inputs);

std::string version_text();  // polhode, libraries, compiler

int refuse(const std::string& what);  // "<what>: not yet in this version" on stderr

}  // namespace polhode::cli
