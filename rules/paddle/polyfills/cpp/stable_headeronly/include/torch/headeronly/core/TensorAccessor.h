#pragma once
#include <ATen/core/TensorAccessor.h>

#include <cstddef>
#include <cstdint>

namespace torch::headeronly {

template <typename T, size_t N, template <typename U> class PtrTraits = at::DefaultPtrTraits, typename index_t = int64_t>
using HeaderOnlyTensorAccessor = at::TensorAccessor<T, N, PtrTraits, index_t>;

template <typename T, size_t N, template <typename U> class PtrTraits = at::DefaultPtrTraits, typename index_t = int64_t>
using HeaderOnlyGenericPackedTensorAccessor = at::GenericPackedTensorAccessor<T, N, PtrTraits, index_t>;

}  // namespace torch::headeronly
