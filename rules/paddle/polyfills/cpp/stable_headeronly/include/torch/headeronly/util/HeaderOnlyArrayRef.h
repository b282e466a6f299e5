#pragma once
#include <c10/util/ArrayRef.h>

#include <cstdint>

namespace torch::headeronly {

template <typename T>
using HeaderOnlyArrayRef = c10::ArrayRef<T>;

using IntHeaderOnlyArrayRef = c10::ArrayRef<int64_t>;

}  // namespace torch::headeronly
