// What the members of torch::Library do, declared before them.
#pragma once

#include <string>
#include <utility>

namespace torch {

enum class DispatchKey;

}  // namespace torch

namespace torch::compat_detail {

// A function for another key than that of the block it stands in.
template <typename F>
struct Keyed {
  DispatchKey key;
  F function;
};

// A function that leaves its call to the next key: as if it was not there.
struct Fallthrough {};

// "ns::name" of what a block of the namespace `space` calls `name`, with a schema or without.
inline std::string qualified(const std::string& space, const std::string& name) {
  const auto plain = name.substr(0, name.find('('));
  return plain.find("::") == std::string::npos ? space + "::" + plain : plain;
}

void publish(const std::string& name);

template <typename F>
void implement(const std::string& name, DispatchKey key, F function);

template <typename F>
void implement(const std::string& name, DispatchKey, Keyed<F> function) {
  implement(name, function.key, function.function);
}

inline void implement(const std::string&, DispatchKey, Fallthrough) {}

}  // namespace torch::compat_detail
