#pragma once
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <c10/util/FunctionRef.h>
#include <porter_compat/operands.h>

#include <array>
#include <limits>
#include <type_traits>
#include <utility>

namespace at {

class TensorIteratorConfig;

// A part of the elements, by number.
struct Range {
  Range(int64_t begin, int64_t end) : begin(begin), end(end) {}
  int64_t size() const { return end - begin; }
  int64_t begin, end;
};

// The operands of a loop over elements, with one shape; the innermost dimension is the first.
struct TensorIteratorBase {
  using loop1d_t = c10::function_ref<void(char**, const int64_t*, int64_t)>;
  using loop2d_t = c10::function_ref<void(char**, const int64_t*, int64_t, int64_t)>;

  TensorIteratorBase() = default;
  void build(TensorIteratorConfig& config);

  int ndim() const { return static_cast<int>(shape_.size()); }
  IntArrayRef shape() const { return shape_; }
  int64_t numel() const { return compat_detail::product(shape_); }
  int ntensors() const { return static_cast<int>(operands_.size()); }
  int noutputs() const { return outputs_; }
  int ninputs() const { return ntensors() - outputs_; }
  IntArrayRef strides(int64_t arg) const { return operands_[arg].strides; }
  void* data_ptr(int64_t arg) const { return operands_[arg].data; }
  ScalarType dtype(int64_t arg = 0) const { return tensor(arg).scalar_type(); }
  ScalarType input_dtype(int64_t arg = 0) const { return dtype(outputs_ + arg); }
  ScalarType common_dtype() const {
    compat_detail::check(common_ != ScalarType::Undefined, "the operands have no common dtype");
    return common_;
  }
  Device device(int64_t arg = 0) const { return tensor(arg).device(); }
  DeviceType device_type(int64_t arg = 0) const { return device(arg).type(); }
  int64_t element_size(int64_t arg) const { return static_cast<int64_t>(tensor(arg).element_size()); }
  bool is_scalar(int64_t arg) const { return tensor(arg).numel() == 1; }
  bool is_cpu_scalar(int64_t arg) const { return is_scalar(arg) && tensor(arg).is_cpu(); }
  const Tensor& tensor(int64_t arg) const { return operands_[arg].tensor; }
  const TensorBase& tensor_base(int64_t arg) const { return tensor(arg); }
  const Tensor& output(int64_t arg = 0) const { return tensor(arg); }
  const TensorBase& output_base(int64_t arg = 0) const { return output(arg); }
  const Tensor& input(int64_t arg = 0) const { return tensor(outputs_ + arg); }
  const TensorBase& input_base(int64_t arg = 0) const { return input(arg); }
  template <class T>
  T scalar_value(int64_t arg) const {
    return tensor(arg).item().to<T>();
  }
  bool is_contiguous() const { return numel() == 1 || (ndim() == 1 && has_contiguous_first_dim()); }
  bool is_trivial_1d() const { return ndim() == 1; }
  bool has_contiguous_first_dim() const {
    for (int arg = 0; arg < ntensors(); ++arg) {
      if (!shape_.empty() && operands_[arg].strides[0] != element_size(arg)) return false;
    }
    return true;
  }
  bool can_use_32bit_indexing() const {
    constexpr int64_t most = ::std::numeric_limits<int32_t>::max();
    for (const auto& each : operands_) {
      int64_t last = 1;
      for (size_t d = 0; d < shape_.size(); ++d) last += (shape_[d] - 1) * each.strides[d];
      if (last > most) return false;
    }
    return numel() <= most;
  }
  ::std::array<TensorIteratorBase, 1> with_32bit_indexing() const { return {*this}; }
  void remove_operand(int64_t arg) { operands_.erase(operands_.begin() + arg); }
  bool should_accumulate() const { return false; }
  bool is_final_output() const { return true; }

  // Writes what was computed in another dtype into the caller's outputs.
  void cast_outputs() {
    for (auto& each : operands_) {
      if (!each.output || !each.given.defined()) continue;
      each.given.copy_(each.tensor);
      each.tensor = ::std::exchange(each.given, Tensor());
    }
  }

