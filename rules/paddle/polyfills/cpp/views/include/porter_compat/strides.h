#pragma once
#include <porter_compat/recorded.h>
#include <algorithm>
#include <cstdint>
#include <mutex>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>
#include "paddle/phi/api/include/api.h"
#include "paddle/phi/api/include/tensor.h"
#include "paddle/phi/core/dense_tensor.h"

namespace at::compat_detail {

using Sizes = std::vector<int64_t>;

// What follows below: the history of what was written to.
inline bool is_recorded_view(const paddle::Tensor& self);
template <class... As>
bool is_recorded_write(const paddle::Tensor& to, const As&... from);
inline void take_history(const paddle::Tensor& to, paddle::Tensor from);

// Steps of the backward pass that keep the elements of a tensor raise after it was written to.
inline void note_write(const paddle::Tensor& to) {
  const_cast<paddle::Tensor&>(to).bump_inplace_version();
}

// An index error as pybind11 knows it.
inline void check_index(bool good, const std::string& what) {
  if (!good) throw std::out_of_range(what);
}

inline void check(bool good, const std::string& what) {
  if (!good) throw std::runtime_error(what);
}

// A dimension counted from the front; a tensor without any has one here.
inline int64_t wrapped(int64_t dim, int64_t count) {
  int64_t span = std::max<int64_t>(count, 1);
  check_index(-span <= dim && dim < span, "Dimension out of range: " + std::to_string(dim));
  return dim < 0 ? dim + span : dim;
}

inline int64_t product(const Sizes& sizes) {
  int64_t result = 1;
  for (int64_t size : sizes) result *= size;
  return result;
}

// The number of bytes between the start of the storage and the first element.
inline size_t byte_offset(const paddle::Tensor& self) {
  return static_cast<const phi::DenseTensor&>(*self.impl()).meta().offset;
}

inline Sizes strides_of(const paddle::Tensor& self) {
  return common::vectorize<int64_t>(self.strides());
}

// The same storage, read another way from `offset` elements after the first one.
inline paddle::Tensor view(const paddle::Tensor& self, const Sizes& sizes, const Sizes& strides,
                           int64_t offset = 0) {
  auto result = std::make_shared<phi::DenseTensor>(
      static_cast<const phi::DenseTensor&>(*self.impl()));
  auto meta = result->meta();
  meta.dims = common::make_ddim(sizes);
  meta.strides = common::make_ddim(strides);
  meta.offset += offset * static_cast<int64_t>(phi::SizeOf(meta.dtype));
  result->set_meta(meta);
  return paddle::Tensor(result);
}

// The same elements in other sizes, which these strides show.
inline paddle::Tensor resized(const paddle::Tensor& self, const Sizes& sizes,
                              const Sizes& strides) {
  return is_recorded_view(self) ? paddle::recorded::reshape(self, sizes) : view(self, sizes, strides);
}

// This very tensor from now on shows what another shows.
inline void show_as(const paddle::Tensor& self, const paddle::Tensor& other) {
  static_cast<phi::DenseTensor&>(*self.impl()) =
      static_cast<const phi::DenseTensor&>(*other.impl());
}

// Strides of elements that follow each other; the dimensions in this order, innermost first.
inline Sizes dense_strides(const Sizes& sizes, const Sizes& order) {
  Sizes result(sizes.size());
  int64_t step = 1;
  for (int64_t d : order) {
    result[d] = step;
    step *= std::max<int64_t>(sizes[d], 1);
  }
  return result;
}

inline Sizes contiguous_strides(const Sizes& sizes) {
  Sizes order(sizes.size());
  std::iota(order.rbegin(), order.rend(), 0);
  return dense_strides(sizes, order);
}

// Whether elements are where strides say; that of a dimension of one element says nothing.
inline bool has_strides(const paddle::Tensor& self, const Sizes& strides) {
  bool same = true;
  for (int64_t d = 0; d < self.dims().size(); ++d) {
    same = same && (self.dims()[d] == 1 || self.strides()[d] == strides[d]);
  }
  return same || self.numel() == 0;
}

// Strides that show the same elements in other sizes without a copy, if there are any.
inline std::optional<Sizes> view_strides(const Sizes& sizes, const Sizes& strides,
                                         const Sizes& target) {
  if (product(sizes) == 0) return sizes == target ? strides : contiguous_strides(target);
  std::vector<std::pair<int64_t, int64_t>> runs;  // length and step of evenly spaced elements
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 1) continue;
    bool joins = !runs.empty() && runs.back().second == sizes[d] * strides[d];
    int64_t before = joins ? runs.back().first : 1;
    if (joins) runs.pop_back();
    runs.emplace_back(before * sizes[d], strides[d]);
  }
  Sizes result(target.size());
  int64_t left = 1, step = strides.empty() ? 1 : strides.back();
  for (size_t d = target.size(); d-- > 0;) {
    if (left == 1 && target[d] != 1 && !runs.empty()) {
      left = runs.back().first;
      step = runs.back().second;
      runs.pop_back();
    }
    if (left % target[d] != 0) return std::nullopt;
    result[d] = step;
    step *= target[d];
    left /= target[d];
  }
  return result;
}

