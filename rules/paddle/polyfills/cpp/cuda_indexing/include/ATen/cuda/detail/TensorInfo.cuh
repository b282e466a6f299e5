#pragma once
#include <c10/macros/Macros.h>

#include <cstdint>

#ifndef MAX_TENSORINFO_DIMS
#define MAX_TENSORINFO_DIMS 25
#endif

namespace at::cuda::detail {

// A tensor as a kernel takes it: data, sizes and strides.
template <typename T, typename IndexType>
struct TensorInfo {
  TensorInfo() : data(nullptr), sizes{}, strides{}, dims(0) {}
  TensorInfo(T* p, int dim, const IndexType* sz, const IndexType* st) : data(p), dims(dim) {
    for (int i = 0; i < dim; ++i) {
      sizes[i] = sz[i];
      strides[i] = st[i];
    }
  }

  T* data;
  IndexType sizes[MAX_TENSORINFO_DIMS];
  IndexType strides[MAX_TENSORINFO_DIMS];
  int dims;
};

// extends
template <typename T, typename IndexType>
struct TensorInfo {
  // The dimension gets size 1.
  void reduceDim(int dim) { sizes[dim] = 1; }
  // Joins dimensions that lie in memory as one, all but `excludeDim`; gives where that is now.
  int collapseDims(const int excludeDim = -1) {
    int kept = 0, excluded = -1;
    bool join = false;
    for (int i = 0; i < dims; ++i) {
      if (i == excludeDim) {
        excluded = kept;
        sizes[kept] = sizes[i];
        strides[kept++] = strides[i];
        join = false;
      } else if (sizes[i] == 1 && (kept > 0 || i + 1 < dims)) {
        continue;
      } else if (join && strides[kept - 1] == sizes[i] * strides[i]) {
        sizes[kept - 1] *= sizes[i];
        strides[kept - 1] = strides[i];
      } else {
        sizes[kept] = sizes[i];
        strides[kept++] = strides[i];
        join = true;
      }
    }
    dims = kept;
    return excluded;
  }
  C10_HOST_DEVICE bool isContiguous() const { return dims == 1 && strides[0] == 1; }
};

// The offset of the element with a linear index; Dims is -1 where it is known at run time only.
template <typename T, typename IndexType, int Dims>
struct IndexToOffset {
  static C10_HOST_DEVICE IndexType get(IndexType linearId, const TensorInfo<T, IndexType>& info) {
    IndexType offset = 0;
    for (int i = (Dims < 0 ? info.dims : Dims) - 1; i > 0; --i) {
      offset += linearId % info.sizes[i] * info.strides[i];
      linearId /= info.sizes[i];
    }
    return offset + linearId * info.strides[0];
  }
};

}  // namespace at::cuda::detail
