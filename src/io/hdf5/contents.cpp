// SPDX-License-Identifier: BSD-3-Clause
// The groups of a file, walked through one by one.
#include "io/hdf5/contents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <set>
#include <utility>

namespace polhode::io::hdf5 {
namespace {

struct Link {
  std::string name;
  H5L_type_t type;
};

// Called by HDF5, which knows no exceptions, for each link of a group.
herr_t collect_link(hid_t, const char* name, const H5L_info_t* info, void* links) {
  try {
    static_cast<std::vector<Link>*>(links)->push_back({name, info->type});
  } catch (const std::bad_alloc&) {
    return -1;
  }
  return 0;
}

#if H5_VERSION_GE(1, 12, 0)
using ObjectInfo = H5O_info1_t;
#else
using ObjectInfo = H5O_info_t;
#endif

class Walk {
 public:
  std::vector<std::string> datasets;

  // The root counts as seen: a link to it would else put its datasets below another path.
  void visit_all(hid_t root) {
    ObjectInfo info;
    is_new(root, ".", info);
    visit(root, "", 0);
  }

 private:
  // Depth is counted here, so that a file cannot choose how much stack is used.
  void visit(hid_t group, const std::string& path, int depth) {
    if (depth > deepest_group)
      refuse_content(fmt::format("{:?}: groups are nested more than {} deep", path, deepest_group));
    std::vector<Link> links;
    checked(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect_link, &links));
    for (const Link& link : links) follow(group, path, link, depth);
  }

  // Results that somebody sends must not put a file of this computer into a table: behind hard and soft links come
  // those of files, and those of programs.
  void follow(hid_t group, const std::string& parent, const Link& link, int depth) {
    const std::string path = parent + '/' + link.name;
    if (link.type == H5L_TYPE_SOFT) return;
    if (link.type != H5L_TYPE_HARD) refuse_other_file(path, "a link to something");
    if (link.name.empty() || link.name.find('/') != std::string::npos || link.name == ".")
      refuse_content(fmt::format("{:?}: the name of a link cannot be {:?}", parent, link.name));
    ObjectInfo info;
    if (!is_new(group, link.name, info)) return;
    if (info.type == H5O_TYPE_DATASET)
      datasets.push_back(path);
    else if (info.type == H5O_TYPE_GROUP)
      visit(Handle(H5Gopen2(group, link.name.c_str(), H5P_DEFAULT), H5Gclose), path, depth + 1);
  }

  bool is_new(hid_t group, const std::string& name, ObjectInfo& info) {
    checked(H5Oget_info_by_name2(group, name.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT));
    return seen_.emplace(info.fileno, info.addr).second;
  }

  // File and address of each object: links may lead in circles.
  std::set<std::pair<unsigned long, haddr_t>> seen_;
};

}  // namespace

std::vector<std::string> paths_of_datasets(hid_t file) {
  Walk walk;
  walk.visit_all(Handle(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose));
  std::sort(walk.datasets.begin(), walk.datasets.end());
  return std::move(walk.datasets);
}

}  // namespace polhode::io::hdf5
