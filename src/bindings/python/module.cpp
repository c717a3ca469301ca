// SPDX-License-Identifier: BSD-3-Clause
// The Python module _polhode, which polhode/__init__.py completes.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <utility>

#include "polhode/bindings/host.hpp"
#include "polhode/io/hdf5/results.hpp"
#include "polhode/io/hdf5/results_reader.hpp"

namespace py = pybind11;

namespace polhode::bindings {
namespace {

using Shape = std::vector<py::ssize_t>;

// Numbers that stay where they are, and live as long as `owner`. Read-only, as nothing would notice a change.
py::array view_of(const double* first, Shape shape, Shape strides, const py::handle& owner) {
  py::array_t<double> view(std::move(shape), std::move(strides), first, owner);
  py::detail::array_proxy(view.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return view;
}

// Small, and its owner a value that ends with the call.
py::array copy_of(const math::MatrixX& matrix) {
  py::array_t<double, py::array::f_style> copy({matrix.rows(), matrix.cols()});
  std::copy_n(matrix.data(), matrix.size(), copy.mutable_data());
  return copy;
}

// Between two numbers of an array, bytes
constexpr py::ssize_t number = sizeof(double);

// All nodes but the ground, which stands first.
template <class Item>
py::array view_of_nodes(const std::vector<Item>& items, py::ssize_t first, py::ssize_t size, const py::handle& owner) {
  const auto count = static_cast<py::ssize_t>(items.size()) - 1;
  return view_of(items.data()[1].data() + first, {count, size}, {py::ssize_t{sizeof(Item)}, number}, owner);
}

// Matrices are stored by columns.
py::array view_of_rotations(const std::vector<math::Mat3>& R, const py::handle& owner) {
  const auto count = static_cast<py::ssize_t>(R.size()) - 1;
  return view_of(R.data()[1].data(), {count, 3, 3}, {py::ssize_t{sizeof(math::Mat3)}, number, 3 * number}, owner);
}

// The state of a simulation, which every step changes in place.
struct StateView {
  py::object owner;
  const StateArrays* q;
};

// What State shows, by the units and frames of the results file; but for rotations, which are matrices here.
py::array positions(const StateView& s) { return view_of_nodes(s.q->x, 0, 3, s.owner); }
py::array rotations(const StateView& s) { return view_of_rotations(s.q->R, s.owner); }
py::array velocities(const StateView& s) { return view_of_nodes(s.q->v, 0, 3, s.owner); }
py::array angular_velocities(const StateView& s) { return view_of_nodes(s.q->v, 3, 3, s.owner); }
py::array accelerations(const StateView& s) { return view_of_nodes(s.q->vdot, 0, 3, s.owner); }
py::array angular_accelerations(const StateView& s) { return view_of_nodes(s.q->vdot, 3, 3, s.owner); }
py::array multipliers(const StateView& s) {
  return view_of(s.q->lambda.data(), {s.q->lambda.size()}, {number}, s.owner);
}

StateView state_of(const py::object& self) {
  Host& host = self.cast<Host&>();
  const StateArrays& q = host.arrays();
  if (q.x.empty()) throw UseError("there is no state: the deck has no transient analysis");
  return {self, &q};
}

// A mapping from names to numbers: signals are few, and their values change with each step.
// It is an object of its own, which keeps its simulation alive.
struct Signals {
  py::object owner;
  Host* host;
};

std::vector<std::string> names_of(const Signals& signals) {
  std::vector<std::string> names;
  for (const run::SignalPlace& one : signals.host->signals()) names.push_back(one.name);
  return names;
}

// Names that are none are KeyErrors.
template <class Call>
auto by_name(const Call& call) {
  try {
    return call();
  } catch (const std::out_of_range& error) {
    throw py::key_error(error.what());
  }
}

// What polhode.LinearModel names.
py::tuple tuple_of(const analyses::LinearModel& made) {
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<double> values;
  for (const analyses::LinearInput& input : made.inputs) inputs.push_back(input.name);
  for (const analyses::LinearOutput& output : made.outputs) {
    outputs.push_back(output.name);
    values.push_back(output.value);
  }
  return py::make_tuple(copy_of(made.a), copy_of(made.b), copy_of(made.c), copy_of(made.d), inputs, outputs, values);
}

// But for what other programs have put there.
std::vector<std::string> paths_of(const io::ResultsReader& reader) {
  std::vector<std::string> paths;
  for (const io::Dataset& one : reader.datasets())
    if (one.text || one.number) paths.push_back(one.path);
  return paths;
}

// Values with units, frame and description.
py::tuple read(const io::ResultsReader& reader, const std::string& path) {
  if (!reader.has(path)) throw py::key_error(path + ": there is no such dataset in " + reader.file());
  const io::Dataset& one = reader.dataset(path);
  py::object values;
  if (one.text && one.shape.empty()) {
    values = py::str(reader.text(path));
  } else if (one.text) {
    values = py::cast(reader.texts(path));
  } else {
    const std::vector<double> numbers = reader.numbers(path);
    py::array_t<double> array(Shape(one.shape.begin(), one.shape.end()));
    std::copy(numbers.begin(), numbers.end(), array.mutable_data());
    values = array;
  }
  return py::make_tuple(values, one.units, one.frame, one.description);
}

// Later ones are tried first, so that a SettingError is none of its base.
void define_errors(py::module_& m) {
  py::register_exception<UseError>(m, "UseError", PyExc_RuntimeError);
  const auto& deck = py::register_exception<io::DeckError>(m, "DeckError", PyExc_RuntimeError);
  py::register_exception<io::SettingError>(m, "SettingError", deck);
  py::register_exception<io::FileError>(m, "FileError", PyExc_RuntimeError);
  py::register_exception<io::ResultsError>(m, "ResultsError", PyExc_RuntimeError);
  py::register_exception<SolutionError>(m, "SolutionError", PyExc_RuntimeError);
}

// Steps let other threads of Python run; what they call touches no object of Python.
void define_simulation(py::module_& m) {
  using Free = py::call_guard<py::gil_scoped_release>;
  py::class_<Host>(m, "Simulation")
      .def(py::init<std::string>(), py::arg("file"))
      .def(py::init<std::string, std::string>(), py::arg("name"), py::arg("text"))
      .def("_set", &Host::set)
      .def("_write_results_to", &Host::write_results_to)
      .def("start", &Host::start, Free(), "Does all that comes before the first step; False if there is no step.")
      .def("step", &Host::step, Free(), "The next step; False if the run has ended.")
      .def("step", &Host::advance, py::arg("h"), Free(), "Steps until time has grown by h, s, at least.")
      .def("_run", &Host::run, Free())
      .def_property_readonly("time", &Host::time, "s")
      .def_property_readonly("done", &Host::is_done)
      .def_property_readonly("started", &Host::is_started)
      .def_property_readonly("nodes", &Host::nodes, "names in the order of the arrays of the state")
      .def_property_readonly("state", &state_of)
      .def_property_readonly("signals",
                             [](const py::object& self) {
                               return Signals{self, &self.cast<Host&>()};
                             })
      .def_property_readonly("responses",
                             [](Host& host) {
                               py::dict all;
                               for (const run::ResponseValue& one : host.result().responses)
                                 all[py::str(one.name)] = one.value;
                               return all;
                             })
      .def_property_readonly("warnings", [](Host& host) { return host.result().warnings; })
      .def("_linearize", [](Host& host) { return tuple_of(host.linearize()); })
      .def("_linearize",
           [](Host& host, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
              const std::vector<std::string>& open,
              int pade) { return tuple_of(host.linearize(inputs, outputs, open, pade)); });
}

// Made anew for each access: no object of Python is kept.
void define_views(py::module_& m) {
  py::class_<StateView>(m, "State", "Read-only arrays; each step changes them in place.")
      .def_property_readonly("positions", &positions, "[N, 3], m, inertial frame")
      .def_property_readonly("rotations", &rotations, "[N, 3, 3], node's frame to inertial")
      .def_property_readonly("velocities", &velocities, "[N, 3], m/s, inertial frame")
      .def_property_readonly("angular_velocities", &angular_velocities, "[N, 3], rad/s, node's frame")
      .def_property_readonly("accelerations", &accelerations, "[N, 3], m/s^2, inertial frame")
      .def_property_readonly("angular_accelerations", &angular_accelerations, "[N, 3], rad/s^2, node's frame")
      .def_property_readonly("multipliers", &multipliers, "one a constraint equation");
  py::class_<Signals>(m, "Signals")
      .def("__getitem__",
           [](const Signals& s, const std::string& name) { return by_name([&] { return s.host->signal(name); }); })
      .def("__setitem__", [](const Signals& s, const std::string& name,
                             double value) { by_name([&] { s.host->set_signal(name, value); }); })
      .def("__len__", [](const Signals& s) { return s.host->signals().size(); })
      .def("__iter__", [](const Signals& s) { return py::iter(py::cast(names_of(s))); })
      .def("keys", &names_of);
  py::class_<io::ResultsReader>(m, "Reader")
      .def(py::init<std::string>())
      .def("attribute", &io::ResultsReader::attribute)
      .def("paths", &paths_of)
      .def("read", &read);
}

}  // namespace
}  // namespace polhode::bindings

PYBIND11_MODULE(_polhode, m) {
  polhode::bindings::define_errors(m);
  polhode::bindings::define_simulation(m);
  polhode::bindings::define_views(m);
  m.attr("version") = POLHODE_VERSION;
}
