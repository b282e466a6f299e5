// Tensors larger (or smaller) at the ends of their last dimensions.
#pragma once

#include <porter_compat/recorded.h>
#include <algorithm>

#include <porter_compat/eager.h>
#include <porter_compat/python_calls.h>

namespace at::compat_detail {

inline const char* const PADDED = R"py(def padded(x, pad, mode, value, y=None):
    count = len(pad) // 2
    checked(len(pad) % 2 == 0 and count <= x.ndim, f"a padding of {len(pad)} numbers")
    checked(mode == "constant" or value is None, "a value")
    checked(mode == "constant" or count + 1 <= x.ndim <= count + 2, f"a shape of {x.shape}")
    f = lambda x: run(x, pad, mode, value or 0)
    def run(x, pad, mode, value):
        for i in range(len(pad) // 2):
            low, high, axis = pad[2 * i], pad[2 * i + 1], x.ndim - 1 - i
            size = x.shape[axis]
            checked(size + low + high >= (mode == "constant"), "the size that is left")
            if mode == "constant":
                x = x.slice([axis], [max(-low, 0)], [size - max(-high, 0)])
                fill = lambda n: paddle.full([*x.shape[:axis], n, *x.shape[axis + 1 :]], value, x.dtype)
                parts = [fill(low)] if low > 0 else []
                parts += [x, fill(high)] if high > 0 else [x]
                x = paddle.concat(parts, axis) if len(parts) > 1 else x
                continue
            last = size - 1
            checked(max(low, high) < size + {"reflect": 0, "circular": 1}.get(mode, 1 << 60), "a padding")
            where = {
                "reflect": lambda at: last - abs(last - abs(at)),
                "replicate": lambda at: min(max(at, 0), last),
                "circular": lambda at: at % size,
            }[mode]
            places = [where(at) for at in range(-low, size + high)]
            x = x.index_select(paddle.to_tensor(places, "int64", place=x.place), axis)
        return x
    return f(x).clone() if y is None else gradients(f, y, [x])
)py";

// Constants at the ends, of dtypes of the kernel on a CPU, where no gradient is recorded: without
// Python, whose lock may be held by a thread that waits for this one.
inline bool is_simple(const paddle::Tensor& x, IntArrayRef pad) {
  const auto rank = x.dims().size();
  const auto of_kernel = [&](auto... dtypes) { return ((x.dtype() == dtypes) || ...); };
  return rank > 0 && rank <= 6 && x.numel() > 0 && pad.size() % 2 == 0 &&
         int64_t(pad.size()) <= 2 * rank &&
         std::all_of(pad.begin(), pad.end(), [](int64_t n) { return n >= 0; }) &&
         of_kernel(phi::DataType::FLOAT32, phi::DataType::FLOAT64, phi::DataType::INT32, phi::DataType::INT64) &&
         !(requires_grad(x) && recording());
}

inline paddle::Tensor padded(const TensorBase& self, IntArrayRef pad, const Scalar& value) {
  const auto& x = self._PD_GetInner();
  if (!is_simple(x, pad)) return python(PADDED, self, pad, "constant", value);
  std::vector<int> ends(2 * x.dims().size());
  for (size_t i = 0; i < pad.size(); ++i) ends[ends.size() - 2 - i / 2 * 2 + i % 2] = pad[i];
  return paddle::recorded::pad(x, ends, value);
}

inline paddle::Tensor edged(
    int64_t n, const char* mode, const TensorBase& x, IntArrayRef padding,
    const TensorBase& grad = {}) {
  TORCH_CHECK(int64_t(padding.size()) == 2 * n, "expected a padding of ", 2 * n, " numbers");
  return python(PADDED, x, padding, mode, std::optional<double>(), grad);
}

}  // namespace at::compat_detail
