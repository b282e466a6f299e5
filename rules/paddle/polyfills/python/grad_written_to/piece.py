import paddle

from .methods_of_tensors import _methods

_paddle_grad = paddle.Tensor.grad


_RECORDED = "_recorded_grad"  # with its graph, which Paddle's copy of it has not
_FORGOTTEN = "_forgotten_grad"  # set where zeros stand for no gradient of a sparse tensor
_OF_RESULT = "_grad_of_result"  # set to a tensor that is no leaf, which Paddle refuses


def _grad(self):
    found = _paddle_grad.__get__(self)
    given = vars(self).get(_OF_RESULT)
    if given is not None:
        return given if found is None else given + found.detach()
    recorded = vars(self).get(_RECORDED)
    if recorded is not None and found is not None and bool((found == recorded).all()):  # not added to since
        return recorded
    if found is None or not found.is_leaf:
        return found
    if not found.is_dense():
        if vars(self).get(_FORGOTTEN) and not bool(found.values().any()):  # not added to since, or only zeros
            return None
        found.stop_gradient = True  # Paddle's of a sparse tensor asks for a gradient
        return found
    if not found.is_contiguous() and self.is_contiguous():  # torch keeps it in the order of the tensor
        in_order = paddle.assign(found.detach())
        _paddle_grad.__set__(self, None)  # else the values go into the memory of the old ones
        _paddle_grad.__set__(self, in_order)
        found = _paddle_grad.__get__(self)
    # the same memory, and not the object that Paddle empties when x.grad is set
    return paddle.as_strided(found.detach(), found.shape, found.strides, found.offset)


def _forget_sparse_grad(self):
    """Paddle keeps the gradient of a sparse tensor when none is set: zeros at its places stand for none."""
    found = _paddle_grad.__get__(self)
    if found is not None and found.is_sparse_coo():
        zeros = paddle.zeros_like(found.values().detach())
        _paddle_grad.__set__(self, paddle._C_ops.sparse_sparse_coo_tensor(zeros, found.indices(), [*found.shape]))
        vars(self)[_FORGOTTEN] = True


def _set_grad(self, value):
    vars(self).pop(_OF_RESULT, None)
    if not self.is_leaf:
        self.clear_gradient(False)
        if value is not None:
            vars(self)[_OF_RESULT] = value
        return
    if not self.is_dense():
        _forget_sparse_grad(self)
    else:
        _paddle_grad.__set__(self, None)  # as above
    vars(self).pop(_RECORDED, None)
    if value is not None and not value.stop_gradient and not value.is_leaf:
        vars(self)[_RECORDED] = value
    if value is not None:
        vars(self).pop(_FORGOTTEN, None)
        _paddle_grad.__set__(self, value)


def _delete_grad(self):
    _set_grad(self, None)


_methods(grad=property(_grad, _set_grad, _delete_grad), _grad=property(_grad, _set_grad, _delete_grad))