// The sizes with -1 replaced by what is left of `count` elements.
inline Sizes inferred(Sizes sizes, int64_t count) {
  auto open = std::find(sizes.begin(), sizes.end(), -1);
  if (open != sizes.end()) {
    *open = 1;
    int64_t known = product(sizes);
    check(known > 0 && count % known == 0, "a size of -1 cannot be inferred");
    *open = count / known;
  }
  bool all = std::all_of(sizes.begin(), sizes.end(), [](int64_t size) { return size >= 0; });
  check(all && product(sizes) == count,
        "shape is invalid for input of size " + std::to_string(count));
  return sizes;
}

// `self` in the order of `dims`, which are counted from the front.
inline paddle::Tensor permuted(const paddle::Tensor& self, const Sizes& dims) {
  if (is_recorded_view(self)) {
    return paddle::recorded::transpose(self, std::vector<int>(dims.begin(), dims.end()));
  }
  Sizes sizes, strides;
  for (int64_t d : dims) {
    sizes.push_back(self.dims()[d]);
    strides.push_back(self.strides()[d]);
  }
  return view(self, sizes, strides);
}

// Repeated by stride 0 along new and size 1 dimensions; -1 keeps a size.
inline paddle::Tensor expanded(const paddle::Tensor& self, Sizes sizes) {
  int64_t added = static_cast<int64_t>(sizes.size()) - self.dims().size();
  check(added >= 0, "expand: fewer sizes than the tensor has dimensions");
  Sizes strides(sizes.size());
  for (int64_t d = static_cast<int64_t>(sizes.size()) - 1; d >= 0; --d) {
    bool fresh = d < added;
    int64_t size = fresh ? 1 : self.dims()[d - added];
    if (self.dims().size() > 0) {
      strides[d] = fresh ? sizes[d + 1] * strides[d + 1] : self.strides()[d - added];
    }
    if (sizes[d] == -1 && !fresh) sizes[d] = size;
    check(sizes[d] >= 0 && (size == 1 || size == sizes[d]),
          "The expanded size must match the existing size at dimension " + std::to_string(d));
    if (sizes[d] != size) strides[d] = 0;
  }
  if (is_recorded_view(self)) return paddle::recorded::expand(self, sizes);
  return view(self, sizes, strides);
}

