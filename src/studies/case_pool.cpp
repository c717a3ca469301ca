// SPDX-License-Identifier: BSD-3-Clause
// Processes of cases: started, heard through a pipe, ended.
#include "case_pool.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <limits>
#include <thread>

#include "polhode/io/hdf5/results.hpp"

namespace polhode::studies {

namespace {

constexpr auto longest_wait = std::chrono::milliseconds(200);
// What the case says is why its files cannot be written, not its row
constexpr char file_problem = '!';
// In the place of a number: there is no other case
constexpr std::size_t no_case = std::numeric_limits<std::size_t>::max();
// Cases that a process does: a fork is then little, and what its cases leave in its memory stays little, too
constexpr int most_cases = 200;

// A socket may take less at a time than it is given.
void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = write(descriptor, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(put));
  }
}

// A signal between fork() and ignore_interrupts() would look like the failure of the case.
void block_interrupts(int how) {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  sigprocmask(how, &signals, nullptr);
}

// The parent deals with them: from now on they mean nothing here.
void ignore_interrupts() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
}

// A number is sent at once; none where the parent is gone.
std::size_t read_number(int descriptor) {
  std::size_t number = no_case;
  ssize_t got = 0;
  do {
    got = recv(descriptor, &number, sizeof number, MSG_WAITALL);
  } while (got < 0 && errno == EINTR);
  return got == sizeof number ? number : no_case;
}

// The process of cases: ends with its parent, and leaves to it what signals from the terminal or a scheduler mean.
[[noreturn]] void be_worker(const std::function<Row(std::size_t)>& run, int line, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  ignore_interrupts();
  block_interrupts(SIG_UNBLOCK);
  if (const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0) dup2(nowhere, STDERR_FILENO);
  try {
    for (std::size_t number = read_number(line); number != no_case; number = read_number(line))
      write_all(line, line_of(run(number)));
  } catch (const std::exception& error) {
    write_all(line, file_problem + std::string(error.what()));
  }
  // Nothing of the parent's is to be flushed or closed twice
  _exit(0);
}

}  // namespace

CasePool::CasePool(int jobs, double timeout, Work work) : jobs_(jobs), timeout_(timeout), work_(std::move(work)) {}

// Cases that still run have nobody left to report to.
CasePool::~CasePool() {
  for (Running& one : running_) {
    kill(one.process, SIGKILL);
    waitpid(one.process, nullptr, 0);
    close(one.line);
  }
}

// Cases whose processes were killed from outside come last, when there may be more memory.
void CasePool::run() {
  while (!work_.interrupted()) {
    while (more_ && running_.size() < static_cast<std::size_t>(jobs_))
      if (const auto number = next()) start(*number, false);
    while (!more_ && !again_.empty() && running_.size() < static_cast<std::size_t>(jobs_)) {
      start(again_.back(), true);
      again_.pop_back();
    }
    if (running_.empty()) return;
    wait();
    work_.waiting();
  }
}

std::optional<std::size_t> CasePool::next() {
  if (!more_) return std::nullopt;
  const auto number = work_.next();
  more_ = number.has_value();
  return number;
}

// Signals are blocked around fork(), so that a case does not die of one that is for its parent.
void CasePool::start(std::size_t number, bool again) {
  int ends[2];
  const pid_t parent = getpid();
  const auto refuse = [](const char* what) {
    throw io::ResultsError(fmt::format("a case cannot be started: {}: {}", what, std::strerror(errno)));
  };
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) refuse("socketpair");
  block_interrupts(SIG_BLOCK);
  const pid_t process = fork();
  if (process != 0) block_interrupts(SIG_UNBLOCK);
  if (process < 0) refuse("fork");
  if (process == 0) {
    close(ends[0]);
    be_worker(work_.run, ends[1], parent);
  }
  close(ends[1]);
  running_.push_back({std::nullopt, process, ends[0], Clock::now(), {}, 0, false, again});
  give(running_.back(), number);
}

// A process that has ended meanwhile is heard as one whose case ended it.
void CasePool::give(Running& one, std::optional<std::size_t> number) {
  one.number = number;
  one.start = Clock::now();
  const std::size_t sent = number.value_or(no_case);
  send(one.line, &sent, sizeof sent, MSG_NOSIGNAL);
}

// Until a case says something, or it is time to look at clocks and interrupts.
void CasePool::wait() {
  std::vector<pollfd> all;
  for (const Running& one : running_) all.push_back({one.line, POLLIN, 0});
  if (poll(all.data(), all.size(), static_cast<int>(longest_wait.count())) < 0 && errno != EINTR)
    throw io::ResultsError(fmt::format("the cases cannot be heard: {}", std::strerror(errno)));
  const Clock::time_point now = Clock::now();
  for (std::size_t i = running_.size(); i-- > 0;) {
    Running& one = running_[i];
    // A case is killed once; its end is then heard as any other.
    if (timeout_ > 0 && one.number && !one.too_late && now - one.start > std::chrono::duration<double>(timeout_)) {
      one.too_late = true;
      kill(one.process, SIGKILL);
    }
    if (all[i].revents == 0 || hear(one)) continue;
    Running ended = std::move(one);
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    end(ended);
  }
}

// What a case says arrives in pieces.
bool CasePool::hear(Running& one) {
  char text[4096];
  const ssize_t got = read(one.line, text, sizeof text);
  if (got > 0) {
    one.said.append(text, static_cast<std::size_t>(got));
    take_rows(one);
  }
  return got > 0 || (got < 0 && errno == EINTR);
}

// A row that arrived whole counts, however the process ends behind it, and another case follows it. A process that was
// killed because its row was late does no other.
void CasePool::take_rows(Running& one) {
  const std::size_t length = one.said.find('\n');
  if (length == std::string::npos || !one.number || one.said.front() == file_problem) return;
  const auto row = row_of(std::string_view(one.said).substr(0, length));
  if (!row || row->number != *one.number) return;
  one.said.erase(0, length + 1);
  ++one.done;
  one.number.reset();
  work_.finished(*row);
  const bool may_go_on = !one.again && !one.too_late && one.done < most_cases && !work_.interrupted();
  give(one, may_go_on ? next() : std::nullopt);
}

// A process that ended between two cases has nothing to say. What ended one that had done others before may have come
// from these: its case is tried once more, by itself.
void CasePool::end(Running& one) {
  int status = 0;
  while (waitpid(one.process, &status, 0) < 0 && errno == EINTR) continue;
  close(one.line);
  // Where files cannot be written no further case can do better: the study ends.
  if (one.said.starts_with(file_problem)) throw io::ResultsError(one.said.substr(1));
  if (!one.number) return;

  Row row;
  row.number = *one.number;
  row.responses.assign(work_.responses, std::numeric_limits<double>::quiet_NaN());
  const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  if (one.too_late) {
    row.status = Row::Status::timed_out;
    row.message = fmt::format("did not end within {:.6g} s (--case-timeout)", timeout_);
  } else if (!one.again && (killed || one.done > 0)) {
    again_.push_back(*one.number);
    // By whom it was killed is not known; if it was the end of the whole study, this process has no second left.
    if (killed) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return;
  } else if (WIFSIGNALED(status)) {
    row.message = fmt::format("its process was ended by signal {} ({}){}", WTERMSIG(status),
                              strsignal(WTERMSIG(status)), killed ? ", twice; there may not be enough memory" : "");
  } else {
    row.message = fmt::format("its process ended with status {} and no row", WEXITSTATUS(status));
  }
  work_.finished(row);
}

}  // namespace polhode::studies
