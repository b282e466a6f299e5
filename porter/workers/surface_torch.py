"""List what an installed torch offers: run by torch's own interpreter, writes JSON to argv[1]."""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import os
import pkgutil
import sys
import types
import warnings
from collections.abc import Iterable
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .surface_stubs import add_builtin_signatures, add_documented_signatures, merge_stubs, stubs
else:  # beside this file, which is no package
    from surface_stubs import add_builtin_signatures, add_documented_signatures, merge_stubs, stubs

# Packages whose own members are listed; deeper ones are listed as bare modules, so that a
# name inside of them is answered by the nearest package that is known.
SHALLOW = (
    "torch.ao",
    "torch.distributed",
    "torch.export",
    "torch.fx",
    "torch.jit",
    "torch.nn",
    "torch.onnx",
    "torch.package",
    "torch.quantization",
    "torch.utils",
    "torch.masked",
    "torch.optim",
)
DEEP = (
    "torch.distributed.algorithms",
    "torch.distributed.fsdp",
    "torch.distributed.tensor",
    "torch.nn.attention",
    "torch.nn.modules",
    "torch.nn.parallel",
    "torch.nn.utils",
    "torch.optim",
    "torch.utils._python_dispatch",
    "torch.utils.benchmark",
    "torch.utils.data",
)
PRIVATE = (  # private modules that operator repositories do use, top level only
    "torch.__config__",
    "torch._C",
    "torch._dynamo",
    "torch._dynamo.config",
    "torch._inductor.config",
    "torch._library",
    "torch._ops",
    "torch._prims_common",
    "torch._subclasses",
    "torch._subclasses.fake_tensor",
    "torch._tensor",
    "torch._utils",
    "torch._jit_internal",
    "torch._guards",
    "torch._higher_order_ops",
    "torch._inductor",
    "torch._inductor.utils",
    "torch._functorch",
    "torch.distributed._symmetric_memory",
    "torch.distributed._functional_collectives",
    "torch.utils._pytree",
    "torch.utils._python_dispatch",
    "torch.utils._triton",
    "torch.utils._cxx_pytree",
)
SKIPPED = (  # heavy, or of no concern to operators
    "torch.testing._internal",
    "torch.utils.tensorboard",
    "torch.utils.model_dump",
    "torch.onnx._internal",
    "torch.utils.bottleneck",
    "torch.utils.viz",
)
TENSOR = "torch.Tensor"  # whose private attributes are used as well: _version, _base, _values
WHOLE = {  # classes whose inherited members are listed too, with the stub of their C base
    "torch.Tensor": "TensorBase",
    "torch.Stream": "Stream",
    "torch.Event": "Event",
    "torch.Generator": "Generator",
    "torch.UntypedStorage": "StorageBase",
    "torch.autograd.Function": "",
    "torch.autograd.function.FunctionCtx": "_FunctionBase",
    "torch.cuda.CUDAGraph": "_CUDAGraph",
    "torch.cuda.Event": "_CudaEventBase",
    "torch.cuda.Stream": "_CudaStreamBase",
    "torch.nn.Module": "",
}
FACADES = (  # modules that offer what others define, without listing it
    "torch",
    "torch.cuda",
    "torch.distributed",
    "torch.nn.functional",
    "torch.utils.cpp_extension",
)
BARE = (  # classes of which only the name is listed: typed tensors, tuples, distributions
    "torch.DispatchKey",
    "torch.nn",
    "torch.optim",
    "torch.distributions",
    "torch.return_types",
    "torch.sparse",
    "torch._inductor",
    "torch._subclasses",
    "torch.fx",
    "torch.ao",
    "torch.onnx",
    "torch.export",
)
EXTRA = {  # reached through metaclasses or set while running, so nowhere to be listed from
    "torch.autograd.function.FunctionCtx.needs_input_grad": "attribute",
    "torch.autograd.function.FunctionCtx.saved_tensors": "attribute",
    "torch.classes.load_library": "function",
    "torch.device.index": "attribute",
    "torch.device.type": "attribute",
    "torch.distributed.group.WORLD": "attribute",
    "torch.distributed.GroupMember.WORLD": "attribute",
    "torch.ops.load_library": "function",
    "torch.ops.loaded_libraries": "attribute",
    "torch.torch": "module",
    "torch.version.cuda": "attribute",
    "torch.version.git_version": "attribute",
    "torch.version.hip": "attribute",
}


