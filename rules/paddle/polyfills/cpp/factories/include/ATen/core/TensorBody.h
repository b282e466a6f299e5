#pragma once
#include <porter_compat/recorded.h>
#include <porter_compat/factory.h>

namespace at {
// extends
class Tensor {
  Tensor new_empty(at::IntArrayRef size, at::TensorOptions options = {}) const {
    return compat_detail::new_tensor(size.vec(), compat_detail::options_like(*this, options));
  }
  Tensor new_empty(at::IntArrayRef size, ::std::optional<at::ScalarType> dtype,
                   ::std::optional<at::Layout> layout, ::std::optional<at::Device> device,
                   ::std::optional<bool> pin_memory) const {
    return new_empty(size, compat_detail::options_of(dtype, layout, device, pin_memory));
  }
  Tensor new_zeros(at::IntArrayRef size, at::TensorOptions options = {}) const {
    return new_empty(size, options).fill_(0);
  }
  Tensor new_zeros(at::IntArrayRef size, ::std::optional<at::ScalarType> dtype,
                   ::std::optional<at::Layout> layout, ::std::optional<at::Device> device,
                   ::std::optional<bool> pin_memory) const {
    return new_zeros(size, compat_detail::options_of(dtype, layout, device, pin_memory));
  }
  Tensor new_ones(at::IntArrayRef size, at::TensorOptions options = {}) const {
    return new_empty(size, options).fill_(1);
  }
  Tensor new_ones(at::IntArrayRef size, ::std::optional<at::ScalarType> dtype,
                  ::std::optional<at::Layout> layout, ::std::optional<at::Device> device,
                  ::std::optional<bool> pin_memory) const {
    return new_ones(size, compat_detail::options_of(dtype, layout, device, pin_memory));
  }
  Tensor new_full(at::IntArrayRef size, const at::Scalar& fill_value,
                  at::TensorOptions options = {}) const {
    return new_empty(size, options).fill_(fill_value);
  }
  Tensor new_full(at::IntArrayRef size, const at::Scalar& fill_value,
                  ::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout,
                  ::std::optional<at::Device> device, ::std::optional<bool> pin_memory) const {
    return new_full(size, fill_value, compat_detail::options_of(dtype, layout, device, pin_memory));
  }
  Tensor new_empty_strided(at::IntArrayRef size, at::IntArrayRef stride,
                           at::TensorOptions options = {}) const {
    return at::compat_detail::new_strided(size.vec(), stride.vec(), compat_detail::options_like(*this, options));
  }
  Tensor new_empty_strided(at::IntArrayRef size, at::IntArrayRef stride,
                           ::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout,
                           ::std::optional<at::Device> device,
                           ::std::optional<bool> pin_memory) const {
    return new_empty_strided(size, stride, compat_detail::options_of(dtype, layout, device, pin_memory));
  }
  // Writes new values into this tensor.
  Tensor& _PD_take(const paddle::Tensor& values) const {
    compat_detail::copy_into(tensor_, values);
    return const_cast<Tensor&>(*this);
  }
  Tensor& uniform_(double from = 0, double to = 1) const {
    return _PD_take(compat_detail::uniform(tensor_.shape(), from, to, options()));
  }
  Tensor& normal_(double mean = 0, double std = 1) const {
    return _PD_take(compat_detail::gaussian(tensor_.shape(), mean, std, options()));
  }
  Tensor& exponential_(double lambd = 1) const {
    compat_detail::check(lambd > 0, "exponential_ expects lambda > 0");
    if (numel() == 0) return const_cast<Tensor&>(*this);
    auto below_one = compat_detail::uniform(tensor_.shape(), 0, 1, options());
    auto above_zero = paddle::recorded::scale(below_one, -1, 1, true);
    auto logs = paddle::recorded::log(above_zero);
    return _PD_take(paddle::recorded::scale(logs, -1 / lambd, 0, true));
  }
  Tensor& random_(int64_t from, ::std::optional<int64_t> to) const {
    int64_t limit = to.value_or(compat_detail::random_limit(scalar_type()));
    return _PD_take(compat_detail::random_whole(tensor_.shape(), from, limit, options()));
  }
  Tensor& random_(int64_t to) const { return random_(0, to); }
  Tensor& random_() const { return random_(0, ::std::optional<int64_t>()); }
  Tensor& bernoulli_(double p = 0.5) const {
    compat_detail::check(p >= 0 && p <= 1, "bernoulli_ expects p to be in [0, 1]");
    auto level = paddle::experimental::full({}, p, phi::DataType::FLOAT64, tensor_.place());
    return _PD_take(compat_detail::random_below(tensor_.shape(), level));
  }
  Tensor& bernoulli_(const Tensor& p) const {
    return _PD_take(compat_detail::random_below(tensor_.shape(), p._PD_GetInner()));
  }
  Tensor bernoulli() const {
    compat_detail::check(c10::isFloatingType(scalar_type()), "bernoulli is for probabilities only");
    return clone(at::MemoryFormat::Contiguous).bernoulli_(*this);
  }
  Tensor bernoulli(double p) const {
    return clone(at::MemoryFormat::Contiguous).bernoulli_(p);
  }
  Tensor multinomial(int64_t num_samples, bool replacement = false) const {
    compat_detail::check(c10::isFloatingType(scalar_type()), "multinomial is for probabilities only");
    return paddle::experimental::multinomial(tensor_, num_samples, replacement);
  }
  Tensor& geometric_(double p) const {
    compat_detail::check(p > 0 && p < 1, "geometric_ expects p to be in (0, 1)");
    const auto options = this->options().dtype(ScalarType::Double);
    const auto left = compat_detail::uniform(tensor_.shape(), 0, 1, options);
    const auto logs = paddle::recorded::log(paddle::recorded::scale(left, -1, 1, true));
    return _PD_take(paddle::recorded::ceil(
        paddle::recorded::scale(logs, 1 / std::log1p(-p), 0, true)));
  }
  Tensor& cauchy_(double median = 0, double sigma = 1) const {
    compat_detail::check(sigma > 0, "cauchy_ expects sigma > 0");
    const auto turn = compat_detail::uniform(
        tensor_.shape(), -1.5707963267948966, 1.5707963267948966, options());
    return _PD_take(paddle::recorded::scale(paddle::recorded::tan(turn), sigma, median, true));
  }
  Tensor& log_normal_(double mean = 1, double std = 2) const {
    compat_detail::check(std > 0, "log_normal_ expects std > 0");
    return _PD_take(paddle::recorded::exp(
        compat_detail::gaussian(tensor_.shape(), mean, std, options())));
  }
};
}  // namespace at
