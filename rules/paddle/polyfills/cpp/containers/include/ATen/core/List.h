#pragma once
#include <c10/util/ArrayRef.h>

#include <memory>
#include <vector>

namespace c10 {

// Its copies share the elements; copy() does not.
template <class T>
class List {
 public:
  using value_type = T;
  using size_type = size_t;
  List() = default;
  List(std::initializer_list<T> values) : List(std::vector<T>(values)) {}
  explicit List(ArrayRef<T> values) : List(values.vec()) {}
  explicit List(std::vector<T> values) : values_(std::make_shared<std::vector<T>>(std::move(values))) {}

 private:
  std::shared_ptr<std::vector<T>> values_ = std::make_shared<std::vector<T>>();
};

// extends
template <class T>
class List {
  List copy() const { return List(*values_); }
  T get(size_t i) const { return values_->at(i); }
  void set(size_t i, T value) const { values_->at(i) = std::move(value); }
  decltype(auto) operator[](size_t i) const { return values_->at(i); }
  T extract(size_t i) const { return std::move(values_->at(i)); }
  void push_back(T value) const { values_->push_back(std::move(value)); }
  template <class... Args>
  void emplace_back(Args&&... args) const {
    values_->emplace_back(std::forward<Args>(args)...);
  }
  void append(List other) const { values_->insert(end(), other.begin(), other.end()); }
  void pop_back() const { values_->pop_back(); }
  void resize(size_t size) const { values_->resize(size); }
  void resize(size_t size, const T& value) const { values_->resize(size, value); }
  void reserve(size_t size) const { values_->reserve(size); }
  void clear() const { values_->clear(); }
  bool empty() const { return values_->empty(); }
  size_t size() const { return values_->size(); }
  auto begin() const { return values_->begin(); }
  auto end() const { return values_->end(); }
  auto insert(typename std::vector<T>::iterator at, T value) const {
    return values_->insert(at, std::move(value));
  }
  auto erase(typename std::vector<T>::iterator at) const { return values_->erase(at); }
  std::vector<T> vec() const { return *values_; }
  bool is(const List& other) const { return values_ == other.values_; }
  bool operator==(const List& other) const { return *values_ == *other.values_; }
  bool operator!=(const List& other) const { return !(*this == other); }
};

}  // namespace c10

namespace torch {

template <class T>
using List = ::c10::List<T>;

}  // namespace torch
