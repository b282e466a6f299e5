// What torch's stable C ABI does, one line of output for each call. It is compiled once, against
// torch's declarations, and run under torch and under porter's shim by tests/test_stable_abi.py.
#include <torch/csrc/inductor/aoti_torch/generated/c_shim_aten.h>
#include <torch/csrc/stable/c/shim.h>

#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace {

using Handle = AtenTensorHandle;
using Sizes = std::vector<int64_t>;

// The error code of a call, and what was said if there is one: its first line.
std::string said(int32_t code, bool words = true) {
  if (code == 0) return "ok";
  std::string text = torch_exception_get_what_without_backtrace();
  return words ? "fails: " + text.substr(0, text.find('\n')) : "fails";
}

std::string text(const Sizes& values) {
  std::string made;
  for (int64_t each : values) made += std::to_string(each) + " ";
  return "[" + (made.empty() ? made : made.substr(0, made.size() - 1)) + "]";
}

template <typename T>
StableIValue raw(T value) {
  StableIValue made = 0;
  std::memcpy(&made, &value, sizeof(value));
  return made;
}

template <typename T>
T read(StableIValue value) {
  T made;
  std::memcpy(&made, &value, sizeof(made));
  return made;
}

StableIValue own(Handle tensor) {
  Handle made = nullptr;
  aoti_torch_new_tensor_handle(tensor, &made);
  return raw(made);
}

StableIValue list(const std::vector<StableIValue>& items) {
  StableListHandle made = nullptr;
  torch_new_list_reserve_size(items.size(), &made);
  for (StableIValue each : items) torch_list_push_back(made, each);
  return raw(made);
}

StableIValue ints(const Sizes& values) {
  std::vector<StableIValue> items;
  for (int64_t each : values) items.push_back(raw(each));
  return list(items);
}

StableIValue string(const std::string& value) {
  StringHandle made = nullptr;
  torch_new_string_handle(value.data(), value.size(), &made);
  return raw(made);
}

StableIValue none() { return raw<StableIValue*>(nullptr); }

StableIValue some(StableIValue value) { return raw(new StableIValue(value)); }

StableIValue device(int32_t type, int32_t index) {
  return static_cast<uint64_t>(type) << 32 | static_cast<uint32_t>(index);
}

Sizes contiguous(const Sizes& sizes) {
  Sizes made(sizes.size(), 1);
  for (size_t i = sizes.size(); i-- > 1;) made[i - 1] = made[i] * (sizes[i] ? sizes[i] : 1);
  return made;
}

Handle empty(const Sizes& sizes, int32_t dtype) {
  Handle made = nullptr;
  const Sizes strides = contiguous(sizes);
  aoti_torch_empty_strided(sizes.size(), sizes.data(), strides.data(), dtype,
                           aoti_torch_device_type_cpu(), -1, &made);
  return made;
}

Handle counted(const Sizes& sizes, float start = 0) {
  Handle made = empty(sizes, aoti_torch_dtype_float32());
  int64_t count = 0;
  aoti_torch_get_numel(made, &count);
  void* data = nullptr;
  aoti_torch_get_data_ptr(made, &data);
  for (int64_t i = 0; i < count; ++i) static_cast<float*>(data)[i] = start + i;
  return made;
}

Sizes sizes_of(Handle tensor, bool strides = false) {
  int64_t rank = 0, *found = nullptr;
  aoti_torch_get_dim(tensor, &rank);
  strides ? aoti_torch_get_strides(tensor, &found) : aoti_torch_get_sizes(tensor, &found);
  return Sizes(found, found + rank);
}

// A tensor's elements in the order of its dimensions.
std::string values(Handle tensor) {
  Handle copy = nullptr;
  StableIValue stack[] = {own(tensor), raw(aoti_torch_memory_format_contiguous_format())};
  if (torch_call_dispatcher("aten::contiguous", "", stack, aoti_torch_abi_version())) return "?";
  copy = read<Handle>(stack[0]);
  StableIValue cast[8] = {raw(copy), some(raw(aoti_torch_dtype_float64())), none(), none(),
                          none(), raw(false), raw(false), none()};
  if (torch_call_dispatcher("aten::to", "dtype_layout", cast, aoti_torch_abi_version())) return "?";
  copy = read<Handle>(cast[0]);
  void* data = nullptr;
  int64_t count = 0;
  aoti_torch_get_data_ptr(copy, &data);
  aoti_torch_get_numel(copy, &count);
  std::string made;
  char one[32];
  for (int64_t i = 0; i < count; ++i) {
    std::snprintf(one, sizeof(one), "%g ", static_cast<double*>(data)[i]);
    made += one;
  }
  aoti_torch_delete_tensor_object(copy);
  return made;
}

