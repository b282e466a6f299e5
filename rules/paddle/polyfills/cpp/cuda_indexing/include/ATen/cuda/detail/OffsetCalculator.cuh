#pragma once
#include <ATen/core/Array.h>
#include <ATen/cuda/detail/IntegerDivider.cuh>

#include <cstdint>
#include <type_traits>

// Offsets in several tensors of the element with a linear index; the first dimension is the fastest.
template <int NARGS, typename index_t = uint32_t, bool signed_strides = false>
struct OffsetCalculator {
  using stride_t = ::std::conditional_t<signed_strides, ::std::make_signed_t<index_t>, index_t>;
  using offset_type = at::detail::Array<stride_t, NARGS < 1 ? 1 : NARGS>;

  OffsetCalculator(int dims, const int64_t* sizes, const int64_t* const* strides,
                   const int64_t* element_sizes = nullptr)
      : dims(dims) {
    for (int i = 0; i < 25; ++i) {
      sizes_[i] = at::cuda::detail::IntDivider<index_t>(i < dims ? sizes[i] : 1);
      for (int arg = 0; arg < NARGS; ++arg) {
        const int64_t unit = element_sizes == nullptr ? 1 : element_sizes[arg];
        strides_[i][arg] = i < dims ? strides[arg][i] / unit : 0;
      }
    }
  }

  C10_HOST_DEVICE offset_type get(index_t linear) const {
    offset_type offsets(0);
    for (int i = 0; i < dims; ++i) {
      const auto split = sizes_[i].divmod(linear);
      linear = split.div;
      for (int arg = 0; arg < NARGS; ++arg) offsets[arg] += split.mod * strides_[i][arg];
    }
    return offsets;
  }

  int dims;
  at::cuda::detail::IntDivider<index_t> sizes_[25];
  stride_t strides_[25][NARGS < 1 ? 1 : NARGS];
};

template <int NARGS, typename index_t = uint32_t>
struct TrivialOffsetCalculator {
  using offset_type = at::detail::Array<index_t, NARGS < 1 ? 1 : NARGS>;
  C10_HOST_DEVICE offset_type get(index_t linear) const { return offset_type(linear); }
};
