#pragma once
#include <cstddef>
#include <iterator>
#include <type_traits>

namespace c10 {

// The whole numbers from one to another.
template <typename I>
struct IntegerRange {
  struct iterator {
    using iterator_category = std::input_iterator_tag;
    using value_type = I;
    using difference_type = std::ptrdiff_t;
    using pointer = I*;
    using reference = I&;
    I value;
    constexpr I operator*() const { return value; }
    constexpr iterator& operator++() {
      ++value;
      return *this;
    }
    constexpr iterator operator++(int) {
      const auto before = *this;
      ++value;
      return before;
    }
    constexpr bool operator==(const iterator& other) const { return value == other.value; }
    constexpr bool operator!=(const iterator& other) const { return value != other.value; }
  };
  constexpr iterator begin() const { return first; }
  constexpr iterator end() const { return last; }
  iterator first, last;
};

template <typename A, typename B, std::enable_if_t<std::is_integral_v<A> && std::is_integral_v<B>, bool> = true>
constexpr IntegerRange<B> irange(A begin, B end) {
  const B first = static_cast<B>(begin);
  return {{first}, {end > first ? end : first}};
}

template <typename I, std::enable_if_t<std::is_integral_v<I>, bool> = true>
constexpr IntegerRange<I> irange(I end) {
  return {{I()}, {end > I() ? end : I()}};
}

}  // namespace c10
