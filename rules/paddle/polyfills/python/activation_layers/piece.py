import paddle

from .computing import _refuse_leaf, _write
from .layers import _text_by_form
from .related_views import _follow_write_if_recorded
from .torchs_meaning import _torch


def _text_of_nothing(layer):
    return ""


def _activated(layer, input, inplace):
    if not inplace:
        return layer(input)
    _refuse_leaf(input)
    made = _write(layer(input.clone()), input)
    _follow_write_if_recorded(input)
    return made


class ReLU(paddle.nn.ReLU):
    extra_repr = _text_by_form("")

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input):
        return _activated(super().forward, input, self.inplace)


class LeakyReLU(paddle.nn.LeakyReLU):
    extra_repr = _text_by_form("negative_slope={0.negative_slope}")

    def __init__(self, negative_slope=0.01, inplace=False):
        super().__init__(negative_slope)
        self.negative_slope, self.inplace = negative_slope, inplace

    def forward(self, input):
        return _activated(super().forward, input, self.inplace)


class RReLU(paddle.nn.RReLU):
    extra_repr = _text_by_form("lower={0.lower}, upper={0.upper}")

    def __init__(self, lower=0.125, upper=1 / 3, inplace=False):
        super().__init__(lower, upper)
        self.lower, self.upper, self.inplace = lower, upper, inplace

    def forward(self, input):
        return _torch("nn.functional.rrelu")(input, self.lower, self.upper, self.training, self.inplace)


class ELU(paddle.nn.ELU):
    extra_repr = _text_by_form("alpha={0.alpha}")

    def __init__(self, alpha=1.0, inplace=False):
        super().__init__(alpha)
        self.alpha, self.inplace = alpha, inplace

    def forward(self, input):
        return _activated(super().forward, input, self.inplace)


class CELU(paddle.nn.CELU):
    extra_repr = _text_by_form("alpha={0.alpha}")

    def __init__(self, alpha=1.0, inplace=False):
        super().__init__(alpha)
        self.alpha, self.inplace = alpha, inplace

    def forward(self, input):
        return _activated(super().forward, input, self.inplace)


class SELU(paddle.nn.SELU):
    extra_repr = _text_by_form("")

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input):
        return _activated(super().forward, input, self.inplace)


class ReLU6(paddle.nn.ReLU6):
    extra_repr = _text_by_form("")
    min_val, max_val = 0.0, 6.0

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input):
        return _activated(super().forward, input, self.inplace)


class Mish(paddle.nn.Mish):
    extra_repr = _text_by_form("")

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input):
        return _activated(super().forward, input, self.inplace)


class Hardtanh(paddle.nn.Hardtanh):
    extra_repr = _text_by_form("min_val={0.min_val}, max_val={0.max_val}")

    def __init__(self, min_val=-1.0, max_val=1.0, inplace=False):
        super().__init__(min_val, max_val)
        self.min_val, self.max_val, self.inplace = min_val, max_val, inplace

    def forward(self, input):
        return _activated(super().forward, input, self.inplace)


class Hardswish(paddle.nn.Hardswish):
    extra_repr = _text_of_nothing

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input):
        return _activated(super().forward, input, self.inplace)


class Hardsigmoid(paddle.nn.Hardsigmoid):
    extra_repr = _text_of_nothing

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input):
        return _activated(super().forward, input, self.inplace)
