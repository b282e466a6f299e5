// IValues in a stream, in a form of its own.
#pragma once

#include <ATen/ATen.h>
#include <ATen/core/ivalue.h>

#include <cstdint>
#include <istream>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace torch::compat_detail {

template <typename T>
void put(std::ostream& out, T value) {
  out.write(reinterpret_cast<const char*>(&value), sizeof(T));
}

template <typename T>
T take(std::istream& in) {
  T value{};
  if (!in.read(reinterpret_cast<char*>(&value), sizeof(T))) {
    throw std::runtime_error("the archive ends too early");
  }
  return value;
}

inline void put_text(std::ostream& out, const std::string& text) {
  put<int64_t>(out, text.size());
  out.write(text.data(), text.size());
}

inline std::string take_text(std::istream& in) {
  std::string text(take<int64_t>(in), '\0');
  in.read(text.data(), text.size());
  return text;
}

inline void put_value(std::ostream& out, const IValue& value) {
  if (value.is_tensor()) {
    auto tensor = value.to_tensor()._PD_GetInner().copy_to(phi::CPUPlace(), true).contiguous();
    put(out, 't');
    put<int64_t>(out, static_cast<int64_t>(tensor.dtype()));
    put<int64_t>(out, tensor.shape().size());
    for (auto size : tensor.shape()) put<int64_t>(out, size);
    out.write(static_cast<const char*>(tensor.data()),
              tensor.numel() * phi::SizeOf(tensor.dtype()));
  } else if (value.is_bool()) {
    put(out, 'b'), put(out, value.to_bool());
  } else if (value.is_int()) {
    put(out, 'i'), put(out, value.to_int());
  } else if (value.is_double()) {
    put(out, 'd'), put(out, value.to_double());
  } else if (value.is_string()) {
    put(out, 's'), put_text(out, value.to_string());
  } else if (value.is_list()) {
    put(out, 'l'), put<int64_t>(out, value.to_list().size());
    for (const auto& item : value.to_list()) put_value(out, item);
  } else if (value.is_none()) {
    put(out, 'n');
  } else {
    throw std::runtime_error("an archive does not take a " + value.type_string());
  }
}

inline IValue take_value(std::istream& in) {
  switch (take<char>(in)) {
    case 't': {
      const auto dtype = static_cast<phi::DataType>(take<int64_t>(in));
      std::vector<int64_t> shape(take<int64_t>(in));
      for (auto& size : shape) size = take<int64_t>(in);
      auto tensor = paddle::experimental::empty(shape, dtype, phi::CPUPlace());
      in.read(static_cast<char*>(tensor.data()), tensor.numel() * phi::SizeOf(dtype));
      return IValue(at::Tensor(tensor));
    }
    case 'b':
      return IValue(take<bool>(in));
    case 'i':
      return IValue(take<int64_t>(in));
    case 'd':
      return IValue(take<double>(in));
    case 's':
      return IValue(take_text(in));
    case 'l': {
      std::vector<IValue> list(take<int64_t>(in));
      for (auto& item : list) item = take_value(in);
      return IValue(list);
    }
    case 'n':
      return IValue();
    default:
      throw std::runtime_error("not an archive of this library");
  }
}

}  // namespace torch::compat_detail
