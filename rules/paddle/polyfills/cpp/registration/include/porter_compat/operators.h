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

template <typename F>
constexpr bool is_keyed = false;

template <typename F>
constexpr bool is_keyed<Keyed<F>> = true;

// "ns::name" of what a block of the namespace `space` calls `name`, with a schema or without.
inline std::string qualified(const std::string& space, const std::string& name) {
  const auto plain = name.substr(0, name.find('('));
  return plain.find("::") == std::string::npos ? space + "::" + plain : plain;
}

// Makes an operator known in Python; before anything can be called it does nothing.
void publish(const std::string& name);

// Registers a function as what an operator does under a key, and how it is called.
template <typename F>
void implement(const std::string& name, DispatchKey key, F&& function);

}  // namespace torch::compat_detail
