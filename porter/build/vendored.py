"""The headers of a tree's vendored unit as its own script merges them with the target's."""

from __future__ import annotations

import re
from pathlib import Path

from porter.errors import EnvironmentFailed
from porter.host import process
from porter.model import UNIT, Step
from porter.targets.protocol import CompileArguments, Environment

SCRIPT = f"{UNIT}/headers.py"
_BUILT = re.compile(r"(?:^|/)build/(?:lib|bdist)")  # setuptools' copies


def merged(
    project: Path, environment: Environment, arguments: CompileArguments, folder: Path
) -> list[Path]:
    """Include folders that stand before the framework's: one for each unit with headers.

    The script is run by the environment's interpreter, as the build does. Raises
    EnvironmentFailed where a script fails: it was written for other headers.
    """
    scripts = sorted(project.rglob(SCRIPT)) if arguments.compat else []
    scripts = [s for s in scripts if not _BUILT.search(s.relative_to(project).as_posix())]
    found = []
    for number, script in enumerate(scripts):
        own, out = script.parent / "include", folder / f"merged-{number}"
        if not own.is_dir():
            continue
        argv = (str(environment.python), str(script), str(out), str(own), arguments.compat)
        out.mkdir(parents=True, exist_ok=True)
        step = Step(name="headers", argv=argv, cwd=str(project), timeout=120, writable=(str(out),))
        result = process.run(step, folder / f"merged-{number}.log")
        if not result.ok:
            place = script.relative_to(project).as_posix()
            said = result.tail.strip().rpartition("\n")[2] or f"it {process.ending(result)}"
            raise EnvironmentFailed(
                f"{place} does not fit the headers of {environment.framework} "
                f"{environment.version}: {said}",
                hint="migrate again for this version: the unit is made for what it lacks",
            )
        found.append(out)
    return found
