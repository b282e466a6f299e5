#pragma once
#include <c10/macros/Macros.h>

#include <cmath>

// The C functions, overloaded for float and double: what is std:: on the host is global on the device.
namespace c10::cuda::compat {

C10_HOST_DEVICE inline float abs(float x) { return ::fabsf(x); }

C10_HOST_DEVICE inline double abs(double x) { return ::fabs(x); }

C10_HOST_DEVICE inline float acos(float x) { return ::acosf(x); }

C10_HOST_DEVICE inline double acos(double x) { return ::acos(x); }

C10_HOST_DEVICE inline float asin(float x) { return ::asinf(x); }

C10_HOST_DEVICE inline double asin(double x) { return ::asin(x); }

C10_HOST_DEVICE inline float atan(float x) { return ::atanf(x); }

C10_HOST_DEVICE inline double atan(double x) { return ::atan(x); }

C10_HOST_DEVICE inline float ceil(float x) { return ::ceilf(x); }

C10_HOST_DEVICE inline double ceil(double x) { return ::ceil(x); }

C10_HOST_DEVICE inline float cos(float x) { return ::cosf(x); }

C10_HOST_DEVICE inline double cos(double x) { return ::cos(x); }

C10_HOST_DEVICE inline float erf(float x) { return ::erff(x); }

C10_HOST_DEVICE inline double erf(double x) { return ::erf(x); }

C10_HOST_DEVICE inline float exp(float x) { return ::expf(x); }

C10_HOST_DEVICE inline double exp(double x) { return ::exp(x); }

C10_HOST_DEVICE inline float floor(float x) { return ::floorf(x); }

C10_HOST_DEVICE inline double floor(double x) { return ::floor(x); }

C10_HOST_DEVICE inline float log(float x) { return ::logf(x); }

C10_HOST_DEVICE inline double log(double x) { return ::log(x); }

C10_HOST_DEVICE inline float log1p(float x) { return ::log1pf(x); }

C10_HOST_DEVICE inline double log1p(double x) { return ::log1p(x); }

C10_HOST_DEVICE inline float nearbyint(float x) { return ::nearbyintf(x); }

C10_HOST_DEVICE inline double nearbyint(double x) { return ::nearbyint(x); }

C10_HOST_DEVICE inline float sin(float x) { return ::sinf(x); }

C10_HOST_DEVICE inline double sin(double x) { return ::sin(x); }

C10_HOST_DEVICE inline float sinh(float x) { return ::sinhf(x); }

C10_HOST_DEVICE inline double sinh(double x) { return ::sinh(x); }

C10_HOST_DEVICE inline float sqrt(float x) { return ::sqrtf(x); }

C10_HOST_DEVICE inline double sqrt(double x) { return ::sqrt(x); }

C10_HOST_DEVICE inline float tan(float x) { return ::tanf(x); }

C10_HOST_DEVICE inline double tan(double x) { return ::tan(x); }

C10_HOST_DEVICE inline float tanh(float x) { return ::tanhf(x); }

C10_HOST_DEVICE inline double tanh(double x) { return ::tanh(x); }

C10_HOST_DEVICE inline float cbrt(float x) { return ::cbrtf(x); }

C10_HOST_DEVICE inline double cbrt(double x) { return ::cbrt(x); }

C10_HOST_DEVICE inline float max(float x, float y) { return ::fmaxf(x, y); }

C10_HOST_DEVICE inline double max(double x, double y) { return ::fmax(x, y); }

C10_HOST_DEVICE inline float min(float x, float y) { return ::fminf(x, y); }

C10_HOST_DEVICE inline double min(double x, double y) { return ::fmin(x, y); }

C10_HOST_DEVICE inline float pow(float x, float y) { return ::powf(x, y); }

C10_HOST_DEVICE inline double pow(double x, double y) { return ::pow(x, y); }

C10_HOST_DEVICE inline float copysign(float x, float y) { return ::copysignf(x, y); }

C10_HOST_DEVICE inline double copysign(double x, double y) { return ::copysign(x, y); }

C10_HOST_DEVICE inline void sincos(float x, float* s, float* c) { ::sincosf(x, s, c); }

C10_HOST_DEVICE inline void sincos(double x, double* s, double* c) { ::sincos(x, s, c); }

#ifdef __CUDACC__
C10_HOST_DEVICE inline float rsqrt(float x) { return ::rsqrtf(x); }
C10_HOST_DEVICE inline double rsqrt(double x) { return ::rsqrt(x); }
C10_HOST_DEVICE inline float normcdf(float x) { return ::normcdff(x); }
C10_HOST_DEVICE inline double normcdf(double x) { return ::normcdf(x); }
#endif

}  // namespace c10::cuda::compat