  // For a function that takes or gives another dtype than the operand has.
  void _PD_convert(int64_t arg, ScalarType type) {
    auto& each = operands_[arg];
    if (!each.differs(type)) return;
    each.convert(type);
    each.data = static_cast<char*>(each.tensor.data_ptr());
    _PD_unjoin();
  }
  // The dimensions as they were before some were joined, for operands converted afterwards.
  void _PD_unjoin() {
    shape_ = compat_detail::Sizes(given_shape_.rbegin(), given_shape_.rend());
    compat_detail::permute(shape_, order_);
    for (auto& each : operands_) {
      each.strides = compat_detail::byte_strides(each.tensor, given_shape_);
      compat_detail::permute(each.strides, order_);
    }
  }

  template <class Loop>
  void for_each(Loop&& loop, int64_t grain_size = at::internal::GRAIN_SIZE) {
    const int64_t count = numel();
    if (count == 0) return;
    if (count < grain_size || at::get_num_threads() == 1 || _PD_repeats_an_output()) {
      return serial_for_each(loop, {0, count});
    }
    at::parallel_for(0, count, grain_size, [&](int64_t begin, int64_t end) {
      serial_for_each(loop, {begin, end});
    });
  }

  template <class Loop>
  void serial_for_each(Loop&& loop, Range range) const {
    if constexpr (::std::is_invocable_v<Loop&, char**, const int64_t*, int64_t, int64_t>) {
      _PD_blocks(loop, range);
    } else {
      const int count = ntensors();
      _PD_blocks([&](char** data, const int64_t* strides, int64_t inner, int64_t outer) {
        ::std::vector<char*> row(data, data + count);
        for (int64_t i = 0; i < outer; ++i) {
          loop(row.data(), strides, inner);
          for (int arg = 0; arg < count; ++arg) row[arg] += strides[count + arg];
        }
      }, range);
    }
  }

 protected:
  bool _PD_repeats_an_output() const {
    for (const auto& each : operands_)
      for (size_t d = 0; each.output && d < shape_.size(); ++d)
        if (each.strides[d] == 0 && shape_[d] > 1) return true;
    return false;
  }

  // Calls the loop on blocks of the two innermost dimensions that together make the range.
  template <class Loop>
  void _PD_blocks(Loop&& loop, Range range) const {
    const int64_t inner = ndim() > 0 ? shape_[0] : 1, outer = ndim() > 1 ? shape_[1] : 1;
    ::std::vector<int64_t> strides(2 * operands_.size(), 0);
    for (size_t arg = 0; arg < operands_.size(); ++arg) {
      if (ndim() > 0) strides[arg] = operands_[arg].strides[0];
      if (ndim() > 1) strides[operands_.size() + arg] = operands_[arg].strides[1];
    }
    ::std::vector<char*> data(operands_.size());
    for (int64_t at = range.begin; at < range.end;) {
      int64_t rest = at;
      for (size_t arg = 0; arg < operands_.size(); ++arg) data[arg] = operands_[arg].data;
      for (int d = 0; d < ndim(); rest /= shape_[d++])
        for (size_t arg = 0; arg < operands_.size(); ++arg)
          data[arg] += rest % shape_[d] * operands_[arg].strides[d];
      const int64_t column = at % inner, row = at / inner % outer, left = range.end - at;
      const bool whole = column == 0 && left >= inner;
      const int64_t columns = ::std::min(inner - column, left);
      const int64_t rows = whole ? ::std::min(outer - row, left / inner) : 1;
      loop(data.data(), strides.data(), columns, rows);
      at += columns * rows;
    }
  }

  compat_detail::Operands operands_;
  compat_detail::Sizes shape_, given_shape_, order_;
  ScalarType common_ = ScalarType::Undefined;
  int outputs_ = 0;
};

struct TensorIterator final : public TensorIteratorBase {
  TensorIterator() = default;
  TensorIterator(const TensorIteratorBase& other) : TensorIteratorBase(other) {}

