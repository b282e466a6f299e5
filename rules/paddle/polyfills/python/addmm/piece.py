import paddle

from .computing import _applied, _writing
from .matrices import _added
from .methods_of_tensors import _methods


def addmm(input, mat1, mat2, *, beta=1, alpha=1, out=None):
    def product(x, y, z):
        return _added(x, paddle.mm(y, z), beta, alpha)

    made = _applied(product, input.dtype, input, mat1, mat2)
    return made if out is None else paddle.assign(made, out)


_methods(addmm=addmm, addmm_=_writing(addmm))
