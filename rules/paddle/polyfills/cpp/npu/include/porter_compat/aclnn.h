// Operators of the vendor's and of custom packages, `aclnnX`, called with tensors.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>
#include <dlfcn.h>
#include <torch_npu/csrc/core/npu/NPUStream.h>

#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "paddle/phi/api/include/api.h"

typedef struct aclOpExecutor aclOpExecutor;
typedef struct aclTensor aclTensor;
typedef struct aclScalar aclScalar;
typedef struct aclIntArray aclIntArray;
typedef struct aclFloatArray aclFloatArray;
typedef struct aclBoolArray aclBoolArray;
typedef struct aclTensorList aclTensorList;

namespace at_npu::native::compat_detail {

// The libraries with operators in the order in which the runtime looks: custom packages that are
// named, those that are installed, the vendor's.
inline const std::vector<void*>& op_libraries() {
  static const std::vector<void*> found = [] {
    std::vector<std::string> paths;
    const auto said = [](const char* name) { return std::string(std::getenv(name) ? std::getenv(name) : ""); };
    const auto each = [](const std::string& text, char sign, auto&& use) {
      std::istringstream parts(text);
      for (std::string part; std::getline(parts, part, sign);) {
        if (!part.empty()) use(part);
      }
    };
    each(said("ASCEND_CUSTOM_OPP_PATH"), ':', [&](const std::string& folder) {
      paths.push_back(folder + "/op_api/lib/libcust_opapi.so");
    });
    const std::string vendors = said("ASCEND_OPP_PATH") + "/vendors";
    std::ifstream config(vendors + "/config.ini");
    for (std::string line; std::getline(config, line);) {
      const auto at = line.find("load_priority=");
      if (at == std::string::npos) continue;
      each(line.substr(at + 14), ',', [&](const std::string& vendor) {
        paths.push_back(vendors + "/" + vendor + "/op_api/lib/libcust_opapi.so");
      });
    }
    for (const char* name : {"libopapi.so", "libnnopbase.so"}) paths.push_back(name);
    std::vector<void*> libraries;
    for (const auto& path : paths) {
      if (void* library = dlopen(path.c_str(), RTLD_LAZY)) libraries.push_back(library);
    }
    return libraries;
  }();
  return found;
}

inline void* op_function(const std::string& name) {
  for (void* library : op_libraries()) {
    if (void* found = dlsym(library, name.c_str())) return found;
  }
  TORCH_CHECK(false, name, " not in libopapi.so, or libopapi.so not found.");
  return nullptr;
}

template <typename R, typename... Args>
R acl(const char* name, Args... args) {
  return reinterpret_cast<R (*)(Args...)>(op_function(name))(args...);
}

// The number of a type in the public table of data types.
inline int acl_type(at::ScalarType type) {
  switch (type) {
    case at::kFloat: return 0;
    case at::kHalf: return 1;
    case at::kChar: return 2;
    case at::kInt: return 3;
    case at::kByte: return 4;
    case at::kShort: return 6;
    case at::kLong: return 9;
    case at::kDouble: return 11;
    case at::kBool: return 12;
    case at::kBFloat16: return 27;
    default: TORCH_CHECK(false, "aclnn operators: no type for ", type);
  }
  return -1;
}

// A description that an operator takes, destroyed by the function of a name; or a plain value.
template <typename T>
struct Described {
  T value;
  const char* destroy = nullptr;

