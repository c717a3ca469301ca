// SPDX-License-Identifier: BSD-3-Clause
// The C API: each function calls the host, and makes a status and a text of what it throws.
#include <algorithm>
#include <cstring>
#include <new>

#include "polhode.h"
#include "polhode/bindings/host.hpp"
#include "polhode/io/hdf5/results.hpp"
#include "polhode/math/free_memory.hpp"

using polhode::bindings::Host;

// The opaque handle.
struct polhode_simulation {
  template <class... Arguments>
  explicit polhode_simulation(const Arguments&... arguments) : host(arguments...) {}
  Host host;
};

namespace {

// Cut before a character of UTF-8 that does not fit.
polhode_status report(polhode_error* error, polhode_status status, const char* text) {
  if (!error) return status;
  error->status = status;
  std::size_t length = std::min(std::strlen(text), sizeof(error->text) - 1);
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) --length;
  std::memcpy(error->text, text, length);
  error->text[length] = '\0';
  return status;
}

// The order is from the special to the general: a SettingError is a DeckError.
// What `call` returns, or the status of its exception.
template <class Call>
polhode_status guarded(polhode_error* error, const Call& call) {
  try {
    return call();
  } catch (const polhode::io::SettingError& wrong) {
    return report(error, POLHODE_WRONG_USE, wrong.what());
  } catch (const polhode::io::DeckError& wrong) {
    return report(error, POLHODE_INVALID_DECK, wrong.what());
  } catch (const polhode::io::FileError& wrong) {
    return report(error, POLHODE_FILE_FAILED, wrong.what());
  } catch (const polhode::io::ResultsError& wrong) {
    return report(error, POLHODE_FILE_FAILED, wrong.what());
  } catch (const polhode::bindings::SolutionError& wrong) {
    return report(error, POLHODE_FAILED, wrong.what());
  } catch (const std::bad_alloc& wrong) {
    return report(error, POLHODE_FAILED, polhode::math::memory_text(wrong).c_str());
  } catch (const std::exception& wrong) {
    return report(error, POLHODE_WRONG_USE, wrong.what());
  } catch (...) {
    return report(error, POLHODE_FAILED, "something went wrong that has no text");
  }
}

// Of a step
polhode_status status_of(bool goes_on) { return goes_on ? POLHODE_GOES_ON : POLHODE_ENDED; }

// The arguments are those of the host.
template <class... Arguments>
polhode_simulation* open(polhode_error* error, const Arguments&... arguments) {
  polhode_simulation* made = nullptr;
  guarded(error, [&] {
    made = new polhode_simulation(arguments...);
    return POLHODE_OK;
  });
  return made;
}

// Without the ground, which stands first.
std::size_t nodes_of(const polhode::model::State& q) { return q.x.empty() ? 0 : q.x.size() - 1; }

// Quantities come from other languages, so that any number may stand here.
std::size_t size_of(const polhode::model::State& q, polhode_quantity quantity) {
  switch (quantity) {
    case POLHODE_POSITIONS:
    case POLHODE_VELOCITIES:
    case POLHODE_ANGULAR_VELOCITIES:
      return 3 * nodes_of(q);
    case POLHODE_ROTATIONS:
      return 4 * nodes_of(q);
    case POLHODE_MULTIPLIERS:
      return static_cast<std::size_t>(q.lambda.size());
  }
  throw std::invalid_argument("there is no such quantity");
}

// Rotations have the order of the results file, Eigen another one.
void copy_node(const polhode::model::State& q, polhode_quantity quantity, std::size_t node, double* to) {
  if (quantity == POLHODE_POSITIONS) {
    std::copy_n(q.x[node].data(), 3, to);
  } else if (quantity == POLHODE_VELOCITIES) {
    std::copy_n(q.v[node].data(), 3, to);
  } else if (quantity == POLHODE_ANGULAR_VELOCITIES) {
    std::copy_n(q.v[node].data() + 3, 3, to);
  } else {
    const auto& r = q.quat[node];
    const double wxyz[4] = {r.w(), r.x(), r.y(), r.z()};
    std::copy_n(wxyz, 4, to);
  }
}

