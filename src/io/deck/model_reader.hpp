// SPDX-License-Identifier: BSD-3-Clause
// The parts of a deck: each reads its entries into the plain data of the model or of the run.
#pragma once
#include "reader.hpp"

namespace polhode::io {

// A name that expressions can have; names of entries may have more characters.
bool is_identifier(std::string_view name);
// The named numbers of the deck; expressions see them from here on.
void read_parameters(const Item& item, Reader& reader);

// Collects the names that others refer to.
void read_names(const Item& root, Reader& reader);

std::vector<model::NodeEntry> read_nodes(const Item& item, Reader& reader);
std::optional<Eigen::Quaterniond> read_orientation(const Item& item, const std::string& path, Reader& reader);
std::vector<model::SectionEntry> read_sections(const Item& item, Reader& reader);
std::vector<model::InitialMotion> read_initial_motion(const Item& item, Reader& reader);
void read_family(const Item& item, const std::string& path, Reader& reader, std::vector<model::Entry>& entries);

// Adds an entry to `starts` for each analysis that locks or releases joints.
std::vector<analyses::Analysis> read_analyses(const Item& item, Reader& reader, std::vector<model::Entry>& starts);
std::vector<results::Response> read_responses(const Item& item, Reader& reader);

}  // namespace polhode::io