  explicit Described(T value, const char* destroy = nullptr) : value(value), destroy(destroy) {}
  Described(Described&& other) noexcept
      : value(other.value), destroy(std::exchange(other.destroy, nullptr)) {}
  ~Described() {
    if constexpr (std::is_pointer_v<T>) {
      if (destroy && value) acl<int>(destroy, value);
    }
  }
};

inline aclTensor* described(const at::Tensor& tensor) {
  if (!tensor.defined()) return nullptr;
  const std::vector<int64_t> sizes = tensor.sizes().vec(), strides = tensor.strides().vec();
  int64_t extent = tensor.numel() == 0 ? 0 : 1;
  for (size_t k = 0; extent && k < sizes.size(); ++k) extent += (sizes[k] - 1) * strides[k];
  constexpr int nd = 2;  // any layout
  return acl<aclTensor*>("aclCreateTensor", sizes.data(), uint64_t(sizes.size()),
                         acl_type(tensor.scalar_type()), strides.data(), int64_t(0), nd,
                         static_cast<const int64_t*>(&extent), uint64_t(1), tensor.data_ptr());
}

inline Described<aclTensor*> passed(const at::Tensor& tensor) {
  return Described<aclTensor*>(described(tensor), "aclDestroyTensor");
}

inline Described<aclTensor*> passed(const ::std::optional<at::Tensor>& tensor) {
  return passed(tensor.has_value() ? *tensor : at::Tensor());
}

inline Described<aclTensorList*> passed(at::ArrayRef<at::Tensor> tensors) {
  std::vector<const aclTensor*> all;
  for (const at::Tensor& tensor : tensors) all.push_back(described(tensor));
  return Described<aclTensorList*>(
      acl<aclTensorList*>("aclCreateTensorList", static_cast<const aclTensor* const*>(all.data()),
                          uint64_t(all.size())),
      "aclDestroyTensorList");
}

inline Described<aclIntArray*> passed(at::IntArrayRef values) {
  return Described<aclIntArray*>(
      acl<aclIntArray*>("aclCreateIntArray", values.data(), uint64_t(values.size())),
      "aclDestroyIntArray");
}

inline Described<aclScalar*> passed(const at::Scalar& scalar) {
  const bool floating = scalar.isFloatingPoint();
  const double number = floating ? scalar.to<double>() : 0;
  const int64_t whole = floating ? 0 : scalar.to<int64_t>();
  const void* value = floating ? static_cast<const void*>(&number) : &whole;
  const int type = acl_type(floating ? at::kDouble : at::kLong);
  return Described<aclScalar*>(acl<aclScalar*>("aclCreateScalar", value, type), "aclDestroyScalar");
}

inline Described<int> passed(at::ScalarType type) { return Described<int>(acl_type(type)); }

inline Described<const char*> passed(const std::string& text) {
  return Described<const char*>(text.c_str());
}

template <typename T>
std::enable_if_t<std::is_arithmetic_v<T> || std::is_pointer_v<T>, Described<T>> passed(T value) {
  return Described<T>(value);
}

// The operator plans, gets the memory that it asks for, and runs on the current stream.
template <typename... Args>
void call_aclnn(const std::string& name, const Args&... args) {
  const auto all = std::make_tuple(passed(args)...);
  void* plan = op_function(name + "GetWorkspaceSize");
  void* run = op_function(name);
  const auto stream = c10_npu::getCurrentNPUStream();
  uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  const auto told = [&name](int status) {
    if (status == 0) return;
    const char* why = acl<const char*>("aclGetRecentErrMsg");
    TORCH_CHECK(false, name, ": error ", status, why ? ". " : "", why ? why : "");
  };
  told(std::apply(
      [&](const auto&... each) {
        using Plan = int (*)(std::decay_t<decltype(each.value)>..., uint64_t*, aclOpExecutor**);
        return reinterpret_cast<Plan>(plan)(each.value..., &bytes, &executor);
      },
      all));
  paddle::Tensor workspace;
  if (bytes != 0) {
    const phi::Place place = c10_npu::compat_detail::place_of(stream.device_index());
    workspace = paddle::experimental::empty({static_cast<int64_t>(bytes)},
                                            phi::DataType::UINT8, place);
  }
  using Run = int (*)(void*, uint64_t, aclOpExecutor*, aclrtStream);
  told(reinterpret_cast<Run>(run)(bytes ? workspace.data() : nullptr, bytes, executor,
                                  stream.stream()));
}

}  // namespace at_npu::native::compat_detail
