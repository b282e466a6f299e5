#pragma once
#include <c10/core/Device.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/Scalar.h>
#include <porter_compat/strides.h>
#include <utils/scalar_type_conversion.h>

namespace at::compat_detail {

// Dimensions of a memory format that is not contiguous, innermost first.
inline Sizes format_order(c10::MemoryFormat format) {
  if (format == c10::MemoryFormat::ChannelsLast) return {1, 3, 2, 0};
  return format == c10::MemoryFormat::ChannelsLast3d ? Sizes{1, 4, 3, 2, 0} : Sizes();
}

inline Sizes format_strides(const Sizes& sizes, c10::MemoryFormat format) {
  auto order = format_order(format);
  if (order.empty()) return contiguous_strides(sizes);
  check(order.size() == sizes.size(), "the memory format wants another number of dimensions");
  return dense_strides(sizes, order);
}

inline bool is_contiguous_as(const paddle::Tensor& self, c10::MemoryFormat format) {
  size_t rank = format_order(format).size();
  bool fits = rank == 0 || rank == self.shape().size();
  return fits && has_strides(self, format_strides(self.shape(), format));
}

// The format that the strides are those of; Contiguous if they say nothing.
inline c10::MemoryFormat format_of(const paddle::Tensor& self) {
  for (auto format : {c10::MemoryFormat::ChannelsLast, c10::MemoryFormat::ChannelsLast3d}) {
    auto order = format_order(format);
    if (int64_t(order.size()) != self.dims().size() || self.strides()[1] == 0) continue;
    bool sorted = true;
    int64_t least = 0;
    for (int64_t d : order) {
      int64_t stride = self.strides()[d];
      sorted = sorted && stride >= least && !(d == 0 && least == self.strides()[1]);
      least = stride * std::max<int64_t>(self.dims()[d], 1);
    }
    if (sorted) return format;
  }
  return c10::MemoryFormat::Contiguous;
}

// Strides of a new tensor like `self`: in a format, or with its dimensions in the same order.
inline Sizes new_strides(const paddle::Tensor& self, std::optional<c10::MemoryFormat> format) {
  bool same = !format || *format == c10::MemoryFormat::Preserve;
  return same ? like_strides(self) : format_strides(self.shape(), *format);
}

inline paddle::Tensor moved(const paddle::Tensor& self, const phi::Place& place, bool blocking) {
  if (self.place() == place) return self;
  if (!has_strides(self, like_strides(self))) return contiguous(self).copy_to(place, blocking);
  auto flat = view(self, {self.numel()}, {1}).copy_to(place, blocking);
  return view(flat, self.shape(), strides_of(self));
}

// As another dtype, on another device, in another format; `self` if that is what it is.
inline paddle::Tensor converted(const paddle::Tensor& self, std::optional<c10::ScalarType> dtype,
                                std::optional<c10::Device> device, bool non_blocking, bool copy,
                                std::optional<c10::MemoryFormat> format) {
  auto type = dtype ? compat::_PD_AtenScalarTypeToPhiDataType(*dtype) : self.dtype();
  auto place = device ? device->_PD_GetInner() : self.place();
  bool fits = !format || *format == c10::MemoryFormat::Preserve || *format == format_of(self);
  if (type == self.dtype() && place == self.place() && fits && !copy) return self;
  auto here = moved(self, place, !non_blocking);
  if (type == self.dtype() && place != self.place() && fits) return here;
  auto result = allocated(self.shape(), new_strides(self, format), type, place);
  copy_into(result, here);
  return result;
}

// The one element, as a floating, integer, bool or complex number.
inline c10::Scalar item(const paddle::Tensor& self) {
  check(self.numel() == 1, "a Tensor with other than 1 element cannot be converted to Scalar");
  c10::Scalar value(self);
  switch (self.dtype()) {
    case phi::DataType::BOOL:
      return c10::Scalar(value.to<bool>());
    case phi::DataType::COMPLEX64:
    case phi::DataType::COMPLEX128:
      value.SetFromTensor(false);
      return value;
    case phi::DataType::FLOAT64:
    case phi::DataType::FLOAT32:
    case phi::DataType::FLOAT16:
    case phi::DataType::BFLOAT16:
      return c10::Scalar(value.to<double>());
    default:
      return c10::Scalar(value.to<int64_t>());
  }
}

}  // namespace at::compat_detail
