// The operators of torch's own that libraries on the stable ABI call.
#include "library.h"

#include "paddle/phi/api/include/api.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <unordered_set>  // which Paddle's header of type promotion leaves out

#include "paddle/phi/common/type_promotion.h"

namespace shim {

namespace {

namespace api = paddle::experimental;

const Tensor& tensor(const Value& value) { return value.as<Tensor>(); }

int64_t number(const Value& value) { return value.as<int64_t>(); }

bool is_integral(phi::DataType dtype) {
  return !is_floating(dtype) && !is_complex(dtype);
}

bool flag(const Value& value) { return !value.none() && value.as<bool>(); }

phi::DataType dtype_or(const Value& value, phi::DataType other) {
  return value.none() ? other : dtype_of(value.as<Code>().number);
}

phi::Place place_or(const Value& value, const phi::Place& other) {
  return value.none() ? other : place_of(value.as<Device>());
}

int64_t format_or(const Value& value, int64_t other) {
  return value.none() ? other : value.as<Code>().number;
}

void refuse_layout(const Value& value) {
  if (!value.none() && value.as<Code>().number != STRIDED) {
    fail("only tensors of the strided layout can be made");
  }
}

int64_t product(const Sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<int64_t>());
}

std::string text(const Sizes& sizes) {
  std::string made;
  for (int64_t size : sizes) made += (made.empty() ? "" : ", ") + std::to_string(size);
  return "[" + made + "]";
}

// --- views --------------------------------------------------------------------------------

Tensor narrow(const Tensor& self, int64_t dim, int64_t start, int64_t length) {
  Sizes shape = sizes(self);
  const Sizes steps = strides(self);
  if (shape.empty()) fail("narrow() cannot be applied to a 0-dim tensor.");
  if (length < 0) fail("narrow(): length must be non-negative.");
  dim = wrapped(dim, shape.size());
  const int64_t size = shape[dim];
  if (start < -size || start > size) {
    throw std::out_of_range("start out of range (expected to be in range of [" +
                            std::to_string(-size) + ", " + std::to_string(size) +
                            "], but got " + std::to_string(start) + ")");
  }
  if (start < 0) start += size;
  if (start + length > size) {
    fail("start (" + std::to_string(start) + ") + length (" + std::to_string(length) +
         ") exceeds dimension size (" + std::to_string(size) + ").");
  }
  shape[dim] = length;
  return view(self, shape, steps, storage_offset(self) + start * steps[dim]);
}

Tensor select(const Tensor& self, int64_t dim, int64_t index) {
  Sizes shape = sizes(self), steps = strides(self);
  if (shape.empty()) throw std::out_of_range("select() cannot be applied to a 0-dim tensor.");
  dim = wrapped(dim, shape.size());
  if (index < -shape[dim] || index >= shape[dim]) {
    throw std::out_of_range("select(): index " + std::to_string(index) +
                            " out of range for tensor of size " + text(shape) +
                            " at dimension " + std::to_string(dim));
  }
  const int64_t offset =
      storage_offset(self) + (index < 0 ? index + shape[dim] : index) * steps[dim];
  shape.erase(shape.begin() + dim);
  steps.erase(steps.begin() + dim);
  return view(self, shape, steps, offset);
}

Tensor permute(const Tensor& self, Sizes order) {
  const Sizes shape = sizes(self), steps = strides(self);
  if (order.size() != shape.size()) {
    fail("permute(sparse_coo): number of dimensions in the tensor input does not match the "
         "length of the desired ordering of dimensions");
  }
  Sizes new_shape, new_steps, seen(shape.size(), 0);
  for (int64_t& dim : order) {
    dim = wrapped(dim, shape.size());
    if (seen[dim]++) fail("permute(): duplicate dims are not allowed.");
    new_shape.push_back(shape[dim]);
    new_steps.push_back(steps[dim]);
  }
  return view(self, new_shape, new_steps, storage_offset(self));
}

Tensor transpose(const Tensor& self, int64_t first, int64_t second) {
  const int64_t rank = dense(self).dims().size();
  Sizes order(rank);
  std::iota(order.begin(), order.end(), 0);
  first = wrapped(first, rank), second = wrapped(second, rank);
  if (rank) std::swap(order[first], order[second]);
  return permute(self, order);
}

Tensor unsqueeze(const Tensor& self, int64_t dim) {
  Sizes shape = sizes(self), steps = strides(self);
  dim = wrapped(dim, shape.size() + 1);
  const bool last = dim == static_cast<int64_t>(shape.size());
  const int64_t step = last ? 1 : shape[dim] * steps[dim];
  shape.insert(shape.begin() + dim, 1);
  steps.insert(steps.begin() + dim, step);
  return view(self, shape, steps, storage_offset(self));
}

Tensor squeeze(const Tensor& self, int64_t dim) {
  Sizes shape = sizes(self), steps = strides(self);
  dim = wrapped(dim, shape.size());
  if (!shape.empty() && shape[dim] == 1) {
    shape.erase(shape.begin() + dim);
    steps.erase(steps.begin() + dim);
  }
  return view(self, shape, steps, storage_offset(self));
}

// A shape with -1 in it as one without.
Sizes inferred(Sizes wanted, int64_t count) {
  const auto free = std::find(wanted.begin(), wanted.end(), -1);
  if (std::count(wanted.begin(), wanted.end(), -1) > 1) fail("only one dimension can be inferred");
  const std::string refused = "shape '" + text(wanted) + "' is invalid for input of size " +
                              std::to_string(count);
  if (free != wanted.end()) {
    *free = 1;
    const int64_t others = product(wanted);
    if (others == 0 || count % others) fail(refused);
    *free = count / others;
  }
  for (int64_t size : wanted) {
    if (size < 0) fail("invalid shape dimension " + std::to_string(size));
  }
  if (product(wanted) != count) fail(refused);
  return wanted;
}

// The strides of the same memory in another shape; nothing if there are none.
std::optional<Sizes> strides_for(const Sizes& shape, const Sizes& steps, const Sizes& wanted) {
  if (product(shape) == 0) return shape == wanted ? steps : contiguous_strides(wanted);
  // Dimensions that lie in memory as if they were one, the innermost first.
  std::vector<std::pair<int64_t, int64_t>> runs;
  for (size_t i = shape.size(); i-- > 0;) {
    if (shape[i] == 1) continue;
    if (!runs.empty() && steps[i] == runs.back().first * runs.back().second) {
      runs.back().first *= shape[i];
    } else {
      runs.emplace_back(shape[i], steps[i]);
    }
  }
  if (runs.empty()) runs.emplace_back(1, 1);
  Sizes found(wanted.size());
  auto run = runs.begin();
  auto [left, step] = *run;
  for (size_t i = wanted.size(); i-- > 0;) {
    if (left == 1 && wanted[i] != 1) {
      ++run;
      left = run->first, step = run->second;
    }
    if (left % wanted[i]) return std::nullopt;
    found[i] = step;
    step *= wanted[i], left /= wanted[i];
  }
  return found;
}

Tensor contiguous(const Tensor& self, int64_t format = CONTIGUOUS) {
  const Sizes steps = strides(self);
  const bool same = format == CONTIGUOUS ? is_contiguous(sizes(self), steps)
                                         : strides_like(self, format) == steps;
  return same ? self : clone(self, format);
}

Tensor viewed(const Tensor& self, const Sizes& wanted) {
  const Sizes shape = inferred(wanted, dense(self).numel());
  const auto steps = strides_for(sizes(self), strides(self), shape);
  if (!steps) {
    fail("view size is not compatible with input tensor's size and stride (at least one "
         "dimension spans across two contiguous subspaces). Use .reshape(...) instead.");
  }
  return view(self, shape, *steps, storage_offset(self));
}

Tensor reshaped(const Tensor& self, const Sizes& wanted) {
  const Sizes shape = inferred(wanted, dense(self).numel());
  const bool fits = strides_for(sizes(self), strides(self), shape).has_value();
  return viewed(fits ? self : clone(self, CONTIGUOUS), shape);
}

Tensor flatten(const Tensor& self, int64_t first, int64_t last) {
  const Sizes shape = sizes(self);
  first = wrapped(first, shape.size()), last = wrapped(last, shape.size());
  if (first > last) fail("flatten() has invalid args: start_dim cannot come after end_dim");
  if (shape.empty()) return reshaped(self, {1});
  if (first == last) return self;
  Sizes wanted(shape.begin(), shape.begin() + first);
  wanted.push_back(product(Sizes(shape.begin() + first, shape.begin() + last + 1)));
  wanted.insert(wanted.end(), shape.begin() + last + 1, shape.end());
  return reshaped(self, wanted);
}

// --- what is computed ---------------------------------------------------------------------

Tensor to(const Tensor& self, phi::DataType dtype, const phi::Place& place, bool copy,
          int64_t format) {
  const bool fits = dtype == self.dtype() && place == self.place() &&
                    (format == PRESERVE || strides_like(self, format) == strides(self));
  if (fits && !copy) return self;
  auto made = empty_strided(sizes(self), strides_like(self, format), dtype, place);
  assign(made, self);
  return made;
}

Tensor flip(const Tensor& self, const Sizes& dims) {
  std::vector<int> axes;
  for (int64_t dim : dims) axes.push_back(wrapped(dim, dense(self).dims().size()));
  return api::flip(self, axes);
}

Tensor rot90(const Tensor& self, int64_t times, const Sizes& dims) {
  const int64_t rank = dense(self).dims().size();
  if (dims.size() != 2) fail("expected total rotation dims == 2, but got dims = " + text(dims));
  if (rank < 2) fail("expected total dims >= 2, but got total dims = " + std::to_string(rank));
  if (wrapped(dims[0], rank) == wrapped(dims[1], rank)) {
    fail("expected rotation dims to be different, but got " + text(dims));
  }
  switch ((times % 4 + 4) % 4) {
    case 1:
      return transpose(flip(self, {dims[1]}), dims[0], dims[1]);
    case 2:
      return flip(self, dims);
    case 3:
      return transpose(flip(self, {dims[0]}), dims[0], dims[1]);
    default:
      return clone(self, CONTIGUOUS);
  }
}

// The dtype of what is computed of two, as torch promotes tensors with dimensions.
phi::DataType promoted(const Tensor& first, const Tensor& second) {
  const auto a = first.dtype(), b = second.dtype();
  if (a == b) return a;
  const auto rank = [](phi::DataType dtype) {
    return is_complex(dtype) ? 3 : is_integral(dtype) ? dtype != phi::DataType::BOOL
                                                                 : 2;
  };
  const bool first_weak = first.dims().size() == 0, second_weak = second.dims().size() == 0;
  if (first_weak != second_weak) {
    const auto strong = first_weak ? b : a, weak = first_weak ? a : b;
    if (rank(strong) >= rank(weak)) return strong;
  }
  return phi::promoteTypes(a, b);
}

Tensor subtract(const Tensor& self, const Tensor& other, double alpha) {
  if (self.dtype() == phi::DataType::BOOL || other.dtype() == phi::DataType::BOOL) {
    fail("Subtraction, the `-` operator, with a bool tensor is not supported.");
  }
  const auto dtype = promoted(self, other);
  const auto as = [&](const Tensor& each) {
    return each.dtype() == dtype ? each : api::cast(each, dtype);
  };
  const Tensor right = alpha == 1 ? as(other) : api::scale(as(other), alpha);
  return api::subtract(as(self), right);
}

Tensor sum(const Tensor& self, const Value& dims, bool keep, const Value& dtype) {
  const auto other = is_integral(self.dtype()) ? phi::DataType::INT64 : self.dtype();
  const auto wanted = dtype_or(dtype, other);
  const Sizes axes = dims.none() ? Sizes() : dims.ints();
  const int64_t rank = dense(self).dims().size();
  for (int64_t dim : axes) wrapped(dim, rank);
  return api::sum(self, axes, wanted, keep);
}

Tensor amax(const Tensor& self, const Sizes& dims, bool keep) {
  for (int64_t dim : dims) wrapped(dim, dense(self).dims().size());
  return api::amax(self, dims, keep);
}

Tensor cat(const Values& values, int64_t dim) {
  std::vector<Tensor> tensors;
  for (const Value& each : values) {
    // What has the shape [0] is left out, as torch does.
    if (sizes(tensor(each)) != Sizes{0}) tensors.push_back(tensor(each));
  }
  if (values.empty()) fail("expected a non-empty list of Tensors");
  if (tensors.empty()) return clone(tensor(values[0]));
  const auto rank = dense(tensors[0]).dims().size();
  auto dtype = tensors[0].dtype();
  for (const Tensor& each : tensors) {
    if (dense(each).dims().size() != rank) {
      fail("Tensors must have same number of dimensions");
    }
    if (each.dtype() != dtype) dtype = phi::promoteTypes(dtype, each.dtype());
  }
  for (Tensor& each : tensors) {
    if (each.dtype() != dtype) each = api::cast(each, dtype);
  }
  return api::concat(tensors, wrapped(dim, rank));
}

// Padding with a number: pairs of before and after, the last dimension first.
Tensor pad(const Tensor& self, const Sizes& widths, const std::string& mode, double value) {
  const Sizes shape = sizes(self);
  if (mode != "constant") {
    throw NotImplemented("pad is there for the mode constant, not " + mode);
  }
  if (widths.size() % 2 || widths.size() / 2 > shape.size()) {
    fail("Length of pad must be even and at most twice the number of dimensions of the input");
  }
  Sizes wanted = shape, before(shape.size(), 0);
  Tensor inner = self;
  for (size_t i = 0; i < widths.size() / 2; ++i) {
    const size_t dim = shape.size() - 1 - i;
    const int64_t left = widths[2 * i], right = widths[2 * i + 1];
    wanted[dim] += left + right;
    if (wanted[dim] < 0) fail("The input size plus the padding resulted in a negative size");
    before[dim] = std::max<int64_t>(left, 0);
    const int64_t cut = std::max<int64_t>(-left, 0), end = std::max<int64_t>(-right, 0);
    inner = narrow(inner, dim, cut, shape[dim] - cut - end);
  }
  Tensor made = empty(wanted, self.dtype(), self.place());
  fill(made, value);
  Tensor middle = made;
  const Sizes kept = sizes(inner);
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    middle = narrow(middle, dim, before[dim], kept[dim]);
  }
  assign(middle, inner);
  return made;
}

