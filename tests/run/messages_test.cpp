// SPDX-License-Identifier: BSD-3-Clause
// Messages reach those who ask for their level, and no one else.
#include "polhode/run/messages.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "support/program.hpp"

namespace polhode::run {
namespace {

void say_all(Messages& messages) {
  messages.detail("a detail");
  messages.note("a note");
  messages.info("an info");
  messages.warning("a doubt");
  messages.error("an error");
}

TEST(Messages, WithoutReceiversAreDropped) {
  Messages messages;
  EXPECT_FALSE(messages.wants(Level::error));
  say_all(messages);
}

TEST(Messages, EachReceiverGetsItsLevelAndThoseAbove) {
  const Level levels[] = {Level::detail, Level::note, Level::info, Level::warning, Level::error};
  std::vector<std::string> texts(5);
  Messages messages;
  for (int i = 0; i < 5; ++i) messages.append_to(texts[i], levels[i]);
  say_all(messages);
  EXPECT_EQ(texts[0], "a detail\na note\nan info\nwarning: a doubt\nan error\n");
  EXPECT_EQ(texts[1], "a note\nan info\nwarning: a doubt\nan error\n");
  EXPECT_EQ(texts[2], "an info\nwarning: a doubt\nan error\n");
  EXPECT_EQ(texts[3], "warning: a doubt\nan error\n");
  EXPECT_EQ(texts[4], "an error\n");
}

TEST(Messages, AreWantedWhereAnyReceiverTakesThem) {
  std::string quiet;
  std::string more;
  Messages messages;
  messages.append_to(quiet, Level::warning);
  EXPECT_FALSE(messages.wants(Level::info));
  messages.append_to(more, Level::note);
  EXPECT_TRUE(messages.wants(Level::info));
  EXPECT_FALSE(messages.wants(Level::detail));
}

TEST(Messages, ReceiversOfACopyAreItsOwn) {
  std::string both;
  std::string own;
  Messages messages;
  messages.append_to(both);
  Messages copy(messages);
  copy.append_to(own);
  messages.info("to the first");
  copy.info("to the copy");
  EXPECT_EQ(both, "to the first\nto the copy\n");
  EXPECT_EQ(own, "to the copy\n");
}

TEST(Messages, AreAppendedToAFileWithDateAndTime) {
  const test::TemporaryFolder folder;
  for (const char* text : {"first {}", "second"}) {
    Messages messages;
    messages.write_to_file(folder.file("run.log"));
    messages.detail(text);
  }
  const std::string log = support::content_of(folder.file("run.log"));
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 4) << log;  // each has a first line of its own
  EXPECT_NE(log.find("  first {}\n"), std::string::npos) << log;  // braces are no place holders
  EXPECT_EQ(log.substr(0, 2), "20") << log;
}

TEST(Messages, AFileThatCannotBeWrittenIsNamed) {
  Messages messages;
  try {
    messages.write_to_file("/proc/none/run.log");
    FAIL() << "no exception";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(std::string(error.what()).find("/proc/none/run.log: cannot be written: "), 0u) << error.what();
  }
}

}  // namespace
}  // namespace polhode::run
