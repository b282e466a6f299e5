#pragma once
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <c10/util/complex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace at::cuda::compat_detail {

// Replaces what is at an address by update(it), atomically; gives what was there.
template <typename T, typename F>
__device__ inline T atomic_update(T* address, const F& update) {
  static_assert(sizeof(T) <= 8 && (sizeof(T) & (sizeof(T) - 1)) == 0);
  using Word = ::std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
  constexpr Word mask = sizeof(T) == sizeof(Word) ? ~Word(0) : (Word(1) << (8 * sizeof(T) % 32)) - 1;
  const auto place = reinterpret_cast<size_t>(address);
  auto* word = reinterpret_cast<Word*>(place & ~(sizeof(Word) - 1));
  const unsigned shift = 8 * static_cast<unsigned>(place & (sizeof(Word) - 1));
  for (Word seen = *word;;) {
    Word bits = (seen >> shift) & mask;
    T old;
    memcpy(&old, &bits, sizeof(T));
    const T next = update(old);
    bits = 0;
    memcpy(&bits, &next, sizeof(T));
    const Word found = atomicCAS(word, seen, (seen & ~(mask << shift)) | (bits << shift));
    if (found == seen) return old;
    seen = found;
  }
}

}  // namespace at::cuda::compat_detail

__device__ inline void atomicAdd(uint8_t* address, uint8_t value) {
  at::cuda::compat_detail::atomic_update(address, [=](uint8_t x) { return uint8_t(x + value); });
}

__device__ inline void atomicAdd(int8_t* address, int8_t value) {
  at::cuda::compat_detail::atomic_update(address, [=](int8_t x) { return int8_t(x + value); });
}

__device__ inline void atomicAdd(int16_t* address, int16_t value) {
  at::cuda::compat_detail::atomic_update(address, [=](int16_t x) { return int16_t(x + value); });
}

__device__ inline void atomicAdd(int64_t* address, int64_t value) {
  using Word = unsigned long long;
  atomicAdd(reinterpret_cast<Word*>(address), static_cast<Word>(value));
}

__device__ inline void atomicAdd(bool* address, bool value) {
  at::cuda::compat_detail::atomic_update(address, [=](bool x) { return x || value; });
}

__device__ inline at::Half atomicAdd(at::Half* address, at::Half value) {
  return at::cuda::compat_detail::atomic_update(address, [=](at::Half x) {
    return static_cast<at::Half>(static_cast<float>(x) + static_cast<float>(value));
  });
}

__device__ inline at::BFloat16 atomicAdd(at::BFloat16* address, at::BFloat16 value) {
  return at::cuda::compat_detail::atomic_update(address, [=](at::BFloat16 x) {
    return static_cast<at::BFloat16>(static_cast<float>(x) + static_cast<float>(value));
  });
}

template <typename T>
__device__ inline void atomicAdd(c10::complex<T>* address, c10::complex<T> value) {
  T* parts = reinterpret_cast<T*>(address);
  const T* added = reinterpret_cast<const T*>(&value);
  atomicAdd(parts, added[0]);
  atomicAdd(parts + 1, added[1]);
}

template <typename T>
__device__ inline auto gpuAtomicAdd(T* address, ::std::common_type_t<T> value) {
  return atomicAdd(address, value);
}

template <typename T>
__device__ inline void gpuAtomicAddNoReturn(T* address, ::std::common_type_t<T> value) {
  atomicAdd(address, value);
}

template <typename T>
__device__ inline T gpuAtomicMul(T* address, ::std::common_type_t<T> value) {
  return at::cuda::compat_detail::atomic_update(address, [=](T x) { return T(x * value); });
}

// NaN if either is.
template <typename T>
__device__ inline T gpuAtomicMax(T* address, ::std::common_type_t<T> value) {
  return at::cuda::compat_detail::atomic_update(
      address, [=](T x) { return x != x || !(x < value || value != value) ? x : value; });
}

// NaN if either is.
template <typename T>
__device__ inline T gpuAtomicMin(T* address, ::std::common_type_t<T> value) {
  return at::cuda::compat_detail::atomic_update(
      address, [=](T x) { return x != x || !(value < x || value != value) ? x : value; });
}