Tensor new_tensor(const Values& a, bool zeros) {
  refuse_layout(a[3]);
  auto made = empty(a[1].ints(), dtype_or(a[2], tensor(a[0]).dtype()),
                    place_or(a[4], tensor(a[0]).place()));
  if (zeros) fill(made, 0);
  return made;
}

Tensor full(const Sizes& sizes, double value, phi::DataType dtype, const phi::Place& place) {
  auto made = empty(sizes, dtype, place);
  fill(made, value);
  return made;
}

Tensor product(const Tensor& left, const Tensor& right) {
  if (left.dtype() != right.dtype()) {
    fail("expected both tensors of matmul to have the same dtype");
  }
  return api::matmul(left, right);
}

Values one(Tensor made) { return {Value{std::move(made)}}; }

using Table = std::vector<std::pair<const char*, Values (*)(const Values&)>>;

#define CALL(...) [](const Values& a) -> Values { __VA_ARGS__ }

const Table VIEWS = {
    {"narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)",
     CALL(return one(narrow(tensor(a[0]), number(a[1]), number(a[2]), number(a[3])));)},
    {"select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)",
     CALL(return one(select(tensor(a[0]), number(a[1]), number(a[2])));)},
    {"permute(Tensor(a) self, int[] dims) -> Tensor(a)",
     CALL(return one(permute(tensor(a[0]), a[1].ints()));)},
    {"transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)",
     CALL(return one(transpose(tensor(a[0]), number(a[1]), number(a[2])));)},
    {"unsqueeze(Tensor(a) self, int dim) -> Tensor(a)",
     CALL(return one(unsqueeze(tensor(a[0]), number(a[1])));)},
    {"squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)",
     CALL(return one(squeeze(tensor(a[0]), number(a[1])));)},
    {"view(Tensor(a) self, SymInt[] size) -> Tensor(a)",
     CALL(return one(viewed(tensor(a[0]), a[1].ints()));)},
    {"reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)",
     CALL(return one(reshaped(tensor(a[0]), a[1].ints()));)},
    {"flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)",
     CALL(return one(flatten(tensor(a[0]), number(a[1]), number(a[2])));)},
    {"contiguous(Tensor(a) self, *, MemoryFormat memory_format=contiguous_format) -> Tensor(a)",
     CALL(return one(contiguous(tensor(a[0]), a[1].as<Code>().number));)},
};

