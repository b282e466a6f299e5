import functools

from .methods_of_tensors import _wrap_functions
from .put_off import _Unbound


def _unbound(theirs, _):
    """The function as an object that is no descriptor."""
    return functools.update_wrapper(_Unbound(theirs), theirs)


_IMPLEMENTED_IN_CPP = (
    "abs add avg_pool1d bilinear bmm cat clamp conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d cos dot erf exp log log_softmax matmul max maximum mean min minimum mm mul prod relu "
    "prelu rsqrt selu sigmoid sin softmax sqrt stack sub sum tanh where"
).split()
_OF_FUNCTIONAL_IN_CPP = (
    "avg_pool1d avg_pool2d avg_pool3d bilinear conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d "
    "cosine_similarity gelu linear logsigmoid one_hot pixel_shuffle pixel_unshuffle prelu softplus softshrink"
).split()
_wrap_functions(_unbound, [*_IMPLEMENTED_IN_CPP, *(f"nn.functional.{name}" for name in _OF_FUNCTIONAL_IN_CPP)])