// Dimensions from the one with the smallest stride on; ties and stride 0 keep their place.
inline Sizes inner_first(const paddle::Tensor& self) {
  Sizes order;
  for (int64_t d = self.dims().size(); d-- > 0;) {
    size_t at = order.size();
    for (size_t i = order.size(); i-- > 0;) {
      int64_t other = self.strides()[order[i]], own = self.strides()[d];
      if (other == 0 || own == 0) continue;
      bool smaller = own < other || (own == other && self.dims()[d] < self.dims()[order[i]]);
      if (!smaller) break;
      at = i;
    }
    order.insert(order.begin() + at, d);
  }
  return order;
}

// Strides of a new tensor that has the order of dimensions of `self`.
inline Sizes like_strides(const paddle::Tensor& self) {
  return dense_strides(self.shape(), inner_first(self));
}

inline paddle::Tensor allocated(const Sizes& sizes, const Sizes& strides, phi::DataType dtype,
                                const phi::Place& place) {
  for (int64_t size : sizes) check(size >= 0, "a size is negative: " + std::to_string(size));
  int64_t span = product(sizes) > 0;
  for (size_t d = 0; d < sizes.size() && span; ++d) span += (sizes[d] - 1) * strides[d];
  return view(paddle::experimental::empty({span}, dtype, place), sizes, strides);
}

// Writes `from`, broadcast and converted, into what `to` shows.
inline void copy_into(const paddle::Tensor& to, paddle::Tensor from, bool blocking = true) {
  if (to.dtype() != from.dtype()) from = paddle::recorded::cast(from, to.dtype());
  from = expanded(from, to.shape());
  const bool recorded = is_recorded_write(to, from);
  if (to.numel() > 0) const_cast<paddle::Tensor&>(to).copy_(from, to.place(), blocking);
  note_write(to);
  if (recorded) take_history(to, from);
}

inline paddle::Tensor copied(const paddle::Tensor& self, const Sizes& strides) {
  auto result = allocated(self.shape(), strides, self.dtype(), self.place());
  copy_into(result, self);
  return result;
}

inline paddle::Tensor contiguous(const paddle::Tensor& self) {
  auto strides = contiguous_strides(self.shape());
  return has_strides(self, strides) ? self : copied(self, strides);
}

// In other sizes: a view, or a copy where there is none.
inline paddle::Tensor reshaped(const paddle::Tensor& self, const Sizes& target) {
  auto sizes = inferred(target, self.numel());
  if (is_recorded_view(self)) return paddle::recorded::reshape(self, sizes);
  auto strides = view_strides(self.shape(), strides_of(self), sizes);
  return strides ? view(self, sizes, *strides)
                 : view(contiguous(self), sizes, contiguous_strides(sizes));
}

// The same bytes as elements of another dtype; the last dimension takes the difference in size.
inline paddle::Tensor view_as_type(const paddle::Tensor& self, phi::DataType dtype) {
  int64_t from = phi::SizeOf(self.dtype()), to = phi::SizeOf(dtype);
  auto sizes = self.shape(), strides = strides_of(self);
  if (from != to) {
    if (!sizes.empty() && sizes.back() == 1) strides.back() = 1;  // that of one element says nothing
    bool whole = self.numel() == 0 || (!sizes.empty() && strides.back() == 1);
    check(whole, "view: the last dimension must be contiguous");
    check(sizes.back() * from % to == 0 && byte_offset(self) % to == 0,
          "view: size or offset is not divisible by that of the dtype");
    sizes.back() = sizes.back() * from / to;
    for (size_t d = 0; d + 1 < strides.size(); ++d) {
      check(strides[d] * from % to == 0, "view: a stride is not divisible by the dtype's size");
      strides[d] = strides[d] * from / to;
    }
  }
  auto result = std::make_shared<phi::DenseTensor>(
      static_cast<const phi::DenseTensor&>(*self.impl()));
  auto meta = result->meta();
  meta.dtype = dtype;
  meta.dims = common::make_ddim(sizes);
  meta.strides = common::make_ddim(strides);
  result->set_meta(meta);
  return paddle::Tensor(result);
}