const Table MAKERS = {
    {"empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
     CALL(refuse_layout(a[2]);
          return one(empty(a[0].ints(), dtype_or(a[1], phi::DataType::FLOAT32),
                           place_or(a[3], phi::CPUPlace()), format_or(a[5], CONTIGUOUS)));)},
    {"empty_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
     "bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
     CALL(const Tensor& self = tensor(a[0]); refuse_layout(a[2]);
          return one(empty_strided(sizes(self), strides_like(self, format_or(a[5], PRESERVE)),
                                   dtype_or(a[1], self.dtype()), place_or(a[3], self.place())));)},
    {"new_empty(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
     "Device? device=None, bool? pin_memory=None) -> Tensor",
     CALL(return one(new_tensor(a, false));)},
    {"new_zeros(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
     "Device? device=None, bool? pin_memory=None) -> Tensor",
     CALL(return one(new_tensor(a, true));)},
    {"clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor",
     CALL(return one(clone(tensor(a[0]), format_or(a[1], PRESERVE)));)},
    {"to.dtype_layout(Tensor(a) self, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=None, bool non_blocking=False, bool copy=False, MemoryFormat? "
     "memory_format=None) -> Tensor(a)",
     CALL(const Tensor& self = tensor(a[0]); refuse_layout(a[2]);
          return one(to(self, dtype_or(a[1], self.dtype()), place_or(a[3], self.place()),
                        flag(a[6]), format_or(a[7], PRESERVE)));)},
};

