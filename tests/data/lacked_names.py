"""The names that torch has, and those of them that a target lacks: found by asking both.

    TORCH_PYTHON tests/data/lacked_names.py NAMES.json
    TARGET_PYTHON tests/data/lacked_names.py NAMES.json LACKED.json

The first call writes, by module, class or enum of torch, every name that `dir` gives; the second
those that the target's `torch` does not give. Nothing of porter is used. tests/silent_names.py
looks for the names in trees.
"""

from __future__ import annotations

import enum
import importlib
import json
import pkgutil
import sys
import types
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

LOADED = (  # modules that `import torch` alone does not give
    "amp autograd.functional backends.cuda backends.cudnn compiler distributed distributions fft"
    " func futures fx hub jit library linalg masked multiprocessing nested nn.attention"
    " nn.attention.flex_attention nn.init nn.parallel nn.utils.parametrize nn.utils.prune"
    " nn.utils.rnn nn.utils.stateless onnx optim.lr_scheduler overrides profiler random"
    " serialization signal.windows sparse special storage testing utils.benchmark"
    " utils.checkpoint utils.cpp_extension utils.data utils.dlpack utils.hooks utils.model_zoo"
)
OBJECTS: dict[str, Callable[[Any], Any]] = {
    "torch.Tensor": lambda torch: torch.ones([2]),
    "torch.dtype": lambda torch: torch.float32,
    "torch.Generator": lambda torch: torch.Generator(),
    "torch.Size": lambda torch: torch.ones([2]).shape,
}


def names_of_torch(torch: Any) -> dict[str, list[str]]:
    """Every public module that is reached from torch, its enums, and the classes of OBJECTS."""
    for name in LOADED.split():
        importlib.import_module(f"torch.{name}")
    found = {name: list_names(make(torch)) for name, make in OBJECTS.items()}
    todo: list[tuple[str, Any]] = [("torch", torch)]
    while todo:
        name, module = todo.pop()
        found[name] = list_names(module)
        for attribute in found[name]:
            value, full = vars(module).get(attribute), f"{name}.{attribute}"
            if isinstance(value, types.ModuleType):
                if value.__name__ == full and not attribute.startswith("_"):
                    todo.append((full, value))
            elif isinstance(value, type) and (
                issubclass(value, enum.Enum) or "__members__" in vars(value)
            ):
                found[full] = list(value.__members__)
    return found


def list_names(thing: Any) -> list[str]:
    return [name for name in dir(thing) if not name.startswith("__")]


def lacked_names(torch: Any, names: dict[str, list[str]]) -> dict[str, list[str]]:
    """Of each owner the names that it has not got; all of an owner that is not there itself."""
    found = {}
    for owner, every in names.items():
        try:
            make = OBJECTS.get(owner, lambda _, owner=owner: pkgutil.resolve_name(owner))
            thing = make(torch)
        except (AttributeError, ImportError):
            found[owner] = every
            continue
        found[owner] = [name for name in every if not has(thing, name)]
    return found


def has(thing: Any, name: str) -> bool:
    try:
        getattr(thing, name)
    except AttributeError:
        return False
    except Exception:  # a property that needs a device
        return True
    return True


def main(paths: list[str]) -> None:
    warnings.simplefilter("ignore")
    given = Path(paths[0])
    if len(paths) == 1:
        given.write_text(json.dumps(names_of_torch(importlib.import_module("torch"))))
        return
    importlib.import_module("paddle").compat.enable_torch_proxy()
    lacked = lacked_names(importlib.import_module("torch"), json.loads(given.read_text()))
    Path(paths[1]).write_text(json.dumps(lacked))


if __name__ == "__main__":
    main(sys.argv[1:])
