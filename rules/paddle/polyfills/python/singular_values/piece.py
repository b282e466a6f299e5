import collections

import paddle

from .linear_algebra import _svd


def linalg_svd(A, full_matrices=True, *, driver=None, out=None):
    made = collections.namedtuple("linalg_svd", "U S Vh")(*_svd(A, full_matrices))
    if out is not None:
        for each, target in zip(made, out, strict=True):
            paddle.assign(each, target)
    return made