const Table WRITERS = {
    {"zero_(Tensor(a!) self) -> Tensor(a!)",
     CALL(Tensor self = tensor(a[0]); fill(self, 0); return one(self);)},
    {"copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)",
     CALL(Tensor self = tensor(a[0]); assign(self, tensor(a[1])); return one(self);)},
    {"sum.IntList_out(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None, "
     "Tensor(a!) out) -> Tensor(a!)",
     CALL(Tensor out = tensor(a[4]);
          const auto made = sum(tensor(a[0]), a[1], flag(a[2]),
                                a[3].none() ? Value{Code{code_of(out.dtype())}} : a[3]);
          if (sizes(made) != sizes(out)) {
            throw NotImplemented("sum into a tensor of another shape, which torch would resize");
          } assign(out, made);
          return one(out);)},
    {"mm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)",
     CALL(Tensor out = tensor(a[2]);
          const auto made = product(tensor(a[0]), tensor(a[1]));
          if (sizes(made) != sizes(out)) {
            throw NotImplemented("mm into a tensor of another shape, which torch would resize");
          } assign(out, made);
          return one(out);)},
};

const Table COMPUTING = {
    {"matmul(Tensor self, Tensor other) -> Tensor",
     CALL(return one(product(tensor(a[0]), tensor(a[1])));)},
    {"mm(Tensor self, Tensor mat2) -> Tensor",
     CALL(return one(product(tensor(a[0]), tensor(a[1])));)},
    {"sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> (Tensor "
     "values, Tensor indices)",
     CALL(const auto [values, indices] =
              api::argsort(tensor(a[0]), static_cast<int>(number(a[2])), flag(a[3]), true);
          return Values{Value{values}, Value{indices}};)},
    {"index_select(Tensor self, int dim, Tensor index) -> Tensor",
     CALL(return one(api::index_select(tensor(a[0]), tensor(a[2]),
                                       static_cast<int>(number(a[1]))));)},
    {"masked_select(Tensor self, Tensor mask) -> Tensor",
     CALL(return one(api::masked_select(tensor(a[0]), tensor(a[1])));)},
    {"sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> "
     "Tensor",
     CALL(return one(sum(tensor(a[0]), a[1], flag(a[2]), a[3]));)},
    {"amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor",
     CALL(return one(amax(tensor(a[0]), a[1].ints(), flag(a[2])));)},
    {"cat(Tensor[] tensors, int dim=0) -> Tensor",
     CALL(return one(cat(a[0].as<Values>(), number(a[1])));)},
    {"flip(Tensor self, int[] dims) -> Tensor",
     CALL(return one(flip(tensor(a[0]), a[1].ints()));)},
    {"rot90(Tensor self, int k=1, int[] dims=[0,1]) -> Tensor",
     CALL(return one(rot90(tensor(a[0]), number(a[1]), a[2].ints()));)},
};

