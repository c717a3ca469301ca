// SPDX-License-Identifier: BSD-3-Clause
// Files of a corpus and changes of them at random, with any compiler and without coverage.
//
//   polhode_fuzz TARGET --runs N [--seed S] FILE|FOLDER ...
//
// A text that ends the program, takes more than ten seconds of processor time or more than 1.5 GB of memory is left in
// the file polhode_fuzz_input of the working folder, and the exit status is 1. The slowest one is left in
// polhode_fuzz_slowest.
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "fuzz/mutations.hpp"

namespace {

constexpr long seconds_at_most = 10;
constexpr rlim_t bytes_at_most = 1'500'000'000;
constexpr const char* kept = "polhode_fuzz_input";
constexpr const char* slowest = "polhode_fuzz_slowest";

const std::string* present = nullptr;

void keep(const char* name, const std::string& text) {
  std::FILE* file = std::fopen(name, "wb");
  if (!file) return;
  std::fwrite(text.data(), 1, text.size(), file);
  std::fclose(file);
}

extern "C" void keep_input(int signal) {
  if (present) keep(kept, *present);
  std::fprintf(stderr, "signal %d; the input is kept in %s\n", signal, kept);
  std::_Exit(1);
}

// Of this process and of children that have ended, s.
double processor_time() {
  double seconds = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    for (const timeval& part : {usage.ru_utime, usage.ru_stime})
      seconds += static_cast<double>(part.tv_sec) + 1e-6 * static_cast<double>(part.tv_usec);
  }
  return seconds;
}

long megabytes() {
  long most = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    most = std::max(most, usage.ru_maxrss / 1000);
  }
  return most;
}

// What the texts took so far, and the present one.
struct Costs {
  double began = processor_time();
  double most = 0;
  std::string slowest_text;
  std::string text;

  void end() {
    const double seconds = processor_time() - began;
    if (seconds <= most) return;
    most = seconds;
    slowest_text = text;
  }
  void begin(const std::string& next) {
    end();
    text = next;
    present = &text;
    const itimerval limit{{0, 0}, {seconds_at_most, 0}};
    setitimer(ITIMER_PROF, &limit, nullptr);
    began = processor_time();
  }
};

int usage() {
  std::fprintf(stderr, "usage: polhode_fuzz TARGET --runs N [--seed S] FILE|FOLDER ...; targets:");
  for (const polhode::fuzz::Target& target : polhode::fuzz::targets())
    std::fprintf(stderr, " %s", std::string(target.name).c_str());
  std::fprintf(stderr, "\n");
  return 2;
}

}  // namespace

int main(int count, char** arguments) {
  const polhode::fuzz::Target* target = count > 1 ? polhode::fuzz::find_target(arguments[1]) : nullptr;
  long runs = 0;
  unsigned seed = 1;
  std::vector<std::string> paths;
  for (int i = 2; i < count; ++i) {
    if (!std::strcmp(arguments[i], "--runs") && i + 1 < count)
      runs = std::atol(arguments[++i]);
    else if (!std::strcmp(arguments[i], "--seed") && i + 1 < count)
      seed = static_cast<unsigned>(std::atol(arguments[++i]));
    else
      paths.emplace_back(arguments[i]);
  }
  const std::vector<std::string> corpus = polhode::fuzz::read_corpus(paths);
  if (!target || corpus.empty()) return usage();
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGPROF}) ::signal(signal, keep_input);
#ifndef __SANITIZE_ADDRESS__
  const rlimit memory{bytes_at_most, bytes_at_most};
  setrlimit(RLIMIT_AS, &memory);
#endif
  Costs costs;
  polhode::fuzz::read_mutations(*target, corpus, runs, seed, [&](const std::string& text) { costs.begin(text); });
  costs.end();
  present = nullptr;
  std::printf("%s: %zu files and %ld changes of them, seed %u; the slowest took %.3g s; at most %ld MB\n",
              std::string(target->name).c_str(), corpus.size(), runs, seed, costs.most, megabytes());
  keep(slowest, costs.slowest_text);
  return 0;
}
