import paddle
from paddle.autograd import PyLayer

from .fractional_pools import fractional_max_pool2d, fractional_max_pool3d
from .loss_layers import NLLLoss


class Container(paddle.nn.Layer):
    def __init__(self, **kwargs):
        super().__init__()
        for name, layer in kwargs.items():
            self.add_sublayer(name, layer)


class NLLLoss2d(NLLLoss):
    """The old name of NLLLoss."""


class _FractionalMaxPool(paddle.nn.Layer):
    def __init__(self, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
        super().__init__()
        name = type(self).__name__
        if output_size is None and output_ratio is None:
            raise ValueError(f"{name} requires specifying either an output size, or a pooling ratio")
        if output_size is not None and output_ratio is not None:
            raise ValueError("only one of output_size and output_ratio may be specified")

        def of_dims(value):
            count = self._dims
            return tuple(value) if isinstance(value, (tuple, list)) else (value,) * count

        self.kernel_size, self.return_indices = of_dims(kernel_size), return_indices
        self.register_buffer("_random_samples", _random_samples)
        self.output_size = None if output_size is None else of_dims(output_size)
        self.output_ratio = None if output_ratio is None else of_dims(output_ratio)
        if self.output_ratio is not None and not all(0 < each < 1 for each in self.output_ratio):
            raise ValueError(f"output_ratio must be between 0 and 1 (got {output_ratio})")

    def forward(self, input):
        pool = fractional_max_pool2d if self._dims == 2 else fractional_max_pool3d
        options = self.output_size, self.output_ratio, self.return_indices, self._random_samples
        return pool(input, self.kernel_size, *options)


class FractionalMaxPool2d(_FractionalMaxPool):
    _dims = 2


class FractionalMaxPool3d(_FractionalMaxPool):
    _dims = 3


def _rows_of_ones(channels, rows):
    """A matrix with ones where the columns are those of a row."""
    made = [[float(each in row) for each in range(channels)] for row in rows]
    return paddle.to_tensor(made)


def _over_channels(matrix, x):
    return paddle.einsum("cd,ndhw->nchw", matrix.astype(x.dtype), x)


class _CrossMapNorm(PyLayer):
    """torch's sums leave the first channel in all windows, and its gradient ignores that."""

    @staticmethod
    def forward(ctx, x, size, alpha, beta, k):
        channels, ahead = x.shape[1], (size - 1) // 2 + 1
        rows = [{0, *range(max(c - ahead + 1, 0) if c > ahead else 0, c + ahead)} for c in range(channels)]
        scale = _over_channels(_rows_of_ones(channels, rows), x * x) * (alpha / size) + k
        output = x * scale ** (-beta)
        ctx.save_for_backward(x, scale, output)
        ctx.settings = size, alpha, beta
        return output

    @staticmethod
    def backward(ctx, gradient):
        x, scale, output = ctx.saved_tensor()
        size, alpha, beta = ctx.settings
        begin, channels = int(size - (size - 1) / 2), x.shape[1]
        rows = [range(c - begin, c - begin + size) for c in range(channels)]
        near = _over_channels(_rows_of_ones(channels, rows), gradient * output / scale)
        return gradient * scale ** (-beta) - 2 * alpha * beta / size * x * near


class CrossMapLRN2d(paddle.nn.Layer):
    def __init__(self, size, alpha=1e-4, beta=0.75, k=1):
        super().__init__()
        self.size, self.alpha, self.beta, self.k = size, alpha, beta, k

    def forward(self, input):
        if input.ndim != 4:
            raise ValueError(f"CrossMapLRN2d: Expected input to be 4D, got {input.ndim}D instead.")
        return _CrossMapNorm.apply(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self):
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"
