#pragma once
#include <c10/core/Layout.h>

namespace torch::headeronly {

using Layout = c10::Layout;

using c10::kStrided;

}  // namespace torch::headeronly