std::string facts(Handle tensor, bool with_strides = true) {
  int32_t dtype = -1, type = -1, index = -9, layout = -1;
  int64_t rank = -1, count = -1, offset = -1;
  bool whole = false;
  aoti_torch_get_dim(tensor, &rank);
  aoti_torch_get_numel(tensor, &count);
  aoti_torch_get_dtype(tensor, &dtype);
  aoti_torch_get_device_type(tensor, &type);
  aoti_torch_get_device_index(tensor, &index);
  aoti_torch_get_layout(tensor, &layout);
  aoti_torch_get_storage_offset(tensor, &offset);
  aoti_torch_is_contiguous(tensor, &whole);
  char line[256];
  std::snprintf(line, sizeof(line), "rank %d count %d dtype %d device %d:%d layout %d offset %d %s",
                int(rank), int(count), dtype, type, index, layout, int(offset),
                whole ? "contiguous" : "strided");
  return text(sizes_of(tensor)) + (with_strides ? text(sizes_of(tensor, true)) : "") + " " + line;
}

void show(const char* name, Handle tensor, bool with_strides = true) {
  std::printf("%s: %s: %s\n", name, facts(tensor, with_strides).c_str(), values(tensor).c_str());
}

// An operator called through the dispatcher, with what it gives.
void call(const char* name, const char* overload, std::vector<StableIValue> stack,
          bool with_strides = true, bool words = true) {
  stack.resize(stack.size() + 2);
  const auto code = torch_call_dispatcher(name, overload, stack.data(), aoti_torch_abi_version());
  if (code) {
    std::printf("%s.%s %s\n", name, overload, said(code, words).c_str());
    return;
  }
  Handle made = read<Handle>(stack[0]);
  show((std::string(name) + "." + overload).c_str(), made, with_strides);
  aoti_torch_delete_tensor_object(made);
}

#define CONSTANT(name) std::printf(#name " %d\n", int(name()));

void constants() {
  CONSTANT(aoti_torch_device_type_cpu)
  CONSTANT(aoti_torch_device_type_cuda)
  CONSTANT(aoti_torch_device_type_meta)
  CONSTANT(aoti_torch_device_type_xpu)
  CONSTANT(aoti_torch_device_type_mps)
  CONSTANT(aoti_torch_device_type_privateuse1)
  CONSTANT(aoti_torch_layout_strided)
  CONSTANT(aoti_torch_layout_sparse_coo)
  CONSTANT(aoti_torch_layout_sparse_csr)
  CONSTANT(aoti_torch_layout_sparse_csc)
  CONSTANT(aoti_torch_layout_sparse_bsr)
  CONSTANT(aoti_torch_layout_sparse_bsc)
  CONSTANT(aoti_torch_layout__mkldnn)
  CONSTANT(aoti_torch_layout_jagged)
  CONSTANT(aoti_torch_memory_format_contiguous_format)
  CONSTANT(aoti_torch_memory_format_channels_last)
  CONSTANT(aoti_torch_memory_format_channels_last_3d)
  CONSTANT(aoti_torch_memory_format_preserve_format)
  std::printf("version %" PRIx64 "\n", aoti_torch_abi_version());
}

#define DTYPE(name) {#name, aoti_torch_dtype_##name()}

