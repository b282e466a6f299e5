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

    def function(input, *args, **kwargs):
        if input.ndim and not _is_recorded(input):
            return Both(*theirs(input, *args, **kwargs))
        keepdim = kwargs.get("keepdim", any(each is True for each in args))
        places = [each for each in args if not isinstance(each, bool)][int(name == "kthvalue") :]
        dim = kwargs.get("dim", places[0] if places else -1)
        found = theirs(input.detach(), *args, **kwargs)[1]
        if not input.ndim:
            return Both(input.clone(), found)
        at = found if keepdim else found.unsqueeze(dim)
        values = _torch("gather")(input, dim, at)
        return Both(values if keepdim else values.squeeze(dim), found)

    return function


kthvalue, mode = _selecting("kthvalue"), _selecting("mode")
_methods(kthvalue=kthvalue, mode=mode)