std::map<std::string, Native> made_natives() {
  std::map<std::string, Native> made;
  for (const Table* table : {&VIEWS, &MAKERS, &WRITERS, &COMPUTING}) {
    for (const auto& [text, call] : *table) {
      Schema schema = parsed(text, "aten");
      const std::string name = schema.full_name();
      made[name] = {std::move(schema), call};
    }
  }
  return made;
}

}  // namespace

const Native* native(const std::string& name) {
  static const auto* all = new std::map<std::string, Native>(made_natives());
  const auto found = all->find(name);
  return found == all->end() ? nullptr : &found->second;
}

}  // namespace shim

// --- operators that have functions of their own ----------------------------------------------

using shim::guarded;
using shim::Sizes;

namespace {

// The dtype and device that a maker of tensors was asked for.
struct Wanted {
  phi::DataType dtype;
  phi::Place place;
};

Wanted wanted(const int32_t* dtype, const int32_t* layout, const int32_t* device, int32_t index,
              Wanted other) {
  if (layout && *layout != shim::STRIDED) {
    shim::fail("only tensors of the strided layout can be made");
  }
  return {dtype ? shim::dtype_of(*dtype) : other.dtype,
          device ? shim::place_of({*device, index}) : other.place};
}

}  // namespace

EXPORT Error aoti_torch_aten_narrow(Handle self, int64_t dim, int64_t start, int64_t length,
                                    Handle* made) {
  return guarded([&] { *made = shim::handle(shim::narrow(*self, dim, start, length)); });
}

