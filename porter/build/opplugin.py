"""The entries for OpPlugin of a project, as the generator of a cell's own torch_npu takes them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from porter.build import diagnostics
from porter.emulated.ascend.entries import examine
from porter.errors import EnvironmentFailed
from porter.model import Ascend, Diagnostic


def problems(
    ascend: Ascend, project: Path, python: Path, packages: Sequence[Path], work: Path
) -> Iterator[Diagnostic]:
    """What is wrong with the project's entries, each at its line. `packages` are those that their
    aclnn operators are looked up in; `work` is for what is generated."""
    places = os.pathsep.join(map(str, packages))
    for number, path in enumerate(ascend.entries):
        folder = work / str(number)
        try:
            entries = examine(python, project / path, folder, {"ASCEND_CUSTOM_OPP_PATH": places})
        except EnvironmentFailed as error:
            yield diagnostics.plain("torchnpugen", str(error), "warning")
            continue
        for entry in entries:
            for problem in entry.problems:
                message = f"entry {entry.name} for OpPlugin: {problem}"
                yield Diagnostic(
                    tool="torchnpugen",
                    severity="warning",
                    path=path,
                    line=entry.line,
                    column=None,
                    message=message,
                    cause=message,
                )
