// bfloat16, after "CUDA Math API", Bfloat16 Precision Intrinsics.
#pragma once
#include "cuda_runtime.h"
#include "emulated/small_float.h"

EMULATED_SMALL_FLOAT(__nv_bfloat16, __nv_bfloat162, bfloat16, to_bfloat16, from_bfloat16)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