void dtypes() {
  const std::pair<const char*, int32_t> all[] = {
      DTYPE(uint8), DTYPE(int8), DTYPE(int16), DTYPE(int32), DTYPE(int64), DTYPE(float16),
      DTYPE(float32), DTYPE(float64), DTYPE(complex32), DTYPE(complex64), DTYPE(complex128),
      DTYPE(bool), DTYPE(bfloat16), DTYPE(float8_e5m2), DTYPE(float8_e4m3fn),
      DTYPE(float8_e5m2fnuz), DTYPE(float8_e4m3fnuz), DTYPE(uint16), DTYPE(uint32), DTYPE(uint64),
      {"float8_e8m0fnu", torch_dtype_float8_e8m0fnu()},
      {"float4_e2m1fn_x2", torch_dtype_float4_e2m1fn_x2()}};
  for (const auto& [name, code] : all) {
    std::printf("dtype %s %d of %zu bytes\n", name, code, aoti_torch_dtype_element_size(code));
  }
  for (const auto& [name, code] : all) {
    const Sizes sizes = {2, 3}, strides = {3, 1};
    Handle made = nullptr;
    const auto result = aoti_torch_empty_strided(2, sizes.data(), strides.data(), code,
                                                 aoti_torch_device_type_cpu(), -1, &made);
    std::printf("made of %s: %s\n", name, result ? "fails" : facts(made).c_str());
    if (!result) aoti_torch_delete_tensor_object(made);
  }
}

void devices() {
  for (const char* each : {"cpu", "cuda", "cuda:0", "cuda:12", "xpu:1", "mps", "meta", "cpu:0",
                           "privateuseone", "gpu", "cuda:", "cuda:x", "cuda:01", "", ":0",
                           "cuda:-1", "CPU"}) {
    uint32_t type = 99;
    int32_t index = -9;
    const auto code = torch_parse_device_string(each, &type, &index);
    std::printf("device '%s' %s %d %d\n", each, said(code, false).c_str(), int(type), index);
  }
}

std::atomic<int> released{0};

void release(void* data, void* context) {
  ++released;
  delete[] static_cast<float*>(data);
  *static_cast<int*>(context) += 1;
}

Handle blob(int* context, const Sizes& sizes, const Sizes& strides, int64_t offset = 0) {
  auto* data = new float[64];
  for (int i = 0; i < 64; ++i) data[i] = i;
  Handle made = nullptr;
  const auto code = torch_from_blob(data, sizes.size(), sizes.data(), strides.data(), offset,
                                    aoti_torch_dtype_float32(), aoti_torch_device_type_cpu(), -1,
                                    &made, aoti_torch_layout_strided(), nullptr, 0, release,
                                    context);
  std::printf("blob %s\n", said(code).c_str());
  return made;
}

void memory() {
  int context = 0;
  Handle first = blob(&context, {2, 3}, {3, 1});
  show("blob", first);
  Handle second = nullptr, part = nullptr;
  aoti_torch_new_tensor_handle(first, &second);
  std::printf("narrow %s\n", said(aoti_torch_aten_narrow(second, 1, 1, 2, &part)).c_str());
  show("part", part);
  void *whole = nullptr, *inner = nullptr;
  aoti_torch_get_data_ptr(first, &whole);
  torch_get_mutable_data_ptr(part, &inner);
  std::printf("part begins %d bytes later\n", int((char*)inner - (char*)whole));
  static_cast<float*>(inner)[0] = 100;
  show("written through the part", first);
  aoti_torch_delete_tensor_object(first);
  aoti_torch_delete_tensor_object(second);
  std::printf("released %d\n", released.load());
  show("the part still is", part);
  aoti_torch_delete_tensor_object(part);
  std::printf("released %d %d\n", released.load(), context);
  Handle strided = blob(&context, {3, 2}, {2, 10}, 5);
  show("strided blob", strided);
  int64_t one = 0;
  for (int64_t dim : {0, 1, -1, 2, -3}) {
    std::printf("size %s", said(aoti_torch_get_size(strided, dim, &one)).c_str());
    std::printf(" %d\n", int(one));
    std::printf("stride %s", said(aoti_torch_get_stride(strided, dim, &one)).c_str());
    std::printf(" %d\n", int(one));
  }
  aoti_torch_delete_tensor_object(strided);
  float local[6] = {1, 2, 3, 4, 5, 6};
  const Sizes sizes = {6}, strides = {1};
  Handle borrowed = nullptr;
  aoti_torch_create_tensor_from_blob_v2(local, 1, sizes.data(), strides.data(), 0,
                                        aoti_torch_dtype_float32(), aoti_torch_device_type_cpu(),
                                        -1, &borrowed, aoti_torch_layout_strided(), nullptr, 0);
  show("borrowed", borrowed);
  aoti_torch_delete_tensor_object(borrowed);
  Handle nothing = nullptr;
  bool defined = true;
  std::printf("undefined %s", said(aoti_torch_new_uninitialized_tensor(&nothing)).c_str());
  aoti_torch_is_defined(nothing, &defined);
  std::printf(" %d\n", defined);
  Handle source = counted({2});
  std::printf("assigned %s\n", said(aoti_torch_assign_tensors(source, nothing)).c_str());
  aoti_torch_delete_tensor_object(source);
  show("assigned", nothing);
  aoti_torch_delete_tensor_object(nothing);
  std::printf("released %d %d\n", released.load(), context);
  for (const Sizes& each : {Sizes{}, Sizes{0}, Sizes{2, 0, 3}, Sizes{1, 1}}) {
    Handle made = empty(each, aoti_torch_dtype_int64());
    aoti_torch_zero_(made);
    show("small", made);
    void* data = &made;
    aoti_torch_get_data_ptr(made, &data);
    std::printf("data %s\n", data ? "there" : "none");
    aoti_torch_delete_tensor_object(made);
  }
  const Sizes negative = {2, -1};
  std::printf("negative %s\n",
              said(aoti_torch_empty_strided(2, negative.data(), strides.data(), 6, 0, -1, &nothing),
                   false).c_str());
}

