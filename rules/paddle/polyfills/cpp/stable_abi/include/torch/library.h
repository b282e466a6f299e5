#pragma once
#include <cstdint>

namespace torch {

// extends
class Library {
  // Of a function over a raw stack; what is called stands in torch/csrc/stable/library.h.
  template <typename Raw>
  Library& impl(const char* name, void (*function)(Raw*, uint64_t, uint64_t)) & {
    implement_on_stack(ns_ + "::" + name, dispatch_key_.value_or(DispatchKey::CatchAll), function);
    return *this;
  }
};

}  // namespace torch
