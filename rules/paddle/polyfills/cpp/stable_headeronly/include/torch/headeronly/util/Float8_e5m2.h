#pragma once
#include <c10/util/Float8_e5m2.h>

namespace torch::headeronly {

using Float8_e5m2 = c10::Float8_e5m2;

}  // namespace torch::headeronly
