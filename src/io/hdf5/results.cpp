// SPDX-License-Identifier: BSD-3-Clause
// The results file: its structure, when it is flushed, and what its errors say.
#include "polhode/io/hdf5/results.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <ctime>
#include <limits>
#include <new>
#include <optional>

#include "io/export/xdmf.hpp"
#include "io/files/part_file.hpp"
#include "io/hdf5/datasets.hpp"
#include "io/hdf5/file_driver.hpp"
#include "io/hdf5/histories.hpp"
#include "io/hdf5/memory_reserve.hpp"
#include "io/hdf5/named_parts.hpp"
#include "io/hdf5/restart_points.hpp"
#include "polhode/io/version.hpp"

namespace polhode::io {
namespace {

// A run that is killed loses what came after the last flush.
constexpr double flush_interval = 1.0;  // seconds

// The clock of the system's timer tick: a few milliseconds coarse, and ten times cheaper than the exact one.
double coarse_seconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// As the attribute has it.
const char* to_text(Status status) {
  switch (status) {
    case Status::running:
      return "running";
    case Status::completed:
      return "completed";
    case Status::failed:
      return "failed";
    case Status::interrupted:
      break;
  }
  return "interrupted";
}

// Scalar and compact, as texts are: the value lies in the dataset's header and is replaced by a single write.
void make_response(hid_t file, const ResponseInfo& response) {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  const hdf5::Content content{H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {}, &unknown};
  hdf5::describe(hdf5::make_dataset(file, "/responses/" + response.name, content, hdf5::Place::compact),
                 response.units.empty() ? "1" : response.units, response.description);
}

// For the caches that limit_cache() allows, their copies in the driver, and each dataset's header.
std::size_t reserve_of(const results::Layout& layout, const RunInfo& info) {
  constexpr std::size_t least = 16 * 1024 * 1024;
  constexpr std::size_t each = 8 * 1024;
  std::size_t parts = 0;
  for (const results::Channel& channel : layout.states)
    if (results::are_by_name(layout, channel.group)) parts += channel.parts.size();
  return least +
         each * (layout.states.size() + layout.steps.size() + layout.statics.size() + info.responses.size() + parts);
}

// Times first: headers go to disk in the reverse order of creation, so no other history is ever shorter than its times.
std::vector<results::Channel> times_first(std::vector<results::Channel> channels) {
  std::stable_partition(channels.begin(), channels.end(),
                        [](const results::Channel& channel) { return channel.path.ends_with("/time"); });
  return channels;
}

}  // namespace

// The file, its two sets of histories, and the picture beside it.
struct ResultsFile::Impl {
  Impl(const std::string& name, const RunInfo& info, const results::Layout& layout)
      : path(name), part(name), xdmf(name, layout) {
    check_results_place(path);
    reserve_size = reserve_of(layout, info);
    // Making a file must not run out of memory, either.
    hold_reserve();
    guarded([&] { create(info, layout); });
    put_in_place();
    guarded([&] { write_xdmf(); });
    last_flush = last_append = coarse_seconds();
  }

  [[noreturn]] void refuse(int number) const {
    if (number == changed_by_others)
      throw ResultsError(path +
                         ": was truncated or overwritten by another program while it was written; its results are "
                         "lost");
    const char* reason = number == EBUSY ? "another program is writing or reading it" : std::strerror(number);
    throw ResultsError(path + ": cannot be written: " + reason);
  }

  void hold_reserve() {
    if (!reserve.acquire(reserve_size)) refuse(ENOMEM);
  }

  void check_place() const {
    if (const int number = part.problem()) refuse(number);
    if (is_in_use(part.target())) refuse(EBUSY);
  }

  // The temporary file is locked by this run, so of two runs that begin at once one finds the other here.
  void put_in_place() {
    watch.begin(part.temporary());
    check_place();
    if (const int number = part.put_in_place()) refuse(number);
  }

