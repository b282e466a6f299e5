import inspect
import sys

import paddle

from .computing import _applied, _of_itself
from .functions import torch_rms_norm
from .layer_functions import (
    _pooled,
    functional_softmin,
    functional_threshold,
    torch_batch_norm,
)
from .meta_device import _is_for_meta, _on_meta
from .promotion import _default_dtype
from .torchs_meaning import _torch


def _made(layer, name, shape, initializer, device, dtype):
    """Give a layer a parameter."""
    setattr(layer, name, _created(shape, initializer, device, dtype))


def _created(shape, initializer, device, dtype):
    """A parameter, on a device."""
    dtype = dtype or _default_dtype()
    if _is_for_meta(device):
        return _torch("nn.Parameter")(_torch("empty")(list(shape), dtype=dtype, device="meta"))
    made = paddle.create_parameter(list(shape), dtype, default_initializer=initializer)
    return made if device is None else made.to(device)


def _scaled_layer(layer, shape, scaled, shifted, device, dtype):
    """Give a layer a weight of ones and a bias of zeros, or none by these names; no bias where `shifted` is None."""
    for name, value, given in (("weight", 1.0, scaled), ("bias", 0.0, scaled and shifted)):
        if given:
            _made(layer, name, shape, paddle.nn.initializer.Constant(value), device, dtype)
        elif name == "weight" or shifted is not None:
            layer.register_parameter(name, None)


def _reduction(reduction, size_average, reduce):
    """What the two arguments of old torch say, where they are given."""
    if size_average is None and reduce is None:
        return reduction
    return "none" if reduce is False else "sum" if size_average is False else "mean"


def _text_by_form(form):
    """What a layer says of itself: a text with its attributes, and whether it writes into its input."""

    def extra_repr(self):
        note = ", inplace=True" if getattr(self, "inplace", False) else ""
        return (form.format(self) + note).removeprefix(", ")

    return extra_repr


def _layer(name, function, **defaults):
    """A layer that calls a function of torch.nn.functional with the options it was made with."""
    only = inspect.Parameter.KEYWORD_ONLY if name == "GaussianNLLLoss" else inspect.Parameter.POSITIONAL_OR_KEYWORD
    given = [inspect.Parameter(key, only, default=value) for key, value in defaults.items()]
    signature = inspect.Signature(given)

    def __init__(self, *args, **kwargs):
        paddle.nn.Layer.__init__(self)
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{name}.__init__(): {error}") from None
        bound.apply_defaults()
        for key, value in bound.arguments.items():
            if key.endswith("weight"):
                self.register_buffer(key, value)
            elif key not in ("size_average", "reduce"):
                setattr(self, key, value)
        if "size_average" in bound.arguments:
            old = bound.arguments["size_average"], bound.arguments["reduce"]
            self.reduction = _reduction(self.reduction, *old)

    def forward(self, *inputs, **named):
        options = {key: getattr(self, key) for key in defaults if key not in ("size_average", "reduce")}
        return _torch(f"nn.functional.{function}")(*inputs, **named, **options)

    if name.endswith(("Loss", "Distance", "Similarity")):
        shown = _text_by_form("")
    else:
        hidden = "inplace", "return_indices"
        alone = "lambd", "size"  # written without their names
        parts = (
            f"{{0.{key}}}" if key in alone else f"{key}={{0.{key}!r}}" for key in defaults if key not in hidden
        )
        shown = _text_by_form(", ".join(parts))
    where = sys._getframe(1).f_globals["__name__"]  # pickle looks the class up there
    own = {"__init__": __init__, "forward": forward, "extra_repr": shown, "__module__": where}
    return type(name, (paddle.nn.Layer,), own)


def _fill_again(layer):
    """The weight of ones and the bias of zeros that a normalization begins with."""
    with paddle.no_grad():
        for parameter, value in ((layer.weight, 1.0), (getattr(layer, "bias", None), 0.0)):
            if parameter is not None:
                parameter.fill_(value)


