import paddle

from .torchs_meaning import _torch


class _Dropping(paddle.nn.Layer):
    function = ""

    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p, self.inplace = p, inplace

    def forward(self, input):
        return _torch(f"nn.functional.{self.function}")(input, self.p, self.training, self.inplace)

    def extra_repr(self):
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(_Dropping):
    function = "dropout"


class Dropout1d(_Dropping):
    function = "dropout1d"


class Dropout2d(_Dropping):
    function = "dropout2d"


class Dropout3d(_Dropping):
    function = "dropout3d"


class AlphaDropout(_Dropping):
    function = "alpha_dropout"


class FeatureAlphaDropout(_Dropping):
    function = "feature_alpha_dropout"