void views() {
  Handle x = counted({2, 3, 4});
  const auto of = [&](Handle tensor) { return own(tensor); };
  for (int64_t dim : {0, 1, 2, -1, 3, -4}) {
    for (int64_t index : {0, 1, -1, 3}) {
      call("aten::select", "int", {of(x), raw(dim), raw(index)}, true, false);
    }
    call("aten::unsqueeze", "", {of(x), raw(dim)});
    call("aten::transpose", "int", {of(x), raw(dim), raw<int64_t>(1)});
    call("aten::squeeze", "dim", {of(x), raw(dim)});
  }
  for (const Sizes& order : {Sizes{2, 0, 1}, Sizes{0, -1, 1}, Sizes{0, 0, 1}, Sizes{0, 1}}) {
    call("aten::permute", "", {of(x), ints(order)}, true, false);
  }
  StableIValue turned[] = {of(x), ints({2, 0, 1})};
  torch_call_dispatcher("aten::permute", "", turned, aoti_torch_abi_version());
  Handle permuted = read<Handle>(turned[0]);
  for (const Sizes& shape : {Sizes{24}, Sizes{6, 4}, Sizes{2, 2, 6}, Sizes{-1, 8}, Sizes{2, 1, 12},
                             Sizes{5, 5}, Sizes{-1, -1}, Sizes{4, 2, 3}, Sizes{4, 6},
                             Sizes{2, 2, 2, 3}}) {
    for (Handle each : {x, permuted}) {
      call("aten::view", "", {of(each), ints(shape)}, true, false);
      call("aten::reshape", "", {of(each), ints(shape)}, true, false);
    }
  }
  for (int64_t first : {0, 1, -2}) {
    for (int64_t last : {1, -1, 0}) {
      call("aten::flatten", "using_ints", {of(x), raw(first), raw(last)}, true, false);
      call("aten::flatten", "using_ints", {of(permuted), raw(first), raw(last)}, true, false);
    }
  }
  for (Handle each : {x, permuted}) {
    call("aten::clone", "", {of(each), none()});
    call("aten::contiguous", "", {of(each), raw(aoti_torch_memory_format_contiguous_format())});
    Handle made = nullptr;
    aoti_torch_clone(each, &made);
    show("clone", made);
    aoti_torch_delete_tensor_object(made);
  }
  for (int64_t start : {0, 1, -1, 3, 4, -4}) {
    Handle part = nullptr;
    const auto code = aoti_torch_aten_narrow(x, 1, start, 2, &part);
    std::printf("narrow %d %s\n", int(start), said(code, false).c_str());
    if (!code) show("narrow", part), aoti_torch_delete_tensor_object(part);
  }
  Handle image = counted({1, 3, 2, 2});
  call("aten::contiguous", "", {of(image), raw(aoti_torch_memory_format_channels_last())});
  call("aten::clone", "", {of(image), some(raw(aoti_torch_memory_format_channels_last()))});
  call("aten::clone", "", {of(x), some(raw(aoti_torch_memory_format_channels_last()))}, true, false);
  aoti_torch_delete_tensor_object(image);
  aoti_torch_delete_tensor_object(permuted);
  aoti_torch_delete_tensor_object(x);
}

