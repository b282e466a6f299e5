import functools

import paddle

from .computing import _assign
from .half_on_cpu import _is_recorded, _retyped
from .methods_of_tensors import _members, _method, _unchanged_if_plain, _wrap_functions, _wrap_methods
from .rounded_steps import _by_formula
from .slopes import _SLOPES

_OF_PIECES = __name__.rpartition(".")[0] or __name__  # where their classes are
_OPERATORS = "add sub mul truediv floordiv mod pow matmul rtruediv rfloordiv rmod rpow radd rsub rmul rdiv rmatmul abs getitem".split()
_METHODS = (
    "abs neg sign square sqrt rsqrt exp expm1 log log2 log10 log1p erf sin cos tan tanh acos acosh cosh sinh "
    "asin asinh atan atanh angle erfinv frac kron fliplr flipud sigmoid reciprocal round trunc lgamma digamma i0 logit nextafter logaddexp heaviside hypot gcd lcm "
    "add sub subtract mul multiply div divide true_divide pow remainder floor_divide maximum minimum fmax fmin "
    "atan2 lerp matmul mm bmm dot inner outer ger dist add_ sub_ subtract_ mul_ multiply_ div_ divide_ remainder_ "
    "exp_ cos_ sigmoid_ round_ rsqrt_ reciprocal_ square_ lerp_ cumsum_ cumprod_ uniform_ normal_ exponential_ cauchy_ log_normal_ geometric_ "
    "max min amax amin sum prod mean nansum nanmean nanmedian mode var std norm cumsum cumprod cummax cummin "
    "argmax argmin any all sort argsort topk kthvalue unique unique_consecutive median logsumexp "
    "logcumsumexp softmax nonzero isnan isfinite isposinf isneginf logical_not logical_and logical_or logical_xor "
    "isinf mv masked_fill fill_diagonal_ chunk split flip roll tril triu diag diag_embed diagflat diagonal_scatter tile repeat expand_as take "
    "index_select index_add index_add_ scatter_add_ gather scatter scatter_ scatter_add masked_scatter repeat_interleave "
    "addmm addmv addbmm baddbmm trace rsub addcmul tensordot bincount bucketize histc relu relu_ fmod aminmax signbit "
    "rot90 renorm cumulative_trapezoid trapezoid cdist quantile nanquantile diff as_strided cross det logdet"
).split()
_FUNCTIONS = (  # of torch.nn.functional
    "linear bilinear layer_norm rms_norm group_norm batch_norm instance_norm local_response_norm normalize "
    "conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d unfold fold pad interpolate "
    "max_pool1d max_pool2d max_pool3d avg_pool1d avg_pool2d avg_pool3d adaptive_avg_pool1d "
    "adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d pixel_shuffle "
    "cross_entropy nll_loss mse_loss l1_loss smooth_l1_loss huber_loss kl_div binary_cross_entropy "
    "binary_cross_entropy_with_logits cosine_similarity softmax log_softmax gumbel_softmax grid_sample "
    "multilabel_soft_margin_loss max_unpool1d max_unpool2d max_unpool3d pixel_unshuffle channel_shuffle fractional_max_pool2d fractional_max_pool3d "
    "scaled_dot_product_attention dropout relu relu6 elu selu celu gelu silu mish leaky_relu prelu glu "
    "sigmoid logsigmoid hardsigmoid hardswish hardtanh hardshrink softshrink softplus softsign tanh tanhshrink"
).split()
_IN_PLACE_IF_TOLD = frozenset("relu6 selu silu mish hardsigmoid hardswish relu elu celu leaky_relu hardtanh".split())
_OF_TORCH = (
    "searchsorted concatenate meshgrid linalg.norm linalg.vector_norm linalg.matrix_norm linalg.matmul "
    "linalg.multi_dot linalg.vecdot linalg.cross special.softmax special.log_softmax special.logsumexp special.expm1 cdist block_diag "
    "bernoulli multinomial fft.fftshift fft.ifftshift group_norm layer_norm isin broadcast_tensors vstack hstack dstack column_stack row_stack"
).split()
_IN_PLACE = [f"{each}_" for each in _METHODS if hasattr(paddle.Tensor, f"{each}_")]
_HALF_DTYPES = (paddle.float16, paddle.bfloat16)
_SMALL_DTYPES = (paddle.uint8, paddle.int8, paddle.int16)
# By hash: to compare one dtype with each of a tuple takes longer than a small kernel.
_SMALL, _HALF, _COMPLEX = "small", "half", "complex"
_KINDS_OF_DTYPES = {
    **dict.fromkeys((paddle.bool, paddle.int32, *_SMALL_DTYPES), _SMALL),
    **dict.fromkeys(_HALF_DTYPES, _HALF),
    **dict.fromkeys((paddle.complex64, paddle.complex128), _COMPLEX),
}
_MAKERS = "arange eye linspace bartlett_window blackman_window hamming_window hann_window kaiser_window".split()
_CASTING = frozenset("sum prod cumsum cumprod mean nansum nanmean softmax log_softmax".split())  # to their dtype=
_SUMS = ("sum", "prod", "cumsum", "cumprod", "nansum", "trace")  # of int64 in torch, whatever integers are given
_NOT_OF_BOOL = ("abs", "neg", "sub", "subtract", "topk")  # in torch either
_IN_PARTS = (
    "gather scatter scatter_add scatter_ scatter_add_ index_add index_add_ index_select expand_as repeat_interleave "
    "unfold fold pixel_shuffle pixel_unshuffle channel_shuffle diag_embed flip rot90"
).split()
_AS_FLOATS = "unfold fold pixel_shuffle pixel_unshuffle channel_shuffle".split()  # exact there
_OF_FORMULAS = frozenset("dim keepdim rounding_mode value".split())
_INDICES = ("argmax", "argmin", "argsort", "nonzero", "bincount")


