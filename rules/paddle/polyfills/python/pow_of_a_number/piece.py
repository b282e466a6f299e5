import paddle

from .overrides import _register


def pow(input, exponent, **kwargs):
    """input to the power of exponent, one of which may be a number."""
    if isinstance(input, paddle.Tensor):
        return paddle.pow(input, exponent, **kwargs)
    return input**exponent


_register({}, {"torch.pow": pow})
