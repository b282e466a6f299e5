"""What a project's own modules hand on: `from .common import torch`, `from .common import *`."""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from porter.languages.python import Unreadable, parse, parse_outline
from porter.model import Package

_FARTHEST = 10  # modules from the one that imports to the one that hands on
_IMPORT = re.compile(
    rb"\n[ \t]*(?:from\s+[\w.]+\s+import\s*(?:\([^)]*\)|[^\n]*(?:\\\r?\n[^\n]*)*)|import\s[^\n]*)"
)  # found in half the time of `^`
_WORD = re.compile(rb"\w+|\*")
# Libraries that import torch and do not have it in their name.
_ON_TORCH = frozenset(
    (
        *("accelerate", "apex", "deepspeed", "detectron2", "diffusers", "fairseq", "flash_attn"),
        *("flashinfer", "fvcore", "ignite", "kornia", "lightning", "mmcv", "mmengine", "peft"),
        *("sentence_transformers", "timm", "trl", "vllm", "xformers"),
    )
)


@dataclass(frozen=True, slots=True)
class _Bound:
    """What a module binds: origins of imports, None for what is bound otherwise."""

    names: Mapping[str, str | None]
    stars: tuple[str, ...] = ()
    listed: frozenset[str] | None = None  # by `__all__`
    imports: tuple[str, ...] = ()  # anywhere in it, but for type checkers

    def gives(self, name: str) -> bool:
        """Whether `import *` takes the name along."""
        return not name.startswith("_") if self.listed is None else name in self.listed