class RMSNorm(paddle.nn.Layer):
    extra_repr = _text_by_form("{0.normalized_shape}, eps={0.eps}, elementwise_affine={0.elementwise_affine}")

    def __init__(
        self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None
    ):
        super().__init__()
        whole = isinstance(normalized_shape, int)
        self.normalized_shape = (normalized_shape,) if whole else tuple(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        _scaled_layer(self, self.normalized_shape, elementwise_affine, None, device, dtype)

    def reset_parameters(self):
        _fill_again(self)

    def forward(self, x):
        return torch_rms_norm(x, self.normalized_shape, self.weight, self.eps)


class _BatchNorm(paddle.nn.Layer):
    _version = 2

    def __init__(
        self,
        num_features,
        eps=1e-5,
        momentum=0.1,
        affine=True,
        track_running_stats=True,
        device=None,
        dtype=None,
        *,
        bias=True,
    ):
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        _scaled_layer(self, [num_features], affine, bias, device, dtype)
        if track_running_stats:
            place = None if _is_for_meta(device) else device
            zeros = paddle.zeros([num_features], dtype=dtype or _default_dtype(), device=place)
            self.register_buffer("running_mean", _on_meta(zeros, device))
            self.register_buffer("running_var", _on_meta(paddle.ones_like(zeros), device))
            self.register_buffer("num_batches_tracked", _on_meta(paddle.zeros([], "int64"), device))
        else:
            for name in ("running_mean", "running_var", "num_batches_tracked"):
                self.register_buffer(name, None)

    def reset_running_stats(self):
        if self.track_running_stats:
            with paddle.no_grad():
                paddle.assign(paddle.zeros_like(self.running_mean), self.running_mean)
                paddle.assign(paddle.ones_like(self.running_var), self.running_var)
                paddle.assign(paddle.zeros_like(self.num_batches_tracked), self.num_batches_tracked)

    def reset_parameters(self):
        self.reset_running_stats()
        _fill_again(self)

    def extra_repr(self):
        kept = f"affine={self.affine}, bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        return f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, {kept}"

    dims: tuple = ()  # of what it takes; a class of others' own that has none checks itself

    def _check_input_dim(self, input):
        if not self.dims:
            raise NotImplementedError
        if input.ndim not in self.dims:
            wanted = " or ".join(f"{dims}D" for dims in self.dims)
            raise ValueError(f"expected {wanted} input (got {input.ndim}D input)")

    def forward(self, input):
        self._check_input_dim(input)
        momentum = self.momentum
        if self.training and self.track_running_stats:
            self.num_batches_tracked.add_(paddle.ones([], self.num_batches_tracked.dtype))
            if momentum is None:
                momentum = 1.0 / self.num_batches_tracked.item()
        training = self.training or self.running_mean is None
        if training and input.size == input.shape[1]:
            size = f"torch.Size({list(input.shape)})"
            raise ValueError(f"Expected more than 1 value per channel when training, got input size {size}")
        given = self.weight, self.bias, self.running_mean, self.running_var
        return torch_batch_norm(input, *given, training, momentum or 0.0, self.eps)


class BatchNorm1d(_BatchNorm):
    dims = (2, 3)


class BatchNorm2d(_BatchNorm):
    dims = (4,)


class BatchNorm3d(_BatchNorm):
    dims = (5,)


def _each(dims, value):
    return tuple(value) if isinstance(value, (list, tuple)) else (int(value),) * dims


class _MaxPool(paddle.nn.Layer):
    extra_repr = _text_by_form(
        "kernel_size={0.kernel_size}, stride={0.stride}, padding={0.padding}, dilation={0.dilation}, "
        "ceil_mode={0.ceil_mode}"
    )

    def __init__(
        self,
        kernel_size,
        stride=None,
        padding=0,
        dilation=1,
        return_indices=False,
        ceil_mode=False,
    ):
        super().__init__()
        self.kernel_size, self.padding = kernel_size, padding
        self.stride = kernel_size if stride is None else stride
        self.dilation, self.return_indices, self.ceil_mode = dilation, return_indices, ceil_mode

    def forward(self, input):
        rest = self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode
        function = getattr(paddle.nn.functional, f"max_pool{self.dims}d")
        return _pooled(function, self.dims + 2, input, *rest, self.return_indices)


class MaxPool1d(_MaxPool):
    dims = 1


class MaxPool2d(_MaxPool):
    dims = 2


class MaxPool3d(_MaxPool):
    dims = 3


class Softmin(paddle.nn.Layer):
    extra_repr = _text_by_form("dim={0.dim}")

    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def forward(self, input):
        return functional_softmin(input, self.dim)


class Softmax2d(paddle.nn.Layer):
    def forward(self, input):
        if input.ndim not in (3, 4):
            raise ValueError(f"Softmax2d: expected input to be 3D or 4D, got {input.ndim}D instead")
        return _of_itself(lambda x: _torch("nn.functional.softmax")(x, -3), input)


class Threshold(paddle.nn.Layer):
    extra_repr = _text_by_form("threshold={0.threshold}, value={0.value}")

    def __init__(self, threshold, value, inplace=False):
        super().__init__()
        self.threshold, self.value, self.inplace = threshold, value, inplace

    def forward(self, input):
        return functional_threshold(input, self.threshold, self.value, self.inplace)
