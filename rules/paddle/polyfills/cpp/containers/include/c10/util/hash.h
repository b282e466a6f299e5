#pragma once
#include <cstddef>
#include <functional>
#include <tuple>
#include <vector>

namespace c10 {

inline size_t hash_combine(size_t seed, size_t value) {
  return seed ^ (value + 0x9e3779b9 + (seed << 6u) + (seed >> 2u));
}

template <typename T>
struct hash {
  size_t operator()(const T& value) const { return std::hash<T>()(value); }
};

template <typename... Types>
struct hash<std::tuple<Types...>> {
  size_t operator()(const std::tuple<Types...>& values) const {
    size_t seed = 0;
    std::apply([&](const auto&... each) {
      ((seed = hash_combine(seed, hash<std::decay_t<decltype(each)>>()(each))), ...);
    }, values);
    return seed;
  }
};

template <typename T>
struct hash<std::vector<T>> {
  size_t operator()(const std::vector<T>& values) const {
    size_t seed = 0;
    for (const auto& each : values) seed = hash_combine(seed, hash<T>()(each));
    return seed;
  }
};

template <typename... Types>
size_t get_hash(const Types&... values) {
  return hash<decltype(std::tie(values...))>()(std::tie(values...));
}

}  // namespace c10
