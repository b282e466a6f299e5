// half, after "CUDA Math API", Half Precision Intrinsics.
#pragma once
#include "cuda_runtime.h"
#include "emulated/small_float.h"

EMULATED_SMALL_FLOAT(__half, __half2, half, to_half, from_half)
#ifndef __CUDA_NO_HALF_OPERATORS__
EMULATED_SMALL_OPERATORS(__half)
#endif
#ifndef __CUDA_NO_HALF2_OPERATORS__
EMULATED_SMALL_OPERATORS_2(__half2)
#endif
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
struct __half2_raw { unsigned short x, y; };