void writing() {
  Handle x = counted({3, 4}), y = counted({3, 2}, 50), row = counted({2}, 7);
  Handle part = nullptr;
  aoti_torch_aten_narrow(x, 1, 1, 2, &part);
  std::printf("copy %s\n", said(aoti_torch_copy_(part, y, 0)).c_str());
  show("copied into a part", x);
  std::printf("copy %s\n", said(aoti_torch_copy_(part, row, 0)).c_str());
  show("broadcast", x);
  std::printf("copy %s\n", said(aoti_torch_copy_(row, y, 0), false).c_str());
  StableIValue stack[] = {own(part), own(y), raw(false)};
  torch_call_dispatcher("aten::copy_", "", stack, aoti_torch_abi_version());
  aoti_torch_delete_tensor_object(read<Handle>(stack[0]));
  show("copied by the dispatcher", x);
  Handle whole = empty({2}, aoti_torch_dtype_int32());
  std::printf("copy %s\n", said(aoti_torch_copy_(whole, row, 0)).c_str());
  show("of another dtype", whole);
  std::printf("fill %s\n", said(aoti_torch_aten_fill__Scalar(part, 2.5)).c_str());
  show("filled", x);
  std::printf("zero %s\n", said(aoti_torch_zero_(part)).c_str());
  show("zeroed", x);
  for (int32_t dtype : {aoti_torch_dtype_uint8(), aoti_torch_dtype_int64(),
                        aoti_torch_dtype_float16(), aoti_torch_dtype_bfloat16(),
                        aoti_torch_dtype_float64(), aoti_torch_dtype_bool()}) {
    const Sizes size = {2, 2};
    int32_t type = aoti_torch_device_type_cpu();
    Handle made = nullptr;
    std::printf("full %s\n", said(aoti_torch_aten_full(size.data(), 2, 3, &dtype, nullptr, &type,
                                                       -1, nullptr, &made)).c_str());
    show("full", made);
    call("aten::to", "dtype_layout", {own(made), some(raw(aoti_torch_dtype_float32())), none(),
                                      none(), none(), raw(false), raw(true), none()});
    aoti_torch_delete_tensor_object(made);
  }
  for (Handle each : {x, y, row, part, whole}) aoti_torch_delete_tensor_object(each);
}

void computing() {
  Handle x = counted({2, 3}), y = counted({2, 3}, 10), column = counted({2, 1}, 1);
  Handle made = nullptr;
  aoti_torch_aten_subtract_Tensor(x, y, 1, &made);
  show("subtract", made);
  aoti_torch_delete_tensor_object(made);
  aoti_torch_aten_subtract_Tensor(x, column, 2, &made);
  show("subtract", made);
  aoti_torch_delete_tensor_object(made);
  Handle whole = empty({2, 3}, aoti_torch_dtype_int64());
  aoti_torch_copy_(whole, y, 0);
  aoti_torch_aten_subtract_Tensor(whole, x, 1, &made);
  show("subtract of two dtypes", made);
  aoti_torch_delete_tensor_object(made);
  call("aten::cat", "", {list({own(x), own(y)}), raw<int64_t>(0)});
  call("aten::cat", "", {list({own(x), own(y)}), raw<int64_t>(-1)});
  call("aten::cat", "", {list({own(x), own(whole)}), raw<int64_t>(0)});
  call("aten::cat", "", {list({own(x), own(column)}), raw<int64_t>(0)}, true, false);
  call("aten::cat", "", {list({}), raw<int64_t>(0)}, true, false);
  for (int64_t times : {0, 1, 2, 3, -1, 5}) {
    call("aten::rot90", "", {own(x), raw(times), ints({0, 1})}, false);
  }
  call("aten::flip", "", {own(x), ints({0, 1})}, false);
  call("aten::matmul", "", {own(x), own(column)}, true, false);
  call("aten::sum", "dim_IntList", {own(x), some(ints({1})), raw(true), none()});
  call("aten::sum", "dim_IntList", {own(whole), none(), raw(false), none()});
  call("aten::sum", "dim_IntList", {own(whole), some(ints({0})), raw(false),
                                    some(raw(aoti_torch_dtype_float64()))});
  const int64_t last = -1;
  aoti_torch_aten_amax(x, &last, 1, 1, &made);
  show("amax", made);
  aoti_torch_delete_tensor_object(made);
  const Sizes widths = {1, 2, 0, -1};
  double value = 9;
  std::printf("pad %s\n",
              said(aoti_torch_aten_pad(x, widths.data(), 4, "constant", &value, &made)).c_str());
  show("pad", made);
  aoti_torch_delete_tensor_object(made);
  call("aten::no_such_operator", "", {own(x)});
  for (Handle each : {x, y, column, whole}) aoti_torch_delete_tensor_object(each);
}

