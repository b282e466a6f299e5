import paddle

from .methods_of_tensors import _method, _methods
from .overrides import _register
from .sparse_arguments import _called_on_sparse, _sparse_made

# By identity: to compare dtypes takes as long as a small kernel.
_REAL = frozenset(map(id, (paddle.float32, paddle.float64, paddle.float16, paddle.bfloat16)))
_PADDLES = paddle._C_ops  # looked up at each call: what is given there has gradients of any order
_times_in_cpp, _times_from_right, _negative_in_cpp = _method("__mul__"), _method("__rmul__"), _method("__neg__")
_paddle_neg, _paddle_neg_in_place = paddle.neg, paddle.Tensor.neg_


def _times_number(tensor, number):
    """The product with a number: to add -0.0 changes nothing, where Paddle adds 0.0."""
    if _sparse_made and not tensor.is_dense():
        return _called_on_sparse("mul", (tensor, number), {})
    return _PADDLES.scale(tensor, number, -0.0, True)


def __mul__(self, other):
    if type(other) in (int, float) and id(self.dtype) in _REAL:
        return _times_number(self, float(other))
    return _times_in_cpp(self, other)


def __rmul__(self, other):
    if type(other) in (int, float) and id(self.dtype) in _REAL:
        return _times_number(self, float(other))
    return _times_from_right(self, other)


def __neg__(self):
    if _sparse_made and not self.is_dense():
        return _called_on_sparse("neg", (self,), {})
    return _times_number(self, -1.0) if id(self.dtype) in _REAL else _negative_in_cpp(self)


def neg(input):
    """The negative of each element."""
    return _times_number(input, -1.0) if id(getattr(input, "dtype", None)) in _REAL else _paddle_neg(input)


def neg_(self):
    """The same in place."""
    if _sparse_made and not self.is_dense():
        return _called_on_sparse("neg_", (self,), {})
    if id(self.dtype) in _REAL:
        return _PADDLES.scale_(self, -1.0, -0.0, True)
    return _paddle_neg_in_place(self)


negative = neg
_methods(__mul__=__mul__, __rmul__=__rmul__, __neg__=__neg__, neg=neg, negative=neg, neg_=neg_)
_register({}, {"torch.neg": neg, "torch.negative": neg})
