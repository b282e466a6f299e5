#pragma once

#include <cxxabi.h>

#include <cstdlib>
#include <string>
#include <typeinfo>

namespace torch::nn::compat_detail {

// The name of a type as torch has it: layers are templates here, `late::LinearImpl<void>`.
inline std::string name_of(const std::type_info& type) {
  int status = 0;
  char* text = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  std::string name = status == 0 ? text : type.name();
  std::free(text);
  for (const std::string part : {"::late", "<void>"}) {
    const auto start = name.find(part);
    if (name.rfind("torch::nn::late::", 0) != 0 && part == "::late") break;
    if (start != std::string::npos) name.erase(start, part.size());
  }
  return name;
}

}  // namespace torch::nn::compat_detail