def _part(value, at):
    """The real or the imaginary parts of what is complex."""
    if isinstance(value, (list, tuple)):
        return type(value)(_part(each, at) for each in value)
    if isinstance(value, dict):
        return {key: _part(each, at) for key, each in value.items()}
    if isinstance(value, paddle.Tensor):
        return value.as_real()[..., at] if value.is_complex() else value
    return (value.real, value.imag)[at] if isinstance(value, complex) else value


def _multiplies(args, kwargs):
    """Whether scatter is asked for products, which are none of the parts."""
    return any(isinstance(each, str) and each == "multiply" for each in (*args, *kwargs.values()))


def _with_complex_value(name, args, kwargs):
    """The arguments of scatter with the number that is written as a complex one, which has two parts."""
    if not name.startswith("scatter"):
        return args, kwargs
    args = [complex(each) if at > 2 and isinstance(each, (int, float)) else each for at, each in enumerate(args)]
    return args, {key: complex(each) if key == "value" else each for key, each in kwargs.items()}


_ELEMENTWISE = frozenset(
    "add sub subtract mul multiply maximum minimum fmax fmin hypot "
    "__add__ __sub__ __mul__".split()
)


def _spread(values):
    """Operands of one shape, each rounded again: torch sums rounded gradients over what is spread."""
    shapes = {tuple(each.shape) for each in values if isinstance(each, paddle.Tensor)}
    if len(shapes) < 2:
        return values
    shape = functools.reduce(paddle.broadcast_shape, shapes)
    return [
        each.astype(paddle.float32).expand(shape).astype(each.dtype)
        if getattr(each, "dtype", None) in _HALF_DTYPES and each.shape != shape
        else each
        for each in values
    ]


def _is_a_view(name, args):
    """Whether a call gives a part of the memory of its tensor: what is written there is written to both."""
    if name != "__getitem__":
        return name in ("chunk", "split")
    parts = args[1] if isinstance(args[1], tuple) else (args[1],)
    return all(each is None or each is ... or isinstance(each, (int, slice)) for each in parts)