// By storage: the tensor that others became views of while gradients were recorded.
class Bases {
 public:
  void note(const paddle::Tensor& whole) {
    egr::EagerUtils::autograd_meta(const_cast<paddle::Tensor*>(&whole));  // its copies share it
    const std::lock_guard<std::mutex> held(mutex_);
    auto& known = bases_[storage(whole)];
    if (!found(known, storage(whole)).defined()) known = {whole.impl(), whole.mutable_autograd_meta()};
    if (bases_.size() < limit_) return;
    for (auto at = bases_.begin(); at != bases_.end();) {
      at = at->second.elements.expired() ? bases_.erase(at) : std::next(at);
    }
    limit_ = 2 * bases_.size() + 1024;
  }
  // What a tensor is a view of; undefined if that is not known.
  paddle::Tensor of(const paddle::Tensor& view) {
    const std::lock_guard<std::mutex> held(mutex_);
    const auto at = bases_.find(storage(view));
    if (at == bases_.end()) return {};
    auto base = found(at->second, storage(view));
    return base.impl() == view.impl() ? paddle::Tensor() : base;
  }

 private:
  struct Base {
    std::weak_ptr<phi::TensorBase> elements;
    std::weak_ptr<paddle::AbstractAutogradMeta> meta;
  };
  static const void* storage(const paddle::Tensor& x) {
    return static_cast<const phi::DenseTensor&>(*x.impl()).Holder().get();
  }
  static paddle::Tensor found(const Base& known, const void* storage_of_view) {
    const auto elements = known.elements.lock();
    const auto meta = known.meta.lock();
    if (!elements || !meta) return {};
    paddle::Tensor base(elements);
    base.set_autograd_meta(meta);
    return storage(base) == storage_of_view ? base : paddle::Tensor();
  }
  std::mutex mutex_;
  std::unordered_map<const void*, Base> bases_;
  size_t limit_ = 1024;
};

inline Bases& bases() {
  static auto* found = new Bases;  // never freed: tensors may outlive this library
  return *found;
}

// Whether a view of a tensor is recorded; a write to the view is one to the tensor then.
inline bool is_recorded_view(const paddle::Tensor& self) {
  if (!recording() || !self.is_dense_tensor()) return false;
  bases().note(self);
  return wants_gradient(self);
}

// Whether a write of `from` to a tensor is recorded. Raises where a leaf would be written to.
template <class... As>
bool is_recorded_write(const paddle::Tensor& to, const As&... from) {
  if (!recording() || !to.is_dense_tensor() || to.numel() == 0) return false;
  bool recorded = (wants_gradient(from) || ... || false);
  for (const auto& each : {to, bases().of(to)}) {
    if (!wants_gradient(each)) continue;
    recorded = true;
    check(!egr::EagerUtils::IsLeafTensor(each),
          "a leaf Variable that requires grad is being used in an in-place operation.");
  }
  return recorded;
}

// The backward pass goes on from a tensor to what `from`, of its shape, was made of.
inline void go_on_from(const paddle::Tensor& to, paddle::Tensor from) {
  if (!wants_gradient(from)) from = paddle::recorded::scale(to, 0, 0, true);
  if (!wants_gradient(from)) return;
  const auto step = paddle::recorded::assign(from);  // one output, in the first slot
  auto& self = const_cast<paddle::Tensor&>(to);
  auto* meta = egr::EagerUtils::autograd_meta(&self);
  set_requires_grad(self, true);
  egr::EagerUtils::SetOutRankWithSlot(meta, 0);
  egr::EagerUtils::SetHistory(meta, egr::EagerUtils::grad_node(step));
}

inline paddle::Tensor detached(const paddle::Tensor& self) {
  return view(self, self.shape(), strides_of(self));
}

inline int64_t extent(const paddle::Tensor& x) {
  int64_t last = x.numel() > 0;
  for (int64_t d = 0; d < x.dims().size() && last; ++d) last += (x.dims()[d] - 1) * x.strides()[d];
  return last;
}

