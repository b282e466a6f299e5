#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <ATen/native/TensorIterator.h>
#include <ATen/native/cuda/Loops.cuh>
template <typename T>
struct Twice { T factor; __host__ __device__ T operator()(T a) const { return a * factor; } };
at::Tensor twice(const at::Tensor& x) {
  auto y = at::empty_like(x);
  auto iter = at::TensorIteratorConfig().add_output(y).add_input(x).build();
  AT_DISPATCH_FLOATING_TYPES(iter.dtype(), "twice", [&] { at::native::gpu_kernel(iter, Twice<scalar_t>{2}); });
  return y;
}
at::Tensor masked(const at::Tensor& x, const at::Tensor& mask, double scale) {
  at::Tensor y = at::empty({0}, x.options());
  auto iter = at::TensorIteratorConfig().check_all_same_dtype(false).add_output(y).add_input(x).add_input(mask).build();
  at::native::gpu_kernel(iter, [scale] GPU_LAMBDA(float a, bool m) -> float { return m ? a * static_cast<float>(scale) : 0.f; });
  return y;
}
at::Tensor added(const at::Tensor& x, const at::Tensor& y) {
  at::Tensor out;
  auto iter = at::TensorIterator::binary_op(out, x, y);
  at::native::gpu_kernel_with_scalars(iter, [] GPU_LAMBDA(float a, float b) -> float { return a + b; });
  auto bytes = make_offset_calculator<3>(iter);
  auto elements = make_element_offset_calculator<2>(iter);
  (void)bytes, (void)elements;
  return iter.output();
}
