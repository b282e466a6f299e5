#pragma once

#include <torch/serialize/archive.h>
#include <torch/serialize/tensor.h>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace torch {

// A module, a tensor or a list of tensors; where to is a path or a stream.
template <typename Value, typename... SaveToArgs>
void save(const Value& value, SaveToArgs&&... args) {
  serialize::OutputArchive archive;
  if constexpr (std::is_same_v<Value, at::Tensor>) archive.write("0", value);
  else archive << value;
  archive.save_to(std::forward<SaveToArgs>(args)...);
}

template <typename... SaveToArgs>
void save(const std::vector<at::Tensor>& tensors, SaveToArgs&&... args) {
  serialize::OutputArchive archive;
  for (size_t i = 0; i < tensors.size(); ++i) archive.write(std::to_string(i), tensors[i]);
  archive.save_to(std::forward<SaveToArgs>(args)...);
}

template <typename Value, typename... LoadFromArgs>
void load(Value& value, LoadFromArgs&&... args) {
  serialize::InputArchive archive;
  archive.load_from(std::forward<LoadFromArgs>(args)...);
  if constexpr (std::is_same_v<Value, at::Tensor>) archive.read("0", value);
  else archive >> value;
}

template <typename... LoadFromArgs>
void load(std::vector<at::Tensor>& tensors, LoadFromArgs&&... args) {
  serialize::InputArchive archive;
  archive.load_from(std::forward<LoadFromArgs>(args)...);
  for (size_t count = archive.keys().size(), i = 0; i < count; ++i) {
    archive.read(std::to_string(i), tensors.emplace_back());
  }
}

}  // namespace torch
