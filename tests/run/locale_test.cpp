// SPDX-License-Identifier: BSD-3-Clause
// Programs that use the library set locales, with commas in numbers: nothing that is read or written changes.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <clocale>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <locale>

#include "polhode/io/hdf5/results_reader.hpp"
#include "polhode/run/check.hpp"
#include "polhode/run/run.hpp"
#include "run/decks.hpp"

namespace polhode::run {
namespace {

class CommaNumbers : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

// Of the C++ library, and of the C library where a German one can be made; both as before when it ends.
class GermanLocale {
 public:
  explicit GermanLocale(const std::string& folder) {
    before_ = std::locale::global(std::locale(std::locale::classic(), new CommaNumbers));
    const std::string make = "localedef -i de_DE -f UTF-8 '" + folder + "de_DE.UTF-8' >/dev/null 2>&1";
    if (std::system(make.c_str()) != 0) return;
    setenv("LOCPATH", folder.c_str(), 1);
    std::setlocale(LC_ALL, "de_DE.UTF-8");
  }
  ~GermanLocale() {
    std::setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
    std::locale::global(before_);
  }
  GermanLocale(const GermanLocale&) = delete;
  GermanLocale& operator=(const GermanLocale&) = delete;

 private:
  std::locale before_;
};

// All that comes of a deck: numbers, texts, tables.
std::vector<std::string> made_of(const std::string& deck_file, const test::TemporaryFolder& folder) {
  std::vector<std::string> made;
  const io::Deck deck = io::read_deck(deck_file, {"analysis.duration=0.0625", "title=1234567.5"});
  made.push_back(deck.text);
  for (const std::string& warning : check_deck(deck).warnings) made.push_back(warning);
  const std::string file = folder.file("run.h5");
  const RunResult result = run_deck(deck, {.results_file = file});
  for (const ResponseValue& response : result.responses) made.push_back(fmt::format("{}", response.value));
  std::ostringstream summary;
  summary.imbue(std::locale::classic());
  const io::ResultsReader results(file);
  io::write_summary(results, summary);
  made.push_back(summary.str().substr(0, summary.str().find("created")));
  made.push_back(summary.str().substr(summary.str().find("states")));
  for (const std::string& table : io::write_csv(results, folder.file("tables"), {}, true))
    made.push_back(support::content_of(table));
  return made;
}

TEST(LocaleOfTheProgram, ChangesNothingThatIsReadOrWritten) {
  for (const std::string deck : {"benchmarks/heavy_top.yaml", "examples/excavator_arm.yaml"}) {
    const test::TemporaryFolder folder;
    const std::vector<std::string> plain = made_of(support::shipped(deck), folder);
    ASSERT_GT(plain.size(), 6u);
    std::vector<std::string> german;
    {
      const GermanLocale locale(folder.file(""));
      std::ostringstream comma;
      comma << 1234.5;
      ASSERT_EQ(comma.str(), "1.234,5");
      german = made_of(support::shipped(deck), folder);
    }
    EXPECT_EQ(german, plain) << deck;
  }
}

}  // namespace
}  // namespace polhode::run
