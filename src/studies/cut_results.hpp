// SPDX-License-Identifier: BSD-3-Clause
// Results that a case left behind which was cut: the case goes on from them.
#pragma once
#include <string>

namespace polhode::studies {

class CutResults {
 public:
  // Of a case without a row. What stands in the place of its results goes aside (<name>.cut.h5) if it has a restart
  // point; else what stands aside already counts. Empty `results`: there are none.
  explicit CutResults(const std::string& results);
  // With the case done, nothing stays aside.
  ~CutResults();
  CutResults(const CutResults&) = delete;
  CutResults& operator=(const CutResults&) = delete;

  // "" where there are none.
  const std::string& file() const { return file_; }

 private:
  std::string file_;
};

}  // namespace polhode::studies