  // Everything that the file will hold, empty: a reader finds the same structure at any time.
  void create(const RunInfo& info, const results::Layout& layout) {
    const hdf5::Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    set_file_driver(access);
    // Closing the file closes what is still open in it.
    hdf5::checked(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG));
    hdf5::limit_cache(access);
    file = hdf5::Handle(H5Fcreate(part.temporary().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
    part.made();
    hdf5::write_attribute(file, "format", results_format);
    hdf5::write_attribute(file, "polhode_version", version);
    hdf5::write_attribute(file, "title", info.title);
    hdf5::write_attribute(file, "created", hdf5::utc_now());
    hdf5::write_attribute(file, "status", to_text(Status::running));
    states.emplace(file, times_first(layout.states), layout.state_size,
                   ExpectedRows{info.expected_states, info.states_are_known});
    steps.emplace(file, times_first(layout.steps), layout.step_size,
                  ExpectedRows{info.expected_steps, info.steps_are_known});
    hdf5::make_text(file, "/deck", info.deck_text, "the deck as read, after --set");
    hdf5::make_text(file, "/log", "", "messages and warnings, processor time by phase, host");
    for (const results::StaticData& data : layout.statics) hdf5::make_static(file, data);
    hdf5::make_named_parts(file, layout);
    for (const ResponseInfo& response : info.responses) make_response(file, response);
    points.emplace(file, info.restart);
    hdf5::checked(H5Fflush(file, H5F_SCOPE_LOCAL));
  }

  // Turns errors of HDF5 and of the system into a ResultsError. HDF5 swallows some of the system's. After an error the
  // file is only closed any more, for which there must be memory. What is held back is there for HDF5 meanwhile, whose
  // first chunks of a dataset do not survive to be without; a run that cannot hold it back again ends while its file can
  // still be closed.
  template <typename Action>
  void guarded(Action action) {
    std::string reason;
    int number = 0;
    reserve.release();
    try {
      action();
      number = file_driver_error(file);
      if (number == 0) {
        if (!is_closing) hold_reserve();
        return;
      }
    } catch (const std::bad_alloc&) {
      number = ENOMEM;
    } catch (const hdf5::Error& error) {
      // HDF5 may give a reason of its own for what the driver knows better.
      number = file_driver_error(file);
      reason = error.what();
    }
    stop_file_driver(file, number != 0 ? number : EIO);
    if (number != 0) refuse(number);
    throw ResultsError(path + ": cannot be written: " + reason);
  }

  // From here on what was held back is for closing.
  void close() {
    is_closing = true;
    reserve.release();
  }

  // Rows wait in chunks; the clock is looked at once a row.
  void append(Histories& histories, std::span<const double> row) {
    // Where nothing goes to the file there is nothing to ask its driver for, which costs more than the row.
    if (histories.fills_chunk())
      guarded([&] { histories.push(row); });
    else
      histories.push(row);
    const double now = coarse_seconds();
    // The next row is expected to take as long as this one; where that would be too late, flush now.
    const bool due = now - last_flush + (now - last_append) >= flush_interval;
    last_append = now;
    if (due || histories.must_be_flushed()) flush();
  }

  // Both sets of histories and then HDF5's own buffers: a reader sees all rows up to here.
  void flush() {
    guarded([&] {
      states->write();
      steps->write();
      const auto to_disk = [this] { hdf5::checked(H5Fflush(file, H5F_SCOPE_LOCAL)); };
      // Rows are on disk before the points that count them.
      if (points->is_waiting()) to_disk();
      points->write(to_disk);
      to_disk();
    });
    last_flush = coarse_seconds();
    // A run whose results nobody will find must not end as if it were done.
    if (const std::string loss = watch.loss(part.target()); !loss.empty()) throw ResultsError(path + ": " + loss);
    // A long list of times takes a while to write; it may cost a fiftieth of the run.
    if (last_flush >= next_xdmf && states->rows() > xdmf_rows) guarded([&] { write_xdmf(); });
  }

  // Times are read back: they may be of any channel order, and lie in HDF5's cache.
  void write_xdmf() {
    const double begin = coarse_seconds();
    xdmf_rows = states->rows();
    const std::vector<hsize_t> chosen = Xdmf::pictures(H5Lexists(file, "/time", H5P_DEFAULT) > 0 ? xdmf_rows : 0);
    std::vector<double> times(chosen.size());
    if (!times.empty()) {
      const hdf5::Handle dataset(H5Dopen2(file, "/time", H5P_DEFAULT), H5Dclose);
      // A selection of points: only these times are read.
      const hdf5::Handle all(H5Dget_space(dataset), H5Sclose);
      const hdf5::Handle some = hdf5::make_space({times.size()});
      hdf5::checked(H5Sselect_elements(all, H5S_SELECT_SET, chosen.size(), chosen.data()));
      hdf5::checked(H5Dread(dataset, H5T_NATIVE_DOUBLE, some, all, H5P_DEFAULT, times.data()));
    }
    xdmf.write(xdmf_rows, times);
    next_xdmf = begin + 50 * (coarse_seconds() - begin);
  }

  std::string path;
  PartFile part;    // removed behind the file, where it was not put in place
  FileWatch watch;  // of the file in its place
  MemoryReserve reserve;
  std::size_t reserve_size = 0;
  bool is_closing = false;
  Xdmf xdmf;
  hdf5::Handle file;  // before the histories: their datasets are closed first
  std::optional<Histories> states;
  std::optional<Histories> steps;
  std::optional<RestartPointsWriter> points;
  double last_flush = 0;
  double last_append = 0;
  double next_xdmf = 0;
  hsize_t xdmf_rows = 0;
};

// HDF5's messages are ours from here on.
ResultsFile::ResultsFile(const std::string& file, const RunInfo& info, const results::Layout& layout) {
  hdf5::silence();
  impl_ = std::make_unique<Impl>(file, info, layout);
}

ResultsFile::~ResultsFile() {
  impl_->close();
  try {
    flush();
  } catch (const std::exception&) {  // nobody is left to report to; what was flushed before is in the file
  }
}

void ResultsFile::append_state(std::span<const double> row) { impl_->append(*impl_->states, row); }
void ResultsFile::append_step(std::span<const double> row) { impl_->append(*impl_->steps, row); }
void ResultsFile::flush() { impl_->flush(); }

// An old dataset is unlinked; its space is lost, which is little.
void ResultsFile::replace(const results::StaticData& data) {
  impl_->guarded([&] {
    // A link in a group that does not exist is an error for HDF5.
    const std::string group = data.path.substr(0, data.path.find('/', 1));
    if (H5Lexists(impl_->file, group.c_str(), H5P_DEFAULT) > 0 &&
        H5Lexists(impl_->file, data.path.c_str(), H5P_DEFAULT) > 0)
      hdf5::checked(H5Ldelete(impl_->file, data.path.c_str(), H5P_DEFAULT));
    hdf5::make_static(impl_->file, data);
  });
}

void ResultsFile::keep_point(const RestartHead& head, const std::vector<double>& body) {
  impl_->points->keep(head, body);
  if (impl_->points->must_be_flushed()) flush();
}

// One number in the header of its dataset: replaced by a single write.
void ResultsFile::set_response(const std::string& name, double value) {
  impl_->guarded([&] {
    const hdf5::Handle dataset(H5Dopen2(impl_->file, ("/responses/" + name).c_str(), H5P_DEFAULT), H5Dclose);
    hdf5::checked(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value));
  });
}

// The log first: a file that says completed has its log.
void ResultsFile::finish(Status status, const std::string& log) {
  impl_->close();
  impl_->guarded([&] {
    hdf5::replace_text(impl_->file, "/log", log);
    // Replaced, not overwritten: the old text then stays in the file until the header points to the new one.
    hdf5::checked(H5Adelete(impl_->file, "status"));
    hdf5::write_attribute(impl_->file, "status", to_text(status));
  });
  impl_->next_xdmf = 0;
  impl_->flush();
}

}  // namespace polhode::io
