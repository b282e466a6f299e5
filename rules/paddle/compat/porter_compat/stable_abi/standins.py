"""Stand-ins for the CUDA libraries of wheels that also run without a GPU."""

from __future__ import annotations

import ctypes
import hashlib
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from . import build, elf

# Such a wheel is linked with these, and calls them for tensors on a GPU alone.
_NAMES = re.compile(r"lib(cudart|nvrtc)\.so\.\d+")
_TEXT = {"cudaGetErrorName", "cudaGetErrorString", "nvrtcGetErrorString"}
_POINTER = {"__cudaRegisterFatBinary"}
_NOTHING = {
    "__cudaRegisterFatBinaryEnd",
    "__cudaRegisterFunction",
    "__cudaRegisterManagedVar",
    "__cudaRegisterVar",
    "__cudaUnregisterFatBinary",
}
# cudaErrorNoDevice; of nvrtc, any number but 0 is an error.
_CODE = 100
_SAID = "no CUDA device: this library stands in for one that is not installed"


def needed(library: elf.Library) -> list[str]:
    """The CUDA libraries that a library is linked with and that can be stood in for."""
    return [name for name in library.needed if _NAMES.fullmatch(name)]


def _installed(name: str) -> bool:
    """Whether the real one is there; it is then loaded, so that what needs it finds it."""
    places = [name]
    for folder in sys.path:
        places += map(str, Path(folder).glob(f"nvidia/*/lib/{name}"))
    for place in places:
        try:
            ctypes.CDLL(place, ctypes.RTLD_GLOBAL)
        except OSError:
            continue
        return True
    return False


def _definition(name: str) -> str:
    if name in _TEXT:
        return f'const char *{name}() {{ return "{_SAID}"; }}'
    if name in _POINTER:
        return f"void **{name}() {{ static void *none; return &none; }}"
    if name in _NOTHING:
        return f"void {name}() {{}}"
    return f"int {name}() {{ return {_CODE}; }}"


def _belongs(symbol: elf.Symbol, name: str) -> bool:
    if symbol.version:
        return symbol.version == name
    return symbol.name.startswith("nvrtc") and name.startswith("libnvrtc")


def make(name: str, symbols: Iterable[str]) -> Path:
    """Compile a library of this name whose functions give an error code."""
    text = "\n".join(map(_definition, sorted({*symbols})))
    digest = hashlib.sha256(f"{name}\n{text}".encode()).hexdigest()[:16]

    def write(place: Path) -> None:
        source = place / "standin.c"
        source.write_text(f"{text}\n", encoding="utf-8")
        script = place / "standin.map"
        script.write_text(f"{name} {{ global: *; }};\n", encoding="utf-8")
        link = [f"-Wl,-soname,{name}", f"-Wl,--version-script={script}", "-o", str(place / name)]
        build.run([*build.compiler(), "-x", "c", "-shared", "-fPIC", "-w", str(source), *link])

    return build.kept(f"{name}-{digest}", write) / name


def load(library: elf.Library) -> None:
    """Load a stand-in for each CUDA library that this one needs and that is not installed."""
    for name in needed(library):
        if name in _loaded or not _installed(name):
            symbols = {each.name for each in library.wanted if _belongs(each, name)}
            symbols -= _loaded.get(name, set())
            if symbols or name not in _loaded:
                ctypes.CDLL(str(make(name, symbols)), ctypes.RTLD_GLOBAL)
                _loaded.setdefault(name, set()).update(symbols)


# What is stood in for in this process: the names in each library.
_loaded: dict[str, set[str]] = {}
