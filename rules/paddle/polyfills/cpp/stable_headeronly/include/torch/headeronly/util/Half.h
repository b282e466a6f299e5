#pragma once
#include <c10/util/Half.h>

namespace torch::headeronly {

using Half = c10::Half;

}  // namespace torch::headeronly
