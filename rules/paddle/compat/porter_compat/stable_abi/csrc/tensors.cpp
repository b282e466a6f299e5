// Tensors: what the shim does with memory, shapes and strides of Paddle's.
#include "abi.h"

#include "paddle/phi/api/include/api.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace shim {

namespace {

// Memory that somebody else owns.
class Borrowed : public phi::Allocation {
 public:
  Borrowed(void* memory, size_t size, const phi::Place& place, std::function<void()> release)
      : phi::Allocation(memory, size, place), release_(std::move(release)) {}
  ~Borrowed() override {
    if (release_) release_();
  }

 private:
  std::function<void()> release_;
};

common::DDim dims(const Sizes& sizes) {
  if (sizes.size() > common::DDim::kMaxRank) {
    fail("Paddle's tensors have at most " + std::to_string(common::DDim::kMaxRank) +
         " dimensions, not " + std::to_string(sizes.size()));
  }
  return common::make_ddim(sizes);
}

phi::DenseTensorMeta meta(const Sizes& sizes, const Sizes& strides, int64_t offset,
                          phi::DataType dtype) {
  for (int64_t size : sizes) {
    if (size < 0) fail("Trying to create tensor with negative dimension " + std::to_string(size));
  }
  phi::DenseTensorMeta made(dtype, dims(sizes));
  made.strides = dims(strides);
  made.offset = static_cast<size_t>(offset) * phi::SizeOf(dtype);
  return made;
}

// How many elements the memory of a tensor must have.
int64_t span(const Sizes& sizes, const Sizes& strides) {
  int64_t last = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) return 0;
    last += (sizes[i] - 1) * strides[i];
  }
  return last + 1;
}

Sizes strides_in_order(const Sizes& sizes, const std::vector<size_t>& outermost_first) {
  Sizes made(sizes.size());
  int64_t step = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    made[outermost_first[i]] = step;
    step *= std::max<int64_t>(sizes[outermost_first[i]], 1);
  }
  return made;
}

Sizes strides_of_format(const Sizes& sizes, int64_t format) {
  if (format == CHANNELS_LAST || format == CHANNELS_LAST_3D) {
    const size_t rank = format == CHANNELS_LAST ? 4 : 5;
    if (sizes.size() != rank) {
      fail("required rank " + std::to_string(rank) + " tensor to use channels_last format");
    }
    std::vector<size_t> order(rank);
    std::iota(order.begin(), order.end(), 0);
    std::rotate(order.begin() + 1, order.begin() + 2, order.end());
    return strides_in_order(sizes, order);
  }
  return contiguous_strides(sizes);
}

// Whether each element has a place of its own, and no place is left out.
bool is_dense(const Sizes& sizes, const Sizes& strides) {
  std::vector<size_t> order;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) return false;
    if (sizes[i] > 1) order.push_back(i);
  }
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return strides[a] < strides[b]; });
  int64_t step = 1;
  for (size_t i : order) {
    if (strides[i] != step) return false;
    step *= sizes[i];
  }
  return true;
}

}  // namespace

phi::DenseTensor& dense(const Tensor& tensor) {
  auto* found = dynamic_cast<phi::DenseTensor*>(tensor.impl().get());
  if (!found) fail(tensor.impl() ? "this is no dense tensor" : "this tensor is not defined");
  return *found;
}

Sizes sizes(const Tensor& tensor) { return common::vectorize<int64_t>(dense(tensor).dims()); }

Sizes strides(const Tensor& tensor) { return common::vectorize<int64_t>(dense(tensor).strides()); }

int64_t storage_offset(const Tensor& tensor) {
  const auto& found = dense(tensor);
  return static_cast<int64_t>(found.meta().offset / phi::SizeOf(found.dtype()));
}

void* data(const Tensor& tensor) {
  const auto& found = dense(tensor);
  if (!found.numel() || !found.Holder() || !found.Holder()->ptr()) return nullptr;
  return static_cast<char*>(found.Holder()->ptr()) + found.meta().offset;
}

int64_t wrapped(int64_t dim, int64_t rank) {
  const int64_t most = std::max<int64_t>(rank, 1);
  if (dim < -most || dim >= most) {
    throw std::out_of_range("Dimension out of range (expected to be in range of [" +
                            std::to_string(-most) + ", " + std::to_string(most - 1) +
                            "], but got " + std::to_string(dim) + ")");
  }
  return dim < 0 ? dim + most : dim;
}

