// What the files of the shim share: handles, errors, codes of dtypes and devices, tensors.
#pragma once

#include "paddle/phi/api/include/tensor.h"
#include "paddle/phi/core/dense_tensor.h"

#include <cstdint>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#define VISIBLE __attribute__((visibility("default")))
#define EXPORT extern "C" VISIBLE

using Error = int32_t;
using StableValue = uint64_t;
using Handle = paddle::Tensor*;  // what libraries know as AtenTensorHandle

namespace shim {

using paddle::Tensor;
using Sizes = std::vector<int64_t>;

// --- errors -------------------------------------------------------------------------------

// Keeps what the last exception in this thread said.
void note_error(const std::string& what);

// An operator that has nothing for its arguments.
struct NotImplemented : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Calls the function, and makes an error code of an exception.
template <typename F>
Error guarded(F&& function) {
  try {
    function();
    return 0;
  } catch (const std::exception& error) {
    note_error(error.what());
  } catch (...) {
    note_error("UNKNOWN");
  }
  return 1;
}

[[noreturn]] inline void fail(const std::string& what) { throw std::runtime_error(what); }

// --- codes --------------------------------------------------------------------------------

enum Layout { STRIDED = 0 };

enum MemoryFormat { CONTIGUOUS = 0, PRESERVE = 1, CHANNELS_LAST = 2, CHANNELS_LAST_3D = 3 };

enum DeviceType { CPU = 0, CUDA = 1, XPU = 12, MPS = 13, META = 14, PRIVATEUSE1 = 20 };

struct Device {
  int32_t type = CPU;
  int32_t index = -1;
};

bool is_floating(phi::DataType dtype);
bool is_complex(phi::DataType dtype);
phi::DataType dtype_of(int32_t code);  // throws for what Paddle lacks
int32_t code_of(phi::DataType dtype);
Device device_of(const phi::Place& place);
phi::Place place_of(Device device);
Device parsed_device(const std::string& text);

// --- tensors ------------------------------------------------------------------------------

inline Handle handle(Tensor made) { return new Tensor(std::move(made)); }

phi::DenseTensor& dense(const Tensor& tensor);
Sizes sizes(const Tensor& tensor);
Sizes strides(const Tensor& tensor);
int64_t storage_offset(const Tensor& tensor);  // in elements
void* data(const Tensor& tensor);
int64_t wrapped(int64_t dim, int64_t rank);  // a dimension counted from the front
Sizes contiguous_strides(const Sizes& sizes);
// Those of a copy of a tensor in a memory format.
Sizes strides_like(const Tensor& tensor, int64_t format);
bool is_contiguous(const Sizes& sizes, const Sizes& strides);

Tensor empty_strided(const Sizes& sizes, const Sizes& strides, phi::DataType dtype,
                     const phi::Place& place);
Tensor empty(const Sizes& sizes, phi::DataType dtype, const phi::Place& place,
             int64_t format = CONTIGUOUS);

// Another tensor over the same memory; the offset is in elements from the storage's beginning.
Tensor view(const Tensor& of, const Sizes& sizes, const Sizes& strides, int64_t offset);

// A tensor over memory of others; `release` is called when nothing uses it any more.
Tensor borrowed(void* memory, const Sizes& sizes, const Sizes& strides, int64_t offset,
                phi::DataType dtype, const phi::Place& place, std::function<void()> release);

// Writes values into a tensor where it is, broadcast and made its dtype.
void assign(Tensor& target, const Tensor& source);
void fill(Tensor& target, double value);
Tensor clone(const Tensor& tensor, int64_t format = PRESERVE);

}  // namespace shim
