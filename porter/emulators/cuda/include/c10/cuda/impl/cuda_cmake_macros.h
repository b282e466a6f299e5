// Generated when torch is built with CUDA; a CPU build of torch lacks it.
#pragma once
#define C10_CUDA_BUILD_SHARED_LIBS
