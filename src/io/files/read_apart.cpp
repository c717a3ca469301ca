// SPDX-License-Identifier: BSD-3-Clause
// The child that reads, its limits, and what it says through a pipe.
#include "polhode/io/read_apart.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#include <new>
#include <stdexcept>

#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/results.hpp"

namespace polhode::io {
namespace {

// First byte of what the child says.
enum Said : char {
  result = 'r',
  file_error = 'f',
  results_error = 'w',
  wrong_argument = 'a',
  no_memory = 'm',
  other_error = 'o',
};

// What a child may take, in numbers of the system.
struct Allowance {
  rlim_t memory;            // bytes of addresses
  rlim_t processor;         // s
  double wall;              // s
  double memory_megabytes;  // beyond what the program has; for messages
};

// On disk: a file may be longer than that, with holes that cost nothing.
double bytes_on_disk(const std::string& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return 0;
  return std::min(static_cast<double>(status.st_size), 512.0 * static_cast<double>(status.st_blocks));
}

double addresses_in_use() {
  double pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

Allowance allowance_for(const std::string& file, const ReadingLimits& limits) {
  constexpr double bytes_a_second = 5e6;
  constexpr double waiting = 10;
  const double size = bytes_on_disk(file);
  const double seconds = limits.seconds + size / bytes_a_second;
  const double memory = limits.memory + 2 * size;
  return {static_cast<rlim_t>(addresses_in_use() + memory), static_cast<rlim_t>(std::max(1.0, std::round(seconds))),
          waiting * seconds, memory * 1e-6};
}

// Limits that the process has already stay where they are lower.
template <class Resource>
void set_limit(Resource resource, rlim_t value) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0) return;
  limit.rlim_cur = std::min(limit.rlim_cur, value);
  setrlimit(resource, &limit);
}

// A pipe may take less at a time than it is given.
void write_all(int descriptor, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t put = ::write(descriptor, data, size);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return;
    data += put;
    size -= static_cast<std::size_t>(put);
  }
}

void say(int pipe, Said kind, const std::string& text) {
  const char first = kind;
  write_all(pipe, &first, 1);
  write_all(pipe, text.data(), text.size());
}

// The child: ends with its parent, leaves no core, and nothing of the parent's is flushed or closed twice.
[[noreturn]] void be_reader(int pipe, pid_t parent, const Allowance& allowance,
                            const std::function<std::string()>& work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  prctl(PR_SET_DUMPABLE, 0);  // programs that collect cores do not look at limits
  set_limit(RLIMIT_AS, allowance.memory);
  set_limit(RLIMIT_CPU, allowance.processor);
  // What a debugger or the parent has made of them: here they end the process, as they should
  for (const int signal : {SIGXCPU, SIGSEGV, SIGBUS, SIGFPE, SIGABRT}) std::signal(signal, SIG_DFL);
  // HDF5 and the C library say on standard error how they fail
  if (const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0) dup2(nowhere, STDERR_FILENO);
  try {
    say(pipe, result, work());
  } catch (const FileError& error) {
    say(pipe, file_error, error.what());
  } catch (const ResultsError& error) {
    say(pipe, results_error, error.what());
  } catch (const std::invalid_argument& error) {
    say(pipe, wrong_argument, error.what());
  } catch (const std::bad_alloc&) {
    say(pipe, no_memory, "");
  } catch (const std::length_error&) {
    say(pipe, no_memory, "");
  } catch (const std::exception& error) {
    say(pipe, other_error, error.what());
  }
  _exit(0);
}

// A child that is running, with the end of its pipe.
class Reader {
 public:
  Reader(const Allowance& allowance, const std::function<std::string()>& work) : start_(Clock::now()) {
    int ends[2];
    const auto refuse = [](const char* what) {
      throw FileError(fmt::format("a process to read files cannot be started: {}: {}", what, std::strerror(errno)));
    };
    if (pipe2(ends, O_CLOEXEC) != 0) refuse("pipe");
    const pid_t parent = getpid();
    process_ = fork();
    if (process_ == 0) {
      ::close(ends[0]);
      be_reader(ends[1], parent, allowance, work);
    }
    ::close(ends[1]);
    pipe_ = ends[0];
    if (process_ < 0) {
      ::close(pipe_);
      refuse("fork");
    }
  }
  ~Reader() {
    if (process_ > 0) {
      kill(process_, SIGKILL);
      wait();
    }
    ::close(pipe_);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  // All that it says until it ends. False where that takes longer than `seconds`.
  bool hear(std::string& said, double seconds) {
    std::string piece(1 << 16, '\0');
    while (true) {
      const double left = seconds - std::chrono::duration<double>(Clock::now() - start_).count();
      if (left <= 0) return false;
      pollfd one{pipe_, POLLIN, 0};
      const int ready = poll(&one, 1, static_cast<int>(std::min(left * 1000 + 1, 1e9)));
      if (ready < 0 && errno != EINTR) return false;
      if (ready <= 0) continue;
      const ssize_t got = ::read(pipe_, piece.data(), piece.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return true;
      said.append(piece, 0, static_cast<std::size_t>(got));
    }
  }

  // Its status, as waitpid() gives it.
  int wait() {
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) continue;
    process_ = 0;
    return status;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_;
  pid_t process_ = 0;
  int pipe_ = -1;
};

std::string reason_of(int status, const Allowance& allowance) {
  if (!WIFSIGNALED(status)) return fmt::format("it ended with status {}", WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  if (signal == SIGXCPU) return fmt::format("it had not come to an end after {} s", allowance.processor);
  if (signal == SIGKILL) return "its process was killed; there may not be enough memory";
  return fmt::format("signal {}, {}", signal, strsignal(signal));
}

}  // namespace

// What the child said counts only if it came to its end.
std::string read_apart(const std::string& file, const std::function<std::string()>& work, const ReadingLimits& limits) {
  const Allowance allowance = allowance_for(file, limits);
  const auto damaged = [&](const std::string& reason) {
    throw FileError(fmt::format("{}: is damaged: HDF5 itself failed while reading it ({})", file, reason));
  };
  Reader reader(allowance, work);
  std::string said;
  if (!reader.hear(said, allowance.wall))
    damaged(fmt::format("it had not come to an end after {:.3g} s", allowance.wall));
  const int status = reader.wait();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || said.empty()) damaged(reason_of(status, allowance));
  const char kind = said.front();
  said.erase(0, 1);
  switch (kind) {
    case result:
      return said;
    case results_error:
      throw ResultsError(said);
    case wrong_argument:
      throw std::invalid_argument(said);
    case no_memory:
      throw FileError(
          fmt::format("{}: reading it takes more than the {:.0f} MB that a file of its size may need; it is damaged, "
                      "or there is not enough memory",
                      file, allowance.memory_megabytes));
    case other_error:
      throw FileError(file + ": cannot be read: " + said);
    default:
      throw FileError(said);
  }
}

}  // namespace polhode::io
