// The C functions of tensors.
#include "abi.h"

#include "paddle/phi/api/include/api.h"

#include <algorithm>
#include <complex>
#include <cstring>
#include <iostream>

using shim::guarded;
using shim::Sizes;

namespace {

Sizes listed(const int64_t* values, int64_t count) {
  return values ? Sizes(values, values + count) : Sizes();
}

void refuse_unless_strided(int32_t layout) {
  if (layout != shim::STRIDED) shim::fail("only tensors of the strided layout can be made");
}

template <typename T>
Error item(Handle self, T* found) {
  return guarded([&] {
    const auto& tensor = shim::dense(*self);
    if (tensor.numel() != 1) {
      shim::fail("a Tensor with " + std::to_string(tensor.numel()) +
                 " elements cannot be converted to Scalar");
    }
    auto one = paddle::experimental::copy_to(*self, phi::CPUPlace(), true);
    const auto wanted = phi::CppTypeToDataType<T>::Type();
    if (one.dtype() != wanted) one = paddle::experimental::cast(one, wanted);
    std::memcpy(static_cast<void*>(found), shim::data(one), sizeof(T));
  });
}

template <typename T>
Error tensor_of(T value, Handle* made) {
  return guarded([&] {
    auto tensor = shim::empty({}, phi::CppTypeToDataType<T>::Type(), phi::CPUPlace());
    std::memcpy(shim::data(tensor), static_cast<void*>(&value), sizeof(T));
    *made = shim::handle(std::move(tensor));
  });
}

}  // namespace

// --- what a tensor is ---------------------------------------------------------------------

#define GETTER(name, type, value) \
  EXPORT Error name(Handle self, type* found) { \
    return guarded([&] { *found = value; }); \
  }

GETTER(aoti_torch_get_dim, int64_t, shim::dense(*self).dims().size())
GETTER(aoti_torch_get_numel, int64_t, shim::dense(*self).numel())
GETTER(aoti_torch_get_data_ptr, void*, shim::data(*self))
GETTER(torch_get_mutable_data_ptr, void*, shim::data(*self))
GETTER(torch_get_const_data_ptr, const void*, shim::data(*self))
GETTER(aoti_torch_get_dtype, int32_t, shim::code_of(shim::dense(*self).dtype()))
GETTER(aoti_torch_get_device_type, int32_t, shim::device_of(shim::dense(*self).place()).type)
GETTER(aoti_torch_get_device_index, int32_t, shim::device_of(shim::dense(*self).place()).index)
GETTER(aoti_torch_get_layout, int32_t, (shim::dense(*self), shim::STRIDED))
GETTER(aoti_torch_get_storage_offset, int64_t, shim::storage_offset(*self))
GETTER(aoti_torch_is_contiguous, bool,
       shim::is_contiguous(shim::sizes(*self), shim::strides(*self)))
GETTER(aoti_torch_is_defined, bool, self->impl() != nullptr)
// The tensor's own: valid as long as it is, and only of sizes and strides that stay.
GETTER(aoti_torch_get_sizes, int64_t*, const_cast<int64_t*>(shim::dense(*self).dims().Get()))
GETTER(aoti_torch_get_strides, int64_t*, const_cast<int64_t*>(shim::dense(*self).strides().Get()))

namespace {

int64_t at(const Sizes& values, int64_t dim) {
  if (values.empty()) {
    throw std::out_of_range("Dimension specified as " + std::to_string(dim) +
                            " but tensor has no dimensions");
  }
  return values[shim::wrapped(dim, values.size())];
}

// Paddle's allocators give more than was asked for; torch's storage ends with what was.
int64_t storage_size(const shim::Tensor& tensor) {
  const auto& holder = shim::dense(tensor).Holder();
  return holder ? static_cast<int64_t>(holder->size()) : 0;
}

}  // namespace

EXPORT Error aoti_torch_get_size(Handle self, int64_t dim, int64_t* found) {
  return guarded([&] { *found = at(shim::sizes(*self), dim); });
}

EXPORT Error aoti_torch_get_stride(Handle self, int64_t dim, int64_t* found) {
  return guarded([&] { *found = at(shim::strides(*self), dim); });
}

GETTER(aoti_torch_get_storage_size, int64_t, storage_size(*self))
GETTER(aoti_torch_get_storage_numel, int64_t,
       storage_size(*self) / static_cast<int64_t>(phi::SizeOf(self->dtype())))

// --- handles ------------------------------------------------------------------------------

EXPORT Error aoti_torch_new_tensor_handle(Handle self, Handle* made) {
  return guarded([&] { *made = shim::handle(*self); });
}

EXPORT Error aoti_torch_new_uninitialized_tensor(Handle* made) {
  return guarded([&] { *made = shim::handle({}); });
}

EXPORT Error aoti_torch_delete_tensor_object(Handle self) {
  return guarded([&] { delete self; });
}

EXPORT Error aoti_torch_assign_tensors(Handle source, Handle target) {
  return guarded([&] { *target = *source; });
}

EXPORT Error aoti_torch_assign_tensors_out(Handle source, Handle* made) {
  return guarded([&] {
    *made = shim::handle(shim::view(*source, shim::sizes(*source), shim::strides(*source),
                                    shim::storage_offset(*source)));
  });
}

// --- new tensors --------------------------------------------------------------------------