def _with_slopes(theirs, name, args, kwargs):
    """What a function of half gives, with torch's formula of its gradients; None where that is not
    known of these arguments."""
    own, named = args[0].dtype, {key: value for key, value in kwargs.items() if value is not None}
    while args and args[-1] is None:
        args = args[:-1]
    mixed = any(isinstance(each, paddle.Tensor) and each.dtype != own for each in args)
    unsaid = "softmax" in name and not isinstance(named.get("dim", args[1:2] and args[1]), int)
    if mixed or unsaid or not named.keys() <= _OF_FORMULAS:
        return None

    def narrow(*values):
        out = theirs(*_retyped([*values], own, paddle.float32), **named)
        return _retyped(out, paddle.float32, own)

    return _by_formula(narrow, functools.partial(_SLOPES[name], **named), *args)


def _written_into(made, out):
    """What out= names, with what was made: it is no part of the computation in a larger dtype."""
    if isinstance(out, (list, tuple)):
        written = [_written_into(*pair) for pair in zip(made, out, strict=True)]
        return getattr(made, "_make", type(made))(written)
    if made.shape != out.shape:
        _method("resize_")(out, made.shape)
    return paddle.assign(made.detach().astype(out.dtype), out)


def _first_named(kwargs):
    """The first tensor of a call that names its arguments, the input if there is one."""
    found = kwargs.get("input", kwargs.get("x"))
    return next(filter(_is_a_tensor, kwargs.values()), None) if found is None else found


def _is_a_tensor(value):
    return isinstance(value, paddle.Tensor)


@_unchanged_if_plain
def _in_larger(theirs, name):
    """A function of a tensor which goes through a larger dtype where its own has no kernel."""
    if hasattr(theirs, "takes_half"):
        return theirs
    name = name.rpartition(".")[2]
    in_place = name.endswith("_") and not name.endswith("__")
    summed, asking = name in _SUMS, name in _IN_PLACE_IF_TOLD

    @functools.wraps(theirs)
    def function(*args, **kwargs):
        tensor = args[0] if args else _first_named(kwargs)
        own = getattr(tensor, "dtype", None)
        kind = _KINDS_OF_DTYPES.get(own)
        if kind is not None and kwargs.get("out") is not None:
            return _written_into(function(*args, **{k: v for k, v in kwargs.items() if k != "out"}), kwargs["out"])
        if asking and kind is not None and (kwargs.get("inplace") or args[1:] == (True,)):
            made = function(tensor, *(args[1:] if kwargs.get("inplace") else ()), **{**kwargs, "inplace": False})
            return _assign(made, tensor)
        if "dtype" in kwargs and name in _CASTING and kwargs["dtype"] in (*_SMALL_DTYPES, *_HALF_DTYPES):
            asked = kwargs["dtype"]
            if own != asked:
                args, kwargs = (tensor.astype(asked), *args[1:]), {k: v for k, v in kwargs.items() if v is not tensor}
            kwargs = {**kwargs, "dtype": None}
            return function(*args, **kwargs).astype(asked)
        if kind is None:
            if own != paddle.int64 or name not in _AS_FLOATS:
                return theirs(*args, **kwargs)
            kind = _SMALL
        small = kind is _SMALL
        if kwargs.get("rounding_mode") == "trunc" and kind is _HALF and tensor.place.is_cpu_place():
            out = function(*args, **{**kwargs, "rounding_mode": None})  # torch rounds it to half before
            out = paddle.trunc(out.astype(paddle.float32)).astype(own)
            return _assign(out, tensor) if in_place else out
        # The kernels of the backward pass lack too.
        backward = kind is _HALF and tensor.place.is_cpu_place() and _is_recorded(*args, *kwargs.values())
        backward = backward and not _is_a_view(name, args)
        if not (small and summed) and not backward:
            try:
                return theirs(*args, **kwargs)
            except (RuntimeError, TypeError) as error:
                refused = own == paddle.bool and name.strip("_") in _NOT_OF_BOOL
                said = ("registered", "must be one of") if kind is _HALF else ("registered", "should all be integers")
                lacking = any(each in str(error) for each in said) and not refused
                if lacking and name in _IN_PARTS and kind is _COMPLEX and not _multiplies(args, kwargs):
                    args, kwargs = _with_complex_value(name, args, kwargs)
                    real = theirs(*_part(args, 0), **_part(kwargs, 0))
                    imaginary = theirs(*_part(args, 1), **_part(kwargs, 1))
                    out = paddle.complex(real, imaginary)
                    return _assign(out, tensor) if in_place else out
                if not lacking or kind is _COMPLEX:
                    raise
        larger = (paddle.float64 if name in _AS_FLOATS else paddle.int64) if small else paddle.float32
        if backward and args and name in _SLOPES:
            out = _with_slopes(theirs, name, args, kwargs)
            if out is not None:
                return out
        if name == "__getitem__":  # a mask stays one
            return _retyped(theirs(_retyped(tensor, own, larger), *args[1:]), larger, own)
        if backward and name in _ELEMENTWISE and not in_place:
            args = _spread(args)
        kwargs = {key: _retyped(value, own, larger) for key, value in kwargs.items()}
        asked = kwargs.get("dtype")
        if asked in _HALF_DTYPES:
            kwargs["dtype"] = paddle.float32
        out = theirs(*_retyped([*args], own, larger), **kwargs)
        if asked is not None:
            return _retyped(out, paddle.float32, asked) if asked in _HALF_DTYPES else out
        if small and name in (*_SUMS, *_INDICES):
            return out
        if small and isinstance(out, tuple):  # the others are indices
            make = getattr(out, "_make", type(out))
            return make((_retyped(out[0], larger, own), *(_retyped(out[1:], larger, own) if name == "aminmax" else out[1:])))
        out = _retyped(out, larger, own)
        return _assign(out, tensor) if in_place else out

    return function


