import sys

import paddle

has_cuda = paddle.is_compiled_with_cuda()
has_mps = False


def _is_compiled():
    return has_cuda


def mps_is_available():
    return False


def mkldnn_is_available():
    return paddle.base.core.is_compiled_with_onednn()


def mkl_is_available():
    return paddle.version.mkl() == "ON"


def openmp_is_available():
    """Paddle comes with MKL's OpenMP, or is built with the compiler's, on all but macOS."""
    return sys.platform != "darwin"


cuda_is_built = _is_compiled
mps_is_built = mps_is_available
