#pragma once
#include <torch/version.h>

#ifndef TORCH_ABI_VERSION
#define TORCH_ABI_VERSION (((0ULL + 2) << 56) | ((0ULL + 13) << 48))
#endif

#ifndef TORCH_FEATURE_VERSION
#ifdef TORCH_TARGET_VERSION
#define TORCH_FEATURE_VERSION TORCH_TARGET_VERSION
#else
#define TORCH_FEATURE_VERSION TORCH_ABI_VERSION
#endif
#endif

#ifndef TORCH_VERSION_2_9_0
#define TORCH_VERSION_2_9_0 (((0ULL + 2) << 56) | ((0ULL + 9) << 48))
#endif

#ifndef TORCH_VERSION_2_10_0
#define TORCH_VERSION_2_10_0 (((0ULL + 2) << 56) | ((0ULL + 10) << 48))
#endif

#ifndef TORCH_VERSION_2_11_0
#define TORCH_VERSION_2_11_0 (((0ULL + 2) << 56) | ((0ULL + 11) << 48))
#endif

#ifndef TORCH_VERSION_2_12_0
#define TORCH_VERSION_2_12_0 (((0ULL + 2) << 56) | ((0ULL + 12) << 48))
#endif

#ifndef TORCH_VERSION_2_13_0
#define TORCH_VERSION_2_13_0 (((0ULL + 2) << 56) | ((0ULL + 13) << 48))
#endif
