// SPDX-License-Identifier: BSD-3-Clause
// Lines whose damage shows.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polhode::studies {

// Fields, each with a tab behind it; gets a checksum and a line end
std::string sealed(std::string fields);
std::optional<std::vector<std::string_view>> opened(std::string_view line);

}  // namespace polhode::studies
