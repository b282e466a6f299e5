from .torchs_meaning import _torch


def diagonal(A, *, offset=0, dim1=-2, dim2=-1):
    return _torch("diagonal")(A, offset, dim1, dim2)
