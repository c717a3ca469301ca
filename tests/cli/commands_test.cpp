// SPDX-License-Identifier: BSD-3-Clause
// A command is one file and one line in the table: here is one more, as docs/adding_a_command.md writes it.
#include <gtest/gtest.h>

#include <array>

#include "cli/command.hpp"

namespace polhode::cli {
namespace {

// [begin of the example in docs/adding_a_command.md]
class CountCommand final : public Command {
 public:
  void declare(Options& options) override {
    options.required({"file", "any text", "FILE"}, file_);
    options.count({"--times", "how often it counts; default: 1", "N"}, times_, 10);
  }

  int run(run::Messages& messages) override {
    for (int i = 0; i < times_; ++i) messages.info(file_);
    return done;
  }

 private:
  std::string file_;
  int times_ = 1;
};

extern const CommandType count_command{"count", "count a file", make_command<CountCommand>};
// [end of the example]

int call(const std::vector<const char*>& arguments) {
  const std::array table{&count_command};
  std::vector<const char*> all{"polhode"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return run_command_line(static_cast<int>(all.size()), all.data(), table);
}

TEST(Commands, OneMoreCommandIsOneLineInTheTable) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(call({"count", "deck.yaml", "--times", "2"}), done);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "deck.yaml\ndeck.yaml\n");
}

TEST(Commands, OneMoreCommandHasHelpAndItsMistakesAreWrongUsage) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(call({"count", "--help"}), done);
  const std::string help = testing::internal::GetCapturedStdout();
  for (const char* part : {"count a file", "how often it counts", "--quiet", "--verbose", "--log"})
    EXPECT_NE(help.find(part), std::string::npos) << part;
  testing::internal::CaptureStderr();
  EXPECT_EQ(call({"count", "deck.yaml", "--times", "11"}), wrong_usage);
  EXPECT_EQ(call({"count"}), wrong_usage);
  EXPECT_EQ(call({"recount"}), wrong_usage);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("\"recount\" is no command"), std::string::npos);
}

TEST(Commands, OfTheTableHaveNamesTextsAndAMaker) {
  for (const CommandType* type : commands()) {
    EXPECT_NE(std::string(type->name), "");
    EXPECT_NE(std::string(type->doc), "") << type->name;
    EXPECT_TRUE(type->make()) << type->name;
  }
}

}  // namespace
}  // namespace polhode::cli
