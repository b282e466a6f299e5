import collections
import functools
import importlib
import sys
import types

from paddle.compat import proxy

from .put_off import _describe, _is_later, _Later, _place_of_names, _resolved
from .scope import _COVERED, _NOTHING, _OWN, _files, _for_code, _given


class _ScopedName:
    """A name of torch that has torch's meaning for the code of some packages, Paddle's for other."""

    def __init__(self, theirs):
        self.theirs, self.homes = theirs, {}

    def get_value(self):
        frame = sys._getframe(1)
        while frame.f_code.co_filename == proxy.__file__:
            frame = frame.f_back
        return self.value_for(frame)

    def value_for(self, frame):
        covered = _files.get(frame.f_code.co_filename) == _COVERED  # as _for_code asks, without another call
        ours = self.homes.get(_OWN, _NOTHING) if covered else _NOTHING
        if ours is _NOTHING or type(ours) is _Later:
            ours = _for_code(self.homes, frame)
        return self.theirs() if ours is _NOTHING else ours


_overrides = getattr(proxy, "GLOBAL_OVERRIDES", {})
_absent: set[str] = set()  # modules that Paddle was found to lack
_begun: list[bool] = []  # not empty: what Paddle gave before is done


def _register(lacking, different):
    """Give torch these names where `torch` is Paddle's proxy.

    `lacking` are left alone where Paddle has got them. What Paddle has got, `different` replace
    for the code in the folder of this unit, and in the packages that it needs.
    """
    if getattr(proxy, "TORCH_PROXY_FINDER", None) not in sys.meta_path:
        return
    for name, value in {**lacking, **different}.items():
        if _is_later(value):
            value._name = name
        else:
            _describe(value, name)
    source = functools.lru_cache(None)(_source_module)  # many names of one module that is not there
    names = {name: value for name, value in lacking.items() if not _offered(name, source)}
    names |= {name: value for name, value in different.items() if not _replaced(name, value)}
    made, set_here = {}, set()
    for name, value in names.items():
        parent, _, last = name.rpartition(".")
        module = _module(parent, made)
        unset = module.__spec__ is None and not _has_name(module, last)  # of an earlier call's making
        if isinstance(module, _MadeModule) and name in different and last in vars(module):
            del vars(module)[last]  # it has what Paddle's class of this name has
            unset = True
        if parent in made or unset:
            set_here.add(name)
            if _is_later(value) and isinstance(module, _MadeModule):
                module._later[last] = value
            else:
                setattr(module, last, _resolved(value))
        if isinstance(value, types.ModuleType):
            sys.modules[name] = sys.modules[name.replace("torch", "paddle", 1)] = value
    for name in made.keys() & names.keys():  # a function hides the module of its name
        sys.modules[name] = made[name]
    given = {name: _attribute(value) for name, value in {**made, **names}.items()}
    given |= {
        name: _scoped(name, value)
        for name, value in names.items()
        if name in different and name not in set_here and _offered(name, source)
    }
    given |= _inner_modules(
        [*given, *(_overrides if not _begun else ())], collections.ChainMap(given, _overrides)
    )
    _begun.append(True)
    extend = getattr(proxy, "_extend_torch_proxy_overrides", None)
    if extend is None:  # else what is set now would be gone when torch is imported
        importlib.import_module("torch")
    else:
        extend(given)
    imported = functools.lru_cache(None)(_imported_proxies)
    for name, attribute in given.items():
        parent, _, last = name.rpartition(".")
        if not isinstance(sys.modules.get(name), proxy.ProxyModule):
            for module in imported(parent):
                _set_on_proxy(module, last, attribute)


def _attribute(value):
    return value if _is_later(value) else proxy.RawOverriddenAttribute(value)


class _MadeModule(types.ModuleType):
    """A module that Paddle lacks; what is made later is made when it is asked for."""

    def __init__(self, name):
        super().__init__(name)
        self._later = {}
        self.__path__ = []  # so that it can have modules

    def __getattr__(self, name):
        later = self._later.get(name)
        if later is not None:
            setattr(self, name, later.get_value())
            self._later.pop(name, None)  # only now: other threads may ask for it
        elif name not in self.__dict__:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return self.__dict__[name]

    def __dir__(self):
        return sorted({*self.__dict__, *self._later})


def _has_name(module, name):
    return name in getattr(module, "__dict__", {}).get("_later", ()) or hasattr(module, name)


class _Below:
    """What is given for the names of a module, at any time."""

    def __init__(self, module):
        self.start = f"{module}."

    def __contains__(self, name):
        return self.start + name in _overrides

    def __getitem__(self, name):
        return _overrides[self.start + name]


