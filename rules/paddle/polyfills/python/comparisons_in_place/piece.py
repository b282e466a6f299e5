import paddle

from .computing import _assign, _is_equal
from .methods_of_tensors import _methods


def _in_own_dtype(name):
    """A comparison that is written into its first argument, whose dtype stays."""
    exact = {"equal": _is_equal, "not_equal": lambda one, other: ~_is_equal(one, other)}
    compare = exact.get(name) or getattr(paddle.Tensor, name)

    def method(self, *other):
        number = [v if isinstance(v, paddle.Tensor) else paddle.full([], v, self.dtype) for v in other]
        return _assign(compare(self.detach(), *number).astype(self.dtype), self)

    return method


_COMPARED = {"eq": "equal", "ne": "not_equal", "lt": "less_than", "le": "less_equal"}
_COMPARED |= {"gt": "greater_than", "ge": "greater_equal"}
_WRITTEN = {f"{short}_": _in_own_dtype(name) for short, name in _COMPARED.items()}
_WRITTEN |= {f"{name}_": _WRITTEN[f"{short}_"] for short, name in _COMPARED.items()}
_WRITTEN |= {"greater_": _WRITTEN["gt_"], "less_": _WRITTEN["lt_"]}
_WRITTEN |= {f"logical_{n}_": _in_own_dtype(f"logical_{n}") for n in ("and", "or", "xor", "not")}
_methods(**_WRITTEN)
