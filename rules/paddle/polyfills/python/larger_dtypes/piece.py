import functools

import paddle

from .half_on_cpu import _retyped
from .methods_of_tensors import _members, _method, _methods
from .overrides import _function, _register

_OF_PIECES = __name__.rpartition(".")[0] or __name__  # where their classes are
_OPERATORS = "add sub mul truediv floordiv mod pow matmul rtruediv rfloordiv rmod rpow abs getitem".split()
_METHODS = (
    "abs neg sign square sqrt rsqrt exp expm1 log log2 log10 log1p erf sin cos tan tanh acos acosh cosh sinh "
    "sigmoid reciprocal round trunc lgamma digamma i0 logit nextafter logaddexp heaviside hypot gcd lcm "
    "add sub subtract mul multiply div divide true_divide pow remainder floor_divide maximum minimum fmax fmin "
    "atan2 lerp matmul mm bmm dot inner outer dist add_ sub_ subtract_ mul_ multiply_ div_ divide_ remainder_ "
    "exp_ cos_ sigmoid_ round_ rsqrt_ reciprocal_ square_ lerp_ cumsum_ cumprod_ uniform_ normal_ exponential_ "
    "max min amax amin sum prod mean nansum nanmean var std norm cumsum cumprod cummax cummin "
    "argmax argmin any all sort argsort topk kthvalue unique unique_consecutive median logsumexp "
    "logcumsumexp softmax nonzero isnan isfinite isposinf isneginf logical_not logical_and logical_or logical_xor "
    "flip roll tril triu diag diag_embed diagflat diagonal_scatter tile repeat expand_as take index_select "
    "index_add gather scatter scatter_ scatter_add masked_scatter repeat_interleave"
).split()
_FUNCTIONS = (  # of torch.nn.functional
    "linear bilinear layer_norm rms_norm group_norm batch_norm instance_norm local_response_norm normalize "
    "conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d unfold fold pad interpolate "
    "max_pool1d max_pool2d max_pool3d avg_pool1d avg_pool2d avg_pool3d adaptive_avg_pool1d "
    "adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d pixel_shuffle "
    "cross_entropy nll_loss mse_loss l1_loss smooth_l1_loss huber_loss kl_div binary_cross_entropy "
    "binary_cross_entropy_with_logits cosine_similarity softmax log_softmax gumbel_softmax grid_sample "
    "scaled_dot_product_attention dropout relu relu6 elu selu celu gelu silu mish leaky_relu prelu glu "
    "sigmoid logsigmoid hardsigmoid hardswish hardtanh hardshrink softshrink softplus softsign tanh tanhshrink"
).split()
_HALF = (paddle.float16, paddle.bfloat16)
_SMALL = (paddle.bool, paddle.uint8, paddle.int8, paddle.int16, paddle.int32)
_SUMS = ("sum", "prod", "cumsum", "cumprod", "nansum")  # of int64 in torch, whatever integers are given
_NOT_OF_BOOL = ("abs", "neg", "sub", "subtract", "topk")  # in torch either
_INDICES = ("argmax", "argmin", "argsort", "nonzero")


def _in_larger(theirs, name):
    """A function of a tensor which goes through a larger dtype where its own has no kernel."""
    in_place = name.endswith("_") and not name.endswith("__")

    @functools.wraps(theirs)
    def function(*args, **kwargs):
        tensor = args[0] if args else kwargs.get("input", kwargs.get("x"))
        own = getattr(tensor, "dtype", None)
        small = own in _SMALL
        if not (small and name in _SUMS):
            try:
                return theirs(*args, **kwargs)
            except (RuntimeError, TypeError) as error:
                refused = own == paddle.bool and name.strip("_") in _NOT_OF_BOOL
                if refused or not (small or own in _HALF) or "registered" not in str(error):
                    raise
        larger = paddle.int64 if small else paddle.float32
        if name == "__getitem__":  # a mask stays one
            return _retyped(theirs(_retyped(tensor, own, larger), *args[1:]), larger, own)
        kwargs = {key: _retyped(value, own, larger) for key, value in kwargs.items()}
        out = theirs(*_retyped(args, own, larger), **kwargs)
        if small and name in (*_SUMS, *_INDICES):
            return out
        if small and isinstance(out, tuple):  # the others are indices
            make = getattr(out, "_make", type(out))
            return make((_retyped(out[0], larger, own), *out[1:]))
        out = _retyped(out, larger, own)
        return paddle.assign(out, tensor) if in_place else out

    return function


for _name in (*_METHODS, *(f"__{name}__" for name in _OPERATORS)):
    if hasattr(paddle.Tensor, _name):
        _methods(**{_name: _in_larger(_method(_name), _name)})
    if _function(_name):
        _register({}, {f"torch.{_name}": _in_larger(_function(_name), _name)})
for _name in _FUNCTIONS:
    if _function(f"nn.functional.{_name}"):
        _ours = _in_larger(_function(f"nn.functional.{_name}"), _name)
        _register({}, {f"torch.nn.functional.{_name}": _ours})


def _layer_in_larger(theirs):
    """Calls of layers: one of Paddle's own, of half, is computed with its parameters in float32."""

    def call(self, *args, **kwargs):
        try:
            return theirs(self, *args, **kwargs)
        except (RuntimeError, TypeError) as error:
            ours = f"{type(self).__module__}.".startswith(("paddle.", f"{_OF_PIECES}."))
            values = [*args, *kwargs.values(), *self.parameters()]
            own = [value.dtype for value in values if getattr(value, "dtype", None) in _HALF]
            counting = next(iter(self.buffers()), None) is not None  # what a second call would count again
            if not ours or not own or counting or "registered" not in str(error):
                raise
        held = [(each._parameters, dict(each._parameters)) for each in self.sublayers(include_self=True)]
        larger = functools.partial(_retyped, old=own[0], new=paddle.float32)
        try:
            for parameters, kept in held:
                parameters.update({name: larger(value) for name, value in kept.items()})
            out = theirs(self, *larger(args), **{name: larger(value) for name, value in kwargs.items()})
        finally:
            for parameters, kept in held:
                parameters.update(kept)
        return _retyped(out, paddle.float32, own[0])

    return call


_members(paddle.nn.Layer, __call__=_layer_in_larger(paddle.nn.Layer.__call__))