void scalars() {
  Handle made = nullptr;
  float real = 0;
  int64_t number = 0;
  bool flag = false;
  aoti_torch_scalar_to_tensor_float64(2.75, &made);
  show("scalar", made);
  std::printf("item %s %g\n", said(aoti_torch_item_float32(made, &real)).c_str(), real);
  aoti_torch_delete_tensor_object(made);
  aoti_torch_scalar_to_tensor_int64(-5, &made);
  show("scalar", made);
  std::printf("item %s %d\n", said(aoti_torch_item_int64(made, &number)).c_str(), int(number));
  std::printf("item %s %d\n", said(aoti_torch_item_bool(made, &flag)).c_str(), flag);
  aoti_torch_delete_tensor_object(made);
  made = counted({3});
  std::printf("item %s\n", said(aoti_torch_item_float32(made, &real)).c_str());
  aoti_torch_delete_tensor_object(made);
}

void containers() {
  StableListHandle items = nullptr;
  size_t size = 9;
  StableIValue one = 0;
  torch_new_list_reserve_size(4, &items);
  torch_list_size(items, &size);
  std::printf("list of %zu\n", size);
  torch_list_push_back(items, 7);
  torch_list_push_back(items, 8);
  std::printf("set %s\n", said(torch_list_set_item(items, 1, 9), false).c_str());
  std::printf("get %s", said(torch_list_get_item(items, 1, &one), false).c_str());
  std::printf(" %d\n", int(one));
  std::printf("get %s\n", said(torch_list_get_item(items, 2, &one), false).c_str());
  std::printf("set %s\n", said(torch_list_set_item(items, 5, one), false).c_str());
  std::printf("deleted %s\n", said(torch_delete_list(items)).c_str());
  StringHandle word = nullptr;
  const char* data = nullptr;
  torch_new_string_handle("a\0b", 3, &word);
  torch_string_length(word, &size);
  torch_string_c_str(word, &data);
  std::printf("string of %zu: %c%d%c%d\n", size, data[0], data[1], data[2], data[3]);
  std::printf("deleted %s\n", said(torch_delete_string(word)).c_str());
  StableIValue* value = nullptr;
  std::printf("value %s\n", said(torch_new_stable_ivalue(&value)).c_str());
  std::printf("deleted %s\n", said(torch_delete_stable_ivalue(value)).c_str());
  std::printf("deleted %s\n", said(torch_delete_stable_ivalue(nullptr), false).c_str());
}

