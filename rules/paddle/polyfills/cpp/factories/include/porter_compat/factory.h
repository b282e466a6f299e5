#pragma once
#include <porter_compat/recorded.h>
#include <ATen/core/TensorBase.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/TensorOptions.h>
#include <cmath>
#include <porter_compat/convert.h>
#include <porter_compat/promotion.h>

namespace at::compat_detail {

inline phi::DataType type_of_options(const TensorOptions& options) {
  return compat::_PD_AtenScalarTypeToPhiDataType(options.dtype());
}

// The options that dtype, layout, device and pin_memory say.
inline TensorOptions options_of(std::optional<ScalarType> dtype, std::optional<Layout> layout,
                                std::optional<Device> device, std::optional<bool> pin_memory) {
  return TensorOptions().dtype(dtype).layout(layout).device(device).pinned_memory(pin_memory);
}

// The options, completed by those of a tensor.
inline TensorOptions options_like(const TensorBase& self, const TensorOptions& options) {
  return options.dtype(options.dtype_opt().value_or(self.scalar_type()))
      .device(options.device_opt().value_or(self.device()));
}

inline paddle::Tensor new_tensor(const Sizes& sizes, const TensorOptions& options,
                                 std::optional<MemoryFormat> format = std::nullopt) {
  auto wanted = format ? format : options.memory_format_opt();
  auto strides = format_strides(sizes, wanted.value_or(MemoryFormat::Contiguous));
  return allocated(sizes, strides, type_of_options(options), options._PD_GetPlace());
}

inline paddle::Tensor new_strided(const Sizes& sizes, const Sizes& strides,
                                  const TensorOptions& options) {
  check(sizes.size() == strides.size(), "as many strides as sizes");
  return allocated(sizes, strides, type_of_options(options), options._PD_GetPlace());
}

// Whether there is nothing to read: Paddle refuses the null pointer of an empty std::vector.
inline bool is_nowhere(const void* data, IntArrayRef sizes) {
  return !data && product(sizes.vec()) == 0;
}

// A new tensor with the order of dimensions of `self`, or in a format.
inline paddle::Tensor new_like(const TensorBase& self, const TensorOptions& options,
                               std::optional<MemoryFormat> format) {
  auto whole = options_like(self, options);
  auto wanted = format ? format : options.memory_format_opt();
  auto strides = new_strides(self._PD_GetInner(), wanted);
  return allocated(self.sizes().vec(), strides, type_of_options(whole), whole._PD_GetPlace());
}

inline bool is_whole(const Scalar& s) { return type_of(s) == ScalarType::Long; }

// The options with the dtype that a number has in a tensor, if none is asked for.
inline TensorOptions typed_by(const TensorOptions& options, const Scalar& value) {
  return options.has_dtype() ? options : options.dtype(type_of(value));
}

inline paddle::Tensor fill(paddle::Tensor self, const Scalar& value) {
  return self.numel() > 0 ? paddle::experimental::fill_(self, value) : self;
}

// start, start + step, ... up to `end`; computed as whole numbers or as doubles.
inline paddle::Tensor ranged(const Scalar& start, const Scalar& end, const Scalar& step,
                             TensorOptions options) {
  bool whole = is_whole(start) && is_whole(end) && is_whole(step);
  if (!options.has_dtype()) {
    options = options.dtype(whole ? ScalarType::Long : c10::get_default_dtype());
  }
  double from = start.to<double>(), to = end.to<double>(), by = step.to<double>();
  check(by != 0, "step must be nonzero");
  check(by > 0 ? to >= from : to <= from, "upper bound and lower bound inconsistent with step sign");
  int64_t count = std::ceil((to - from) / by);
  if (count == 0) return new_tensor({0}, options);
  auto type = whole ? phi::DataType::INT64 : phi::DataType::FLOAT64;
  auto place = options._PD_GetPlace();
  auto number = [&](const Scalar& s) { return paddle::experimental::full({}, s, type, place); };
  auto steps = paddle::experimental::arange(number(0), number(count), number(1), type, place);
  auto values = paddle::recorded::add(
      paddle::recorded::multiply(steps, number(step)), number(start));
  return paddle::recorded::cast(values, type_of_options(options));
}

// `steps` numbers from `start` to `end`.
inline paddle::Tensor spaced(const Scalar& start, const Scalar& end, int64_t steps,
                             const TensorOptions& options) {
  check(steps >= 0, "number of steps must be non-negative");
  if (steps == 0) return new_tensor({0}, options);
  auto wide = phi::DataType::FLOAT64;
  auto place = options._PD_GetPlace();
  auto number = [&](const Scalar& s) { return paddle::experimental::full({1}, s, wide, place); };
  auto count = paddle::experimental::full({1}, steps, phi::DataType::INT32, place);
  auto values = paddle::experimental::linspace(number(start), number(end), count, wide, place);
  return paddle::recorded::cast(values, type_of_options(options));
}

inline paddle::Tensor powers(double base, const Scalar& start, const Scalar& end, int64_t steps,
                             const TensorOptions& options) {
  auto exponents = spaced(start, end, steps, options.dtype(ScalarType::Double));
  if (steps == 0) return new_tensor({0}, options);
  auto bases = paddle::experimental::full({1}, base, phi::DataType::FLOAT64, exponents.place());
  return paddle::recorded::cast(paddle::recorded::elementwise_pow(bases, exponents),
                                    type_of_options(options));
}

// The dtype in which random numbers are made.
inline phi::DataType random_type(const TensorOptions& options) {
  check(c10::isFloatingType(options.dtype()), "these random numbers want a floating dtype");
  return options.dtype() == ScalarType::Double ? phi::DataType::FLOAT64 : phi::DataType::FLOAT32;
}

// made * by + start: Paddle's kernels hold their bounds, mean and deviation in single precision.
inline paddle::Tensor stretched(const paddle::Tensor& made, double by, double start) {
  namespace pe = paddle::experimental;
  const auto number = [&](double value) { return pe::full({}, value, made.dtype(), made.place()); };
  return pe::add(pe::multiply(made, number(by)), number(start));
}

inline paddle::Tensor uniform(const Sizes& sizes, double from, double to,
                              const TensorOptions& options) {
  auto type = random_type(options);
  check(from <= to, "uniform_ expects to return a [from, to) range");
  if (product(sizes) == 0) return new_tensor(sizes, options);
  const auto place = options._PD_GetPlace();
  auto made = paddle::experimental::uniform(sizes, type, 0, 1, 0, place);
  if (from != 0 || to != 1) made = stretched(made, to - from, from);
  return paddle::experimental::cast(made, type_of_options(options));
}

inline paddle::Tensor gaussian(const Sizes& sizes, double mean, double std,
                               const TensorOptions& options) {
  check(std >= 0, "normal expects std >= 0.0");
  if (product(sizes) == 0) return new_tensor(sizes, options);
  auto type = random_type(options);
  auto made = paddle::experimental::gaussian(sizes, 0, 1, 0, type, options._PD_GetPlace());
  if (mean != 0 || std != 1) made = stretched(made, std, mean);
  return paddle::experimental::cast(made, type_of_options(options));
}

// Whole numbers from `low` to below `high`.
inline paddle::Tensor random_whole(const Sizes& sizes, int64_t low, int64_t high,
                                   const TensorOptions& options) {
  check(low < high, "random_ expects 'from' to be less than 'to'");
  if (product(sizes) == 0) return new_tensor(sizes, options);
  auto place = options._PD_GetPlace();
  bool small = low >= INT32_MIN && high <= INT32_MAX;
  namespace pe = paddle::experimental;
  if (small) return pe::cast(pe::randint(low, high, sizes, phi::DataType::INT64, place), type_of_options(options));
  const double range = double(high) - double(low);
  const auto whole = range < 0x1p63 ? phi::DataType::INT64 : phi::DataType::FLOAT64;
  const auto unit = pe::uniform(sizes, phi::DataType::FLOAT64, 0, 1, 0, place);
  const auto steps = pe::cast(pe::floor(stretched(unit, range, 0)), whole);
  return pe::cast(pe::add(steps, pe::full({}, low, whole, place)), type_of_options(options));
}

// Above the largest whole number that random_() gives in a dtype.
inline int64_t random_limit(ScalarType type) {
  if (type == ScalarType::Half) return (1 << 11) + 1;
  if (type == ScalarType::BFloat16) return (1 << 8) + 1;
  if (type == ScalarType::Float) return (1 << 24) + 1;
  if (type == ScalarType::Double) return (int64_t(1) << 53) + 1;
  if (type == ScalarType::Bool) return 2;
  int bits = 8 * c10::elementSize(type) - (type != ScalarType::Byte);
  return bits < 63 ? int64_t(1) << bits : std::numeric_limits<int64_t>::max();
}

// 1 with the probabilities `p`, else 0.
inline paddle::Tensor random_below(const Sizes& sizes, const paddle::Tensor& p) {
  auto options = TensorOptions().dtype(ScalarType::Double).device(Device(p.place()));
  auto level = expanded(paddle::recorded::cast(p, phi::DataType::FLOAT64), sizes);
  if (product(sizes) == 0) return new_tensor(sizes, options);
  return paddle::experimental::less_than(uniform(sizes, 0, 1, options), level);
}

}  // namespace at::compat_detail
