// Opens test modules of pieces and calls their cases.
#include "result.h"

#ifdef PORTER_TEST_PADDLE
#include <porter_compat/tensor_caster.h>
#else
#include <torch/csrc/utils/pybind.h>
#endif

#include <dlfcn.h>

#include <stdexcept>

namespace py = pybind11;
using namespace porter_test;

static const Case* opened(const std::string& path) {
  void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) {
    throw std::runtime_error(dlerror());
  }
  return *static_cast<const Case**>(dlsym(module, "porter_test_cases"));
}

static py::list run(const std::string& path, int index, const py::dict& given) {
  static std::map<std::string, const Case*> modules;
  auto found = modules.find(path);
  if (found == modules.end()) {
    found = modules.emplace(path, opened(path)).first;
  }
  Inputs inputs;
  for (auto item : given) {
    inputs.emplace(py::cast<std::string>(item.first), py::cast<at::Tensor>(item.second));
  }
  Results results;
  found->second[index](inputs, results);
  py::list told;
  for (const auto& result : results) {
    py::object tensor = py::none();
    if (result.kind == "tensor") {
      tensor = py::cast(result.tensor);
    }
    told.append(py::make_tuple(result.kind, result.text, tensor));
  }
  return told;
}

PYBIND11_MODULE(porter_test_runner, m) {
  m.def("run", &run);
}
