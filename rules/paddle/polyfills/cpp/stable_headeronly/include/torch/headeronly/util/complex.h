#pragma once
#include <c10/util/complex.h>

namespace torch::headeronly {

template <typename T>
using complex = c10::complex<T>;

}  // namespace torch::headeronly
