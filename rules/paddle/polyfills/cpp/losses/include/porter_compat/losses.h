// Losses as expressions in Python, of which all elements, their mean or their sum is given.
#pragma once

#include <ATen/core/Reduction.h>
#include <porter_compat/python_calls.h>

namespace at::compat_detail {

inline std::string reduced(const std::string& names, const std::string& loss) {
  return "lambda r, " + names + ": (lambda v: v if r == 0 else v.mean() if r == 1 else v.sum())(" +
         loss + ")";
}

// The gradient of the first tensor.
inline std::string reduced_back(const std::string& names, const std::string& loss) {
  return "lambda r, y, x, " + names + ": gradients(lambda x: (" + reduced("", loss) + ")(r), y, [x])";
}

inline const char* const SQUARED = "(x - t).square()";

inline const char* const SMOOTH =
    "(lambda d: paddle.where(d < b, d * d * 0.5 / (b or 1), d - 0.5 * b))((x - t).abs())";

inline const char* const HUBER =
    "(lambda d: paddle.where(d <= b, d * d * 0.5, b * (d - 0.5 * b)))((x - t).abs())";

inline const char* const ENTROPY = R"py(
    checked(bool(((x >= 0) & (x <= 1)).all()) and x.shape == t.shape, "what is no probability")
    and -(t * x.log().clip(-100) + (1 - t) * (1 - x).log().clip(-100)) * (1 if w is None else w))py";

// The loss and the total weight; targets are classes, one of which may be ignored.
inline const char* const CLASSES = R"py(def classes(x, t, w, r, ignored):
    axis = 0 if x.ndim == 1 else 1
    count = x.shape[axis]
    checked(t.shape == [*x.shape[:axis], *x.shape[axis + 1 :]], f"a target of {t.shape}")
    checked(w is None or w.shape == [count], "a shape of weights")
    kept = t != ignored
    t = paddle.where(kept, t, paddle.zeros_like(t)).astype("int64")
    checked(bool(((t >= 0) & (t < count)).all()), "a target that")
    picked = x.take_along_axis(t.unsqueeze(axis), axis).squeeze(axis)
    w = paddle.ones([count], x.dtype) if w is None else w
    w = w.gather(t.flatten()).reshape(t.shape) * kept.astype(x.dtype)
    loss = paddle.where(kept, -picked * w, paddle.zeros_like(picked))
    total = w.sum() if r else paddle.zeros([], x.dtype)
    return loss if r == 0 else loss.sum() / total if r == 1 else loss.sum(), total
)py";

}  // namespace at::compat_detail
