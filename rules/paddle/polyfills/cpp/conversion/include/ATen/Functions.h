#pragma once
#include <ATen/core/Tensor.h>

namespace at {

inline Tensor clone(const Tensor& self,
                    ::std::optional<MemoryFormat> memory_format = ::std::nullopt) {
  return self.clone(memory_format);
}

inline Tensor& fill_(Tensor& self, const Scalar& value) { return self.fill_(value); }

inline Tensor& fill_(Tensor& self, const Tensor& value) { return self.fill_(value); }

inline Tensor& zero_(Tensor& self) { return self.zero_(); }

inline bool is_floating_point(const Tensor& self) { return self.is_floating_point(); }

inline bool is_complex(const Tensor& self) { return self.is_complex(); }

}  // namespace at
