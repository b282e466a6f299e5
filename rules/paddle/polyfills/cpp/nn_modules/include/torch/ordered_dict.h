#pragma once

#include <c10/util/Exception.h>

#include <initializer_list>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace torch {

// Values by key, in the order in which they were inserted.
template <typename Key, typename Value>
class OrderedDict {
 public:
  class Item {
   public:
    Item(Key key, Value value) : pair_(std::move(key), std::move(value)) {}
    Value& operator*() { return pair_.second; }
    const Value& operator*() const { return pair_.second; }
    Value* operator->() { return &pair_.second; }
    const Value* operator->() const { return &pair_.second; }
    const Key& key() const noexcept { return pair_.first; }
    Value& value() noexcept { return pair_.second; }
    const Value& value() const noexcept { return pair_.second; }
    const std::pair<Key, Value>& pair() const noexcept { return pair_; }

   private:
    std::pair<Key, Value> pair_;
  };
  using Iterator = typename std::vector<Item>::iterator;
  using ConstIterator = typename std::vector<Item>::const_iterator;

  explicit OrderedDict(std::string key_description = "Key") :
      key_description_(std::move(key_description)) {}
  OrderedDict(std::initializer_list<Item> items) : OrderedDict() {
    for (const auto& item : items) insert(item.key(), item.value());
  }

  const std::string& key_description() const noexcept { return key_description_; }
  Item& front() { return items_.front(); }
  const Item& front() const { return items_.front(); }
  Item& back() { return items_.back(); }
  const Item& back() const { return items_.back(); }
  Iterator begin() { return items_.begin(); }
  ConstIterator begin() const { return items_.begin(); }
  Iterator end() { return items_.end(); }
  ConstIterator end() const { return items_.end(); }
  size_t size() const noexcept { return items_.size(); }
  bool is_empty() const noexcept { return items_.empty(); }
  void reserve(size_t size) { items_.reserve(size); }

  Value* find(const Key& key) noexcept {
    const auto found = index_.find(key);
    return found == index_.end() ? nullptr : &*items_[found->second];
  }
  const Value* find(const Key& key) const noexcept {
    return const_cast<OrderedDict*>(this)->find(key);
  }
  bool contains(const Key& key) const noexcept { return find(key) != nullptr; }
  Value& operator[](const Key& key) {
    if (auto* value = find(key)) return *value;
    TORCH_CHECK(false, key_description_, " '", key, "' is not defined");
  }
  const Value& operator[](const Key& key) const { return const_cast<OrderedDict&>(*this)[key]; }
  Item& operator[](size_t index) {
    TORCH_CHECK(index < size(), "Index ", index, " is out of bounds");
    return items_[index];
  }
  const Item& operator[](size_t index) const { return const_cast<OrderedDict&>(*this)[index]; }

  template <typename K, typename V>
  Value& insert(K&& key, V&& value) {
    TORCH_CHECK(!contains(key), key_description_, " '", key, "' already defined");
    items_.emplace_back(Key(std::forward<K>(key)), Value(std::forward<V>(value)));
    index_.emplace(items_.back().key(), items_.size() - 1);
    return items_.back().value();
  }
  Value& insert(Key key, Value&& value) {
    return insert<Key, Value>(std::move(key), std::move(value));
  }
  void update(const OrderedDict& other) {
    for (const auto& item : other) insert(item.key(), item.value());
  }
  void erase(const Key& key) {
    TORCH_CHECK(contains(key), "Key '", key, "' doesn't exist");
    items_.erase(items_.begin() + index_[key]);
    index_.clear();
    for (size_t i = 0; i < items_.size(); ++i) index_[items_[i].key()] = i;
  }
  void clear() {
    items_.clear();
    index_.clear();
  }

  const std::vector<Item>& items() const noexcept { return items_; }
  std::vector<Key> keys() const {
    std::vector<Key> found;
    for (const auto& item : items_) found.push_back(item.key());
    return found;
  }
  std::vector<Value> values() const {
    std::vector<Value> found;
    for (const auto& item : items_) found.push_back(item.value());
    return found;
  }
  std::vector<std::pair<Key, Value>> pairs() const {
    std::vector<std::pair<Key, Value>> found;
    for (const auto& item : items_) found.push_back(item.pair());
    return found;
  }

 private:
  std::unordered_map<Key, size_t> index_;
  std::vector<Item> items_;
  std::string key_description_;
};

}  // namespace torch
