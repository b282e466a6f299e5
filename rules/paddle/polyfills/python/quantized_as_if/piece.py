import paddle
from paddle.autograd import PyLayer


def _half_to_even(x):
    down = x.floor()
    odd = down - 2 * (down / 2).floor()
    apart = x - down
    return paddle.where(apart == 0.5, down + odd, down + (apart > 0.5).astype(x.dtype))


class _AsIfQuantized(PyLayer):
    """The nearest numbers that a quantized tensor can have; the gradient passes where there are any."""

    @staticmethod
    def forward(ctx, x, scale, zero_point, quant_min, quant_max):
        wide = x.astype("float32")
        number = _half_to_even(wide * (1.0 / scale)) + zero_point
        ctx.save_for_backward((number >= quant_min) & (number <= quant_max))
        return ((number.clip(quant_min, quant_max) - zero_point) * scale).astype(x.dtype)

    @staticmethod
    def backward(ctx, gradient):
        (inside,) = ctx.saved_tensor()
        return gradient * inside.astype(gradient.dtype)


def _check_limits(zero_point, quant_min, quant_max):
    if quant_min > quant_max:
        raise RuntimeError("`quant_min` should be less than or equal to `quant_max`.")
    if not bool(((zero_point >= quant_min) & (zero_point <= quant_max)).all()):
        raise RuntimeError("`zero_point` must be between `quant_min` and `quant_max`.")


def _number_or_first(value):
    return value.detach().astype("float32").reshape([]) if isinstance(value, paddle.Tensor) else paddle.to_tensor(float(value), "float32")


def fake_quantize_per_tensor_affine(input, scale, zero_point, quant_min, quant_max):
    zero_point = _number_or_first(zero_point)
    _check_limits(zero_point, quant_min, quant_max)
    return _AsIfQuantized.apply(input, _number_or_first(scale), zero_point, quant_min, quant_max)


def fake_quantize_per_channel_affine(input, scale, zero_point, axis, quant_min, quant_max):
    if scale.ndim != 1 or zero_point.ndim != 1 or not scale.shape == zero_point.shape == [input.shape[axis]]:
        raise RuntimeError("dimensions of scale and zero-point are not consistent with input tensor")
    _check_limits(zero_point, quant_min, quant_max)
    shape = [-1 if dim == axis else 1 for dim in range(input.ndim)]
    scale, zero_point = (each.detach().astype("float32").reshape(shape) for each in (scale, zero_point))
    return _AsIfQuantized.apply(input, scale, zero_point, quant_min, quant_max)
