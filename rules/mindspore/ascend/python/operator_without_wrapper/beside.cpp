#include "ms_extension/api.h"
ms::Tensor scale(const ms::Tensor &x) {
  auto out = ms::Tensor(x.data_type(), x.shape());
  auto runner = std::make_shared<ms::pynative::AclnnOpRunner>("Scale");
  runner->SetLaunchFunc(LAUNCH_ACLNN_FUNC(aclnnScale, x, out));
  runner->Run({x}, {out});
  return out;
}
auto pyboost_scale(const ms::Tensor &x) { return ms::pynative::PyboostRunner::Call<1>(scale, x); }
auto pyboost_shift(const ms::Tensor &x, double by) {
  return ms::pynative::PyboostRunner::Call<1>([by](const ms::Tensor &x) { return scale(x); }, x);
}
PYBIND11_MODULE(_C_ops, m) {
  m.def("scale", &pyboost_scale, "x * 2", pybind11::arg("x"));
  m.def("shift", &pyboost_shift, "x + by", pybind11::arg("x"), pybind11::arg("by"));
}
