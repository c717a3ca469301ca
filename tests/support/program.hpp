// SPDX-License-Identifier: BSD-3-Clause
// The program as its users run it: in a folder of its own, with what it says, how it ends and what it leaves behind.
#pragma once
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "io/sample_results.hpp"
#include "support/places.hpp"

namespace polhode::support {

struct Outcome {
  int status;  // -1: ended by a signal
  std::string out;
  std::string err;
};

inline std::string content_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline std::string shipped(const std::string& deck) { return POLHODE_SOURCE_DIR "/inputs/" + deck; }

// A folder to run in; what the program says goes elsewhere, so that the folder holds only what it writes.
class Workshop {
 public:
  std::string file(const std::string& name) const { return folder_.file(name); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(file(name), std::ios::binary) << text;
  }

  Outcome polhode(const std::string& arguments, const std::string& before = "") const {
    const std::string command = "cd '" + folder_.file("") + "' && " + before + " '" POLHODE_BINARY "' " + arguments +
                                " >'" + said_.file("out") + "' 2>'" + said_.file("err") + "' </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content_of(said_.file("out")), content_of(said_.file("err"))};
  }

  // Starts `polhode run <arguments>` (or another command) and gives its process.
  pid_t start(const std::vector<std::string>& arguments, const char* command = "run") const {
    const std::string folder = folder_.file("");
    const std::string err = said_.file("err");
    std::vector<const char*> all{POLHODE_BINARY, command};
    for (const std::string& argument : arguments) all.push_back(argument.c_str());
    all.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      if (chdir(folder.c_str()) != 0 || !freopen(err.c_str(), "w", stderr)) _exit(99);
      execv(POLHODE_BINARY, const_cast<char**>(all.data()));
      _exit(98);
    }
    return child;
  }
  // Waits for a process: its exit status, or -1 if a signal ended it.
  static int status_of(pid_t process) {
    int status = 0;
    waitpid(process, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  void wait_for(const std::string& name) const {
    while (!std::filesystem::exists(file(name))) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  std::string said() const { return content_of(said_.file("err")); }

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.file("")))
      all.push_back(entry.path().filename());
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  test::TemporaryFolder folder_;
  test::TemporaryFolder said_;
};

}  // namespace polhode::support