  static TensorIterator unary_op(TensorBase& out, const TensorBase& a);
  static TensorIterator unary_float_op(TensorBase& out, const TensorBase& a);
  static TensorIterator nullary_op(TensorBase& out);
  static TensorIterator borrowing_nullary_op(const TensorBase& out);
  static TensorIterator binary_op(TensorBase& out, const TensorBase& a, const TensorBase& b);
  static TensorIterator borrowing_binary_op(
      const TensorBase& out, const TensorBase& a, const TensorBase& b);
  static TensorIterator binary_float_op(TensorBase& out, const TensorBase& a, const TensorBase& b);
  static TensorIterator comparison_op(TensorBase& out, const TensorBase& a, const TensorBase& b);
};

class TensorIteratorConfig final {
 public:
  TensorIteratorConfig() = default;
  TensorIteratorConfig(const TensorIteratorConfig&) = delete;
  TensorIteratorConfig& operator=(const TensorIteratorConfig&) = delete;
  TensorIteratorConfig(TensorIteratorConfig&&) = default;
  TensorIteratorConfig& operator=(TensorIteratorConfig&&) = default;

  TensorIteratorConfig& add_owned_output(const TensorBase& output) { return add(output, true); }
  TensorIteratorConfig& add_owned_input(const TensorBase& input) { return add(input, false); }
  TensorIteratorConfig& add_owned_const_input(const TensorBase& input) { return add(input, false); }
  TensorIteratorConfig& add_borrowed_output(const TensorBase& output) { return add(output, true); }
  TensorIteratorConfig& add_borrowed_input(const TensorBase& input) { return add(input, false); }
  TensorIteratorConfig& add_borrowed_const_input(const TensorBase& input) { return add(input, false); }
  TensorIteratorConfig& add_output(const TensorBase& output) { return add(output, true); }
  TensorIteratorConfig& add_input(const TensorBase& input) { return add(input, false); }
  TensorIteratorConfig& add_const_input(const TensorBase& input) { return add(input, false); }
  TensorIteratorConfig& add_output(TensorBase&& output) = delete;
  TensorIteratorConfig& add_input(TensorBase&& input) = delete;
  TensorIteratorConfig& add_const_input(TensorBase&& input) = delete;

  TensorIteratorConfig& set_check_mem_overlap(bool) { return *this; }
  TensorIteratorConfig& check_all_same_dtype(bool on) { return set(settings_.same_dtype, on); }
  TensorIteratorConfig& check_all_same_device(bool on) { return set(settings_.same_device, on); }
  TensorIteratorConfig& enforce_safe_casting_to_output(bool on) { return set(settings_.safe, on); }
  TensorIteratorConfig& enforce_linear_iteration(bool on = true) { return set(settings_.linear, on); }
  TensorIteratorConfig& promote_inputs_to_common_dtype(bool on) {
    if (on) settings_.same_dtype = false;
    return set(settings_.promote, on);
  }
  TensorIteratorConfig& promote_integer_inputs_to_float(bool on) { return set(settings_.to_float, on); }
  TensorIteratorConfig& is_reduction(bool on) { return set(settings_.reduction, on); }
  TensorIteratorConfig& allow_cpu_scalars(bool on) { return set(settings_.cpu_scalars, on); }
  TensorIteratorConfig& cast_common_dtype_to_outputs(bool on) {
    if (on) settings_.same_dtype = false;
    return set(settings_.cast, on);
  }
  TensorIteratorConfig& resize_outputs(bool on) { return set(settings_.resize, on); }
  TensorIteratorConfig& declare_static_dtype(ScalarType dtype) {
    settings_.dtype = dtype;
    return *this;
  }
  TensorIteratorConfig& declare_static_device(Device device) {
    settings_.device = device;
    return *this;
  }
  TensorIteratorConfig& declare_static_dtype_and_device(ScalarType dtype, Device device) {
    return declare_static_dtype(dtype).declare_static_device(device);
  }
  TensorIteratorConfig& declare_static_shape(IntArrayRef shape) {
    settings_.shape = shape.vec();
    return *this;
  }
  // Of the squashed dimensions a loop sees the first element only.
  TensorIteratorConfig& declare_static_shape(IntArrayRef shape, IntArrayRef squash_dims) {
    settings_.shape = shape.vec();
    for (const int64_t dim : squash_dims) {
      if (!settings_.shape->empty()) settings_.shape->at(dim) = 1;
    }
    return *this;
  }
  TensorIterator build() {
    TensorIterator result;
    result.build(*this);
    return result;
  }

