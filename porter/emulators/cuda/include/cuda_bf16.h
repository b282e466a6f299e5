// bfloat16, after "CUDA Math API", Bfloat16 Precision Intrinsics.
#pragma once
#include "cuda_runtime.h"
#include "emulated/small_float.h"

EMULATED_SMALL_FLOAT(__nv_bfloat16, __nv_bfloat162, bfloat16, to_bfloat16, from_bfloat16)
#ifndef __CUDA_NO_BFLOAT16_OPERATORS__
EMULATED_SMALL_OPERATORS(__nv_bfloat16)
#endif
#ifndef __CUDA_NO_BFLOAT162_OPERATORS__
EMULATED_SMALL_OPERATORS_2(__nv_bfloat162)
#endif
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
