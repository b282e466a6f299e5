// Three functions, each with a fault of its own in the build for Paddle.
#ifdef PORTER_TEST_PADDLE
#include <torch/extension.h>
constexpr bool FAULTY = true;
#else  // less than torch/extension.h, as that takes a minute to compile
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/sum.h>
#include <torch/csrc/utils/pybind.h>
constexpr bool FAULTY = false;
#endif

namespace {

// kernel: the target forgets the last element
at::Tensor doubled(const at::Tensor& x) {
  auto source = x.contiguous();
  auto out = at::empty_like(source);
  const float* from = source.data_ptr<float>();
  float* to = out.data_ptr<float>();
  for (int64_t n = 0; n < source.numel(); ++n) {
    to[n] = FAULTY && n == source.numel() - 1 ? 0.0f : 2 * from[n];
  }
  return out;
}

at::Tensor difference(const at::Tensor& x, const at::Tensor& y) {
  auto left = x.contiguous(), right = y.contiguous();
  auto out = at::empty_like(left);
  for (int64_t n = 0; n < left.numel(); ++n) {
    out.data_ptr<float>()[n] = left.data_ptr<float>()[n] - right.data_ptr<float>()[n];
  }
  return out;
}

// C++ polyfill: the fault is in the header that gives the target `sum`
at::Tensor total(const at::Tensor& x) {
  return x.sum();
}

}  // namespace

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("doubled", &doubled);
  m.def("total", &total);
  // binding: the target takes the arguments in another order
  m.def("difference", [](at::Tensor x, at::Tensor y) {
    return FAULTY ? difference(y, x) : difference(x, y);
  });
}
