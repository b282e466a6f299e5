"""Little extensions, built under both frameworks, and what their scripts tell of them."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from porter.host.home import rules_home
from tests.cpp_pieces import overlay, toolchain

HERE = Path(__file__).resolve().parent
PIECES = rules_home() / "paddle" / "polyfills" / "cpp"
_RUN = """
import importlib, json, runpy, sys
framework, scripts, built, name, function, *units = sys.argv[1:]
if framework == "paddle":
    import paddle

    paddle.enable_compat()
    for unit in units:
        runpy.run_path(unit)["share"](f"{scripts}/{name}.py")
sys.path[:0] = [built, scripts]
import torch
told = getattr(importlib.import_module(name), function)
print("TOLD " + json.dumps(told(importlib.import_module("ext_" + name)), default=repr))
"""


class Extension:
    """A module of this folder, built for both frameworks with the pieces that it is about."""

    def __init__(
        self, name: str, pieces: Sequence[str], pythons: Mapping[str, Path], cache: Path
    ) -> None:
        self.name = name
        paddle = toolchain.asked(pythons["paddle"], "paddle")[1]
        merged = overlay.merged(PIECES, pieces, paddle, cache)
        self.tools = {
            "torch": toolchain.torch(pythons["torch"], cache),
            "paddle": toolchain.paddle(pythons["paddle"], merged, merged, cache, False),
        }

    def told(self, framework: str, function: str, *units: Path) -> Any:
        """What a function of the module's script tells under a framework; under Paddle after
        `units`, the names of vendored units, are run."""
        tools = self.tools[framework]
        arguments = [framework, HERE, self._built(tools), self.name, function, *units]
        done = subprocess.run(
            [tools.python, "-W", "ignore", "-c", _RUN, *arguments],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
            timeout=300,
        )
        lines = [line for line in done.stdout.splitlines() if line.startswith("TOLD ")]
        assert lines, f"{framework}: {done.stdout[-2000:]}\n{done.stderr[-4000:]}"
        return json.loads(lines[0].removeprefix("TOLD "))

    def _built(self, tools: toolchain.Toolchain) -> Path:
        """The folder of the built module, which has the extension's name after `ext_`."""
        text = (HERE / f"{self.name}.cpp").read_text()
        folder = tools.cache / "extensions" / f"{tools.framework}-{toolchain.digest(tools, text)}"
        with toolchain.locked(tools.cache / f"{tools.framework}-{self.name}.lock"):
            made = folder / f"ext_{self.name}.so"
            if not made.is_file():
                folder.mkdir(parents=True, exist_ok=True)
                source = HERE / f"{self.name}.cpp"
                defined = f"-DTORCH_EXTENSION_NAME=ext_{self.name}"
                part = made.with_suffix(".part")
                done = toolchain.compiler(
                    tools, "-shared", defined, source, "-o", part, *tools.link
                )
                assert done.returncode == 0, f"{tools.framework}: {done.stderr[-6000:]}"
                part.rename(made)
        return folder
