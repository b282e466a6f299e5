// What nvcc includes before everything else.
#pragma once
#include "cuda_runtime_api.h"
#ifdef __cplusplus
#include "emulated/atomics.h"
#include "emulated/core.h"
#include "emulated/math.h"
#include "emulated/warp.h"
#endif
