#pragma once
#include <ATen/Functions.h>
#include <ATen/core/Tensor.h>
#include <porter_compat/promotion.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

namespace at::compat_detail {

// A tensor that a loop reads or writes; `given` is the caller's, where the loop has a converted one.
struct Operand {
  Tensor tensor, given;
  bool output = false, resized = false;
  Sizes strides;  // in bytes, innermost first, 0 where the operand is repeated
  char* data = nullptr;

  bool differs(ScalarType type) const { return tensor.defined() && tensor.scalar_type() != type; }
  void convert(ScalarType type) {
    if (!given.defined()) given = tensor;
    tensor = output ? at::empty_strided(tensor.sizes(), tensor.strides(), tensor.options().dtype(type))
                    : tensor.to(type);
  }
};

// How operands are brought together.
struct Settings {
  bool same_dtype = true, same_device = true, safe = false, linear = false, promote = false;
  bool to_float = false, reduction = false, cpu_scalars = false, cast = false, resize = true;
  ::std::optional<Sizes> shape;
  ::std::optional<ScalarType> dtype;
  ::std::optional<Device> device;
};

using Operands = ::std::vector<Operand>;

inline Sizes common_shape(const Operands& operands, const Settings& settings) {
  if (settings.shape) return *settings.shape;
  ::std::optional<Sizes> shape;
  for (const auto& each : operands) {
    if (!each.tensor.defined() || (each.output && settings.resize)) continue;
    const auto own = each.tensor.sizes();
    shape = shape ? at::infer_size(*shape, own) : own.vec();
  }
  return shape.value_or(Sizes{});
}

// Outputs of another shape are resized, or refused.
inline void mark_resized(Operands& operands, const Settings& settings, const Sizes& shape) {
  if (settings.shape) return;
  for (auto& each : operands) {
    if (!each.output || !each.tensor.defined() || each.tensor.sizes() == IntArrayRef(shape)) continue;
    const bool read = ::std::any_of(operands.begin(), operands.end(), [&](const Operand& other) {
      return !other.output && other.tensor.is_same(each.tensor);
    });
    each.resized = settings.resize && !read;
    check(each.resized || settings.reduction, "the output's shape doesn't match the broadcast shape");
  }
}

inline bool is_cpu_number(const Operand& operand) {
  return operand.tensor.defined() && operand.tensor.is_cpu() && operand.tensor.dim() == 0;
}

inline Device common_device(const Operands& operands, const Settings& settings) {
  if (settings.device) return *settings.device;
  ::std::optional<Device> device;
  for (const bool numbers : {false, true})
    for (const auto& each : operands)
      if (each.tensor.defined() && is_cpu_number(each) == numbers && !device) device = each.tensor.device();
  return device.value_or(Device(kCPU));
}

inline void put_on_device(Operands& operands, const Settings& settings, const Device& device) {
  for (auto& each : operands) {
    if (!settings.same_device || !each.tensor.defined() || each.tensor.device() == device) continue;
    check(settings.cpu_scalars && !each.output && is_cpu_number(each),
          "Expected all tensors to be on the same device");
    each.tensor = each.tensor.to(device);
  }
}

// The dtype that operands share, or that they are converted to; Undefined where there is none.
inline ScalarType common_dtype(const Operands& operands, const Settings& settings) {
  ScalarType levels[2] = {ScalarType::Undefined, ScalarType::Undefined}, first = ScalarType::Undefined;
  ScalarType output = ScalarType::Undefined;
  bool differ = false;
  for (const auto& each : operands) {
    if (!each.tensor.defined()) continue;
    const auto own = each.tensor.scalar_type();
    if (each.output) {
      output = own;
      continue;
    }
    differ |= first != ScalarType::Undefined && first != own;
    if (first == ScalarType::Undefined) first = own;
    auto& level = levels[each.tensor.dim() == 0];
    level = c10::promoteTypes(level, own);
  }
  auto type = first == ScalarType::Undefined ? settings.dtype.value_or(output) : first;
  if (differ && !settings.promote) type = settings.same_dtype ? first : ScalarType::Undefined;
  if (differ && settings.promote) {
    type = levels[0];
    if (category(levels[1]) > category(type)) type = c10::promoteTypes(type, levels[1]);
  }
  return settings.promote && settings.to_float ? floating(type) : type;
}

inline void convert(Operands& operands, const Settings& settings, ScalarType common) {
  for (auto& each : operands) {
    if (common == ScalarType::Undefined || !each.differs(common)) continue;
    check(!settings.same_dtype, "Found operands of different dtypes");
    check(!each.output || !settings.safe || c10::canCast(common, each.tensor.scalar_type()),
          "the result's dtype can't be cast to the output's");
    if (each.output ? settings.cast : settings.promote) {
      if (!each.resized) each.convert(common);
    }
  }
}

// In bytes, the last dimension first.
inline Sizes byte_strides(const Tensor& tensor, const Sizes& shape) {
  const auto sizes = tensor.sizes(), own = tensor.strides();
  const int64_t extra = static_cast<int64_t>(shape.size()) - tensor.dim();
  Sizes result(shape.size(), 0);
  for (int64_t d = 0; d < tensor.dim(); ++d) {
    const bool repeated = sizes[d] == 1 && shape[extra + d] != 1;
    result[shape.size() - 1 - (extra + d)] = repeated ? 0 : own[d] * tensor.element_size();
  }
  return result;
}

// -1 where dimension a belongs inside b, 1 where it belongs outside, 0 where no operand says.
inline int order_of(const Operands& operands, const Sizes& shape, int64_t a, int64_t b) {
  for (const auto& each : operands) {
    if (each.strides.empty() || each.resized) continue;
    const int64_t x = each.strides[a], y = each.strides[b];
    if (x == 0 || y == 0) continue;
    if (x != y) return x < y ? -1 : 1;
    if (shape[a] > shape[b]) return 1;
  }
  return 0;
}

// The dimensions from the one with the smallest strides to the one with the greatest.
inline Sizes order_of_dimensions(const Operands& operands, const Sizes& shape) {
  Sizes order(shape.size());
  ::std::iota(order.begin(), order.end(), 0);
  for (int64_t i = 1; i < static_cast<int64_t>(order.size()); ++i) {
    int64_t at = i;
    for (int64_t other = i - 1; other >= 0; --other) {
      const int found = order_of(operands, shape, order[other], order[at]);
      if (found < 0) break;
      if (found == 0) continue;
      ::std::swap(order[other], order[at]);
      at = other;
    }
  }
  return order;
}

// An output that is not there yet, or is too small: its elements follow each other in this order.
inline void allocate(Operand& operand, const Sizes& reversed, const Sizes& order, ScalarType common,
                     const Device& device) {
  const Sizes sizes(reversed.rbegin(), reversed.rend());
  const auto strides = dense_strides(reversed, order);
  const Sizes outward(strides.rbegin(), strides.rend());
  if (!operand.tensor.defined()) {
    check(common != ScalarType::Undefined, "the dtype of an output is not known");
    operand.tensor = at::empty_strided(sizes, outward, TensorOptions().dtype(common).device(device));
    return;
  }
  operand.tensor.resize_(sizes);
  if (!has_strides(operand.tensor._PD_GetInner(), outward)) operand.tensor.as_strided_(sizes, outward);
}

inline void permute(Sizes& values, const Sizes& order) {
  Sizes result(values.size());
  for (size_t i = 0; i < order.size(); ++i) result[i] = values[order[i]];
  values = result;
}

// Dimensions that all operands go through in one stride are one dimension.
inline void join_dimensions(Operands& operands, Sizes& shape) {
  size_t last = 0;
  for (size_t d = 1; d < shape.size(); ++d) {
    const bool joined = shape[last] == 1 || shape[d] == 1 ||
        ::std::all_of(operands.begin(), operands.end(), [&](const Operand& each) {
          return each.strides[last] * shape[last] == each.strides[d];
        });
    for (auto& each : operands) {
      if (!joined || shape[last] == 1) each.strides[joined ? last : last + 1] = each.strides[d];
    }
    if (joined) shape[last] *= shape[d];
    else shape[++last] = shape[d];
  }
  if (shape.empty()) return;
  shape.resize(last + 1);
  for (auto& each : operands) each.strides.resize(last + 1);
}

}  // namespace at::compat_detail