def is_under(name: str, prefixes: Iterable[str]) -> bool:
    return any(name == p or name.startswith(p + ".") for p in prefixes)


def module_names() -> set[str]:
    """Every module of torch by name, found without importing it; private ones not entered."""
    import torch

    found = {"torch"}
    pending = [("torch", list(torch.__path__))]
    while pending:
        prefix, path = pending.pop()
        for info in pkgutil.iter_modules(path):
            name = f"{prefix}.{info.name}"
            found.add(name)
            if is_under(name, SKIPPED):
                continue
            if info.ispkg and (not info.name.startswith("_") or name in PRIVATE):
                pending.append((name, [os.path.join(p, info.name) for p in path]))
    return found


def is_listed(name: str) -> bool:
    """Whether the members of this module are asked for."""
    if name in PRIVATE:
        return True
    if is_under(name, SKIPPED):
        return False
    parts = name.split(".")
    if not is_public(name):
        return False
    if is_under(name, DEEP):
        return len(parts) <= 4
    if is_under(name, SHALLOW):
        return len(parts) <= 3
    return len(parts) <= 3


def is_public(module: str) -> bool:
    return "._" not in module


def default(value: object) -> str:
    if value is None or isinstance(value, (bool, int, float, str)):
        text = repr(value)
        return text if len(text) <= 20 and text not in ("inf", "-inf", "nan") else "..."
    return "..."


def signature(value: Any) -> str:
    """Parameters without annotations, in a form that `def f(...)` parses; '' if unknown."""
    try:
        parsed = inspect.signature(value)
    except (ValueError, TypeError, AttributeError, NameError):
        return ""
    return render(list(parsed.parameters.values()))


def render(parameters: list[inspect.Parameter]) -> str:
    out, star, slash = [], False, False
    for p in parameters:
        if p.kind is p.POSITIONAL_ONLY:
            slash = True
        elif slash:
            out.append("/")
            slash = False
        if p.kind is p.VAR_POSITIONAL:
            star = True
            out.append(f"*{p.name}")
            continue
        if p.kind is p.KEYWORD_ONLY and not star:
            star = True
            out.append("*")
        name = f"**{p.name}" if p.kind is p.VAR_KEYWORD else p.name
        out.append(name if p.default is p.empty else f"{name}={default(p.default)}")
    return f"({', '.join(out + ['/'] * slash)})"


def kind_of(value: object) -> str:
    if isinstance(value, types.ModuleType):  # Python's own have no names of torch
        return "attribute" if value.__name__ in sys.stdlib_module_names else "module"
    if isinstance(value, type):
        return "class"
    return "function" if callable(value) else "attribute"


def own(module: ModuleType, name: str, value: Any) -> bool:
    """Whether a module's attribute is a name of torch and not something it imported."""
    if isinstance(value, types.ModuleType):
        return value.__name__ == f"{module.__name__}.{name}" or (
            (value.__name__.startswith("torch.") and module.__name__ in FACADES)
            or (value.__name__ in sys.stdlib_module_names and module.__name__ == "torch")
        )
    if name in (getattr(module, "__all__", None) or ()):
        return True
    home = getattr(value, "__module__", None)
    if home is None or not isinstance(home, str):
        return not name.startswith("_") or module.__name__ in PRIVATE or name.isupper()
    package = module.__name__ if hasattr(module, "__path__") else None
    if package and home.startswith(package):
        return True
    if home == module.__name__ or home.startswith("torch._C"):
        return True
    if home.startswith("torch._") and not name.startswith("_") and is_public(module.__name__):
        return True  # torch.jit.is_scripting
    simple = type(value).__module__ == "builtins" and not callable(value)
    return simple or (module.__name__ in FACADES and home.startswith("torch"))