Sizes contiguous_strides(const Sizes& sizes) {
  std::vector<size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  return strides_in_order(sizes, order);
}

bool is_contiguous(const Sizes& sizes, const Sizes& strides) {
  int64_t step = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    if (sizes[i] == 0) return true;
    if (sizes[i] > 1 && strides[i] != step) step = -1;
    if (step < 0) break;
    step *= sizes[i];
  }
  return step >= 0 || std::count(sizes.begin(), sizes.end(), 0) > 0;
}

Tensor empty_strided(const Sizes& sizes, const Sizes& strides, phi::DataType dtype,
                     const phi::Place& place) {
  const auto made = meta(sizes, strides, 0, dtype);  // refuses before anything is allocated
  const int64_t count = span(sizes, strides);
  if (!count) return borrowed(nullptr, sizes, strides, 0, dtype, place, nullptr);
  // In bytes: Paddle makes no tensors of some dtypes that it has.
  const int64_t size = count * static_cast<int64_t>(phi::SizeOf(dtype));
  const auto flat = paddle::experimental::empty({size}, phi::DataType::UINT8, place);
  return Tensor(std::make_shared<phi::DenseTensor>(dense(flat).Holder(), made));
}

Tensor empty(const Sizes& sizes, phi::DataType dtype, const phi::Place& place, int64_t format) {
  return empty_strided(sizes, strides_of_format(sizes, format), dtype, place);
}

Tensor view(const Tensor& of, const Sizes& sizes, const Sizes& strides, int64_t offset) {
  auto& source = dense(of);
  auto made = std::make_shared<phi::DenseTensor>(source.Holder(),
                                                 meta(sizes, strides, offset, source.dtype()));
  made->ShareInplaceVersionCounterWith(source);
  return Tensor(made);
}

Tensor borrowed(void* memory, const Sizes& sizes, const Sizes& strides, int64_t offset,
                phi::DataType dtype, const phi::Place& place, std::function<void()> release) {
  const auto made = meta(sizes, strides, offset, dtype);
  const auto count = span(sizes, strides);
  const size_t size = count ? (count + offset) * phi::SizeOf(dtype) : 0;
  auto holder = std::make_shared<Borrowed>(memory, size, place, std::move(release));
  return Tensor(std::make_shared<phi::DenseTensor>(holder, made));
}

Sizes strides_like(const Tensor& tensor, int64_t format) {
  const Sizes shape = sizes(tensor), steps = strides(tensor);
  if (format == PRESERVE && is_dense(shape, steps)) return steps;
  return strides_of_format(shape, format == PRESERVE ? CONTIGUOUS : format);
}

// A tensor over the same memory, of a dtype of the same size that Paddle copies.
Tensor copyable(const Tensor& tensor) {
  auto& found = dense(tensor);
  using D = phi::DataType;
  const auto dtype = found.dtype() == D::UINT16   ? D::INT16
                     : found.dtype() == D::UINT32 ? D::INT32
                     : found.dtype() == D::UINT64 ? D::INT64
                                                  : found.dtype();
  if (dtype == found.dtype()) return tensor;
  auto meta = found.meta();
  meta.dtype = dtype;
  return Tensor(std::make_shared<phi::DenseTensor>(found.Holder(), meta));
}

void assign(Tensor& given_target, const Tensor& source) {
  namespace api = paddle::experimental;
  const bool same = given_target.dtype() == source.dtype();
  Tensor target = same ? copyable(given_target) : given_target;
  auto& to = dense(target);
  Tensor from = same ? copyable(source) : source;
  if (from.place() != target.place()) from = api::copy_to(from, target.place(), true);
  if (from.dtype() != target.dtype()) from = api::cast(from, target.dtype());
  const Sizes shape = sizes(target);
  if (sizes(from) != shape) from = api::expand(from, shape);
  if (to.numel()) api::assign_out_(from, target);
}

void fill(Tensor& given, double value) {
  Tensor target = copyable(given);
  if (target.dtype() != given.dtype()) {
    const double values = std::ldexp(1.0, 8 * static_cast<int>(phi::SizeOf(given.dtype())));
    if (value >= values / 2) value -= values;
  }
  if (dense(target).numel()) paddle::experimental::fill_(target, value);
}

Tensor clone(const Tensor& tensor, int64_t format) {
  auto made = empty_strided(sizes(tensor), strides_like(tensor, format), tensor.dtype(),
                            tensor.place());
  assign(made, tensor);
  return made;
}

}  // namespace shim
