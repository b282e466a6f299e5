"""Run a setup script as far as its call of setup(), and write down the extensions it describes.

Arguments: the framework's prelude, `cuda` or `cpu`, the output file. Run by the framework's
interpreter in the project's folder. Nothing is compiled; for `cuda` the script is made to believe
that the machine has a GPU, which is how the extensions that it describes there become known.
"""

from __future__ import annotations

import configparser
import contextlib
import functools
import json
import os
import re
import runpy
import sys
import traceback
from typing import Any

CLASSES = ("CppExtension", "CUDAExtension", "SyclExtension")


def as_strings(value: Any) -> list[str]:
    """Strings of a list, tuple, generator or single string; paths as strings."""
    if value is None:
        return []
    if isinstance(value, (str, os.PathLike)):
        return [os.fspath(value)]
    return [os.fspath(item) if isinstance(item, os.PathLike) else str(item) for item in value]


def compile_arguments(value: Any) -> dict[str, list[str]]:
    if isinstance(value, dict):
        return {str(key): as_strings(item) for key, item in value.items()}
    return {"cxx": as_strings(value), "nvcc": as_strings(value)}


def record(made_by: str, *args: Any, **kwargs: Any) -> Any:
    """Stands in for an extension class: gives a plain Extension, which scripts may still change."""
    import setuptools

    named = dict(kwargs)
    named.update(zip(("name", "sources"), args, strict=False))
    sources = as_strings(named.get("sources"))
    extension = setuptools.Extension(str(named.get("name") or "extension"), sources)
    for key in ("include_dirs", "define_macros", "extra_compile_args"):
        if named.get(key):
            setattr(extension, key, named[key])
    extension.made_by = made_by
    return extension


def common_include_dirs(call: dict[str, Any]) -> list[str]:
    """The folders that setuptools adds for every extension: those of setup() itself, and those of
    build_ext, from setup.cfg or `options`."""
    written = configparser.ConfigParser(interpolation=None)
    with contextlib.suppress(OSError, ValueError, configparser.Error):
        written.read("setup.cfg", encoding="utf-8")
    spelled = written.get("build_ext", "include_dirs", fallback="")
    spelled = spelled or written.get("build_ext", "include-dirs", fallback="")
    given = (call.get("options") or {}).get("build_ext", {}).get("include_dirs")
    given = given.split(os.pathsep) if isinstance(given, str) else given
    found = [*as_strings(call.get("include_dirs")), *as_strings(given)]
    return [*found, *filter(None, map(str.strip, re.split(r"[:\n]", spelled)))]


def framework_include_dirs() -> set[str]:
    """Those that whatever compiles an extension adds: a script may name them as well."""
    from torch.utils import cpp_extension

    found: list[str] = []
    for device in ("cpu", "cuda"):
        with contextlib.suppress(Exception):  # there may be no CUDA
            found += cpp_extension.include_paths(device)
    return set(map(os.path.abspath, found))


def describe(extension: Any, common: list[str]) -> dict[str, Any]:
    folders = [*as_strings(extension.include_dirs), *common]
    theirs = framework_include_dirs() if folders else set()
    return {
        "name": extension.name,
        "class": getattr(extension, "made_by", ""),
        "sources": as_strings(extension.sources),
        "include_dirs": [each for each in folders if os.path.abspath(each) not in theirs],
        "macros": [[str(p) for p in m if p is not None] for m in extension.define_macros or ()],
        "arguments": compile_arguments(extension.extra_compile_args),
    }


class Version(str):
    """A version that is also a function, which is what one framework has in this place."""

    def __call__(self) -> str:
        return str(self)


def pretend_cuda() -> None:
    import torch

    answers = {
        "is_available": lambda: True,
        "device_count": lambda: 1,
        "get_device_capability": lambda *args, **kwargs: (9, 0),
    }
    for name, answer in answers.items():
        replace_everywhere(name, getattr(torch.cuda, name, None), answer)
    name = "is_compiled_with_cuda"
    behind = sys.modules.get(os.environ.get("PORTER_FRAMEWORK", ""))  # what stands in for torch
    replace_everywhere(name, getattr(behind, name, None), lambda: True)
    old = getattr(torch.version, "cuda", None)
    if not old or str(old) in ("False", "None"):
        torch.version.cuda = new = Version(os.environ.get("PORTER_CUDA_VERSION", "13.0"))
        if old is not None:
            replace_everywhere("cuda", old, new)


def replace_everywhere(name: str, old: object, new: object) -> None:
    """In every module that has it: a proxy hands out the attributes of the module behind it."""
    for module in list(sys.modules.values()):
        held = getattr(module, "__dict__", {})
        if name in held and held[name] is old:
            setattr(module, name, new)


def patch(calls: list[dict[str, Any]]) -> None:
    import distutils.core

    import setuptools
    from torch.utils import cpp_extension

    known = (name for name in CLASSES if hasattr(cpp_extension, name))
    replaced: dict[str, Any] = {name: functools.partial(record, name) for name in known}
    if os.environ.get("CUDA_HOME"):
        replaced["CUDA_HOME"] = os.environ["CUDA_HOME"]
    for name, new in replaced.items():
        replace_everywhere(name, getattr(cpp_extension, name, None), new)

    def setup(*args: Any, **kwargs: Any) -> Any:
        calls.append(kwargs)
        return setuptools.Distribution()

    setuptools.setup = setup
    distutils.core.setup = setup


def host_defines() -> list[str]:
    """The macros that setuptools has every C++ source compiled with: -DNDEBUG, say."""
    from distutils.ccompiler import new_compiler
    from distutils.sysconfig import customize_compiler

    compiler: Any = new_compiler()
    customize_compiler(compiler)
    command = getattr(compiler, "compiler_so_cxx", None) or compiler.compiler_so
    return [word for word in command if word.startswith(("-D", "-U"))]


def main() -> None:
    prelude, device, out = sys.argv[1:4]
    calls: list[dict[str, Any]] = []
    error = ""
    sys.argv = ["setup.py", "build_ext"]
    sys.path.insert(0, os.getcwd())
    try:
        import setuptools  # noqa: F401  before the framework: it replaces distutils

        exec(prelude, {})
        if device == "cuda":
            pretend_cuda()
        patch(calls)
        runpy.run_path("setup.py", run_name="__main__")
    except SystemExit as exit:
        error = "" if calls else f"SystemExit: {exit}"
    except BaseException:
        error = traceback.format_exc()
    found = [
        describe(extension, common_include_dirs(call))
        for call in calls
        for extension in call.get("ext_modules") or ()
        if hasattr(extension, "sources")
    ]
    with open(out, "w") as file:
        json.dump({"extensions": found, "error": error, "host_defines": host_defines()}, file)
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
