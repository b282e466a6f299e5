#pragma once

#include <porter_compat/recorded.h>
#include <porter_compat/rearrange.h>

#include <optional>

namespace at {
// extends
class Tensor {
  Tensor flip(IntArrayRef dims) const { return compat_detail::flipped(tensor_, dims); }

  Tensor fliplr() const {
    TORCH_CHECK(dim() >= 2, "Input must be >= 2-d.");
    return compat_detail::flipped(tensor_, 1);
  }

  Tensor flipud() const {
    TORCH_CHECK(dim() >= 1, "Input must be >= 1-d.");
    return compat_detail::flipped(tensor_, 0);
  }

  Tensor roll(IntArrayRef shifts, IntArrayRef dims = {}) const {
    return compat_detail::rolled(tensor_, shifts, dims);
  }

  Tensor diff(int64_t n = 1, int64_t dim = -1, const ::std::optional<Tensor>& prepend = {},
              const ::std::optional<Tensor>& append = {}) const {
    ::std::vector<paddle::Tensor> parts = {tensor_};
    if (prepend.has_value() && prepend->defined()) parts.insert(parts.begin(), prepend->tensor_);
    if (append.has_value() && append->defined()) parts.push_back(append->tensor_);
    const auto axis = compat_detail::wrapped(dim, this->dim());
    const auto all = parts.size() > 1 ? paddle::recorded::concat(parts, axis) : tensor_;
    return compat_detail::differences(all, n, axis);
  }

  Tensor repeat_interleave(const Tensor& repeats, ::std::optional<int64_t> dim = ::std::nullopt,
                           ::std::optional<int64_t> output_size = ::std::nullopt) const {
    return compat_detail::interleaved(tensor_, repeats.tensor_, dim);
  }

  Tensor repeat_interleave(int64_t repeats, ::std::optional<int64_t> dim = ::std::nullopt,
                           ::std::optional<int64_t> output_size = ::std::nullopt) const {
    TORCH_CHECK(repeats >= 0, "Repeats must be non-negative");
    const auto counts =
        paddle::experimental::full({1}, repeats, phi::DataType::INT64, tensor_.place());
    return compat_detail::interleaved(tensor_, counts, dim);
  }

  Tensor rot90(int64_t k = 1, IntArrayRef dims = {0, 1}) const {
    TORCH_CHECK(dims.size() == 2 && dim() >= 2, "rot90: expected a plane of two dimensions");
    const auto a = compat_detail::wrapped(dims[0], dim()), b = compat_detail::wrapped(dims[1], dim());
    TORCH_CHECK(a != b, "rot90: expected two different dimensions");
    k = (k % 4 + 4) % 4;
    if (k == 0) return clone(at::MemoryFormat::Contiguous);
    return k == 2 ? flip(dims) : flip(k == 1 ? b : a).transpose(a, b);
  }
};
}  // namespace at
