import functools
import os
import types


class _Later:
    """A value that is made when it is first asked for, as Paddle's proxy and the scopes do."""

    _name = ""  # torch's, set where it is registered

    def __init__(self, make):
        self._make = make

    def get_value(self):
        make = self._make
        if make is not None:
            self._value, self._make = make(), None
            _describe(self._value, self._name)
        return self._value

    def value_for(self, frame):
        return self.get_value()


class _Unbound(functools.partial):
    """A function that is no method of a class that has it, as those of torch's that are not written in Python."""

    def __reduce__(self):
        return self.__qualname__  # its name in its module


_place_of_names: list = []  # the module that has `_torch_names`, which needs this one
_OUR_FOLDER = os.path.dirname(__file__)


def _describe(value, name):
    """Give a class or function, or those of a module, a text where they have none: code adds to what torch's say. A
    function of ours gets the name that it is pickled by."""
    function = value.func if isinstance(value, _Unbound) else value
    if isinstance(function, types.FunctionType) and name and function.__code__.co_filename.startswith(_OUR_FOLDER):
        value.__module__, value.__qualname__ = _place_of_names[0], name.replace("torch", "_torch_names", 1)
    if isinstance(value, (type, types.FunctionType)):
        if value.__doc__ is None:
            try:  # noqa: SIM105 - a thousand times in an import
                value.__doc__ = f"As {name or value.__name__}."
            except (AttributeError, TypeError):
                pass
    elif isinstance(value, types.ModuleType) and value.__spec__ is None:  # made here
        for last, member in list(vars(value).items()):
            if not isinstance(member, types.ModuleType):
                _describe(member, f"{name}.{last}")


_used_instead: dict = {}  # id of an operator of Paddle's -> what is used instead


def _is_later(value):
    """Also of another unit in this process, which has a class of its own."""
    return type(value).__name__ == "_Later"


def _resolved(value):
    value = value.get_value() if _is_later(value) else value
    return _used_instead.get(id(value), value)
