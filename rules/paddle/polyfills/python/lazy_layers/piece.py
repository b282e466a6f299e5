import inspect
from typing import Any

import paddle

from .convolution_layers import Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from .layers import BatchNorm1d, BatchNorm2d, BatchNorm3d, _BatchNorm
from .layers_with_torchs_state import InstanceNorm1d, InstanceNorm2d, InstanceNorm3d, _InstanceNorm
from .linear_layers import Linear


class LazyModuleMixin:
    """A layer that makes its parameters when it is first called, and is of another class then."""

    cls_to_become: Any = None
    _waits = True

    def has_uninitialized_params(self):
        return self._waits

    def initialize_parameters(self, *args, **kwargs):
        raise NotImplementedError(
            f"initialize_parameters is not implemented for {type(self).__name__}"
        )

    def __call__(self, *args, **kwargs):
        if self.has_uninitialized_params():
            self.initialize_parameters(*args, **kwargs)
            self._waits = False
        if self.cls_to_become is not None:
            self.__class__ = self.cls_to_become
            return self(*args, **kwargs)
        return super().__call__(*args, **kwargs)


class _LazyLayer(LazyModuleMixin):
    """A layer of torch, which is built with the settings that were given and the size of an input."""

    _size_at: int = -1
    _ndim: Any = None

    def __init__(self, *args, **kwargs):
        paddle.nn.Layer.__init__(self)
        self._settings = args, kwargs
        bound = inspect.signature(self.cls_to_become.__init__).bind(self, 0, *args, **kwargs)
        _, counted, *others = bound.arguments
        vars(self)[counted] = 0
        vars(self).update({each: bound.arguments[each] for each in others[:1] if each.startswith("out_")})

    def initialize_parameters(self, input):
        at = self._size_at if self._ndim is None or input.ndim == self._ndim else 0  # of one example
        args, kwargs = self._settings
        made = self.cls_to_become(input.shape[at], *args, **kwargs)
        if self._dtype != paddle.nn.Layer()._dtype:
            made.to(dtype=self._dtype)  # as it was asked to be before
        before = vars(self).copy()
        del before["_settings"]
        kept = {name: value for name, value in before.items() if "_hooks" in name and value}
        vars(self).clear()
        vars(self).update({**before, **vars(made), **kept, "training": before["training"]})


class _LazyChannels(_LazyLayer):
    _size_at = 1


class LazyLinear(_LazyLayer, Linear):
    cls_to_become = Linear


class LazyConv1d(_LazyChannels, Conv1d):
    cls_to_become, _ndim = Conv1d, 3


class LazyConv2d(_LazyChannels, Conv2d):
    cls_to_become, _ndim = Conv2d, 4


class LazyConv3d(_LazyChannels, Conv3d):
    cls_to_become, _ndim = Conv3d, 5


class LazyConvTranspose1d(_LazyChannels, ConvTranspose1d):
    cls_to_become, _ndim = ConvTranspose1d, 3


class LazyConvTranspose2d(_LazyChannels, ConvTranspose2d):
    cls_to_become, _ndim = ConvTranspose2d, 4


class LazyConvTranspose3d(_LazyChannels, ConvTranspose3d):
    cls_to_become, _ndim = ConvTranspose3d, 5


class _LazyNorm(_LazyChannels):
    def __init__(self, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None, **named):
        super().__init__(eps, momentum, affine, track_running_stats, device=device, dtype=dtype, **named)


class LazyBatchNorm1d(_LazyNorm, _BatchNorm):
    cls_to_become = BatchNorm1d


class LazyBatchNorm2d(_LazyNorm, _BatchNorm):
    cls_to_become = BatchNorm2d


class LazyBatchNorm3d(_LazyNorm, _BatchNorm):
    cls_to_become = BatchNorm3d


class LazyInstanceNorm1d(_LazyNorm, _InstanceNorm):
    cls_to_become = InstanceNorm1d


class LazyInstanceNorm2d(_LazyNorm, _InstanceNorm):
    cls_to_become = InstanceNorm2d


class LazyInstanceNorm3d(_LazyNorm, _InstanceNorm):
    cls_to_become = InstanceNorm3d
