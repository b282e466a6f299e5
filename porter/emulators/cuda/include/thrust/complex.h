// Thrust's own where its headers are; else what torch's headers, which always include it, need: the
// C++ library's complex numbers under that name.
#pragma once
#if __has_include_next(<thrust/complex.h>)
#include_next <thrust/complex.h>
#else
#include <complex>

namespace thrust {
template <class T>
struct complex : std::complex<T> {
    using std::complex<T>::complex;
    complex() = default;
    complex(const std::complex<T> &z) : std::complex<T>(z) {}
};
#define EMULATED_OF_COMPLEX(name) \
    template <class T> \
    complex<T> name(const complex<T> &z) { \
        return std::name(static_cast<const std::complex<T> &>(z)); \
    }
EMULATED_OF_COMPLEX(exp) EMULATED_OF_COMPLEX(log) EMULATED_OF_COMPLEX(log10) EMULATED_OF_COMPLEX(sqrt)
EMULATED_OF_COMPLEX(sin) EMULATED_OF_COMPLEX(cos) EMULATED_OF_COMPLEX(tan)
EMULATED_OF_COMPLEX(asin) EMULATED_OF_COMPLEX(acos) EMULATED_OF_COMPLEX(atan)
EMULATED_OF_COMPLEX(sinh) EMULATED_OF_COMPLEX(cosh) EMULATED_OF_COMPLEX(tanh)
EMULATED_OF_COMPLEX(asinh) EMULATED_OF_COMPLEX(acosh) EMULATED_OF_COMPLEX(atanh)
#undef EMULATED_OF_COMPLEX
template <class T>
T abs(const complex<T> &z) {
    return std::abs(static_cast<const std::complex<T> &>(z));
}
template <class T>
T arg(const complex<T> &z) {
    return std::arg(static_cast<const std::complex<T> &>(z));
}
template <class T>
T norm(const complex<T> &z) {
    return std::norm(static_cast<const std::complex<T> &>(z));
}
template <class T>
complex<T> polar(const T &r, const T &theta = T()) {
    return std::polar(r, theta);
}
template <class T>
complex<T> pow(const complex<T> &a, const complex<T> &b) {
    return std::pow(static_cast<const std::complex<T> &>(a), static_cast<const std::complex<T> &>(b));
}
template <class T>
complex<T> pow(const complex<T> &a, const T &b) {
    return std::pow(static_cast<const std::complex<T> &>(a), b);
}
template <class T>
complex<T> pow(const T &a, const complex<T> &b) {
    return std::pow(a, static_cast<const std::complex<T> &>(b));
}
}  // namespace thrust
#endif
