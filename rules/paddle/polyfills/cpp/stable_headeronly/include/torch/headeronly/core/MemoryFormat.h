#pragma once
#include "paddle/common/macros.h"
#include <c10/core/MemoryFormat.h>

namespace torch::headeronly {

using MemoryFormat = c10::MemoryFormat;

}  // namespace torch::headeronly
