#pragma once

#include <ATen/Functions.h>
#include <ATen/core/Tensor.h>
#include <c10/core/GradMode.h>
#include <torch/enum.h>
#include <torch/types.h>

#include <cmath>
#include <tuple>

namespace torch::nn::init {

using NonlinearityType = ::torch::compat_detail::Word;

using FanModeType = ::torch::compat_detail::Word;

inline double calculate_gain(NonlinearityType nonlinearity, double param = 0.01) {
  const auto name = nonlinearity.text;
  if (name == kTanh.text) return 5.0 / 3.0;
  if (name == kReLU.text) return std::sqrt(2.0);
  if (name == kLeakyReLU.text) return std::sqrt(2.0 / (1 + param * param));
  return 1;
}

inline Tensor constant_(Tensor tensor, const at::Scalar& value) {
  NoGradGuard none;
  return tensor.fill_(value);
}

inline Tensor ones_(Tensor tensor) { return constant_(tensor, 1); }

inline Tensor zeros_(Tensor tensor) { return constant_(tensor, 0); }

inline Tensor normal_(Tensor tensor, double mean = 0, double std = 1) {
  NoGradGuard none;
  return tensor.normal_(mean, std);
}

inline Tensor uniform_(Tensor tensor, double low = 0, double high = 1) {
  NoGradGuard none;
  return tensor.uniform_(low, high);
}

inline Tensor eye_(Tensor matrix) {
  NoGradGuard none;
  TORCH_CHECK(matrix.dim() == 2, "Only tensors with 2 dimensions are supported");
  return matrix.copy_(at::eye(matrix.size(0), matrix.size(1), matrix.options()));
}

inline Tensor dirac_(Tensor tensor) {
  NoGradGuard none;
  TORCH_CHECK(
      tensor.dim() >= 3 && tensor.dim() <= 5,
      "Only tensors with 3, 4, or 5 dimensions are supported");
  tensor.zero_();
  for (int64_t i = 0; i < std::min(tensor.size(0), tensor.size(1)); ++i) {
    auto place = tensor.select(0, i).select(0, i);
    while (place.dim() > 0) place = place.select(0, place.size(0) / 2);
    place.fill_(1);
  }
  return tensor;
}

inline Tensor orthogonal_(Tensor tensor, double gain = 1) {
  NoGradGuard none;
  TORCH_CHECK(tensor.dim() >= 2, "Only tensors with 2 or more dimensions are supported");
  const auto rows = tensor.size(0), columns = tensor.numel() / rows;
  auto drawn = at::randn({rows, columns}, tensor.options());
  if (rows < columns) drawn = drawn.t().contiguous();
  auto [q, r] = at::linalg_qr(drawn);
  q = q.mul(at::diagonal(r, 0, 0, 1).sign());
  if (rows < columns) q = q.t().contiguous();
  return tensor.copy_(q.reshape(tensor.sizes()).mul(gain));
}

inline Tensor sparse_(Tensor tensor, double sparsity, double std = 0.01) {
  NoGradGuard none;
  TORCH_CHECK(tensor.dim() == 2, "Only tensors with 2 dimensions are supported");
  const auto rows = tensor.size(0);
  tensor.normal_(0, std);
  for (int64_t column = 0; column < tensor.size(1); ++column) {
    const auto chosen = at::randperm(rows, at::TensorOptions(at::kLong))
        .slice(0, 0, static_cast<int64_t>(std::ceil(sparsity * rows)));
    tensor.select(1, column).index_fill_(0, chosen, 0);
  }
  return tensor;
}

inline std::tuple<int64_t, int64_t> _calculate_fan_in_and_fan_out(const Tensor& tensor) {
  TORCH_CHECK(
      tensor.dim() >= 2,
      "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions");
  const auto field = tensor.dim() == 2 ? 1 : tensor[0][0].numel();
  return {tensor.size(1) * field, tensor.size(0) * field};
}

namespace compat_detail {

inline double kaiming_std(
    const Tensor& tensor, double a, FanModeType mode, NonlinearityType nonlinearity) {
  const auto [in, out] = _calculate_fan_in_and_fan_out(tensor);
  return calculate_gain(nonlinearity, a) / std::sqrt(mode.text == kFanIn.text ? in : out);
}

inline double xavier_std(const Tensor& tensor, double gain) {
  const auto [in, out] = _calculate_fan_in_and_fan_out(tensor);
  return gain * std::sqrt(2.0 / (in + out));
}

}  // namespace compat_detail

inline Tensor kaiming_normal_(
    Tensor tensor, double a = 0, FanModeType mode = torch::kFanIn,
    NonlinearityType nonlinearity = torch::kLeakyReLU) {
  return normal_(tensor, 0, compat_detail::kaiming_std(tensor, a, mode, nonlinearity));
}

inline Tensor kaiming_uniform_(
    Tensor tensor, double a = 0, FanModeType mode = torch::kFanIn,
    NonlinearityType nonlinearity = torch::kLeakyReLU) {
  const auto bound = std::sqrt(3.0) * compat_detail::kaiming_std(tensor, a, mode, nonlinearity);
  return uniform_(tensor, -bound, bound);
}

inline Tensor xavier_normal_(Tensor tensor, double gain = 1) {
  return normal_(tensor, 0, compat_detail::xavier_std(tensor, gain));
}

inline Tensor xavier_uniform_(Tensor tensor, double gain = 1) {
  const auto bound = std::sqrt(3.0) * compat_detail::xavier_std(tensor, gain);
  return uniform_(tensor, -bound, bound);
}

}  // namespace torch::nn::init
