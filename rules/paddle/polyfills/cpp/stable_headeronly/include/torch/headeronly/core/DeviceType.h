#pragma once
#include <c10/core/DeviceType.h>

namespace torch::headeronly {

using DeviceType = c10::DeviceType;

using c10::kCPU;
using c10::kCUDA;

}  // namespace torch::headeronly
