#pragma once
#include <c10/util/SmallVector.h>

namespace c10 {

constexpr size_t kDimVectorStaticSize = 5;

using DimVector = SmallVector<int64_t, kDimVectorStaticSize>;

using SymDimVector = SmallVector<int64_t, kDimVectorStaticSize>;

}  // namespace c10

namespace at {

using DimVector = ::c10::DimVector;

}  // namespace at
