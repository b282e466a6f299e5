// What marks functions and variables for the device: on the CPU all are ordinary ones.
#pragma once
#define __host__
#define __device__
#define __global__
#define __constant__
#define __managed__
#define __shared__ static
#define __grid_constant__
#define __launch_bounds__(...)
#define __forceinline__ __inline__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __nv_pure__
#define CUDARTAPI
#define CUDART_CB
// A lambda of the device is a lambda.
#define __nv_is_extended_device_lambda_closure_type(T) false
#define __nv_is_extended_host_device_lambda_closure_type(T) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(T) false
