#pragma once

#include <cxxabi.h>

#include <cstdlib>
#include <string>
#include <typeinfo>

namespace torch::nn::compat_detail {

// The name of a type as it is written.
inline std::string name_of(const std::type_info& type) {
  int status = 0;
  char* text = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  const std::string name = status == 0 ? text : type.name();
  std::free(text);
  return name;
}

}  // namespace torch::nn::compat_detail
