"""The headers that test modules are compiled against under Paddle: every piece, merged."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tomllib
from collections.abc import Callable, Collection, Iterable
from pathlib import Path

from porter.unit import declarations, installed, parts, render

_INCLUDE = re.compile(r"#\s*include\s*<([^>]+)>")
COMPAT = "include/paddle/phi/api/include/compat"


def pieces(folder: Path) -> tuple[str, ...]:
    """The C++ pieces of a folder of pieces, by name."""
    return tuple(sorted(path.parent.name for path in folder.glob("*/polyfill.toml")))


def closure(folder: Path, names: Iterable[str]) -> tuple[str, ...]:
    """Pieces with those that they need, and those whose headers theirs include."""
    every = {name: files(folder, name) for name in pieces(folder)}
    found, waiting = set(), list(names)
    while waiting:
        name = waiting.pop()
        if name in found or name not in every:
            continue
        found.add(name)
        about = tomllib.loads((folder / name / "polyfill.toml").read_text(encoding="utf-8"))
        waiting += [piece.rpartition("/")[2] for piece in about.get("needs", ())]
        included = {
            f"include/{m}" for _, data in every[name] for m in _INCLUDE.findall(data.decode())
        }
        waiting += [n for n, own in every.items() if included & {path for path, _ in own}]
    return tuple(sorted(found))


def files(folder: Path, piece: str) -> list[tuple[str, bytes]]:
    """(path below the piece, content) of a piece's headers."""
    root = folder / piece
    found = sorted(path for path in (root / "include").rglob("*") if path.is_file())
    return [(path.relative_to(root).as_posix(), path.read_bytes()) for path in found]


def merged(folder: Path, names: Iterable[str], paddle: Path, cache: Path) -> Path:
    """The folder of the merged headers of some pieces, made if it is not there.

    Raises SystemExit or ValueError with the reason if they cannot be merged.
    """
    content = [(name, path, data) for name in names for path, data in files(folder, name)]
    scripts = (declarations.__file__, parts.load_script()["__file__"])
    scripts += (parts.__file__, render.__file__, installed.__file__)
    digest = hashlib.sha256(str(paddle).encode())
    for data in [Path(path).read_bytes() for path in scripts] + [repr(content).encode()]:
        digest.update(hashlib.sha256(data).digest())
    out = cache / "overlays" / digest.hexdigest()[:16]
    if not out.is_dir():
        made = out.with_name(f"{out.name}.{os.getpid()}")
        shutil.rmtree(made, ignore_errors=True)
        _write(content, paddle / COMPAT, made)
        try:
            made.rename(out)
        except OSError:  # another process was faster
            shutil.rmtree(made)
    return out / "include"


def _write(content: Iterable[tuple[str, str, bytes]], compat: Path, out: Path) -> None:
    every = [
        part
        for name, path, data in content
        for part in parts.parts_of(f"cpp/{name}", ((path, data),))
    ]
    for path, text in render.render(
        every, installed=installed.read_headers(every, str(compat))
    ).items():
        target = out / "own" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    (out / "own").mkdir(parents=True, exist_ok=True)
    (out / "include").mkdir(parents=True, exist_ok=True)
    parts.load_script()["write"](str(out / "include"), str(out / "own"), str(compat))


def sound(
    names: Collection[str],
    error_of: Callable[[Collection[str]], str],
    suspect: Callable[[str, str], bool],
) -> tuple[tuple[str, ...], dict[str, str]]:
    """The pieces whose headers compile together, and the errors of the others.

    `error_of` gives what a compiler says of some pieces together, or nothing; `suspect` whether
    it speaks of a piece. One broken piece must not hide what the others do.
    """
    kept, errors = tuple(names), dict[str, str]()
    while error := error_of(kept):
        wrong = [name for name in kept if suspect(name, error)] or kept
        errors |= dict.fromkeys(wrong, error)
        kept = tuple(name for name in kept if name not in wrong)
    return kept, errors
