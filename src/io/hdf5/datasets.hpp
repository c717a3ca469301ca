// SPDX-License-Identifier: BSD-3-Clause
// Datasets that are written whole: numbers, texts, and what they are about.
#pragma once
#include <string>
#include <vector>

#include "io/hdf5/hdf5.hpp"
#include "polhode/results/channel.hpp"

namespace polhode::io::hdf5 {

// What a dataset holds. `values` has as many items as the shape, last index fastest; null leaves them unwritten.
struct Content {
  hid_t stored;                // type in the file
  hid_t given;                 // type in memory
  std::vector<hsize_t> shape;  // {} = scalar
  const void* values;
};

// A compact dataset lies in the header of its object: a single write replaces it.
enum class Place { apart, compact };

// Creates the dataset, and the groups on its path. Throws Error, as do all others.
Handle make_dataset(hid_t file, const std::string& path, const Content& content, Place place = Place::apart);

// Attributes that every dataset has. Without units a quantity is a number: "1".
void describe(hid_t dataset, const std::string& units, const std::string& description);
void describe(hid_t file, const std::string& path, const std::string& units, const std::string& description);

// A scalar text, compact.
void make_text(hid_t file, const std::string& path, const std::string& text, const std::string& description);
void replace_text(hid_t file, const std::string& path, const std::string& text);

// Names, indices or numbers, with their description.
void make_static(hid_t file, const results::StaticData& data);

// Length of the texts of such a list in the file where all have the same, padded with zeros; 0 where each has its own.
std::size_t padded_length(const std::vector<std::string>& texts);

// "2026-01-31T12:00:00Z"
std::string utc_now();

}  // namespace polhode::io::hdf5
