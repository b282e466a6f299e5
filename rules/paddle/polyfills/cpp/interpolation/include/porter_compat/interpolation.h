// Images in another size, dimension by dimension, from the weights of neighbours.
#pragma once

#include <porter_compat/python_calls.h>

namespace at::compat_detail {

inline const char* const RESIZED = R"py(def resized(x, mode, align, sizes, scales, y=None, shape=None):
    import numpy
    x = paddle.zeros(shape, y.dtype) if x is None else x
    n = x.ndim - 2
    checked(sizes is None or len(sizes) == n, f"a shape of {x.shape}")
    scales = list(scales or [None] * n)
    sizes = sizes or [int(a * s) for a, s in zip(x.shape[2:], scales)]
    checked(min([*sizes, *x.shape[1:]]) > 0, f"a size of {sizes}")
    real = numpy.float64 if x.dtype == paddle.float64 and mode != "nearest" else numpy.float32
    def weights(size, wanted, scale):
        "(places, their weights) of each neighbour."
        at = numpy.arange(wanted, dtype=real)
        if mode == "linear" and size == wanted:
            return [(at, None)]
        if align and mode != "nearest":
            at = at * (real(size - 1) / real(wanted - 1) if wanted > 1 else real(0))
        else:
            step = real(1 / scale) if scale and scale > 0 else real(size) / real(wanted)
            at = at * step if mode == "nearest" else (at + real(0.5)) * step - real(0.5)
        at = numpy.maximum(at, 0) if mode == "linear" else at
        low = numpy.floor(at)
        part = at - low
        if mode == "nearest":
            return [(low, None)]
        if mode == "linear":
            low = numpy.minimum(low, size - 1)
            return [(low, 1 - part), (low + 1, part)]
        near = lambda t: (1.25 * t - 2.25) * t * t + 1
        far = lambda t: ((-0.75 * t + 3.75) * t - 6) * t + 3
        return list(zip((low - 1, low, low + 1, low + 2),
                        (far(part + 1), near(part), near(1 - part), far(2 - part))))
    def run(x):
        for axis, wanted, scale in zip(range(2, x.ndim), sizes, scales):
            size, parts = x.shape[axis], []
            for places, share in weights(size, wanted, scale):
                places = numpy.clip(places, 0, size - 1).astype("int64")
                part = x.index_select(paddle.to_tensor(places, place=x.place), axis)
                if share is not None:
                    share = paddle.to_tensor(share, x.dtype, place=x.place)
                    part = part * share.reshape([-1] + [1] * (x.ndim - 1 - axis))
                parts.append(part)
            x = parts[0] if len(parts) == 1 else paddle.add_n(parts)
        return x
    return run(x) if y is None else gradients(run, y, [x])
)py";

inline paddle::Tensor resized(
    int64_t n, const char* mode, const TensorBase& x, bool align, const OptionalIntArrayRef& sizes,
    const std::optional<ArrayRef<double>>& scales) {
  TORCH_CHECK(x.dim() == n + 2, "expected an input of ", n + 2, " dimensions, got ", x.dim());
  TORCH_CHECK(sizes.has_value() != scales.has_value(), "either a size or scale factors");
  return python(RESIZED, x, mode, align, sizes, scales);
}

// The same with the scale of each dimension, or none.
inline paddle::Tensor resized(
    int64_t n, const char* mode, const TensorBase& x, bool align, IntArrayRef sizes,
    std::initializer_list<std::optional<double>> scales) {
  TORCH_CHECK(x.dim() == n + 2, "expected an input of ", n + 2, " dimensions, got ", x.dim());
  return python(RESIZED, x, mode, align, sizes, ArrayRef<std::optional<double>>(scales));
}

inline paddle::Tensor resized_back(
    const char* mode, const TensorBase& grad, bool align, IntArrayRef sizes, IntArrayRef shape,
    std::initializer_list<std::optional<double>> scales) {
  return python(
      RESIZED, TensorBase(), mode, align, sizes, ArrayRef<std::optional<double>>(scales), grad,
      shape);
}

inline const char* const SAMPLED = R"py(def sampled(x, grid, mode, edge, align, y=None, mask=None):
    checked(mode < 2 and x.ndim == grid.ndim == grid.shape[-1] + 2, "a mode or shape")
    kinds = ("bilinear", "nearest")[mode], ("zeros", "border", "reflection")[edge]
    f = lambda x, grid: F.grid_sample(x, grid, *kinds, align_corners=align)
    if y is None:
        return f(x, grid)
    found = gradients(f, y, [x, grid], mask)
    if edge == 1 and mask[1]:  # none for what lies on the edge, either
        size = paddle.to_tensor(x.shape[:1:-1], x.dtype, place=x.place)
        at = (grid + 1) / 2 * (size - 1) if align else ((grid + 1) * size - 1) / 2
        found[1] = found[1] * ((at > 0) & (at < size - 1)).astype(x.dtype)
    return found
)py";

}  // namespace at::compat_detail
