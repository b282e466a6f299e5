#pragma once

#ifndef C10_HIDDEN
#define C10_HIDDEN __attribute__((visibility("hidden")))
#endif

#ifndef C10_EXPORT
#define C10_EXPORT __attribute__((visibility("default")))
#endif

#ifndef C10_IMPORT
#define C10_IMPORT __attribute__((visibility("default")))
#endif

#ifndef C10_API
#define C10_API __attribute__((visibility("default")))
#endif

#ifndef C10_BUILD_API
#define C10_BUILD_API __attribute__((visibility("default")))
#endif

#ifndef TORCH_API
#define TORCH_API __attribute__((visibility("default")))
#endif

#ifndef CAFFE2_API
#define CAFFE2_API __attribute__((visibility("default")))
#endif

#ifndef AT_API
#define AT_API __attribute__((visibility("default")))
#endif

#ifndef TORCH_XPU_API
#define TORCH_XPU_API __attribute__((visibility("default")))
#endif

#ifndef TORCH_CUDA_CPP_API
#define TORCH_CUDA_CPP_API __attribute__((visibility("default")))
#endif

#ifndef TORCH_CUDA_CU_API
#define TORCH_CUDA_CU_API __attribute__((visibility("default")))
#endif

#ifndef TORCH_PYTHON_API
#define TORCH_PYTHON_API __attribute__((visibility("default")))
#endif

#ifndef AT_CUDA_API
#define AT_CUDA_API __attribute__((visibility("default")))
#endif

#ifndef C10_API_ENUM
#define C10_API_ENUM
#endif

#ifndef TORCH_API_ENUM
#define TORCH_API_ENUM
#endif
