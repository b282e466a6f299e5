#pragma once
#include <c10/macros/Macros.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace at {

namespace internal {

constexpr int64_t GRAIN_SIZE = 32768;

}  // namespace internal

inline int64_t divup(int64_t x, int64_t y) { return (x + y - 1) / y; }

inline int get_num_threads() {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

inline void set_num_threads([[maybe_unused]] int threads) {
#ifdef _OPENMP
  omp_set_num_threads(threads);
#endif
}

inline int get_thread_num() {
#ifdef _OPENMP
  return omp_get_thread_num();
#else
  return 0;
#endif
}

inline bool in_parallel_region() {
#ifdef _OPENMP
  return omp_in_parallel();
#else
  return false;
#endif
}

inline void init_num_threads() {}

inline void lazy_init_num_threads() {}

inline int get_num_interop_threads() { return 1; }

inline void set_num_interop_threads(int) {}

inline std::string get_parallel_info() {
  return "threads: " + std::to_string(get_num_threads()) + "\n";
}

// Calls f(begin, end) on parts of the range, each at least grain_size long, in several threads.
template <class F>
void parallel_for(const int64_t begin, const int64_t end, const int64_t grain_size, const F& f) {
  if (begin >= end) return;
#ifdef _OPENMP
  const int64_t most = divup(end - begin, std::max<int64_t>(grain_size, 1));
  if (most > 1 && get_num_threads() > 1 && !omp_in_parallel()) {
    std::exception_ptr failure;
#pragma omp parallel num_threads(std::min<int64_t>(most, get_num_threads()))
    {
      const int64_t size = divup(end - begin, omp_get_num_threads());
      const int64_t first = begin + omp_get_thread_num() * size;
      try {
        if (first < end) f(first, std::min(end, first + size));
      } catch (...) {
#pragma omp critical
        failure = std::current_exception();
      }
    }
    if (failure) std::rethrow_exception(failure);
    return;
  }
#endif
  f(begin, end);
}

// What f(begin, end, ident) gives for the parts of the range, put together by `combine`.
template <class T, class F, class Combine>
T parallel_reduce(const int64_t begin, const int64_t end, const int64_t grain_size, const T ident,
                  const F& f, const Combine& combine) {
  if (begin >= end) return ident;
  const int64_t parts = std::min<int64_t>(divup(end - begin, std::max<int64_t>(grain_size, 1)),
                                          get_num_threads());
  if (parts <= 1 || in_parallel_region()) return f(begin, end, ident);
  const int64_t size = divup(end - begin, parts);
  std::vector<T> results(parts, ident);
  parallel_for(0, parts, 1, [&](int64_t from, int64_t to) {
    for (int64_t i = from; i < to; ++i) {
      const int64_t first = begin + i * size;
      if (first < end) results[i] = f(first, std::min(end, first + size), ident);
    }
  });
  T all = ident;
  for (const T& each : results) all = combine(all, each);
  return all;
}

template <class F>
void intraop_launch(const F& f) {
  f();
}

}  // namespace at