void threads() {
  Handle shared = counted({4});
  std::atomic<int> good{0};
  std::vector<std::thread> all;
  for (int i = 0; i < 4; ++i) {
    all.emplace_back([&, i] {
      for (int turn = 0; turn < 500; ++turn) {
        Handle mine = nullptr, part = nullptr;
        aoti_torch_new_tensor_handle(shared, &mine);
        aoti_torch_aten_narrow(mine, 0, 1, 2, &part);
        aoti_torch_delete_tensor_object(mine);
        aoti_torch_delete_tensor_object(part);
      }
      int64_t found = 0;
      const bool failed = aoti_torch_get_size(shared, 10 + i, &found) != 0;
      const std::string what = torch_exception_get_what_without_backtrace();
      if (failed && what.find("got " + std::to_string(10 + i)) != std::string::npos) ++good;
    });
  }
  for (std::thread& each : all) each.join();
  std::printf("each of %d threads keeps its own error\n", good.load());
  show("shared", shared);
  aoti_torch_delete_tensor_object(shared);
  std::vector<int> seen(1000, 0);
  struct Context {
    std::vector<int>* seen;
    std::atomic<bool> inside;
  } context{&seen, true};
  const auto work = [](int64_t begin, int64_t end, void* raw) {
    auto* given = static_cast<Context*>(raw);
    uint32_t index = 0, count = 0;
    torch_get_thread_idx(&index);
    torch_get_num_threads(&count);
    for (int64_t i = begin; i < end; ++i) ++(*given->seen)[i];
  };
  std::printf("loop %s", said(torch_parallel_for(0, 1000, 10, work, &context)).c_str());
  int once = 0;
  for (int each : seen) once += each == 1;
  std::printf(" %d once\n", once);
  std::printf("empty loop %s\n", said(torch_parallel_for(3, 3, 1, work, &context)).c_str());
  uint32_t index = 9;
  torch_get_thread_idx(&index);
  std::printf("outside of loops, thread %u\n", index);
  const auto fails = [](int64_t, int64_t, void*) { throw std::runtime_error("from the loop"); };
  std::printf("loop %s\n", said(torch_parallel_for(0, 100, 1, fails, nullptr)).c_str());
}

// (Tensor x, int? times, float[] more, str word, ScalarType d, Device? where) -> (str, str)
void mixed(StableIValue* stack, uint64_t inputs, uint64_t outputs) {
  Handle x = read<Handle>(stack[0]);
  auto* times = read<StableIValue*>(stack[1]);
  auto more = read<StableListHandle>(stack[2]);
  auto word = read<StringHandle>(stack[3]);
  auto* where = read<StableIValue*>(stack[5]);
  size_t size = 0;
  const char* data = nullptr;
  torch_list_size(more, &size);
  torch_string_c_str(word, &data);
  double total = 0;
  for (size_t i = 0; i < size; ++i) {
    StableIValue one = 0;
    torch_list_get_item(more, i, &one);
    total += read<double>(one);
  }
  char said[128];
  std::snprintf(said, sizeof(said), "%d %d times %d more %g word %s dtype %d device %d", int(inputs),
                int(outputs), times ? int(read<int64_t>(*times)) : -1, total, data,
                read<int32_t>(stack[4]), where ? int(*where >> 32) : -1);
  delete times;
  delete where;
  torch_delete_list(more);
  torch_delete_string(word);
  stack[0] = string(said);
  stack[1] = string(facts(x));
  aoti_torch_delete_tensor_object(x);
}

void raising(StableIValue* stack, uint64_t, uint64_t) {
  aoti_torch_delete_tensor_object(read<Handle>(stack[0]));
  throw std::runtime_error("the kernel says no");
}

void doubled(StableIValue* stack, uint64_t, uint64_t) {
  Handle x = read<Handle>(stack[0]), made = nullptr;
  aoti_torch_aten_subtract_Tensor(x, x, -1, &made);
  aoti_torch_delete_tensor_object(x);
  stack[0] = raw(made);
}

int32_t implement(TorchLibraryHandle library, const char* name,
                  void (*function)(StableIValue*, uint64_t, uint64_t)) {
  return torch_library_impl(library, name, function, aoti_torch_abi_version());
}