def add_class(name: str, cls: type, out: dict[str, list[Any]]) -> None:
    typed = name.endswith("Tensor") and name != "torch.Tensor"
    if typed or (is_under(name, BARE) and name not in WHOLE):
        return
    for member in sorted(dir(cls) if name in WHOLE else vars(cls)):
        if member.startswith("__" if name == TENSOR else "_"):
            continue
        value = inspect.getattr_static(cls, member, None)
        value = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
        kind = "member" if callable(value) else "attribute"
        text = signature(value) if kind == "member" else ""
        out.setdefault(f"{name}.{member}", [kind, [text] if text else []])


def settings(module: ModuleType) -> Iterable[str]:
    """Flags of a module whose class holds them as properties: torch.backends.*."""
    if type(module) is types.ModuleType:
        return ()
    return (n for n in vars(type(module)) if not n.startswith("_"))


def lazy(module: ModuleType) -> set[str]:
    """Names a module makes when asked for, which dir() does not show."""
    names = set(getattr(module, "__all__", ()))
    if "__getattr__" in vars(module):
        assert module.__file__ is not None
        with open(module.__file__, encoding="utf-8") as file:
            body = ast.parse(file.read()).body
        names |= {node.name for node in body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    return {name for name in names if hasattr(module, name)}


def add_module(name: str, out: dict[str, list[Any]]) -> None:
    try:
        module = importlib.import_module(name)
    except Exception as error:
        print(f"not imported: {name}: {error}", file=sys.stderr)
        return
    out.setdefault(name, ["module", []])
    for attribute in sorted({*dir(module), *settings(module), *lazy(module)}):
        if attribute.startswith("__") and attribute != "__version__":
            continue
        try:
            value = getattr(module, attribute)
        except Exception as error:
            print(f"not read: {name}.{attribute}: {error}", file=sys.stderr)
            continue
        if not own(module, attribute, value):
            continue
        kind = kind_of(value)
        text = signature(value) if kind in ("function", "class") else ""
        full = f"{name}.{attribute}"
        out.setdefault(full, [kind, [text] if text else []])
        home = getattr(value, "__module__", "") or ""
        if kind == "class" and home.startswith("torch") and name != "torch._C":
            add_class(full, value, out)


def merge_bases(out: dict[str, list[Any]], stub: dict[str, list[Any]]) -> None:
    """Members that a public class has from its C base, as far as a stub knows them."""
    for name, base in WHOLE.items():
        prefix = f"torch._C.{base}."
        for member, (kind, signatures) in stub.items():
            rest = member.removeprefix(prefix)
            if base and rest != member and "." not in rest and not rest.startswith("_"):
                out.setdefault(f"{name}.{rest}", [kind, signatures[:4]])


def main(path: str) -> None:
    warnings.simplefilter("ignore")
    import torch

    out: dict[str, list[Any]] = {}
    for name in sorted(module_names() | set(PRIVATE)):
        if is_listed(name):
            add_module(name, out)
        elif not any(part.startswith("_") for part in name.split(".")[1:-1]):
            out.setdefault(name, ["module", []])
    stub = stubs(os.path.join(os.path.dirname(torch.__file__), "_C"))
    merge_stubs(out, stub)
    merge_bases(out, stub)
    add_builtin_signatures(out, stub)
    add_documented_signatures(out)
    for name, kind in EXTRA.items():
        out.setdefault(name, [kind, []])
    build = "cuda" if torch.version.cuda else "rocm" if torch.version.hip else "cpu"
    result = {
        "version": torch.__version__.partition("+")[0],
        "build": build,
        "include": os.path.join(os.path.dirname(torch.__file__), "include"),
        "names": out,
    }
    with open(path, "w", encoding="utf-8") as file:
        json.dump(result, file)


if __name__ == "__main__":
    main(sys.argv[1])
