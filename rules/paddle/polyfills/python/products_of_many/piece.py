import paddle

from .computing import _applied, _with_gradients_of_all


def multi_dot(tensors, *, out=None):
    made = _applied(lambda *each: paddle.linalg.multi_dot([*_with_gradients_of_all(*each)]), tensors[0].dtype, *tensors)
    return made if out is None else paddle.assign(made, out)
