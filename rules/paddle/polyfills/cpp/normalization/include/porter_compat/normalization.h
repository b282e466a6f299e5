// Tensors less their mean and divided by their deviation, over some dimensions.
#pragma once

#include <porter_compat/python_calls.h>

namespace at::compat_detail {

// Over all dimensions but the second (or but the first two), with running statistics or without.
inline const char* const NORMED = R"py(def normed(x, w, b, mean, var, train, momentum, eps, alone):
    checked(x.ndim >= 2 and (train or mean is not None), f"a shape of {x.shape}")
    wide = [1, x.shape[1]] + [1] * (x.ndim - 2)
    for each in (w, b, mean, var):
        checked(each is None or each.shape == [x.shape[1]], "a shape of weights or statistics")
    axes = list(range(2, x.ndim)) if alone else [0, *range(2, x.ndim)]
    count = prod(x.shape[i] for i in axes)
    if not train:
        middle, scale = mean.reshape(wide), (var.reshape(wide) + eps).rsqrt()
    else:
        checked(count > 1 or not alone and x.size > x.shape[1], f"one value a channel, {x.shape}")
        middle = x.mean(axes, True)
        spread = (x - middle).square().mean(axes, True)
        scale = (spread + eps).rsqrt()
        with paddle.no_grad():
            for kept, new in ((mean, middle), (var, spread * (count / max(count - 1, 1)))):
                if kept is not None:
                    new = new.mean(0).reshape(kept.shape)
                    kept.set_value((kept * (1 - momentum) + new * momentum).astype(kept.dtype))
    y = (x - middle) * scale
    y = y if w is None else y * w.reshape(wide)
    y = y if b is None else y + b.reshape(wide)
    none = paddle.zeros([0], x.dtype)
    flat = [middle.flatten(), scale.flatten()] if train else [none, none]
    return y, *flat
)py";

// Over the last dimensions.
inline const char* const LAYER = R"py(def layer(x, shape, w, b, eps):
    n = len(shape)
    checked(n and x.shape[-n:] == list(shape), f"a shape of {x.shape}")
    checked(all(v is None or v.shape == list(shape) for v in (w, b)), "a shape of weights")
    axes = list(range(x.ndim - n, x.ndim))
    middle = x.mean(axes, True)
    scale = ((x - middle).square().mean(axes, True) + eps).rsqrt()
    y = (x - middle) * scale
    y = y if w is None else y * w
    return y if b is None else y + b, middle, scale
)py";

// Over groups of channels.
inline const char* const GROUPS = R"py(def groups(x, groups, w, b, eps):
    checked(x.ndim > 1 and groups > 0 and x.shape[1] % groups == 0, f"a shape of {x.shape}")
    checked(all(v is None or v.shape == [x.shape[1]] for v in (w, b)), "a shape of weights")
    wide = [1, x.shape[1]] + [1] * (x.ndim - 2)
    flat = x.reshape([x.shape[0], groups, -1])
    middle = flat.mean(-1, True)
    scale = ((flat - middle).square().mean(-1, True) + eps).rsqrt()
    y = ((flat - middle) * scale).reshape(x.shape)
    y = y if w is None else y * w.reshape(wide)
    return y if b is None else y + b.reshape(wide), middle.squeeze(-1), scale.squeeze(-1)
)py";

// The gradients of input, weight and bias.
inline const char* const NORMED_BACK = R"py(def back(y, x, w, mean, var, train, eps, mask):
    wide, axes = [1, x.shape[1]] + [1] * (x.ndim - 2), [0, *range(2, x.ndim)]
    if train:
        mean = x.mean(axes)
        var = (x - mean.reshape(wide)).square().mean(axes)
    scale = (var.reshape(wide) + eps).rsqrt()
    normal = (x - mean.reshape(wide)) * scale
    g = y if w is None else y * w.reshape(wide)
    if train:
        g = g - g.mean(axes, True) - normal * (g * normal).mean(axes, True)
    found = [g * scale, (y * normal).sum(axes), y.sum(axes)]
    return [v if asked else None for v, asked in zip(found, mask)]
)py";

inline const char* const LAYER_BACK = R"py(def back(y, x, shape, mean, scale, w, b, mask):
    inner, outer = list(range(x.ndim - len(shape), x.ndim)), list(range(x.ndim - len(shape)))
    normal = (x - mean) * scale
    g = y if w is None else y * w
    g = g - g.mean(inner, True) - normal * (g * normal).mean(inner, True)
    over = lambda v: v.sum(outer) if outer else v
    found = [g * scale, w is not None and over(y * normal), b is not None and over(y)]
    return [v if asked and v is not False else None for v, asked in zip(found, mask)]
)py";

}  // namespace at::compat_detail
