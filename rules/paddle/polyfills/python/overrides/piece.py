import importlib
import sys
import types

from paddle.compat import proxy


def _register(lacking, different):
    """Give torch these names where `torch` is Paddle's proxy.

    `lacking` are left alone where Paddle has got them; `different` are always replaced.
    """
    if getattr(proxy, "TORCH_PROXY_FINDER", None) not in sys.meta_path:
        return
    names = {name: value for name, value in lacking.items() if not _offered(name)} | different
    made = {}
    for name, value in names.items():
        parent, _, last = name.rpartition(".")
        module = _module(parent, made)
        if parent in made:
            setattr(module, last, value)
        if isinstance(value, types.ModuleType):
            sys.modules[name.replace("torch", "paddle", 1)] = value
    for name in made.keys() & names.keys():  # a function hides the module of its name
        sys.modules[name] = made[name]
    names = {**made, **names}
    extend = getattr(proxy, "_extend_torch_proxy_overrides", None)
    if extend is not None:
        extend({name: proxy.RawOverriddenAttribute(value) for name, value in names.items()})
    for name, value in names.items():
        _set_on_imported(name.split("."), value)


def _module(name, made):
    """The module of Paddle behind a module of the proxy; a new one, and those it is in, if none."""
    module = _source_module(name)
    if module is None:
        module = types.ModuleType(name.replace("torch", "paddle", 1))
        module.__path__ = []  # so that it can have modules
        parent, _, last = name.rpartition(".")
        outer = _module(parent, made)
        if parent in made:
            setattr(outer, last, module)
        sys.modules[module.__name__] = made[name] = module
    return module


def _source_module(name):
    """The module of Paddle behind a module of the proxy, or None."""
    name = name.replace("torch", "paddle", 1)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not name.startswith(error.name):
            raise
        return None


def _offered(name):
    parent, _, last = name.rpartition(".")
    return name in getattr(proxy, "GLOBAL_OVERRIDES", ()) or hasattr(_source_module(parent), last)


def _set_on_imported(parts, value):
    """Set a name on every proxy module that leads to it and is imported already."""
    for cut in range(1, len(parts)):
        module = sys.modules.get(".".join(parts[:cut]))
        for part in parts[cut:-1]:
            module = getattr(module, "__dict__", {}).get(part)
        if isinstance(module, proxy.ProxyModule):
            setattr(module, parts[-1], value)
