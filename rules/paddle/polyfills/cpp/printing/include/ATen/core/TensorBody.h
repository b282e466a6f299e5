#pragma once

#include <porter_compat/printing.h>

namespace at {

// Rows of numbers, matrix after matrix, and what the tensor is.
inline ::std::ostream& operator<<(::std::ostream& out, const Tensor& x) {
  if (!x.defined()) return out << "[ Tensor (undefined) ]";
  out << compat_detail::printed(x) << "[ " << (x.is_cuda() ? "CUDA" : "CPU");
  out << c10::toString(x.scalar_type()) << "Type{";
  for (int64_t d = 0; d < x.dim(); ++d) out << (d ? "," : "") << x.size(d);
  return out << "} ]";
}

}  // namespace at
