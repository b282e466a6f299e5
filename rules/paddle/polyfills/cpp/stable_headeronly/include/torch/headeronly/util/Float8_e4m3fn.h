#pragma once
#include <c10/util/Float8_e4m3fn.h>

namespace torch::headeronly {

using Float8_e4m3fn = c10::Float8_e4m3fn;

}  // namespace torch::headeronly
