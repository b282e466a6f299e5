// Operators registered as extensions on torch's stable ABI do, with nothing but its C++ headers.
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/tensor.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace {

using torch::headeronly::ScalarType;
using torch::stable::Device;
using torch::stable::Tensor;

Tensor scaled(const Tensor& x, double factor, std::optional<int64_t> times) {
  Tensor made = torch::stable::clone(x);
  float* data = made.mutable_data_ptr<float>();
  for (int64_t turn = 0; turn < times.value_or(1); ++turn) {
    for (int64_t i = 0; i < made.numel(); ++i) data[i] *= static_cast<float>(factor);
  }
  return made;
}

Tensor add_one_(Tensor x) {
  float* data = x.mutable_data_ptr<float>();
  for (int64_t i = 0; i < x.numel(); ++i) data[i] += 1;
  return x;
}

std::tuple<Tensor, Tensor> halves(const Tensor& x, int64_t dim) {
  const int64_t half = x.size(dim) / 2;
  Tensor whole = x;
  return {torch::stable::narrow(whole, dim, 0, half),
          torch::stable::narrow(whole, dim, half, x.size(dim) - half)};
}

Tensor total(std::vector<Tensor> all) {
  if (all.empty()) throw std::invalid_argument("there are no tensors");
  Tensor made = torch::stable::clone(all[0]);
  float* data = made.mutable_data_ptr<float>();
  for (size_t k = 1; k < all.size(); ++k) {
    for (int64_t i = 0; i < made.numel(); ++i) data[i] += all[k].const_data_ptr<float>()[i];
  }
  return made;
}

std::string described(std::vector<int64_t> sizes, std::string word, bool flag, ScalarType dtype,
                      std::optional<Device> device, std::optional<Tensor> maybe) {
  std::string made = word + (flag ? " yes" : " no");
  for (int64_t each : sizes) made += " " + std::to_string(each);
  made += " dtype " + std::to_string(static_cast<int>(dtype));
  if (device) {
    made += " device " + std::to_string(static_cast<int>(device->type())) + ":" +
            std::to_string(device->index());
  }
  return made + (maybe ? " of " + std::to_string(maybe->numel()) : " of nothing");
}

Tensor made_of_nothing(std::vector<int64_t> sizes) {
  return torch::stable::full(sizes, 2.5, ScalarType::Float);
}

std::optional<Tensor> maybe(const Tensor& x, bool wanted) {
  if (!wanted) return std::nullopt;
  return x;
}

void nothing(const Tensor& x) {}

int64_t index_error(const Tensor& x) { throw std::out_of_range("no such index"); }

int64_t value_error(const Tensor& x) { throw std::invalid_argument("no such value"); }

int64_t runtime_error(const Tensor& x) { return x.size(17); }

Tensor by_dispatcher(const Tensor& x) {
  StableIValue stack[] = {torch::stable::detail::from(x), torch::stable::detail::from(3.0),
                          torch::stable::detail::from(std::optional<int64_t>(2))};
  TORCH_ERROR_CODE_CHECK(
      torch_call_dispatcher("stable_test::scaled", "", stack, TORCH_ABI_VERSION));
  return torch::stable::detail::to<Tensor>(stack[0]);
}

Tensor of_python(const Tensor& x) {
  StableIValue stack[] = {torch::stable::detail::from(x), torch::stable::detail::from(int64_t(5))};
  TORCH_ERROR_CODE_CHECK(
      torch_call_dispatcher("stable_test_python::plus", "", stack, TORCH_ABI_VERSION));
  return torch::stable::detail::to<Tensor>(stack[0]);
}

}  // namespace

STABLE_TORCH_LIBRARY(stable_test, m) {
  m.def("scaled(Tensor x, float factor=2.0, int? times=None) -> Tensor");
  m.def("add_one_(Tensor(a!) x) -> Tensor(a!)");
  m.def("halves(Tensor(a) x, int dim=0) -> (Tensor(a), Tensor(a))");
  m.def("total(Tensor[] all) -> Tensor");
  m.def(
      "described(int[2] sizes, *, str word=\"some, words\", bool flag=False, ScalarType "
      "dtype=float32, Device? device=None, Tensor? maybe=None) -> str");
  m.def("made_of_nothing(SymInt[] sizes) -> Tensor");
  m.def("maybe(Tensor x, bool wanted) -> Tensor?");
  m.def("nothing(Tensor x) -> ()");
  m.def("index_error(Tensor x) -> int");
  m.def("value_error(Tensor x) -> int");
  m.def("runtime_error(Tensor x) -> int");
  m.def("by_dispatcher(Tensor x) -> Tensor");
  m.def("of_python(Tensor x) -> Tensor");
  m.def("missing(Tensor x) -> Tensor");
  m.def("sorted.one(Tensor x) -> Tensor");
  m.def("sorted.two(Tensor x, Tensor y) -> Tensor");
}

STABLE_TORCH_LIBRARY_IMPL(stable_test, CPU, m) {
  m.impl("scaled", TORCH_BOX(&scaled));
  m.impl("add_one_", TORCH_BOX(&add_one_));
  m.impl("halves", TORCH_BOX(&halves));
  m.impl("total", TORCH_BOX(&total));
  m.impl("maybe", TORCH_BOX(&maybe));
  m.impl("nothing", TORCH_BOX(&nothing));
  m.impl("index_error", TORCH_BOX(&index_error));
  m.impl("value_error", TORCH_BOX(&value_error));
  m.impl("runtime_error", TORCH_BOX(&runtime_error));
  m.impl("by_dispatcher", TORCH_BOX(&by_dispatcher));
  m.impl("of_python", TORCH_BOX(&of_python));
}

STABLE_TORCH_LIBRARY_IMPL(stable_test, CompositeExplicitAutograd, m) {
  m.impl("described", TORCH_BOX(&described));
}

STABLE_TORCH_LIBRARY_IMPL(stable_test, BackendSelect, m) {
  m.impl("made_of_nothing", TORCH_BOX(&made_of_nothing));
}
