import operator

import paddle

from .assertions import typename
from .torchs_meaning import _torch


def _as_parameter(value):
    """A tensor as a parameter; what is none is kept as it is."""
    parameter = isinstance(value, paddle.base.framework.EagerParamBase)
    return _torch("nn.Parameter")(value) if isinstance(value, paddle.Tensor) and not parameter else value


def _text_of(key, value, kind):
    """The line for a value in the text of a container, in which torch names the kinds of tensors in two ways."""
    if not isinstance(value, paddle.Tensor):
        return f"  ({key}): Object of type: {typename(value)}"
    name = "Parameter" if isinstance(value, paddle.base.framework.EagerParamBase) else "Tensor"
    device = "" if value.place.is_cpu_place() else f" ({_torch('device')(value.place)})"
    return f"  ({key}): {name} containing: [{kind(value)} of size {'x'.join(map(str, value.shape))}{device}]"


def _name_of_dtype(tensor):
    return str(tensor.dtype).replace("paddle", "torch")


def _attribute_of(key):
    if not isinstance(key, str):
        kind = type(key).__name__
        raise TypeError(f"Index given to ParameterDict cannot be used as a key as it is not a string (type is '{kind}').")
    return key


class ParameterList(paddle.nn.Layer):
    """Parameters, and other values, in a list, with the names of their places."""

    def __init__(self, values=None):
        super().__init__()
        self._size = 0
        if values is not None:
            self += values

    def _place(self, at):
        at = operator.index(at)
        if not -self._size <= at < self._size:
            raise IndexError(f"index {at} is out of range")
        return str(at % self._size)

    def __getitem__(self, at):
        if isinstance(at, slice):
            return type(self)([self[place] for place in range(*at.indices(self._size))])
        return getattr(self, self._place(at))

    def __setitem__(self, at, value):
        setattr(self, self._place(at), _as_parameter(value))

    def __len__(self):
        return self._size

    def __iter__(self):
        return iter([self[at] for at in range(self._size)])

    def __iadd__(self, values):
        return self.extend(values)

    def append(self, value):
        self._size += 1
        self[-1] = value
        return self

    def extend(self, values):
        if isinstance(values, paddle.Tensor) or not hasattr(values, "__iter__"):
            raise TypeError(f"ParameterList.extend should be called with an iterable, but got {type(values).__name__}")
        for value in values:
            self.append(value)
        return self

    def extra_repr(self):
        return "\n".join(_text_of(at, each, _name_of_dtype) for at, each in enumerate(self))

    def __call__(self, *args, **kwargs):
        raise RuntimeError("ParameterList should not be called.")


class ParameterDict(paddle.nn.Layer):
    """Parameters, and other values, by their names, in the order in which they were put in."""

    def __init__(self, parameters=None):
        super().__init__()
        self._names = {}
        if parameters is not None:
            self.update(parameters)

    def __getitem__(self, key):
        return getattr(self, _attribute_of(key))

    def __setitem__(self, key, value):
        setattr(self, _attribute_of(key), _as_parameter(value))
        self._names[key] = None

    def __delitem__(self, key):
        del self._names[key]
        delattr(self, key)

    def __len__(self):
        return len(self._names)

    def __iter__(self):
        return iter(self._names)

    def __reversed__(self):
        return reversed([*self._names])

    def __contains__(self, key):
        return key in self._names

    def keys(self):
        return self._names.keys()

    def values(self):
        return (self[key] for key in self._names)

    def items(self):
        return ((key, self[key]) for key in self._names)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def pop(self, key):
        value = self[key]
        del self[key]
        return value

    def popitem(self):
        key = next(reversed(self))
        return key, self.pop(key)

    def clear(self):
        for key in [*self]:
            del self[key]

    def copy(self):
        return type(self)(dict(self.items()))

    def fromkeys(self, keys, default=None):
        return type(self)(dict.fromkeys(keys, default))

    def update(self, parameters):
        if isinstance(parameters, ParameterDict):
            parameters = parameters.items()
        elif hasattr(parameters, "keys"):
            ordered = isinstance(parameters, (dict, ParameterDict))
            parameters = parameters.items() if ordered else sorted(parameters.items())
        for key, value in parameters:
            self[key] = value

    def __or__(self, other):
        joined = self.copy()
        joined.update(other)
        return joined

    def __ror__(self, other):
        joined = other.copy()
        joined.update(self)
        return joined

    def __ior__(self, other):
        self.update(other)
        return self

    def extra_repr(self):
        return "\n".join(_text_of(key, each, typename) for key, each in self.items())

    def __call__(self, *args, **kwargs):
        raise RuntimeError("ParameterDict should not be called.")
