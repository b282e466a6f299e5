"""A package with a planted fault in each layer, built for both frameworks."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from porter.host.home import rules_home
from porter.targets.paddle import PROXY
from porter.unit import Plane, pieces
from porter.unit.compose import compose
from porter.unit.pieces import NATIVE
from tests.cpp_pieces import overlay, toolchain

HERE = Path(__file__).resolve().parent
SHIPPED = rules_home() / "paddle" / "polyfills"


SOUND = ("python/overrides", "python/put_off", "python/scope", "cpp/tensor_caster", *NATIVE)


def lay_out(folder: Path, pythons: Mapping[str, Path], cache: Path) -> tuple[Path, Path]:
    """The repository before and after its port, each with its extension built in place."""
    polyfills = folder / "polyfills"
    shutil.copytree(HERE / "polyfills", polyfills)
    for name in SOUND:
        shutil.copytree(SHIPPED / name, polyfills / name)
    before, after = folder / "before", folder / "after"
    for tree in (before, after):
        shutil.copytree(HERE / "planted", tree / "planted")
    unit = [piece for piece in pieces(polyfills) if piece.plane is not Plane.BUILD]
    parts = [part for piece in unit for part in piece.parts]
    for patch in compose(PROXY, "planted", "planted uses", unit, parts, imported=True):
        path = after / patch.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(patch.after or b"")
    headers = polyfills / "cpp"
    home = toolchain.asked(pythons["paddle"], "paddle")[1]
    merged = overlay.merged(headers, overlay.pieces(headers), home, cache)
    paddle = toolchain.paddle(pythons["paddle"], merged, merged, cache, False)
    for tree, tools in ((before, toolchain.torch(pythons["torch"], cache)), (after, paddle)):
        shutil.copyfile(_built(tools), tree / "planted" / "_C.so")
    return before, after


def _built(tools: toolchain.Toolchain) -> Path:
    source = HERE / "planted" / "planted.cpp"
    key = toolchain.digest(tools, source.read_text())
    made = tools.cache / "planted" / f"{tools.framework}-{key}.so"
    with toolchain.locked(made.with_suffix(".lock")):
        if not made.is_file():
            part = made.with_suffix(".part")
            defined = "-DTORCH_EXTENSION_NAME=_C"
            done = toolchain.compiler(tools, "-shared", defined, source, "-o", part, *tools.link)
            assert done.returncode == 0, f"{tools.framework}: {done.stderr[-6000:]}"
            part.rename(made)
    return made
