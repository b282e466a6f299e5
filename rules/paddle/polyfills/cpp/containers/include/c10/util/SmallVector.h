#pragma once
#include <c10/util/ArrayRef.h>

#include <iterator>
#include <vector>

namespace c10 {

template <typename T>
class SmallVectorImpl : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  template <typename Iterator>
  void append(Iterator first, Iterator last) {
    this->insert(this->end(), first, last);
  }
  void append(size_t count, const T& value) { this->insert(this->end(), count, value); }
  void append(std::initializer_list<T> values) { append(values.begin(), values.end()); }
  T pop_back_val() {
    T last = std::move(this->back());
    this->pop_back();
    return last;
  }
};

// Always on the heap.
template <typename T, unsigned N = 4>
class SmallVector : public SmallVectorImpl<T> {
 public:
  using SmallVectorImpl<T>::SmallVectorImpl;
  SmallVector() = default;
  SmallVector(ArrayRef<T> values) { this->assign(values.begin(), values.end()); }
};

}  // namespace c10

namespace at {
using c10::SmallVector;
using c10::SmallVectorImpl;
}  // namespace at
