#pragma once
#include <porter_compat/recorded.h>
#include <ATen/TensorIndexing.h>
#include <porter_compat/convert.h>

namespace at::compat_detail {

// A view, and the tensors that index its dimensions: for each dimension one, or none (undefined).
struct Picked {
  paddle::Tensor self;
  std::vector<paddle::Tensor> by;
};

inline bool is_mask(const paddle::Tensor& t) {
  return t.dtype() == phi::DataType::BOOL || t.dtype() == phi::DataType::UINT8;
}

inline paddle::Tensor counted_to(int64_t count, const phi::Place& place) {
  auto number = [](int64_t n) { return paddle::experimental::full({}, n, phi::DataType::INT64); };
  return paddle::experimental::arange(number(0), number(count), number(1), phi::DataType::INT64,
                                      place);
}

// A mask of all dimensions as an index of each.
inline std::vector<paddle::Tensor> where_true(const paddle::Tensor& mask) {
  auto where = paddle::experimental::nonzero(
      paddle::recorded::cast(mask, phi::DataType::BOOL));
  std::vector<paddle::Tensor> result;
  for (int64_t d = 0; d < mask.dims().size(); ++d) {
    result.push_back(contiguous(view(where, {where.dims()[0]}, {where.strides()[0]},
                                     d * where.strides()[1])));
  }
  return result;
}

// How many dimensions of a tensor an index speaks of.
inline int64_t dimensions_of(ArrayRef<indexing::TensorIndex> indices) {
  int64_t count = 0;
  for (const auto& index : indices) {
    bool one = index.is_integer() || index.is_slice();
    bool mask = index.is_tensor() && is_mask(index.tensor()._PD_GetInner());
    if (one || (index.is_tensor() && !mask)) ++count;
    if (mask) count += index.tensor().dim();
  }
  return count;
}

// Cuts one dimension to `slice`; gives the offset of the first element.
inline int64_t cut(int64_t& size, int64_t& stride, const indexing::Slice& slice) {
  int64_t step = slice.step();
  check(step > 0, "slice step must be positive");
  auto within = [size](int64_t at) {
    return std::min(std::max<int64_t>(at < 0 ? at + size : at, 0), size);
  };
  int64_t first = within(slice.start()), last = within(slice.stop()), offset = first * stride;
  size = last > first ? (last - first + step - 1) / step : 0;
  stride *= step;
  return offset;
}

inline Picked picked(const paddle::Tensor& self, ArrayRef<indexing::TensorIndex> indices) {
  auto sizes = self.shape(), strides = strides_of(self);
  std::vector<paddle::Tensor> by;
  int64_t offset = 0, more = int64_t(sizes.size()) - dimensions_of(indices);
  check_index(more >= 0, "too many indices for tensor of dimension " +
                             std::to_string(sizes.size()));
  size_t d = 0;
  auto insert = [&] {
    int64_t step = d < sizes.size() ? sizes[d] * strides[d] : 1;
    sizes.insert(sizes.begin() + d, 1);
    strides.insert(strides.begin() + d, step);
  };
  auto take = [&](int64_t index) {
    check_index(-sizes[d] <= index && index < sizes[d], "index " + std::to_string(index) +
                                                            " is out of bounds");
    offset += (index < 0 ? index + sizes[d] : index) * strides[d];
    sizes.erase(sizes.begin() + d);
    strides.erase(strides.begin() + d);
  };
  auto record = [&](const paddle::Tensor& index) {
    by.resize(d++);
    by.push_back(moved(index, self.place(), true));
  };
  auto record_bool = [&](bool all) {
    insert();
    record(paddle::experimental::full({all}, 0, phi::DataType::INT64, self.place()));
  };
  auto record_mask = [&](const paddle::Tensor& mask) {
    for (int64_t i = 0; i < mask.dims().size(); ++i) {
      check_index(mask.dims()[i] == sizes[d + i], "The shape of the mask does not match");
    }
    for (const auto& index : where_true(mask)) record(index);
  };
  for (const auto& index : indices) {
    if (index.is_integer()) {
      take(index.integer());
    } else if (index.is_slice()) {
      offset += cut(sizes[d], strides[d], index.slice());
      ++d;
    } else if (index.is_ellipsis()) {
      d += more;
    } else if (index.is_none()) {
      insert();
      ++d;
    } else if (index.is_boolean()) {
      record_bool(index.boolean());
    } else {
      const auto& tensor = index.tensor()._PD_GetInner();
      bool mask = is_mask(tensor), single = tensor.dims().size() == 0;
      check_index(mask || tensor.dtype() == phi::DataType::INT64 ||
                      tensor.dtype() == phi::DataType::INT32,
                  "tensors used as indices must be long, int, byte or bool tensors");
      if (mask && single) {
        record_bool(item(tensor).to<bool>());
      } else if (mask) {
        record_mask(tensor);
      } else if (single) {
        take(item(tensor).to<int64_t>());
      } else {
        record(tensor);
      }
    }
  }
  by.resize(sizes.size());
  return {recorded_view(self, sizes, strides, offset), by};
}

// The sizes that index tensors have together.
inline Sizes together(const std::vector<paddle::Tensor>& by) {
  Sizes result;
  for (const auto& index : by) {
    if (!index.defined()) continue;
    auto sizes = index.shape();
    if (sizes.size() > result.size()) result.insert(result.begin(), sizes.size() - result.size(), 1);
    for (size_t i = 1; i <= sizes.size(); ++i) {
      int64_t size = sizes[sizes.size() - i], &own = result[result.size() - i];
      check_index(own == size || own == 1 || size == 1,
                  "shape mismatch: indexing tensors could not be broadcast together");
      if (size != 1) own = size;
    }
  }
  return result;
}

// An index counted from the front, refused if it is out of bounds (on the CPU).
inline paddle::Tensor counted_from_front(const paddle::Tensor& index, int64_t size) {
  auto whole = contiguous(paddle::recorded::cast(index, phi::DataType::INT64));
  if (whole.numel() == 0) return whole;
  for (int64_t i = 0; whole.is_cpu() && i < whole.numel(); ++i) {
    int64_t at = whole.data<int64_t>()[i];
    check_index(-size <= at && at < size, "index " + std::to_string(at) +
                                              " is out of bounds for a dimension of size " +
                                              std::to_string(size));
  }
  return paddle::recorded::remainder(
      whole, paddle::experimental::full({}, size, phi::DataType::INT64, whole.place()));
}

inline paddle::Tensor times(const paddle::Tensor& index, int64_t step) {
  return paddle::recorded::multiply(
      index, paddle::experimental::full({}, step, phi::DataType::INT64, index.place()));
}

// The indexed dimensions first, unless they are next to each other; gives the first of them.
inline int64_t gather_front(Picked& from) {
  Sizes order;
  for (size_t d = 0; d < from.by.size(); ++d) {
    if (from.by[d].defined()) order.push_back(d);
  }
  int64_t first = order.front(), count = order.size();
  if (order.back() - first + 1 == count) return first;
  for (size_t d = 0; d < from.by.size(); ++d) {
    if (!from.by[d].defined()) order.push_back(d);
  }
  std::vector<paddle::Tensor> by;
  for (int64_t d : order) by.push_back(from.by[d]);
  from = {permuted(from.self, order), by};
  return 0;
}

// The sizes of a result: those of the index in the place of the dimensions indexed.
inline Sizes result_sizes(const Picked& from, int64_t first, const Sizes& index) {
  Sizes sizes;
  for (size_t d = 0; d < from.by.size(); ++d) {
    if (int64_t(d) == first) sizes.insert(sizes.end(), index.begin(), index.end());
    if (!from.by[d].defined()) sizes.push_back(from.self.dims()[d]);
  }
  return sizes;
}

// Elements along a dimension, moved as the bits that they are.
inline paddle::Tensor gathered(const paddle::Tensor& self, const paddle::Tensor& index,
                               int64_t dim) {
  if (self.dtype() != phi::DataType::FLOAT16) {
    return paddle::recorded::gather(self, index, dim);
  }
  auto bits = view_as_type(self, phi::DataType::INT16);
  return view_as_type(paddle::recorded::gather(bits, index, dim), phi::DataType::FLOAT16);
}

inline bool by_tensors(const Picked& from) {
  return std::any_of(from.by.begin(), from.by.end(), [](const auto& t) { return t.defined(); });
}

inline paddle::Tensor indexed(Picked from) {
  if (!by_tensors(from)) return from.self;
  int64_t first = gather_front(from), length = 1;
  Sizes index_sizes = together(from.by), flat{1, 1, 1};
  auto linear = paddle::experimental::full({1}, 0, phi::DataType::INT64, from.self.place());
  for (int64_t d = from.by.size(); d-- > 0;) {
    int64_t size = from.self.dims()[d];
    flat[from.by[d].defined() ? 1 : d < first ? 0 : 2] *= size;
    if (!from.by[d].defined()) continue;
    linear = paddle::recorded::add(linear,
                                       times(counted_from_front(from.by[d], size), length));
    length *= size;
  }
  auto sizes = result_sizes(from, first, index_sizes);
  if (product(sizes) == 0) {
    return allocated(sizes, contiguous_strides(sizes), from.self.dtype(), from.self.place());
  }
  auto at = reshaped(contiguous(expanded(linear, index_sizes)), {-1});
  return reshaped(gathered(reshaped(from.self, flat), at, 1), sizes);
}

// Where in the storage each element of a result of `indexed` comes from, from the first one on.
inline paddle::Tensor places(const Picked& from, int64_t first, const Sizes& index_sizes) {
  auto sizes = result_sizes(from, first, index_sizes);
  auto place = from.self.place();
  auto linear = paddle::experimental::full({1}, 0, phi::DataType::INT64, place);
  int64_t after = 0;  // dimensions of the result behind the one at hand
  for (int64_t d = from.by.size(); d-- > 0;) {
    int64_t size = from.self.dims()[d];
    bool given = from.by[d].defined();
    auto index = given ? counted_from_front(from.by[d], size) : counted_to(size, place);
    int64_t behind = given ? 0 : after++;
    if (given) {  // the dimensions behind those of the index
      for (size_t k = first; k < from.by.size(); ++k) behind += !from.by[k].defined();
    } else if (d < first) {
      behind += index_sizes.size();
    }
    auto shape = index.shape();
    shape.insert(shape.end(), behind, 1);
    linear = paddle::recorded::add(linear,
                                       times(reshaped(index, shape), from.self.strides()[d]));
  }
  return contiguous(expanded(linear, sizes));
}

// Writes `values`, broadcast, to the elements that `from` shows, or adds them.
inline void put(Picked from, const paddle::Tensor& values, bool accumulate) {
  if (!by_tensors(from)) {
    auto sizes = values.shape();
    while (int64_t(sizes.size()) > from.self.dims().size() && sizes.front() == 1) {
      sizes.erase(sizes.begin());
    }
    return copy_into(from.self, moved(reshaped(values, sizes), from.self.place(), true));
  }
  check(values.dtype() == from.self.dtype(),
        "Index put requires the source and destination dtypes match");
  int64_t first = gather_front(from), extent = 1;
  auto linear = places(from, first, together(from.by));
  auto given = contiguous(expanded(moved(values, from.self.place(), true), linear.shape()));
  if (linear.numel() == 0) return;
  for (int64_t d = 0; d < from.self.dims().size(); ++d) {
    extent += (from.self.dims()[d] - 1) * from.self.strides()[d];
  }
  if (is_recorded_write(from.self, values)) {
    auto whole = from;
    whole.self = paddle::recorded::assign(contiguous(from.self));
    const auto flat = paddle::recorded::index_put(
        reshaped(whole.self, {-1}), {reshaped(places(whole, 0, together(whole.by)), {-1})},
        reshaped(given, {-1}), accumulate);
    return copy_into(from.self, reshaped(flat, from.self.shape()));
  }
  auto storage = view(from.self, {extent}, {1});
  paddle::experimental::index_put_(storage, {reshaped(linear, {-1})}, reshaped(given, {-1}),
                                   accumulate);
  note_write(from.self);
}

inline paddle::Tensor number(const c10::Scalar& value, const paddle::Tensor& like) {
  return paddle::experimental::full({}, value, like.dtype(), like.place());
}

// Tensors for the first dimensions; an undefined one leaves its dimension as it is.
template <class List>
Picked picked_by_tensors(const paddle::Tensor& self, const List& indices) {
  std::vector<indexing::TensorIndex> all;
  for (const auto& index : indices) {
    std::optional<at::TensorBase> tensor(index);
    bool given = tensor && tensor->defined();
    all.push_back(given ? indexing::TensorIndex(*tensor) : indexing::Slice());
  }
  return picked(self, all);
}

}  // namespace at::compat_detail