EXPORT Error aoti_torch_empty_strided(int64_t rank, const int64_t* sizes, const int64_t* strides,
                                      int32_t dtype, int32_t device, int32_t index,
                                      Handle* made) {
  return guarded([&] {
    *made = shim::handle(shim::empty_strided(listed(sizes, rank), listed(strides, rank),
                                             shim::dtype_of(dtype),
                                             shim::place_of({device, index})));
  });
}

EXPORT Error torch_from_blob(void* data, int64_t rank, const int64_t* sizes,
                             const int64_t* strides, int64_t offset, int32_t dtype,
                             int32_t device, int32_t index, Handle* made, int32_t layout,
                             const uint8_t*, int64_t, void (*deleter)(void*, void*),
                             void* context) {
  return guarded([&] {
    refuse_unless_strided(layout);
    std::function<void()> release;
    if (deleter) release = [=] { deleter(data, context); };
    *made = shim::handle(shim::borrowed(data, listed(sizes, rank), listed(strides, rank), offset,
                                        shim::dtype_of(dtype), shim::place_of({device, index}),
                                        std::move(release)));
  });
}

EXPORT Error aoti_torch_create_tensor_from_blob_v2(void* data, int64_t rank, const int64_t* sizes,
                                                   const int64_t* strides, int64_t offset,
                                                   int32_t dtype, int32_t device, int32_t index,
                                                   Handle* made, int32_t layout,
                                                   const uint8_t* metadata, int64_t size) {
  return torch_from_blob(data, rank, sizes, strides, offset, dtype, device, index, made, layout,
                         metadata, size, nullptr, nullptr);
}

EXPORT Error aoti_torch_create_tensor_from_blob(void* data, int64_t rank, const int64_t* sizes,
                                                const int64_t* strides, int64_t offset,
                                                int32_t dtype, int32_t device, int32_t index,
                                                Handle* made) {
  return torch_from_blob(data, rank, sizes, strides, offset, dtype, device, index, made,
                         shim::STRIDED, nullptr, 0, nullptr, nullptr);
}

EXPORT Error aoti_torch__reinterpret_tensor(Handle self, int64_t rank, const int64_t* sizes,
                                            const int64_t* strides, int64_t offset,
                                            Handle* made) {
  return guarded([&] {
    *made = shim::handle(shim::view(*self, listed(sizes, rank), listed(strides, rank),
                                    shim::storage_offset(*self) + offset));
  });
}

EXPORT Error aoti_torch_as_strided(Handle self, const int64_t* sizes, const int64_t* strides,
                                   Handle* made) {
  return guarded([&] {
    const int64_t rank = shim::dense(*self).dims().size();
    *made = shim::handle(shim::view(*self, listed(sizes, rank), listed(strides, rank),
                                    shim::storage_offset(*self)));
  });
}

EXPORT Error aoti_torch_clone(Handle self, Handle* made) {
  return guarded([&] { *made = shim::handle(shim::clone(*self)); });
}

EXPORT Error aoti_torch_clone_preserve_strides(Handle self, Handle* made) {
  return guarded([&] {
    const Sizes sizes = shim::sizes(*self), strides = shim::strides(*self);
    auto copy = shim::empty_strided(sizes, strides, self->dtype(), self->place());
    shim::assign(copy, *self);
    *made = shim::handle(std::move(copy));
  });
}

EXPORT Error aoti_torch_copy_(Handle self, Handle source, int32_t) {
  return guarded([&] { shim::assign(*self, *source); });
}

EXPORT Error aoti_torch_tensor_copy_(Handle source, Handle target) {
  return guarded([&] { shim::assign(*target, *source); });
}

EXPORT Error aoti_torch_zero_(Handle self) {
  return guarded([&] { shim::fill(*self, 0); });
}

EXPORT void aoti_torch_print_tensor_handle(Handle self, const char* message) {
  std::cout << "[" << message << "] shape " << self->dims() << ", dtype "
            << phi::DataTypeToString(self->dtype()) << ", " << self->place().DebugString()
            << std::endl;
}

// --- one element --------------------------------------------------------------------------

#define ITEM(name, type) \
  EXPORT Error aoti_torch_item_##name(Handle self, type* found) { return item(self, found); }

ITEM(float16, phi::dtype::float16)
ITEM(bfloat16, phi::dtype::bfloat16)
ITEM(float32, float)
ITEM(float64, double)
ITEM(uint8, uint8_t)
ITEM(uint16, uint16_t)
ITEM(uint32, uint32_t)
ITEM(uint64, uint64_t)
ITEM(int8, int8_t)
ITEM(int16, int16_t)
ITEM(int32, int32_t)
ITEM(int64, int64_t)
ITEM(bool, bool)
ITEM(complex64, phi::dtype::complex<float>)

#define TENSOR_OF(name, type) \
  EXPORT Error aoti_torch_scalar_to_tensor_##name(type value, Handle* made) { \
    return tensor_of(value, made); \
  }

TENSOR_OF(float32, float)
TENSOR_OF(float64, double)
TENSOR_OF(uint8, uint8_t)
TENSOR_OF(uint16, uint16_t)
TENSOR_OF(uint32, uint32_t)
TENSOR_OF(uint64, uint64_t)
TENSOR_OF(int8, int8_t)
TENSOR_OF(int16, int16_t)
TENSOR_OF(int32, int32_t)
TENSOR_OF(int64, int64_t)
TENSOR_OF(bool, bool)
TENSOR_OF(complex64, phi::dtype::complex<float>)
TENSOR_OF(complex128, phi::dtype::complex<double>)
