// Functions that Paddle computes in Python, called from C++.
#include <torch/extension.h>

#include <thread>

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("conv2d", [](at::Tensor x, at::Tensor w) { return at::conv2d(x, w, {}, 1, 1); });
  m.def("layer_norm", [](at::Tensor x) { return at::layer_norm(x, x.size(-1)); });
  m.def("mse_loss", [](at::Tensor x, at::Tensor y) { return at::mse_loss(x, y); });
  m.def("bilinear", [](at::Tensor x) {
    return at::upsample_bilinear2d(x, {5, 7}, false, ::std::nullopt, ::std::nullopt);
  });
  m.def("elsewhere", [](at::Tensor x) {  // in a thread that has never seen Python
    at::Tensor y;
    std::thread([&] { y = at::constant_pad_nd(x, {1, 1}, 2); }).join();
    return y;
  }, py::call_guard<py::gil_scoped_release>());
  m.def("avg_pool2d", [](at::Tensor x) { return at::avg_pool2d(x, 2); },
        py::call_guard<py::gil_scoped_release>());
}