void operators() {
  TorchLibraryHandle defined = nullptr, again = nullptr, cpu = nullptr;
  std::printf("def %s\n", said(aoti_torch_library_init_def("probe_ns", "f", 1, &defined)).c_str());
  std::printf("def again %s\n",
              said(aoti_torch_library_init_def("probe_ns", "f", 1, &again), false).c_str());
  std::printf("fragment %s\n",
              said(aoti_torch_library_init_fragment("probe_ns", "f", 1, &again)).c_str());
  std::printf("impl %s\n", said(aoti_torch_library_init_impl("probe_ns", "CPU", "f", 1, &cpu)).c_str());
  TorchLibraryHandle none_ = nullptr;
  std::printf("no such key %s\n",
              said(aoti_torch_library_init_impl("probe_ns", "Nowhere", "f", 1, &none_), false).c_str());
  for (const char* schema :
       {"mixed(Tensor x, int? times, float[] more, str word, ScalarType d, Device? where=None) -> "
        "(str, str)",
        "raising(Tensor x) -> Tensor", "doubled(Tensor x) -> Tensor", "doubled.twice(Tensor x) -> Tensor",
        "probe_ns::missing(Tensor x) -> Tensor", "doubled(Tensor x) -> Tensor", "broken(Tensor",
        "broken(Nonsense?? x -> y", "other_ns::foreign(Tensor x) -> Tensor"}) {
    const auto code = aoti_torch_library_def(defined, schema);
    std::printf("defined %s: %s\n", schema, said(code, false).c_str());
  }
  const int32_t tag = torch_tag_pt2_compliant_tag();
  std::printf("with a tag %s\n",
              said(torch_library_def_with_tags(again, "tagged(Tensor x) -> Tensor", &tag, 1)).c_str());
  std::printf("impl %s\n", said(implement(cpu, "mixed", mixed)).c_str());
  std::printf("impl %s\n", said(implement(cpu, "raising", raising)).c_str());
  std::printf("impl %s\n", said(implement(cpu, "probe_ns::doubled", doubled)).c_str());
  std::printf("impl %s\n", said(implement(cpu, "tagged", doubled)).c_str());
  std::printf("impl %s\n", said(implement(cpu, "other_ns::foreign", doubled), false).c_str());
  Handle x = counted({3});
  for (bool with : {true, false}) {
    StableIValue stack[] = {own(x),
                            with ? some(raw<int64_t>(4)) : none(),
                            list({raw(1.5), raw(2.0)}),
                            string("two words"),
                            raw(aoti_torch_dtype_int32()),
                            with ? some(device(aoti_torch_device_type_cuda(), 3)) : none()};
    const auto code = torch_call_dispatcher("probe_ns::mixed", "", stack, aoti_torch_abi_version());
    std::printf("mixed %s\n", said(code).c_str());
    for (int i : {0, 1}) {
      const char* data = nullptr;
      torch_string_c_str(read<StringHandle>(stack[i]), &data);
      std::printf("it said: %s\n", data);
      torch_delete_string(read<StringHandle>(stack[i]));
    }
  }
  call("probe_ns::doubled", "", {own(x)});
  call("probe_ns::tagged", "", {own(x)});
  call("probe_ns::raising", "", {own(x)});
  call("probe_ns::missing", "", {own(x)}, true, false);
  call("probe_ns::doubled", "twice", {own(x)}, true, false);
  call("probe_ns::undefined", "", {own(x)});
  StableIValue stack[] = {own(x)};
  std::printf("the older dispatcher %s\n",
              said(aoti_torch_call_dispatcher("probe_ns::doubled", "", stack)).c_str());
  show("gave", read<Handle>(stack[0]));
  aoti_torch_delete_tensor_object(read<Handle>(stack[0]));
  aoti_torch_delete_library_object(cpu);
  call("probe_ns::doubled", "", {own(x)}, true, false);
  aoti_torch_delete_library_object(again);
  aoti_torch_delete_library_object(defined);
  call("probe_ns::mixed", "", {own(x)});
  std::printf("def %s\n", said(aoti_torch_library_init_def("probe_ns", "f", 1, &defined)).c_str());
  aoti_torch_delete_library_object(defined);
  aoti_torch_delete_tensor_object(x);
}

void absent_devices() {
  DeviceGuardHandle guard = nullptr;
  int32_t index = 0;
  std::printf("guard %s\n", said(aoti_torch_create_device_guard(0, &guard), false).c_str());
  std::printf("current %s\n", said(aoti_torch_get_current_device_index(&index), false).c_str());
}

}  // namespace

extern "C" __attribute__((visibility("default"))) void probe() {
  const std::pair<const char*, std::function<void()>> sections[] = {
      {"constants", constants}, {"dtypes", dtypes},       {"devices", devices},
      {"memory", memory},       {"views", views},         {"writing", writing},
      {"computing", computing}, {"scalars", scalars},     {"containers", containers},
      {"threads", threads},     {"operators", operators}, {"absent devices", absent_devices}};
  for (const auto& [name, section] : sections) {
    std::printf("== %s\n", name);
    std::fflush(stdout);
    section();
  }
  std::fflush(stdout);
}
