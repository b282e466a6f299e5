#pragma once
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <c10/util/complex.h>

#include <cstring>
#include <type_traits>

namespace at::cuda::compat_detail {

// Applies a shuffle of 32 bits to each word of a value of any type.
template <typename T, typename F>
__device__ inline T by_words(T value, const F& shuffle) {
  constexpr int count = (sizeof(T) + 3) / 4;
  unsigned words[count] = {};
  memcpy(words, &value, sizeof(T));
  for (unsigned& word : words) word = shuffle(word);
  memcpy(&value, words, sizeof(T));
  return value;
}

}  // namespace at::cuda::compat_detail

__device__ inline unsigned int ACTIVE_MASK() { return __activemask(); }

__device__ inline void WARP_SYNC(unsigned mask = 0xffffffff) { __syncwarp(mask); }

__device__ inline unsigned int WARP_BALLOT(int predicate, unsigned int mask = 0xffffffff) {
  return __ballot_sync(mask, predicate);
}

template <typename T>
__device__ inline T WARP_SHFL(T value, int srcLane, int width = 32, unsigned int mask = 0xffffffff) {
  return at::cuda::compat_detail::by_words(
      value, [=](unsigned word) { return __shfl_sync(mask, word, srcLane, width); });
}

template <typename T>
__device__ inline T WARP_SHFL_XOR(T value, int laneMask, int width = 32, unsigned int mask = 0xffffffff) {
  return at::cuda::compat_detail::by_words(
      value, [=](unsigned word) { return __shfl_xor_sync(mask, word, laneMask, width); });
}

template <typename T>
__device__ inline T WARP_SHFL_UP(T value, unsigned int delta, int width = 32, unsigned int mask = 0xffffffff) {
  return at::cuda::compat_detail::by_words(
      value, [=](unsigned word) { return __shfl_up_sync(mask, word, delta, width); });
}

template <typename T>
__device__ inline T WARP_SHFL_DOWN(T value, unsigned int delta, int width = 32, unsigned int mask = 0xffffffff) {
  return at::cuda::compat_detail::by_words(
      value, [=](unsigned word) { return __shfl_down_sync(mask, word, delta, width); });
}

template <typename T>
__device__ inline T doLdg(const T* p) { return *p; }
