"""The entries for OpPlugin of a project, as the generator of a cell's own framework takes them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from porter.build import diagnostics
from porter.errors import EnvironmentFailed
from porter.model import Ascend, Diagnostic
from porter.targets.protocol import Framework


def problems(
    framework: Framework, ascend: Ascend, project: Path, python: Path, work: Path
) -> Iterator[Diagnostic]:
    """What is wrong with the project's entries, each at its line; `work` is for what is generated.

    Their aclnn operators are looked up where processes of `python` find packages.
    """
    for number, path in enumerate(ascend.entries):
        try:
            entries = framework.examine_entries(python, project / path, work / str(number))
        except EnvironmentFailed as error:
            yield diagnostics.plain(framework.entry_generator, str(error), "warning")
            continue
        for entry in entries:
            for problem in entry.problems:
                message = f"entry {entry.name} for OpPlugin: {problem}"
                yield Diagnostic(
                    tool=framework.entry_generator,
                    severity="warning",
                    path=path,
                    line=entry.line,
                    column=None,
                    message=message,
                    cause=message,
                )
