#pragma once
#include <c10/macros/Export.h>

#include <cassert>
#include <cstdio>

#ifndef C10_LIKELY
#define C10_LIKELY(expr) (__builtin_expect(static_cast<bool>(expr), 1))
#endif

#ifndef C10_UNLIKELY
#define C10_UNLIKELY(expr) (__builtin_expect(static_cast<bool>(expr), 0))
#endif

#ifndef C10_ALWAYS_INLINE
#define C10_ALWAYS_INLINE __attribute__((always_inline)) inline
#endif

#ifndef C10_ALWAYS_INLINE_ATTRIBUTE
#define C10_ALWAYS_INLINE_ATTRIBUTE __attribute__((always_inline))
#endif

#ifndef C10_NOINLINE
#define C10_NOINLINE __attribute__((noinline))
#endif

#ifndef C10_ERASE
#define C10_ERASE __attribute__((always_inline, visibility("hidden"))) inline
#endif

#ifndef C10_UNUSED
#define C10_UNUSED [[maybe_unused]]
#endif

#ifndef C10_USED
#define C10_USED __attribute__((used))
#endif

#ifndef C10_NODISCARD
#define C10_NODISCARD [[nodiscard]]
#endif

#ifndef C10_FALLTHROUGH
#define C10_FALLTHROUGH [[fallthrough]]
#endif

#ifndef C10_RESTRICT
#define C10_RESTRICT __restrict
#endif

#ifndef C10_HAS_CPP_ATTRIBUTE
#define C10_HAS_CPP_ATTRIBUTE(x) __has_cpp_attribute(x)
#endif

#ifndef C10_DISABLE_COPY_AND_ASSIGN
#define C10_DISABLE_COPY_AND_ASSIGN(type) \
  type(const type&) = delete;                \
  type& operator=(const type&) = delete
#endif

#ifndef AT_DISALLOW_COPY_AND_ASSIGN
#define AT_DISALLOW_COPY_AND_ASSIGN(type) \
  type(const type&) = delete;                \
  type& operator=(const type&) = delete
#endif

#ifndef C10_HIP_HOST_DEVICE
#define C10_HIP_HOST_DEVICE
#endif

#ifndef C10_HOST_CONSTEXPR
#define C10_HOST_CONSTEXPR constexpr
#endif

#ifndef C10_HOST_CONSTEXPR_EXCEPT_WIN_CUDA
#define C10_HOST_CONSTEXPR_EXCEPT_WIN_CUDA constexpr
#endif

#ifndef CONSTEXPR_EXCEPT_WIN_CUDA
#define CONSTEXPR_EXCEPT_WIN_CUDA constexpr
#endif

#ifndef C10_RETURN_MOVE_IF_OLD_COMPILER
#define C10_RETURN_MOVE_IF_OLD_COMPILER 0
#endif

#ifndef C10_CLANG_DIAGNOSTIC_PUSH
#define C10_CLANG_DIAGNOSTIC_PUSH()
#endif

#ifndef C10_CLANG_DIAGNOSTIC_POP
#define C10_CLANG_DIAGNOSTIC_POP()
#endif

#ifndef C10_CLANG_DIAGNOSTIC_IGNORE
#define C10_CLANG_DIAGNOSTIC_IGNORE(flag)
#endif

#ifndef C10_CLANG_HAS_WARNING
#define C10_CLANG_HAS_WARNING(flag) 0
#endif

#ifndef C10_DIAGNOSTIC_PUSH_AND_IGNORED_IF_DEFINED
#define C10_DIAGNOSTIC_PUSH_AND_IGNORED_IF_DEFINED(flag)
#endif

#ifndef C10_DIAGNOSTIC_POP
#define C10_DIAGNOSTIC_POP()
#endif

#ifndef __ubsan_ignore_float_divide_by_zero__
#define __ubsan_ignore_float_divide_by_zero__
#endif

#ifndef __ubsan_ignore_undefined__
#define __ubsan_ignore_undefined__
#endif

#ifndef __ubsan_ignore_signed_int_overflow__
#define __ubsan_ignore_signed_int_overflow__
#endif

#ifndef C10_WARP_SIZE
#define C10_WARP_SIZE 32
#endif

#ifndef C10_WARP_SIZE_LOWER_BOUND
#define C10_WARP_SIZE_LOWER_BOUND 32
#endif

#ifndef C10_WARP_SIZE_UPPER_BOUND
#define C10_WARP_SIZE_UPPER_BOUND 32
#endif

#ifndef C10_LAUNCH_BOUNDS_0
#define C10_LAUNCH_BOUNDS_0 __launch_bounds__(256, 4)
#endif

#ifndef C10_LAUNCH_BOUNDS_1
#define C10_LAUNCH_BOUNDS_1(threads) __launch_bounds__(threads)
#endif

#ifndef C10_LAUNCH_BOUNDS_2
#define C10_LAUNCH_BOUNDS_2(threads, blocks) __launch_bounds__(threads, blocks)
#endif

#ifndef C10_MAX_THREADS_PER_BLOCK
#define C10_MAX_THREADS_PER_BLOCK(threads) ((threads) <= 1024 ? (threads) : 256)
#endif

#ifndef C10_MIN_BLOCKS_PER_SM
#define C10_MIN_BLOCKS_PER_SM(threads, blocks) \
  ((threads) * (blocks) <= 2048 ? (blocks) : (2048 + (threads) - 1) / (threads))
#endif

#ifndef CUDA_KERNEL_ASSERT
#define CUDA_KERNEL_ASSERT(cond) \
  ((cond) ? void(0) : __assert_fail(#cond, __FILE__, __LINE__, __func__))
#endif

#ifndef CUDA_KERNEL_ASSERT2
#define CUDA_KERNEL_ASSERT2(cond) \
  ((cond) ? void(0) : __assert_fail(#cond, __FILE__, __LINE__, __func__))
#endif

#ifndef CUDA_KERNEL_ASSERT_MSG
#define CUDA_KERNEL_ASSERT_MSG(cond, msg) \
  ((cond) ? void(0) : __assert_fail(msg, __FILE__, __LINE__, __func__))
#endif

#ifndef CUDA_KERNEL_ASSERT_PRINTF
#define CUDA_KERNEL_ASSERT_PRINTF(cond, ...) \
  ((cond) ? void(0) : (void)(printf(__VA_ARGS__), __assert_fail(#cond, __FILE__, __LINE__, __func__), 0))
#endif

#ifndef CUDA_KERNEL_ASSERT_VERBOSE
#define CUDA_KERNEL_ASSERT_VERBOSE(cond, ...) \
  ((cond) ? void(0) : (void)(printf(__VA_ARGS__), __assert_fail(#cond, __FILE__, __LINE__, __func__), 0))
#endif
