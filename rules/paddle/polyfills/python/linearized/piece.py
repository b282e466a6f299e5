import functools

import paddle

from .layers import _BatchNorm
from .pytree import tree_flatten
from .torchs_meaning import _torch


def linearize(func, *primals):
    """What a function gives, and the linear function that its derivative is there."""
    values, spec = tree_flatten(primals)
    if not values:
        raise RuntimeError("Expected at least one tensor in the primals")

    def derivative(*tangents):
        given, own = tree_flatten(tangents)
        if own != spec:
            raise RuntimeError(f"Expected the tangents {own} to have the same argspec as the primals {spec}")
        for at, (value, tangent) in enumerate(zip(values, given, strict=True)):
            if tangent.shape != value.shape or tangent.dtype != value.dtype:
                raise RuntimeError(f"tangent:{at} has another shape or dtype than the corresponding primal")
        return _torch("func.jvp")(func, primals, tangents)[1]

    return func(*primals), derivative


def functionalize(func, *, remove="mutations"):
    """A function that gives what a function gives, which nothing traces here."""
    if remove not in ("mutations", "mutations_and_views"):
        raise RuntimeError(
            f"functionalize(f, remove='mutations'): received invalid argument for remove={remove}. "
            "Valid options are: remove='mutations', or remove='mutations_and_views'"
        )

    @functools.wraps(func)
    def wrapped(*args, **kwargs):
        return func(*args, **kwargs)

    return wrapped


def replace_all_batch_norm_modules_(root):
    """Let all batch normalizations within use the values of their batch alone."""
    for each in root.sublayers(include_self=True):
        if isinstance(each, _BatchNorm) and each.track_running_stats:
            each.running_mean = each.running_var = each.num_batches_tracked = None
            each.track_running_stats = False
    return root