 private:
  friend struct TensorIteratorBase;
  TensorIteratorConfig& set(bool& setting, bool on) {
    setting = on;
    return *this;
  }
  TensorIteratorConfig& add(const TensorBase& tensor, bool output) {
    compat_detail::check(!output || operands_.empty() || operands_.back().output,
                         "outputs are added before inputs");
    compat_detail::Operand operand;
    operand.tensor = Tensor(tensor);
    operand.output = output;
    operands_.push_back(operand);
    return *this;
  }
  compat_detail::Operands operands_;
  compat_detail::Settings settings_;
};

inline void TensorIteratorBase::build(TensorIteratorConfig& config) {
  const auto& settings = config.settings_;
  operands_ = ::std::move(config.operands_);
  outputs_ = static_cast<int>(::std::count_if(operands_.begin(), operands_.end(),
                                              [](const auto& each) { return each.output; }));
  given_shape_ = compat_detail::common_shape(operands_, settings);
  shape_ = compat_detail::Sizes(given_shape_.rbegin(), given_shape_.rend());
  compat_detail::mark_resized(operands_, settings, given_shape_);
  const auto device = compat_detail::common_device(operands_, settings);
  compat_detail::put_on_device(operands_, settings, device);
  common_ = compat_detail::common_dtype(operands_, settings);
  for (auto& each : operands_) {
    if (each.tensor.defined() && !each.resized) {
      each.strides = compat_detail::byte_strides(each.tensor, given_shape_);
    }
  }
  order_ = compat_detail::order_of_dimensions(operands_, shape_);
  if (settings.linear) ::std::iota(order_.begin(), order_.end(), 0);
  const auto made = settings.dtype.value_or(common_);
  for (auto& each : operands_) {
    if (!each.tensor.defined() || each.resized) {
      compat_detail::allocate(each, shape_, order_, made, device);
      each.resized = false;
    }
  }
  compat_detail::convert(operands_, settings, common_);
  _PD_unjoin();
  for (auto& each : operands_) each.data = static_cast<char*>(each.tensor.data_ptr());
  compat_detail::join_dimensions(operands_, shape_);
}

inline TensorIterator TensorIterator::unary_op(TensorBase& out, const TensorBase& a) {
  return TensorIteratorConfig().add_owned_output(out).add_owned_input(a).build();
}

inline TensorIterator TensorIterator::unary_float_op(TensorBase& out, const TensorBase& a) {
  return TensorIteratorConfig().add_owned_output(out).add_owned_input(a)
      .promote_inputs_to_common_dtype(true).cast_common_dtype_to_outputs(true)
      .enforce_safe_casting_to_output(true).promote_integer_inputs_to_float(true).build();
}

inline TensorIterator TensorIterator::nullary_op(TensorBase& out) {
  return TensorIteratorConfig().check_all_same_dtype(false).add_owned_output(out)
      .resize_outputs(false).build();
}

inline TensorIterator TensorIterator::borrowing_nullary_op(const TensorBase& out) {
  return TensorIteratorConfig().check_all_same_dtype(false).add_output(out)
      .resize_outputs(false).build();
}

inline TensorIterator TensorIterator::binary_op(
    TensorBase& out, const TensorBase& a, const TensorBase& b) {
  return borrowing_binary_op(out, a, b);
}

inline TensorIterator TensorIterator::borrowing_binary_op(
    const TensorBase& out, const TensorBase& a, const TensorBase& b) {
  return TensorIteratorConfig().add_output(out).add_input(a).add_input(b).allow_cpu_scalars(true)
      .promote_inputs_to_common_dtype(true).cast_common_dtype_to_outputs(true)
      .enforce_safe_casting_to_output(true).build();
}

inline TensorIterator TensorIterator::binary_float_op(
    TensorBase& out, const TensorBase& a, const TensorBase& b) {
  return TensorIteratorConfig().add_output(out).add_input(a).add_input(b).allow_cpu_scalars(true)
      .promote_inputs_to_common_dtype(true).cast_common_dtype_to_outputs(true)
      .enforce_safe_casting_to_output(true).promote_integer_inputs_to_float(true).build();
}

inline TensorIterator TensorIterator::comparison_op(
    TensorBase& out, const TensorBase& a, const TensorBase& b) {
  TensorIteratorConfig config;
  config.add_output(out).add_input(a).add_input(b).allow_cpu_scalars(true)
      .promote_inputs_to_common_dtype(true);
  if (out.defined()) config.cast_common_dtype_to_outputs(true);
  else config.declare_static_dtype(kBool);
  return config.build();
}

}  // namespace at
