#pragma once
#include <c10/macros/Macros.h>

#ifndef C10_CUDA_API
#define C10_CUDA_API __attribute__((visibility("default")))
#endif

#ifndef C10_COMPILE_TIME_MAX_GPUS
#define C10_COMPILE_TIME_MAX_GPUS 120
#endif
