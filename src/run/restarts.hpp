// SPDX-License-Identifier: BSD-3-Clause
// The restart points of a run: left behind in its results, and the one that it goes on from.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "polhode/io/hdf5/restart_file.hpp"
#include "polhode/run/run.hpp"
#include "recorder.hpp"
#include "run_observer.hpp"

namespace polhode::run {

// The point of a file that a run of `deck` goes on from. Nothing: the begin of the run. Throws io::FileError, and
// io::DeckError for another deck.
std::optional<io::RestartHead> choose_point(const io::RestartSource& source, const io::Deck& deck,
                                            const std::optional<double>& at);
// "goes on at t = 0.25 s, behind step 250 of `analysis`"
std::string text_of(const std::optional<io::RestartHead>& point, const io::Deck& deck, const std::string& file);

class Restarts final : public analyses::RestartPoints {
 public:
  // Keeps references.
  Restarts(const io::Deck& deck, Recorder& recorder, RunObserver& observer)
      : deck_(deck), recorder_(recorder), observer_(observer) {}

  // The run goes on from a point of `file`, whose body it is; returns what begin_analysis() was given there.
  std::vector<double> go_on_from(const std::string& file, const io::RestartHead& point,
                                 const std::vector<double>& body);
  // Behind an analysis that is done, with all that goes on from it to the one of this index.
  void begin_analysis(int index, std::vector<double> of_run);

  long every(long otherwise) const override { return deck_.output.restart.value_or(static_cast<int>(otherwise)); }
  void keep(const analyses::RestartPlace& place, const std::vector<double>& words) override;
  std::optional<std::vector<double>> take() override;
  void taken(bool good) override;

  // The point does not fit the model.
  [[noreturn]] void refuse() const;

 private:
  const io::Deck& deck_;
  Recorder& recorder_;
  RunObserver& observer_;
  int analysis_ = 0;
  // Points so far
  long number_ = 0;
  std::vector<double> of_run_;
  // Of the point to go on from, until it is taken
  std::string file_;
  std::optional<std::vector<double>> of_analysis_;
  std::vector<double> of_observer_;
};

}  // namespace polhode::run
