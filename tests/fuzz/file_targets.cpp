// SPDX-License-Identifier: BSD-3-Clause
// Decks, studies, results.
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "fuzz/targets.hpp"
#include "polhode/io/deck/deck.hpp"
#include "polhode/io/deck/study.hpp"
#include "polhode/io/hdf5/results.hpp"
#include "polhode/io/hdf5/results_reader.hpp"
#include "polhode/io/read_apart.hpp"
#include "polhode/studies/cases.hpp"

namespace polhode::fuzz {
namespace {

constexpr const char* deck_of_studies =
    "format: polhode-deck/1\nparameters: {k: 2}\nnodes: {a: {position: [0, 0, 0]}}\n"
    "bodies: {a: {type: rigid_body, node: a, mass: =k, inertia: [1, 1, 1]}}\n"
    "analysis: {type: transient, duration: 1, step: 0.1}\n";

// Removed when the process ends as it should.
class FolderOfProcess {
 public:
  FolderOfProcess() {
    const std::filesystem::path memory = "/dev/shm";
    const auto where = std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path();
    path = where / ("polhode_fuzz_" + std::to_string(getpid()) + '/');
    std::filesystem::create_directory(path);
    std::ofstream(path / "deck.yaml") << deck_of_studies;
  }
  ~FolderOfProcess() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  FolderOfProcess(const FolderOfProcess&) = delete;
  FolderOfProcess& operator=(const FolderOfProcess&) = delete;

  std::filesystem::path path;
};

}  // namespace

std::string_view folder_of_files() {
  static const FolderOfProcess folder;
  return folder.path.native();
}

std::string_view file_of(std::string_view text, std::string_view name) {
  static std::string file;
  file = folder_of_files();
  file += name;
  std::ofstream(file, std::ios::binary | std::ios::trunc).write(text.data(), static_cast<std::streamsize>(text.size()));
  return file;
}

namespace {

// What rows of a table may refer to.
constexpr const char* deck_of_tables =
    "format: polhode-deck/1\nparameters: {k: 2, p: [1, 2, 3]}\n"
    "nodes: {p: {position: [0, 0, 0]}, q: {position: [1, 0, 0]}}\n"
    "bodies: {p: {type: rigid_body, node: p, mass: =k, inertia: [1, 1, 1]}}\n"
    "sections: {s: {shape: circle, radius: 0.1, E: 1.0e+9, nu: 0.3, density: 1000}}\n"
    "parts: {bead: {parameters: {l: 1}, nodes: {m: {position: [0, 0, =l]}}}}\n"
    "analysis: {type: transient, duration: 1, step: 0.1}\n";

// The text that results keep of a deck is a deck, and keeps its own text.
void read_and_keep(const std::string& file) {
  std::string kept;
  try {
    kept = io::read_deck(file).text;
  } catch (const io::DeckError&) {
    return;
  } catch (const io::FileError&) {
    return;
  }
  require(io::DeckSource(file, kept).read().text == kept);
}

}  // namespace

void deck(std::string_view text) { read_and_keep(std::string(file_of(text, "input.yaml"))); }

// The first line is what the rows are, and behind a blank the prefix of their names; the rest is the table.
void table(std::string_view text) {
  constexpr std::string_view families[] = {"nodes", "bodies", "sections", "beams", "joints", "forces", "instances"};
  const std::string_view line = text.substr(0, text.find('\n'));
  const std::string_view word = line.substr(0, line.find(' '));
  const auto* known = std::find(std::begin(families), std::end(families), word);
  const std::string rows(known == std::end(families) ? families[0] : *known);
  const std::string prefix = line.size() > word.size() ? ", prefix: left_" : "";
  file_of(text.substr(std::min(line.size() + 1, text.size())), "rows.csv");
  const std::string include = "include: [{file: rows.csv, rows: " + rows + prefix + "}]\n";
  read_and_keep(std::string(file_of(deck_of_tables + include, "input.yaml")));
}

// The first and the last case have values, which can be written into the deck; whether that is a deck is open.
void study(std::string_view text) {
  constexpr std::size_t most_made = 10'000;  // a hypercube is made as a whole
  try {
    io::Study study = io::read_study(std::string(file_of(text, "study.yaml")));
    require(study.cases() > 0 && !study.axes.empty());
    if (study.cases() > most_made) return;
    const studies::Cases cases(study);
    require(cases.size() == study.cases());
    for (const std::size_t index : {std::size_t{0}, cases.size() - 1}) {
      for (std::size_t axis = 0; axis < study.axes.size(); ++axis)
        require(cases.is_text(axis) || std::isfinite(cases.number(index, axis)));
      cases.apply(index, study.deck);
      study.deck.read(false);
    }
  } catch (const io::DeckError&) {
  } catch (const io::FileError&) {
  }
}

namespace {

// HDF5 never comes to an end with one damaged file in a hundred (a heap with an object of size zero). Their children are
// ended before their limit of processor time is: all others take a thousandth of a second.
void be_short_of_time() {
  constexpr suseconds_t microseconds = 60'000;
  std::signal(SIGPROF, SIG_DFL);
  const itimerval limit{{0, 0}, {0, microseconds}};
  setitimer(ITIMER_PROF, &limit, nullptr);
}

}  // namespace

// Read as `polhode info` and `polhode export` do: in a child process, which may end as it likes.
void results(std::string_view bytes) {
  const std::string file(file_of(bytes, "input.h5"));
  const std::string folder = std::string(folder_of_files()) + "tables";
  try {
    io::read_apart(file, [&] {
      be_short_of_time();
      std::ostringstream out;
      const io::ResultsReader reader(file);
      io::write_summary(reader, out);
      io::write_csv(reader, folder, {}, true);
      return std::move(out).str();
    });
  } catch (const io::FileError&) {
  } catch (const io::ResultsError&) {
  } catch (const std::invalid_argument&) {
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
}

}  // namespace polhode::fuzz
