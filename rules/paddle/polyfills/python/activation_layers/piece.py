import paddle

from .layers import _text_by_form
from .torchs_meaning import _torch


def _text_of_nothing(layer):
    return ""


class _InPlace:
    """A layer of Paddle's that calls torch's function, with its `inplace`, and no other setting unless it says so."""

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input):
        settings = (getattr(self, name) for name in self._settings)
        return _torch(f"nn.functional.{self._function}")(input, *settings, inplace=self.inplace)

    def __init_subclass__(cls, function=None, settings=(), **others):
        super().__init_subclass__(**others)
        if function:
            cls._function, cls._settings = function, settings


class ReLU(_InPlace, paddle.nn.ReLU, function="relu"):
    extra_repr = _text_by_form("")


class LeakyReLU(paddle.nn.LeakyReLU):
    extra_repr = _text_by_form("negative_slope={0.negative_slope}")

    def __init__(self, negative_slope=0.01, inplace=False):
        super().__init__(negative_slope)
        self.negative_slope, self.inplace = negative_slope, inplace

    def forward(self, input):  # whose gradient at 0 is torch's
        return _torch("nn.functional.leaky_relu")(input, self.negative_slope, self.inplace)


class RReLU(paddle.nn.RReLU):
    extra_repr = _text_by_form("lower={0.lower}, upper={0.upper}")

    def __init__(self, lower=0.125, upper=1 / 3, inplace=False):
        super().__init__(lower, upper)
        self.lower, self.upper, self.inplace = lower, upper, inplace

    def forward(self, input):
        return _torch("nn.functional.rrelu")(input, self.lower, self.upper, self.training, self.inplace)


class ELU(_InPlace, paddle.nn.ELU, function="elu", settings=("alpha",)):
    extra_repr = _text_by_form("alpha={0.alpha}")

    def __init__(self, alpha=1.0, inplace=False):
        paddle.nn.ELU.__init__(self, alpha)
        self.alpha, self.inplace = alpha, inplace


class CELU(_InPlace, paddle.nn.CELU, function="celu", settings=("alpha",)):
    extra_repr = _text_by_form("alpha={0.alpha}")

    def __init__(self, alpha=1.0, inplace=False):
        paddle.nn.CELU.__init__(self, alpha)
        self.alpha, self.inplace = alpha, inplace


class SELU(_InPlace, paddle.nn.SELU, function="selu"):
    extra_repr = _text_by_form("")


class ReLU6(_InPlace, paddle.nn.ReLU6, function="relu6"):
    extra_repr = _text_by_form("")
    min_val, max_val = 0.0, 6.0


class Mish(_InPlace, paddle.nn.Mish, function="mish"):
    extra_repr = _text_by_form("")


class Hardtanh(_InPlace, paddle.nn.Hardtanh, function="hardtanh", settings=("min_val", "max_val")):
    extra_repr = _text_by_form("min_val={0.min_val}, max_val={0.max_val}")

    def __init__(self, min_val=-1.0, max_val=1.0, inplace=False):
        paddle.nn.Hardtanh.__init__(self, min_val, max_val)
        self.min_val, self.max_val, self.inplace = min_val, max_val, inplace


class Hardswish(_InPlace, paddle.nn.Hardswish, function="hardswish"):
    extra_repr = _text_of_nothing


class Hardsigmoid(_InPlace, paddle.nn.Hardsigmoid, function="hardsigmoid"):
    extra_repr = _text_of_nothing
