// SPDX-License-Identifier: BSD-3-Clause
// A reference that others may have made, read by a child: what it finds goes through a pipe as bytes.
#include <cstring>

#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/convergence_file.hpp"
#include "polhode/io/read_apart.hpp"

namespace polhode::io {
namespace {

// Numbers one after the other, as they lie in memory: both processes are one program.
class Bytes {
 public:
  explicit Bytes(std::string bytes = {}) : bytes_(std::move(bytes)) {}
  const std::string& text() const { return bytes_; }

  template <class Number>
  void put(const std::vector<Number>& numbers) {
    const std::size_t size = numbers.size();
    bytes_.append(reinterpret_cast<const char*>(&size), sizeof size);
    bytes_.append(reinterpret_cast<const char*>(numbers.data()), size * sizeof(Number));
  }

  template <class Number>
  std::vector<Number> take() {
    std::size_t size = 0;
    copy(&size, sizeof size);
    check(size <= (bytes_.size() - at_) / sizeof(Number));
    std::vector<Number> numbers(size);
    copy(numbers.data(), size * sizeof(Number));
    return numbers;
  }

 private:
  static void check(bool good) {
    if (!good) throw FileError("a process that read a file has said too little");
  }

  void copy(void* to, std::size_t size) {
    check(size <= bytes_.size() - at_);
    if (size > 0) std::memcpy(to, bytes_.data() + at_, size);
    at_ += size;
  }

  std::string bytes_;
  std::size_t at_ = 0;
};

// Places of those that are left, by their names; the order is the same.
std::vector<std::size_t> places_of(const std::vector<analyses::Component>& left,
                                   const std::vector<analyses::Component>& all) {
  std::vector<std::size_t> places;
  std::size_t place = 0;
  for (const analyses::Component& component : left) {
    while (all[place].name != component.name) ++place;
    places.push_back(place++);
  }
  return places;
}

}  // namespace

analyses::Trajectory read_reference(const std::string& file, std::vector<analyses::Component>& components,
                                    analyses::ConvergencePlan& plan) {
  Bytes found(read_apart(file, [&] {
    std::vector<analyses::Component> left = components;
    analyses::ConvergencePlan kept = plan;
    const analyses::Trajectory trajectory = read_trajectory(ResultsReader(file), left, kept);
    Bytes bytes;
    bytes.put(kept.kept);
    bytes.put(places_of(left, components));
    for (const std::vector<double>& row : trajectory.rows) bytes.put(row);
    return bytes.text();
  }));
  plan.kept = found.take<long>();
  std::vector<analyses::Component> left;
  for (const std::size_t place : found.take<std::size_t>()) left.push_back(components.at(place));
  components = std::move(left);
  analyses::Trajectory trajectory;
  for (const long point : plan.kept) trajectory.time.push_back(plan.time(point));
  for (std::size_t i = 0; i < components.size(); ++i) trajectory.rows.push_back(found.take<double>());
  return trajectory;
}

}  // namespace polhode::io
