#pragma once

#include <porter_compat/drawing.h>

namespace at {

// extends
class Tensor {
  Tensor& uniform_(double from, double to, const ::std::optional<at::Generator>& generator) const {
    const compat_detail::Drawing drawing(generator, device());
    return uniform_(from, to);
  }

  Tensor& normal_(double mean, double std, const ::std::optional<at::Generator>& generator) const {
    const compat_detail::Drawing drawing(generator, device());
    return normal_(mean, std);
  }

  Tensor& cauchy_(double median, double sigma, const ::std::optional<at::Generator>& generator) const {
    const compat_detail::Drawing drawing(generator, device());
    return cauchy_(median, sigma);
  }

  Tensor& log_normal_(double mean, double std, const ::std::optional<at::Generator>& generator) const {
    const compat_detail::Drawing drawing(generator, device());
    return log_normal_(mean, std);
  }

  Tensor& exponential_(double lambd, const ::std::optional<at::Generator>& generator) const {
    const compat_detail::Drawing drawing(generator, device());
    return exponential_(lambd);
  }

  Tensor& geometric_(double p, const ::std::optional<at::Generator>& generator) const {
    const compat_detail::Drawing drawing(generator, device());
    return geometric_(p);
  }

  Tensor& random_(int64_t from, ::std::optional<int64_t> to, const ::std::optional<at::Generator>& generator) const {
    const compat_detail::Drawing drawing(generator, device());
    return random_(from, to);
  }

  Tensor& random_(int64_t to, const ::std::optional<at::Generator>& generator) const {
    return random_(0, to, generator);
  }

  Tensor& random_(const ::std::optional<at::Generator>& generator) const {
    return random_(0, ::std::optional<int64_t>(), generator);
  }

  Tensor& bernoulli_(double p, const ::std::optional<at::Generator>& generator) const {
    const compat_detail::Drawing drawing(generator, device());
    return bernoulli_(p);
  }

  Tensor& bernoulli_(const Tensor& p, const ::std::optional<at::Generator>& generator) const {
    const compat_detail::Drawing drawing(generator, device());
    return bernoulli_(p);
  }

  Tensor bernoulli(const ::std::optional<at::Generator>& generator) const {
    const compat_detail::Drawing drawing(generator, device());
    return bernoulli();
  }

  Tensor bernoulli(double p, const ::std::optional<at::Generator>& generator) const {
    const compat_detail::Drawing drawing(generator, device());
    return bernoulli(p);
  }

  Tensor multinomial(
      int64_t num_samples, bool replacement, const ::std::optional<at::Generator>& generator) const {
    const compat_detail::Drawing drawing(generator, device());
    return multinomial(num_samples, replacement);
  }
};

}  // namespace at