@dataclass
class Reexports:
    """The modules below a root, read when a name of one is asked for.

    A module is found where Python finds it: in a package, in a folder named by the dots, or
    beside the file that imports it.
    """

    root: Path
    packages: tuple[Package, ...] = ()
    _words: dict[str, frozenset[bytes]] = field(default_factory=dict, init=False, repr=False)
    _paths: dict[tuple[str, str], str] = field(default_factory=dict, init=False, repr=False)
    _own: dict[tuple[str, str], bool] = field(default_factory=dict, init=False, repr=False)
    _files: dict[str, frozenset[str]] = field(default_factory=dict, init=False, repr=False)
    _bound: dict[str, _Bound] = field(default_factory=dict, init=False, repr=False)
    _origins: dict[tuple[str, str], str] = field(default_factory=dict, init=False, repr=False)

    def __getstate__(self) -> tuple[Path, tuple[Package, ...]]:
        return self.root, self.packages

    def __setstate__(self, state: tuple[Path, tuple[Package, ...]]) -> None:
        self.__init__(*state)  # type: ignore[misc]

    def origin(self, name: str, folder: str) -> str:
        """A dotted name, with what modules of the project only import replaced by where it is
        from; the name itself where that is no such module, or makes what it names itself."""
        asked = name, folder
        if asked not in self._origins:
            for _ in range(_FARTHEST):
                found = self._follow_import(name, folder)
                if found is None:
                    break
                name = found
            self._origins[asked] = name
        return self._origins[asked]

    def public(self, module: str, folder: str) -> Mapping[str, str]:
        """What `from module import *` gives that the module only hands on, with origins."""
        path = self.path(module, folder)
        names = self._public(path, frozenset()) if path else ()
        origins = {name: self.origin(f"{module}.{name}", folder) for name in names}
        return {name: was for name, was in origins.items() if was != f"{module}.{name}"}

    def _public(self, path: str, seen: frozenset[str]) -> frozenset[str]:
        if path in seen:
            return frozenset()
        bound = self._names_bound_by(path)
        inner = (self.path(source, path.rpartition("/")[0]) for source in bound.stars)
        more = (self._public(each, seen | {path}) for each in inner if each)
        return frozenset(filter(bound.gives, {*bound.names, *(n for names in more for n in names)}))

    def reach_torch(self, data: bytes, path: str) -> bool:
        """Whether a file without the word `torch` gets something of torch from other modules."""
        imports = b"\n".join(statement.strip() for statement in _IMPORT.findall(b"\n" + data))
        if not imports:
            return False
        try:
            module = parse(imports, path, package_of(path, self.packages), self)
        except Unreadable:
            return False
        return any((name or "").startswith("torch") for name in module.module_bindings.values())

    def imports_torch(self, name: str, folder: str) -> bool:
        """Whether importing a module or a name imports torch, or what the module's functions
        import does."""
        seen: set[str] = set()
        ahead: deque[tuple[str, str]] = deque()
        found = self._tells_torch([name], folder, ahead)
        while ahead and not found:
            name, folder = ahead.popleft()
            words = name.split(".")
            for count in range(1, len(words) + 1):
                path = self.path(".".join(words[:count]), folder)
                if path and path not in seen and not found:
                    seen.add(path)
                    names = self._names_bound_by(path).imports
                    found = self._tells_torch(names, path.rpartition("/")[0], ahead)
        return found

    def _tells_torch(self, names: Iterable[str], folder: str, own: deque[tuple[str, str]]) -> bool:
        """Whether one of the names is of what imports torch; those of the project are put aside, as
        their files have to be read."""
        for name in names:
            top = name.partition(".")[0]
            if self.is_own(top, folder):
                own.append((name, folder))
            elif "torch" in top or top in _ON_TORCH:
                return True
        return False

    def _follow_import(self, name: str, folder: str) -> str | None:
        words = name.split(".")
        if not self.is_own(words[0], folder):
            return None
        for count in range(len(words) - 1, 0, -1):
            path = self.path(".".join(words[:count]), folder)
            if path:
                origin = self._origin_in(path, words[count], frozenset())
                return origin and ".".join([origin, *words[count + 1 :]])
        return None

    def _origin_in(self, path: str, name: str, seen: frozenset[str]) -> str | None:
        """What a file imports under a name, or has of modules that it imports all of."""
        if path in seen or not self._may_import(path, name):
            return None
        bound = self._names_bound_by(path)
        if name in bound.names:
            return bound.names[name]
        for source in bound.stars:
            inner = self.path(source, path.rpartition("/")[0])
            if inner and self._names_bound_by(inner).gives(name):
                origin = self._origin_in(inner, name, seen | {path})
                if origin is not None:
                    return origin
        return None

    def is_own(self, top: str, folder: str) -> bool:
        """Whether a module without dots is of the project."""
        if (top, folder) not in self._own:
            named = any(package.name.partition(".")[0] == top for package in self.packages)
            here = bool(self.path(top, folder)) or (self.root / top).is_dir()
            self._own[top, folder] = named or here
        return self._own[top, folder]

    def path(self, module: str, folder: str) -> str:
        """Where a module is, from the root; empty where it is not of the project."""
        if (module, folder) not in self._paths:
            self._paths[module, folder] = self._find(module, folder)
        return self._paths[module, folder]

    def _find(self, module: str, folder: str) -> str:
        base = module.replace(".", "/")
        places = [
            package.path + base[len(package.name.replace(".", "/")) :]
            for package in self.packages
            if f"{module}.".startswith(f"{package.name}.")
        ]
        places.append(base)
        if folder and not self._is_file(f"{folder}/__init__.py"):
            places.append(f"{folder}/{base}")
        for place in places:
            for path in (f"{place}.py", f"{place}/__init__.py"):
                if self._is_file(path):
                    return path
        return ""

    def _is_file(self, path: str) -> bool:
        folder, _, name = path.rpartition("/")
        if folder not in self._files:
            try:
                with os.scandir(self.root / folder) as entries:
                    self._files[folder] = frozenset(e.name for e in entries if e.is_file())
            except OSError:  # no folder
                self._files[folder] = frozenset()
        return name in self._files[folder]

    def _may_import(self, path: str, name: str) -> bool:
        """Whether an import statement of a file mentions a name, or brings names untold."""
        if path not in self._words:
            text = b" ".join(_IMPORT.findall(b"\n" + (self.root / path).read_bytes()))
            self._words[path] = frozenset(_WORD.findall(text))
        return not self._words[path].isdisjoint((name.encode(), b"*"))

    def _names_bound_by(self, path: str) -> _Bound:
        if path not in self._bound:
            try:
                data = (self.root / path).read_bytes()
                module, imports = parse_outline(data, path, package_of(path, self.packages))
            except (Unreadable, OSError):  # the scan says so
                self._bound[path] = _Bound({})
            else:
                told = module.module_bindings, module.stars, module.exports
                self._bound[path] = _Bound(*told, imports)
        return self._bound[path]


def package_of(path: str, packages: tuple[Package, ...]) -> str:
    """The dotted package a file is in, by the packages of the repository or else by its folder."""
    folder = path.rpartition("/")[0]
    best = max(
        (p for p in packages if f"{folder}/".startswith(f"{p.path}/")),
        key=lambda p: len(p.path),
        default=None,
    )
    if best is None:
        return folder.replace("/", ".")
    return (best.name + folder[len(best.path) :]).replace("/", ".")
