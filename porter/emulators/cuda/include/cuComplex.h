// Complex numbers as pairs, after the names in "CUDA Math API" and cuBLAS's documentation.
#pragma once
#include <math.h>

#include "vector_types.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
#define EMULATED_COMPLEX(C, R, f, make, hypotenuse) \
    static inline C make_cu##make(R x, R y) { return C{x, y}; } \
    static inline R cuCreal##f(C a) { return a.x; } \
    static inline R cuCimag##f(C a) { return a.y; } \
    static inline C cuConj##f(C a) { return C{a.x, -a.y}; } \
    static inline C cuCadd##f(C a, C b) { return C{a.x + b.x, a.y + b.y}; } \
    static inline C cuCsub##f(C a, C b) { return C{a.x - b.x, a.y - b.y}; } \
    static inline C cuCmul##f(C a, C b) { return C{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; } \
    static inline R cuCabs##f(C a) { return hypotenuse(a.x, a.y); }
EMULATED_COMPLEX(cuFloatComplex, float, f, FloatComplex, hypotf)
EMULATED_COMPLEX(cuDoubleComplex, double, , DoubleComplex, hypot)
#undef EMULATED_COMPLEX
static inline cuComplex make_cuComplex(float x, float y) { return cuComplex{x, y}; }
