// Functions of tensors that name no autograd function: what they call is recorded.
#include <torch/extension.h>

namespace {

// A recurrent cell that writes its steps to the rows of a tensor, as many kernels do.
at::Tensor steps(at::Tensor x, at::Tensor weight, at::Tensor bias) {
  auto out = at::zeros({x.size(0), weight.size(1)}, x.options());
  auto state = at::zeros({weight.size(1)}, x.options());
  for (int64_t i = 0; i < x.size(0); ++i) {
    state = at::tanh(at::matmul(x[i], weight) + bias + state);
    out[i] = state;
  }
  return out;
}

// Writes to what it is given, and to parts of it.
void scale_(at::Tensor x, at::Tensor by) {
  x.mul_(by);
  x.select(0, 0).add_(by.sum());
  x.index_put_({at::indexing::Slice(), 1}, by[0]);
}

// The second factor is written to before the backward pass wants it.
at::Tensor spoiled(at::Tensor x, at::Tensor by, bool in_part) {
  auto out = x.mul(by);
  at::NoGradGuard none;
  in_part ? by.select(0, 0).fill_(2) : by.add_(1);
  return out;
}

at::Tensor chosen(at::Tensor x, at::Tensor index) {
  auto taken = x.index_select(0, index).masked_fill(index.eq(0).unsqueeze(1), 0.5);
  return at::cat({taken, x.clamp_min(0).sqrt()}, 0).permute({1, 0}).contiguous();
}

}  // namespace

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("steps", &steps);
  m.def("scale_", &scale_);
  m.def("chosen", &chosen);
  m.def("spoiled", &spoiled);
}
