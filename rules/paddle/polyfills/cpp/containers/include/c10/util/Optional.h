#pragma once
#include <utility>

namespace c10 {

using std::in_place;

}  // namespace c10