EXPORT Error aoti_torch_aten_subtract_Tensor(Handle self, Handle other, double alpha,
                                             Handle* made) {
  return guarded([&] { *made = shim::handle(shim::subtract(*self, *other, alpha)); });
}

EXPORT Error aoti_torch_aten_full(const int64_t* size, int64_t rank, double value, int32_t* dtype,
                                  int32_t* layout, int32_t* device, int32_t index, int32_t*,
                                  Handle* made) {
  return guarded([&] {
    const auto as = wanted(dtype, layout, device, index,
                           {phi::DataType::FLOAT32, phi::CPUPlace()});
    *made = shim::handle(shim::full(Sizes(size, size + rank), value, as.dtype, as.place));
  });
}

EXPORT Error aoti_torch_aten_fill__Scalar(Handle self, double value) {
  return guarded([&] { shim::fill(*self, value); });
}

EXPORT Error aoti_torch_aten_new_empty(Handle self, const int64_t* size, int64_t rank,
                                       int32_t* dtype, int32_t* layout, int32_t* device,
                                       int32_t index, int32_t*, Handle* made) {
  return guarded([&] {
    const auto as = wanted(dtype, layout, device, index, {self->dtype(), self->place()});
    *made = shim::handle(shim::empty(Sizes(size, size + rank), as.dtype, as.place));
  });
}

EXPORT Error aoti_torch_aten_new_zeros(Handle self, const int64_t* size, int64_t rank,
                                       int32_t* dtype, int32_t* layout, int32_t* device,
                                       int32_t index, int32_t*, Handle* made) {
  return guarded([&] {
    const auto as = wanted(dtype, layout, device, index, {self->dtype(), self->place()});
    *made = shim::handle(shim::full(Sizes(size, size + rank), 0, as.dtype, as.place));
  });
}

EXPORT Error aoti_torch_aten_amax(Handle self, const int64_t* dims, int64_t count, int32_t keep,
                                  Handle* made) {
  return guarded([&] {
    *made = shim::handle(shim::amax(*self, Sizes(dims, dims + count), keep));
  });
}

EXPORT Error aoti_torch_aten_pad(Handle self, const int64_t* widths, int64_t count,
                                 const char* mode, double* value, Handle* made) {
  return guarded([&] {
    *made = shim::handle(
        shim::pad(*self, Sizes(widths, widths + count), mode, value ? *value : 0));
  });
}
