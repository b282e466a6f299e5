// Constants, errors, and what dtypes and devices are called.
#include "abi.h"

#include <algorithm>
#include <cctype>
#include <iostream>

namespace shim {

namespace {

thread_local std::string last_error;

struct Named {
  int32_t code;
  phi::DataType dtype;
  size_t size;
};

// UNDEFINED: torch has the dtype, Paddle does not.
using D = phi::DataType;
const Named DTYPES[] = {
    {0, D::UINT8, 1},      {1, D::INT8, 1},           {2, D::INT16, 2},
    {3, D::INT32, 4},      {4, D::INT64, 8},          {5, D::FLOAT16, 2},
    {6, D::FLOAT32, 4},    {7, D::FLOAT64, 8},        {8, D::UNDEFINED, 4},
    {9, D::COMPLEX64, 8},  {10, D::COMPLEX128, 16},   {11, D::BOOL, 1},
    {15, D::BFLOAT16, 2},  {23, D::FLOAT8_E5M2, 1},   {24, D::FLOAT8_E4M3FN, 1},
    {25, D::UNDEFINED, 1}, {26, D::UNDEFINED, 1},     {27, D::UINT16, 2},
    {28, D::UINT32, 4},    {29, D::UINT64, 8},        {44, D::UNDEFINED, 1},
    {45, D::UNDEFINED, 1},
};

const Named& named(int32_t code) {
  for (const Named& each : DTYPES) {
    if (each.code == code) return each;
  }
  fail("Unknown ScalarType " + std::to_string(code));
}

std::string first_custom_device() {
  // Which kind of custom device there is, the places of others tell; the usual one is asked for.
  return phi::CustomRegisteredDeviceMap::Instance().GetGlobalDeviceType(1);
}

}  // namespace

void note_error(const std::string& what) { last_error = what; }

phi::DataType dtype_of(int32_t code) {
  const Named& found = named(code);
  if (found.dtype == D::UNDEFINED) {
    fail("Paddle has no dtype for torch's ScalarType " + std::to_string(code));
  }
  return found.dtype;
}

int32_t code_of(phi::DataType dtype) {
  for (const Named& each : DTYPES) {
    if (each.dtype == dtype && dtype != D::UNDEFINED) return each.code;
  }
  fail("torch has no ScalarType for Paddle's dtype " + phi::DataTypeToString(dtype));
}

bool is_floating(phi::DataType dtype) {
  return dtype == D::FLOAT16 || dtype == D::BFLOAT16 || dtype == D::FLOAT32 ||
         dtype == D::FLOAT64 || dtype == D::FLOAT8_E4M3FN || dtype == D::FLOAT8_E5M2;
}

bool is_complex(phi::DataType dtype) { return dtype == D::COMPLEX64 || dtype == D::COMPLEX128; }

Device device_of(const phi::Place& place) {
  switch (place.GetType()) {
    case phi::AllocationType::GPU:
      return {CUDA, place.GetDeviceId()};
    case phi::AllocationType::XPU:
      return {XPU, place.GetDeviceId()};
    case phi::AllocationType::CUSTOM:
      return {PRIVATEUSE1, place.GetDeviceId()};
    default:
      return {};
  }
}

phi::Place place_of(Device device) {
  const int8_t index = static_cast<int8_t>(std::max(device.index, 0));
  switch (device.type) {
    case CPU:
      return phi::CPUPlace();
    case CUDA:
      return phi::GPUPlace(index);
    case XPU:
      return phi::XPUPlace(index);
    case PRIVATEUSE1:
      return phi::CustomPlace(first_custom_device(), index);
    default:
      fail("Paddle has no device for torch's DeviceType " + std::to_string(device.type));
  }
}

Device parsed_device(const std::string& text) {
  const auto colon = text.find(':');
  const std::string name = text.substr(0, colon);
  const std::pair<const char*, int32_t> names[] = {
      {"cpu", CPU}, {"cuda", CUDA}, {"xpu", XPU}, {"mps", MPS}, {"meta", META},
      {"privateuseone", PRIVATEUSE1}};
  const auto* found = std::find_if(std::begin(names), std::end(names),
                                   [&](const auto& each) { return name == each.first; });
  if (found == std::end(names)) fail("Invalid device string: '" + text + "'");
  if (colon == std::string::npos) return {found->second, -1};
  const std::string index = text.substr(colon + 1);
  const bool digits = !index.empty() && std::all_of(index.begin(), index.end(), ::isdigit);
  if (!digits || index.size() > 3 || (index.size() > 1 && index[0] == '0')) {
    fail("Invalid device string: '" + text + "'");
  }
  return {found->second, std::stoi(index)};
}

}  // namespace shim

#define CONSTANT(name, value) \
  EXPORT int32_t name() { return value; }

CONSTANT(aoti_torch_device_type_cpu, shim::CPU)
CONSTANT(aoti_torch_device_type_cuda, shim::CUDA)
CONSTANT(aoti_torch_device_type_xpu, shim::XPU)
CONSTANT(aoti_torch_device_type_mps, shim::MPS)
CONSTANT(aoti_torch_device_type_meta, shim::META)
CONSTANT(aoti_torch_device_type_privateuse1, shim::PRIVATEUSE1)