// For each element of a view its place among those of its base, row by row; undefined if the base
// has not all of them.
inline paddle::Tensor places_in(const paddle::Tensor& base, const paddle::Tensor& view_of_it) {
  namespace pe = paddle::recorded;
  const int64_t size = phi::SizeOf(base.dtype());
  const int64_t bytes =
      static_cast<int64_t>(byte_offset(view_of_it)) - static_cast<int64_t>(byte_offset(base));
  const int64_t first = bytes / size;
  if (bytes % size || first < 0 || first + extent(view_of_it) > extent(base)) return {};
  const auto number = [](int64_t n) { return pe::full({}, n, phi::DataType::INT64, phi::CPUPlace()); };
  auto places = pe::arange(number(0), number(base.numel()), number(1), phi::DataType::INT64, base.place());
  if (!has_strides(base, contiguous_strides(base.shape()))) {
    auto spread = pe::full({extent(base)}, 0, phi::DataType::INT64, base.place());
    auto shown = view(spread, base.shape(), strides_of(base));
    shown.copy_(view(places, base.shape(), contiguous_strides(base.shape())), base.place(), true);
    places = spread;
  }
  const auto shown = view(places, view_of_it.shape(), strides_of(view_of_it), first);
  return view(contiguous(shown), {view_of_it.numel()}, {1});
}

// After a write of `from`, of the same shape, that is recorded; of numbers if it is not defined.
inline void take_history(const paddle::Tensor& to, paddle::Tensor from) {
  if (!from.defined()) from = detached(to);
  const auto base = bases().of(to);
  const auto places = base.defined() && to.numel() ? places_in(base, to) : paddle::Tensor();
  if (places.defined()) {
    // by sums, as Paddle gives these second gradients; of a copy, as later writes change what is kept
    namespace pe = paddle::recorded;
    const auto all = pe::reshape(pe::assign(base), {-1}), own = pe::reshape(from, {-1});
    const auto nothing = pe::zeros_like(own);
    const auto others = paddle::experimental::put_along_axis(
        pe::full_like(all, 1, all.dtype(), all.place()), places, nothing, 0, "assign", true);
    const auto here = pe::put_along_axis(pe::zeros_like(all), places, own, 0, "add", true);
    const auto written = pe::add(pe::multiply(all, others), here);
    go_on_from(base, paddle::recorded::reshape(written, base.shape()));
  }
  go_on_from(to, from);
}

// The same storage, read another way, as `view` shows it.
inline paddle::Tensor recorded_view(const paddle::Tensor& self, const Sizes& sizes,
                                    const Sizes& strides, int64_t offset = 0) {
  auto result = view(self, sizes, strides, offset);
  if (!is_recorded_view(self)) return result;
  if (result.numel() == 0) {
    set_requires_grad(result, true);
    return result;
  }
  const auto places = places_in(self, result);
  check(places.defined(), "a view of more than a tensor that requires grad is not recorded by Paddle");
  const auto all = paddle::recorded::reshape(self, {-1});
  go_on_from(result, paddle::recorded::reshape(paddle::recorded::index_select(all, places, 0), sizes));
  return result;
}

// What an operation in place is computed of: a copy where the backward pass wants its elements.
template <class T, class... As>
T before_write(const T& self, const As&... others) {
  if (!is_recorded(self, others...)) return self;
  if constexpr (std::is_same_v<T, paddle::Tensor>) return paddle::recorded::assign(self);
  else return T(paddle::recorded::assign(self._PD_GetInner()));
}

// Writes a value by a kernel that the engine does not record.
template <class F>
void write_by(const paddle::Tensor& to, const paddle::Tensor& value, F write) {
  const bool recorded = is_recorded_write(to, value);
  write();
  note_write(to);
  if (recorded) take_history(to, value);
}

}  // namespace at::compat_detail
