#pragma once
#include <ATen/core/Tensor.h>
#include <porter_compat/strides.h>

namespace at {

inline Tensor clone(const Tensor& self,
                    ::std::optional<MemoryFormat> memory_format = ::std::nullopt) {
  return self.clone(memory_format);
}

inline Tensor& fill_(Tensor& self, const Scalar& value) { return self.fill_(value); }

inline Tensor& fill_(Tensor& self, const Tensor& value) { return self.fill_(value); }

inline Tensor& zero_(Tensor& self) { return self.zero_(); }

inline Tensor fill(const Tensor& self, const Scalar& value) { return self.clone().fill_(value); }

inline Tensor fill(const Tensor& self, const Tensor& value) { return self.clone().fill_(value); }

inline Tensor zero(const Tensor& self) { return self.clone().zero_(); }

inline bool is_floating_point(const Tensor& self) { return self.is_floating_point(); }

inline bool is_complex(const Tensor& self) { return self.is_complex(); }

inline bool is_signed(const Tensor& self) { return self.is_signed(); }

inline bool is_inference(const Tensor& self) { return self.is_inference(); }

inline bool is_distributed(const Tensor& self) { return self.is_distributed(); }

inline bool is_same_size(const Tensor& self, const Tensor& other) {
  return self.is_same_size(other);
}

inline int64_t size(const Tensor& self, int64_t dim) {
  compat_detail::check_index(self.dim() > 0, "a tensor without dimensions has no sizes");
  return self.size(compat_detail::wrapped(dim, self.dim()));
}

inline int64_t stride(const Tensor& self, int64_t dim) {
  compat_detail::check_index(self.dim() > 0, "a tensor without dimensions has no strides");
  return self.stride(compat_detail::wrapped(dim, self.dim()));
}

inline int64_t numel(const Tensor& self) { return self.numel(); }

inline int64_t get_device(const Tensor& self) { return self.get_device(); }

inline const Tensor& resize_as_(const Tensor& self, const Tensor& the_template,
                                ::std::optional<MemoryFormat> memory_format = ::std::nullopt) {
  return self.resize_as_(the_template, memory_format);
}

}  // namespace at
