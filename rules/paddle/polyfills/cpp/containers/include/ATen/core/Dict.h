#pragma once
#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace c10 {

// In the order of insertion. Its copies share the entries; copy() does not.
template <class Key, class Value>
class Dict {
 public:
  struct Entry {
    Key first;
    Value second;
    const Key& key() const { return first; }
    const Value& value() const { return second; }
    void setValue(Value value) { second = std::move(value); }
  };
  using key_type = Key;
  using mapped_type = Value;
  Dict copy() const {
    Dict other;
    *other.entries_ = *entries_;
    return other;
  }
  auto begin() const { return entries_->begin(); }
  auto end() const { return entries_->end(); }
  auto find(const Key& key) const {
    return std::find_if(begin(), end(), [&](const Entry& e) { return e.first == key; });
  }
  bool contains(const Key& key) const { return find(key) != end(); }
  bool empty() const { return entries_->empty(); }
  size_t size() const { return entries_->size(); }
  void clear() const { entries_->clear(); }
  void reserve(size_t size) const { entries_->reserve(size); }
  Value at(const Key& key) const {
    const auto found = find(key);
    if (found == end()) throw std::out_of_range("Argument passed to at() was not in the map.");
    return found->second;
  }
  template <class K, class V>
  auto insert(K&& key, V&& value) const {
    const auto found = find(key);
    if (found != end()) return std::make_pair(found, false);
    entries_->push_back({std::forward<K>(key), std::forward<V>(value)});
    return std::make_pair(end() - 1, true);
  }
  template <class K, class V>
  auto insert_or_assign(K&& key, V&& value) const {
    const auto found = find(key);
    if (found == end()) return insert(std::forward<K>(key), std::forward<V>(value));
    found->second = std::forward<V>(value);
    return std::make_pair(found, false);
  }
  size_t erase(const Key& key) const {
    const auto found = find(key);
    if (found == end()) return 0;
    entries_->erase(found);
    return 1;
  }
  bool is(const Dict& other) const { return entries_ == other.entries_; }

 private:
  std::shared_ptr<std::vector<Entry>> entries_ = std::make_shared<std::vector<Entry>>();
};

}  // namespace c10

namespace torch {

template <class Key, class Value>
using Dict = ::c10::Dict<Key, Value>;

}  // namespace torch
