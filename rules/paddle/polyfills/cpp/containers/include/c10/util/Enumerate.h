#pragma once
#include <iterator>
#include <type_traits>
#include <utility>

namespace c10 {

// Pairs of index and element: `for (auto [i, x] : c10::enumerate(values))`.
template <typename Range>
struct Enumerated {
  using Inner = decltype(std::begin(std::declval<Range&>()));
  struct Pair {
    const size_t index;
    decltype(*std::declval<Inner>()) element;
    decltype(auto) operator*() const { return (element); }
  };
  struct iterator {
    size_t index;
    Inner inner;
    Pair operator*() const { return {index, *inner}; }
    iterator& operator++() {
      ++index, ++inner;
      return *this;
    }
    bool operator!=(const iterator& other) const { return inner != other.inner; }
  };
  iterator begin() { return {0, std::begin(range)}; }
  iterator end() { return {0, std::end(range)}; }
  Range range;
};

template <typename Range>
Enumerated<Range> enumerate(Range&& range) {
  return {std::forward<Range>(range)};
}

}  // namespace c10
