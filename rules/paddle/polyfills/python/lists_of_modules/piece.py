import collections
import collections.abc
import operator

import paddle

from .assertions import typename
from .methods_of_tensors import _members, _static


def add_module(self, name, module):
    """Give a module another one as a part, by a name that it does not have for something else."""
    if not isinstance(module, paddle.nn.Layer) and module is not None:
        raise TypeError(f"{typename(module)} is not a Module subclass")
    if not isinstance(name, str):
        raise TypeError(f"module name should be a string. Got {typename(name)}")
    if hasattr(self, name) and name not in self._modules:
        raise KeyError(f"attribute '{name}' already exists")
    if "." in name:
        raise KeyError(f'module name can\'t contain ".", got: {name}')
    if not name:
        raise KeyError('module name can\'t be empty string ""')
    self._modules[name] = module


def _add(self, name, module):
    """As a class that has add_module of its own does it."""
    if hasattr(_static(type(self), "add_module"), "homes"):  # this one, for code for torch
        add_module(self, name, module)
    else:
        self.add_module(name, module)


class _Numbered:
    """Modules by their places, which have these as names unless others were given."""

    def _names_at(self, at):
        names = [*self._modules]
        if isinstance(at, slice):
            return names[at]
        at = operator.index(at)
        if not -len(names) <= at < len(names):
            raise IndexError(f"index {at} is out of range")
        return [names[at]]

    def __getitem__(self, at):
        names = self._names_at(at)
        if isinstance(at, slice):
            return self._of({name: self._modules[name] for name in names})
        return self._modules[names[0]]

    def __setitem__(self, at, module):
        (name,) = self._names_at(at)
        setattr(self, name, module)

    def __delitem__(self, at):
        for name in self._names_at(at):
            delattr(self, name)
        self._number(self._modules.values())

    def _number(self, modules):
        self._modules = collections.OrderedDict((str(at), module) for at, module in enumerate(modules))

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def append(self, module):
        _add(self, str(len(self)), module)
        return self

    def pop(self, key):
        module = self[key]
        del self[key]
        return module


class Sequential(_Numbered, paddle.nn.Sequential):
    """Modules that are called one after the other."""

    def __init__(self, *args):
        super().__init__()
        named = len(args) == 1 and isinstance(args[0], collections.OrderedDict)
        for name, module in args[0].items() if named else zip(map(str, range(len(args))), args):
            _add(self, name, module)

    def _of(self, modules):
        return type(self)(collections.OrderedDict(modules))

    def insert(self, index, module):
        if not isinstance(module, paddle.nn.Layer):
            raise AssertionError(f"module should be of type: {paddle.nn.Layer}")
        if not -len(self) <= index <= len(self):
            raise IndexError(f"Index out of range: {index}")
        index += len(self) if index < 0 else 0
        self._number([*self][:index] + [module] + [*self][index:])
        return self

    def extend(self, sequential):
        for module in [*sequential]:
            self.append(module)
        return self

    def _joined(self, operation, other):
        if not isinstance(other, paddle.nn.Sequential):
            kind = f"objects of Sequential class, but {type(other)} is given."
            raise ValueError(f"{operation} operator supports only {kind}")
        return other

    def _times(self, count):
        if not isinstance(count, int):
            raise TypeError(f"unsupported operand type(s) for *: {type(self)} and {type(count)}")
        if count <= 0:
            raise ValueError(f"Non-positive multiplication factor {count} for {type(self)}")
        return count

    def __add__(self, other):
        return Sequential(*self, *self._joined("add", other))

    def __iadd__(self, other):
        return self.extend(self._joined("add", other))

    def __mul__(self, other):
        return Sequential(*[*self] * self._times(other))

    def __imul__(self, other):
        return self.extend([*self] * (self._times(other) - 1))

    __rmul__ = __mul__


class ModuleList(_Numbered, paddle.nn.LayerList):
    """Modules in a list."""

    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self += modules

    def _of(self, modules):
        return type(self)(modules.values())

    def insert(self, index, module):
        self._number([*self][:index] + [module] + [*self][index:])

    def extend(self, modules):
        if not isinstance(modules, collections.abc.Iterable):
            kind = type(modules).__name__
            raise TypeError(f"ModuleList.extend should be called with an iterable, but got {kind}")
        for module in [*modules]:
            self.append(module)
        return self

    def __add__(self, other):
        return ModuleList([*self, *other])

    def __iadd__(self, modules):
        return self.extend(modules)


class ModuleDict(paddle.nn.LayerDict):
    """Modules by their names."""

    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __setitem__(self, key, module):
        _add(self, key, module)

    def update(self, modules):
        """Add the modules of a mapping, or of pairs of a name and a module."""
        if not isinstance(modules, collections.abc.Iterable):
            kind = type(modules).__name__
            raise TypeError(f"ModuleDict.update should be called with an iterable of key/value pairs, but got {kind}")
        if isinstance(modules, (collections.abc.Mapping, paddle.nn.LayerDict)):
            modules = modules.items()
        for at, pair in enumerate(modules):
            if not isinstance(pair, collections.abc.Iterable):
                kind = type(pair).__name__
                raise TypeError(f"ModuleDict update sequence element #{at} should be Iterable; is {kind}")
            if len(pair) != 2:
                raise ValueError(f"ModuleDict update sequence element #{at} has length {len(pair)}; 2 is required")
            self[pair[0]] = pair[1]


def register_module(self, name, module):
    _add(self, name, module)


_members(paddle.nn.Layer, add_module=add_module, register_module=register_module)