CONSTANT(aoti_torch_dtype_uint8, 0)
CONSTANT(aoti_torch_dtype_int8, 1)
CONSTANT(aoti_torch_dtype_int16, 2)
CONSTANT(aoti_torch_dtype_int32, 3)
CONSTANT(aoti_torch_dtype_int64, 4)
CONSTANT(aoti_torch_dtype_float16, 5)
CONSTANT(aoti_torch_dtype_float32, 6)
CONSTANT(aoti_torch_dtype_float64, 7)
CONSTANT(aoti_torch_dtype_complex32, 8)
CONSTANT(aoti_torch_dtype_complex64, 9)
CONSTANT(aoti_torch_dtype_complex128, 10)
CONSTANT(aoti_torch_dtype_bool, 11)
CONSTANT(aoti_torch_dtype_bfloat16, 15)
CONSTANT(aoti_torch_dtype_float8_e5m2, 23)
CONSTANT(aoti_torch_dtype_float8_e4m3fn, 24)
CONSTANT(aoti_torch_dtype_float8_e5m2fnuz, 25)
CONSTANT(aoti_torch_dtype_float8_e4m3fnuz, 26)
CONSTANT(aoti_torch_dtype_uint16, 27)
CONSTANT(aoti_torch_dtype_uint32, 28)
CONSTANT(aoti_torch_dtype_uint64, 29)
CONSTANT(aoti_torch_dtype_float8_e8m0fnu, 44)
CONSTANT(aoti_torch_dtype_float4_e2m1fn_x2, 45)
CONSTANT(torch_dtype_float8_e8m0fnu, 44)
CONSTANT(torch_dtype_float4_e2m1fn_x2, 45)

CONSTANT(aoti_torch_layout_strided, shim::STRIDED)
CONSTANT(aoti_torch_layout_sparse_coo, 1)
CONSTANT(aoti_torch_layout_sparse_csr, 2)
CONSTANT(aoti_torch_layout__mkldnn, 3)
CONSTANT(aoti_torch_layout_sparse_csc, 4)
CONSTANT(aoti_torch_layout_sparse_bsr, 5)
CONSTANT(aoti_torch_layout_sparse_bsc, 6)
CONSTANT(aoti_torch_layout_jagged, 7)

CONSTANT(aoti_torch_memory_format_contiguous_format, shim::CONTIGUOUS)
CONSTANT(aoti_torch_memory_format_preserve_format, shim::PRESERVE)
CONSTANT(aoti_torch_memory_format_channels_last, shim::CHANNELS_LAST)
CONSTANT(aoti_torch_memory_format_channels_last_3d, shim::CHANNELS_LAST_3D)

// Operators of this shim take tags and do nothing with them: the codes only have to differ.
CONSTANT(torch_tag_core, 0)
CONSTANT(torch_tag_cudagraph_unsafe, 1)
CONSTANT(torch_tag_data_dependent_output, 2)
CONSTANT(torch_tag_dynamic_output_shape, 3)
CONSTANT(torch_tag_flexible_layout, 4)
CONSTANT(torch_tag_generated, 5)
CONSTANT(torch_tag_inplace_view, 6)
CONSTANT(torch_tag_maybe_aliasing_or_mutating, 7)
CONSTANT(torch_tag_needs_contiguous_strides, 8)
CONSTANT(torch_tag_needs_exact_strides, 9)
CONSTANT(torch_tag_needs_fixed_stride_order, 10)
CONSTANT(torch_tag_nondeterministic_bitwise, 11)
CONSTANT(torch_tag_nondeterministic_seeded, 12)
CONSTANT(torch_tag_out_variant, 13)
CONSTANT(torch_tag_pointwise, 14)
CONSTANT(torch_tag_pt2_compliant_tag, 15)
CONSTANT(torch_tag_reduction, 16)
CONSTANT(torch_tag_view_copy, 17)

EXPORT size_t aoti_torch_dtype_element_size(int32_t dtype) { return shim::named(dtype).size; }

// The version of torch whose declarations these are: 2.13.
EXPORT uint64_t aoti_torch_abi_version() { return 2ULL << 56 | 13ULL << 48; }

EXPORT const char* torch_exception_get_what() { return shim::last_error.c_str(); }

EXPORT const char* torch_exception_get_what_without_backtrace() {
  return shim::last_error.c_str();
}

EXPORT Error torch_parse_device_string(const char* text, uint32_t* type, int32_t* index) {
  return shim::guarded([&] {
    const auto found = shim::parsed_device(text);
    *type = static_cast<uint32_t>(found.type);
    *index = found.index;
  });
}

EXPORT void aoti_torch_check(bool condition, const char* function, const char* file,
                             uint32_t line, const char* message) {
  if (condition) return;
  shim::fail(std::string(message) + " (" + function + " at " + file + ":" +
             std::to_string(line) + ")");
}

EXPORT void aoti_torch_warn(const char* function, const char* file, uint32_t line,
                            const char* message) {
  std::cerr << "[W " << file << ":" << line << "] Warning: " << message << " (function "
            << function << ")\n";
}