def _inner_modules(names, given):
    """Modules like torch.nn.functional, where names of theirs are given: reached from torch, and
    not imported, they are Paddle's own, without what it and this unit give for torch."""
    nested = {}
    for name in names:
        while (name := name.rpartition(".")[0]).count(".") > 1:
            source = None if name in given or name in nested else _source_module(name)
            if source is not None:
                module = proxy.ProxyModule(source, name, _Below(name))
                nested[name] = proxy.RawOverriddenAttribute(module)
    return nested


def _replaced(name, value):
    """Whether a name had a meaning of this unit's before, which it now has instead."""
    known = _overrides.get(name)
    before = _OWN in getattr(known, "homes", ()) and not isinstance(value, types.ModuleType)
    if before:
        known.homes[_OWN] = value
    return before


def _scoped(name, value):
    known = _known(name)
    if not hasattr(known, "homes"):  # else it is of another package's unit
        parent, _, last = name.rpartition(".")
        paddles = known or _attribute(getattr(_source_module(parent), last))
        if not _is_later(paddles) and isinstance(paddles.get_value(), types.ModuleType):
            paddles = _attribute(proxy.ProxyModule(paddles.get_value(), name, {}))
        known = _ScopedName(paddles.get_value)
    known.homes[_OWN] = value
    _given.append(known)
    return known


def _known(name):
    """What another unit, or Paddle itself, gives for a name instead of Paddle's own."""
    found = _overrides.get(name)
    if found is None:
        parent, _, last = name.rpartition(".")
        on_module = getattr(sys.modules.get(parent), "__dict__", {})
        found = on_module.get("_scoped_names", {}).get(last)
    return found


class _Names:
    """Has what torch's names mean, for pickle, which looks up a function by its module and its name there."""

    def __init__(self, path):
        self._path = path

    def __getattr__(self, name):
        path = f"{self._path}.{name}"
        found = _function_or_later(path.partition(".")[2])
        if found is None or isinstance(found, types.ModuleType):
            return _Names(path)
        return found.get_value() if _is_later(found) else found

    def __reduce__(self):
        return _Names, (self._path,)


_torch_names = _Names("torch")
_place_of_names.append(__name__)


def _function(name):
    """A function as other pieces of this unit give it, else Paddle's."""
    return _resolved(_function_or_later(name))


def _function_or_later(name):
    parent, _, last = f"torch.{name}".rpartition(".")
    known = _known(f"torch.{name}")
    if known is None:
        return getattr(_source_module(parent), last, None)
    if _is_later(known):
        return known
    return getattr(known, "homes", {}).get(_OWN) or known.get_value()


def _module(name, made):
    """The module of Paddle behind a module of the proxy; a new one, and those it is in, if none."""
    module = _source_module(name)
    if module is None:
        module = _MadeModule(name.replace("torch", "paddle", 1))
        parent, _, last = name.rpartition(".")
        outer = _module(parent, made)
        vars(outer).setdefault("__path__", [])  # so that it can be imported: Paddle's may be a file
        class_ = getattr(outer, last, None)  # a namespace of Paddle that is a class
        vars(module).update({n: getattr(class_, n) for n in dir(class_) if n[0] != "_"})
        if parent in made:
            setattr(outer, last, module)
        sys.modules[module.__name__] = made[name] = module
    return module


def _source_module(name):
    """The module of Paddle behind a module of the proxy, or None."""
    name = name.replace("torch", "paddle", 1)
    if name in sys.modules:
        return sys.modules[name]
    parent = name.rpartition(".")[0]
    if name in _absent or (parent and _source_module(parent) is None):
        return None
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not name.startswith(error.name):
            raise
        _absent.add(name)
        return None


def _offered(name, source=_source_module):
    parent, _, last = name.rpartition(".")
    return name in _overrides or _has_name(source(parent), last)


def _imported_proxies(name):
    """Every proxy of a module that is reached from what is imported already."""
    parts, found = name.split("."), []
    for cut in range(1, len(parts) + 1):
        module = sys.modules.get(".".join(parts[:cut]))
        for part in parts[cut:]:
            module = getattr(module, "__dict__", {}).get(part)
        if isinstance(module, proxy.ProxyModule):
            found.append(module)
    return found


def _set_on_proxy(module, name, attribute):
    if hasattr(attribute, "value_for"):
        _scoped_names(module)[name] = attribute
        module.__dict__.pop(name, None)
    else:
        setattr(module, name, attribute.get_value())


def _scoped_names(module):
    """The names that a module of the proxy looks up for the code that asks."""
    if "_scoped_names" not in module.__dict__:

        def __getattr__(name):
            if name not in names:
                raise AttributeError(name)
            value = names[name].value_for(sys._getframe(1))
            if _is_later(names[name]):
                setattr(module, name, value)
            return value

        names = module.__dict__["_scoped_names"] = {}
        module.__dict__["__getattr__"] = __getattr__
    return module.__dict__["_scoped_names"]