// `values` has room for all of them.
void copy_to(const polhode::model::State& q, const std::vector<int>& node_axis, polhode_quantity quantity,
             double* values, std::size_t size) {
  if (quantity == POLHODE_MULTIPLIERS) {
    std::copy_n(q.lambda.data(), size, values);
    return;
  }
  const std::size_t count = nodes_of(q);
  for (std::size_t i = 0; i < count; ++i)
    copy_node(q, quantity, static_cast<std::size_t>(node_axis[i]), values + i * (size / count));
}

// A linear search: decks have few of them.
double response_of(Host& host, const std::string& name) {
  for (const polhode::run::ResponseValue& one : host.result().responses)
    if (one.name == name) return one.value;
  throw std::out_of_range("responses." + name + ": the deck has no such response");
}

}  // namespace

extern "C" {

// Texts are copied, so that the caller may free them.
polhode_simulation* polhode_open(const char* file, polhode_error* error) { return open(error, std::string(file)); }

polhode_simulation* polhode_open_text(const char* name, const char* text, polhode_error* error) {
  return open(error, std::string(name), std::string(text));
}

void polhode_close(polhode_simulation* simulation) { delete simulation; }

polhode_status polhode_set(polhode_simulation* simulation, const char* setting, polhode_error* error) {
  return guarded(error, [&] {
    simulation->host.set(setting);
    return POLHODE_OK;
  });
}

polhode_status polhode_write_results_to(polhode_simulation* simulation, const char* file, polhode_error* error) {
  return guarded(error, [&] {
    simulation->host.write_results_to(file);
    return POLHODE_OK;
  });
}

polhode_status polhode_start(polhode_simulation* simulation, polhode_error* error) {
  return guarded(error, [&] { return status_of(simulation->host.start()); });
}

polhode_status polhode_step(polhode_simulation* simulation, polhode_error* error) {
  return guarded(error, [&] { return status_of(simulation->host.step()); });
}

polhode_status polhode_advance(polhode_simulation* simulation, double h, polhode_error* error) {
  return guarded(error, [&] { return status_of(simulation->host.advance(h)); });
}

polhode_status polhode_run(polhode_simulation* simulation, polhode_error* error) {
  return guarded(error, [&] {
    simulation->host.run();
    return POLHODE_ENDED;
  });
}

// These two cannot fail, and start nothing.
double polhode_time(const polhode_simulation* simulation) { return simulation->host.present_time(); }

polhode_status polhode_node_count(polhode_simulation* simulation, size_t* count, polhode_error* error) {
  return guarded(error, [&] {
    *count = simulation->host.nodes().size();
    return POLHODE_OK;
  });
}

const char* polhode_node_name(const polhode_simulation* simulation, size_t node) {
  const std::vector<std::string>& names = simulation->host.known_nodes();
  return node < names.size() ? names[node].c_str() : nullptr;
}

polhode_status polhode_size(polhode_simulation* simulation, polhode_quantity quantity, size_t* size,
                            polhode_error* error) {
  return guarded(error, [&] {
    *size = size_of(simulation->host.state(), quantity);
    return POLHODE_OK;
  });
}

// A wrong length is refused before anything is written: a buffer of another model is a fault that would go unseen.
polhode_status polhode_read(polhode_simulation* simulation, polhode_quantity quantity, double* values, size_t length,
                            polhode_error* error) {
  return guarded(error, [&] {
    const polhode::model::State& q = simulation->host.state();
    const std::size_t size = size_of(q, quantity);
    if (length != size)
      throw std::invalid_argument("the array has " + std::to_string(length) + " numbers, the quantity " +
                                  std::to_string(size));
    copy_to(q, simulation->host.node_axis(), quantity, values, size);
    return POLHODE_OK;
  });
}

// Names are looked up in each call: a search among the signals of a deck takes less than a step by far.
polhode_status polhode_signal(polhode_simulation* simulation, const char* name, double* value, polhode_error* error) {
  return guarded(error, [&] {
    *value = simulation->host.signal(name);
    return POLHODE_OK;
  });
}

polhode_status polhode_set_signal(polhode_simulation* simulation, const char* name, double value,
                                  polhode_error* error) {
  return guarded(error, [&] {
    simulation->host.set_signal(name, value);
    return POLHODE_OK;
  });
}

polhode_status polhode_response(polhode_simulation* simulation, const char* name, double* value, polhode_error* error) {
  return guarded(error, [&] {
    *value = response_of(simulation->host, name);
    return POLHODE_OK;
  });
}

}  // extern "C"
