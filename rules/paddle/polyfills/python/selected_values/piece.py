import collections

from .half_on_cpu import _is_recorded
from .methods_of_tensors import _methods
from .overrides import _function
from .torchs_meaning import _torch


def _selecting(name):
    """Values along a dimension and where they are: of a tensor without any, the tensor itself.
    Their gradients are those of a gather; Paddle's are wrong of a tensor without dimensions."""
    theirs = _function(name)
    Both = collections.namedtuple(name, "values indices")

    def select(input, dim, keepdim, *k):
        if input.ndim and not _is_recorded(input):
            return Both(*theirs(input, *k, dim, keepdim))
        found = theirs(input.detach(), *k, dim, keepdim)[1]
        if not input.ndim:
            return Both(input.clone(), found)
        at = found if keepdim else found.unsqueeze(dim)
        values = _torch("gather")(input, dim, at)
        return Both(values if keepdim else values.squeeze(dim), found)

    return select


_select_kth, _select_mode = _selecting("kthvalue"), _selecting("mode")


def kthvalue(input, k, dim=-1, keepdim=False):
    return _select_kth(input, dim, keepdim, k)


def mode(input, dim=-1, keepdim=False):
    return _select_mode(input, dim, keepdim)


_methods(kthvalue=kthvalue, mode=mode)
