// Pools of n dimensions; an image without a batch is a batch of one.
#pragma once

#include <porter_compat/python_calls.h>

namespace at::compat_detail {

// The largest elements, and where they were in the image.
inline const char* const LARGEST = R"py(def largest(n, x, k, s, p, d, ceil):
    checked(max(d) == 1, "a dilation")
    k, s, p = each(k, n), each(s or k, n), each(p, n)
    checked(all(2 * b <= a for a, b in zip(k, p)), "a padding of more than half a window")
    run = lambda x: getattr(F, f"max_pool{n}d")(x, k, s, p, True, ceil)
    y, places = batched(run, x, n + 2)
    for i, a, b in zip(range(-n, 0), s, p):  # no window begins beyond the image
        last = (x.shape[i] + b - 1) // a + 1
        y, places = (v.slice([v.ndim + i], [0], [last]).contiguous() for v in (y, places))
    return y, places.astype("int64")
)py";

inline const char* const AVERAGE = R"py(def average(n, x, k, s, p, ceil, padded, divisor, y=None):
    k, s, p = each(k, n), each(s or k, n), each(p, n)
    more = dict(divisor_override=divisor) if n > 1 else {}
    pool = getattr(F, f"avg_pool{n}d")
    checked(all(2 * b <= a for a, b in zip(k, p)), "a padding of more than half a window")
    def run(x):
        y = pool(x, k, s, p, exclusive=not padded, ceil_mode=ceil, **more)
        ends = [(size + b - 1) // a + 1 for size, a, b in zip(x.shape[2:], s, p)]
        return y.slice(list(range(2, n + 2)), [0] * n, ends).contiguous()  # no window begins beyond the image
    f = lambda x: batched(run, x, n + 2)
    return f(x) if y is None else gradients(f, y, [x])
)py";

inline const char* const ADAPTED = R"py(def adapted(n, x, size, y=None):
    size = each(size, n) if n > 1 else size[0]
    f = lambda x: batched(lambda x: getattr(F, f"adaptive_avg_pool{n}d")(x, size), x, n + 2)
    return f(x) if y is None else gradients(f, y, [x])
)py";

inline const char* const ADAPTED_LARGEST = R"py(def adapted(n, x, size):
    size = each(size, n) if n > 1 else size[0]
    run = lambda x: getattr(F, f"adaptive_max_pool{n}d")(x, size, True)
    y, places = batched(run, x, n + 2)
    return y, places.astype("int64")
)py";

// Values put to their places in an image of a size; those for one place are added or the last.
inline const char* const PLACED = R"py(def placed(n, values, places, size, how):
    image = [*values.shape[:-n], prod(size)]
    at = places.reshape([*image[:-1], -1])
    flat = paddle.zeros(image, values.dtype)
    flat = paddle.put_along_axis(flat, at, values.reshape(at.shape), -1, how)
    return flat.reshape([*values.shape[:-n], *size])
)py";

inline paddle::Tensor placed(
    int64_t n, const TensorBase& values, const TensorBase& places, IntArrayRef size,
    const char* how) {
  TORCH_CHECK(values.sizes() == places.sizes(), "one place for each value");
  return python(PLACED, n, values, places, size.slice(size.size() - n), how);
}

}  // namespace at::compat_detail