def _made_in_larger(theirs, name):
    """A function that makes a tensor of a dtype, through a larger one where that has no kernel."""

    @functools.wraps(theirs)
    def function(*args, **kwargs):
        dtype = kwargs.get("dtype")
        try:
            return theirs(*args, **kwargs)
        except (RuntimeError, TypeError):
            if dtype not in (*_SMALL_DTYPES, *_HALF_DTYPES):
                raise
        larger = paddle.int64 if dtype in _SMALL_DTYPES else paddle.float32
        made = theirs(*args, **{**kwargs, "dtype": larger})
        narrowed = made.detach().astype(dtype)
        narrowed.stop_gradient = made.stop_gradient
        return narrowed

    return function


_wrap_functions(_made_in_larger, _MAKERS)
_of_tensors = [*_METHODS, *_IN_PLACE, *(f"__{name}__" for name in _OPERATORS)]
_wrap_methods(_in_larger, _of_tensors)
_wrap_functions(_in_larger, [*_of_tensors, *_OF_TORCH, *(f"nn.functional.{name}" for name in _FUNCTIONS)])


def _layer_in_larger(theirs):
    """Calls of layers: one of Paddle's own, of half, is computed with its parameters in float32."""

    def call(self, *args, **kwargs):
        try:
            return theirs(self, *args, **kwargs)
        except (RuntimeError, TypeError) as error:
            if "registered" not in str(error):
                raise
            ours = f"{type(self).__module__}.".startswith(("paddle.", f"{_OF_PIECES}."))
            values = [*args, *kwargs.values(), *self.parameters()]
            own = [value.dtype for value in values if getattr(value, "dtype", None) in _HALF_DTYPES]
            counting = next(iter(self.buffers()), None) is not None  # what a second call would count again
            if not ours or not own or counting:
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
        out = _retyped(out, paddle.float32, own[0])
        return _assign(out, args[0]) if getattr(self, "inplace", False) and args else out

    return call


_members(paddle.nn.Layer, __call__=_layer_in_larger(paddle.nn.Layer.__call__))
