// SPDX-License-Identifier: BSD-3-Clause
// Whether a file that is about to be written over is one that polhode wrote.
#pragma once
#include <string>
#include <string_view>

namespace polhode::io {

// Each kind has its mark inside of the file; its name says nothing.
enum class OwnFile {
  results,    // HDF5 whose root has a `format` of polhode: runs, observed orders, tables of studies
  picture,    // XDMF beside results, by its first lines
  responses,  // JSON: one object, of numbers and null alone
  table,      // CSV of a study, by the head of its first column
  log,        // messages with date and time, by those of its first line
};

// True if the file has the mark, or holds nothing to lose: there is none, it is empty, or it is no regular file (what
// is written there fails with a reason of its own). The file is only read. Throws FileError where it cannot be.
bool may_be_replaced(const std::string& file, OwnFile kind);

// The picture of a results file: the same name, ending in .xdmf.
std::string picture_of(const std::string& results_file);

// The name under which a file is made, before it takes its place: "<file>.polhode-part", behind links.
std::string temporary_name(const std::string& file);

// Removes a file, where there is one; a link stays, and what it leads to is removed. Nothing else than a regular file is
// touched, nor an open one of this program (/dev/stdout).
void remove_file(const std::string& file);

// Writes a text file at once: a program that is killed meanwhile leaves an older one as it was. Throws FileError, also
// where its folder is missing.
void write_text(const std::string& file, std::string_view text);

}  // namespace polhode::io
