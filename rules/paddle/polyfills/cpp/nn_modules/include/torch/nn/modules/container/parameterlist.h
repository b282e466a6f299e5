#pragma once

#include <torch/nn/cloneable.h>

#include <string>
#include <utility>

namespace torch::nn {

namespace compat_detail {

inline void print_parameters(
    std::ostream& stream, const char* name, const OrderedDict<std::string, Tensor>& parameters) {
  stream << "torch::nn::" << name << "(\n";
  for (const auto& item : parameters) {
    stream << '(' << item.key() << "): Parameter containing: [" << item->scalar_type() << " of size "
           << item->sizes() << "]\n";
  }
  stream << ')';
}

}  // namespace compat_detail

class ParameterListImpl : public Cloneable<ParameterListImpl> {
 public:
  using Iterator = OrderedDict<std::string, Tensor>::Iterator;
  using ConstIterator = OrderedDict<std::string, Tensor>::ConstIterator;

  ParameterListImpl() = default;
  template <typename... Tensors>
  explicit ParameterListImpl(Tensors&&... parameters) {
    (append(std::forward<Tensors>(parameters)), ...);
  }

  void reset() override {}
  void pretty_print(std::ostream& stream) const override {
    compat_detail::print_parameters(stream, "ParameterList", parameters_);
  }
  void append(const Tensor& parameter) {
    register_parameter(std::to_string(size()), parameter, parameter.requires_grad());
  }
  void append(const OrderedDict<std::string, Tensor>::Item& item) { append(item.value()); }
  template <typename Container>
  void extend(const Container& container) {
    for (const auto& parameter : container) append(parameter);
  }
  Iterator begin() { return parameters_.begin(); }
  ConstIterator begin() const { return parameters_.begin(); }
  Iterator end() { return parameters_.end(); }
  ConstIterator end() const { return parameters_.end(); }
  Tensor& at(size_t index) {
    TORCH_CHECK(index < size(), "Index out of range");
    return *parameters_[index];
  }
  const Tensor& at(size_t index) const { return const_cast<ParameterListImpl*>(this)->at(index); }
  Tensor& operator[](size_t index) { return at(index); }
  const Tensor& operator[](size_t index) const { return at(index); }
  size_t size() const noexcept { return parameters_.size(); }
  bool is_empty() const noexcept { return parameters_.is_empty(); }
};

TORCH_MODULE(ParameterList);

class ParameterDictImpl : public Cloneable<ParameterDictImpl> {
 public:
  using Iterator = OrderedDict<std::string, Tensor>::Iterator;
  using ConstIterator = OrderedDict<std::string, Tensor>::ConstIterator;

  ParameterDictImpl() = default;
  explicit ParameterDictImpl(const OrderedDict<std::string, Tensor>& parameters) {
    parameters_ = parameters;
  }

  void reset() override {}
  void pretty_print(std::ostream& stream) const override {
    compat_detail::print_parameters(stream, "ParameterDict", parameters_);
  }
  Tensor& insert(const std::string& key, const Tensor& parameter) {
    return register_parameter(key, parameter, parameter.requires_grad());
  }
  Tensor pop(const std::string& key) {
    Tensor parameter = parameters_[key];
    parameters_.erase(key);
    return parameter;
  }
  std::vector<std::string> keys() const { return parameters_.keys(); }
  std::vector<Tensor> values() const { return parameters_.values(); }
  Iterator begin() { return parameters_.begin(); }
  ConstIterator begin() const { return parameters_.begin(); }
  Iterator end() { return parameters_.end(); }
  ConstIterator end() const { return parameters_.end(); }
  size_t size() const noexcept { return parameters_.size(); }
  bool empty() const noexcept { return parameters_.is_empty(); }
  template <typename Container>
  void update(const Container& container) {
    for (auto& item : container) parameters_[item.key()] = item.value();
  }
  void clear() { parameters_.clear(); }
  bool contains(const std::string& key) const noexcept { return parameters_.contains(key); }
  Tensor& get(const std::string& key) { return parameters_[key]; }
  const Tensor& get(const std::string& key) const { return parameters_[key]; }
  Tensor& operator[](const std::string& key) { return parameters_[key]; }
  const Tensor& operator[](const std::string& key) const { return parameters_[key]; }
};

TORCH_MODULE(ParameterDict);

}  // namespace torch::nn
