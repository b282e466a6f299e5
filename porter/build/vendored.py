"""The headers of the pieces, as their own script merges them with the target's."""

from __future__ import annotations

import re
from pathlib import Path

from porter.errors import EnvironmentFailed
from porter.host import process
from porter.host.endings import describe_ending
from porter.model import UNIT, Step
from porter.targets.protocol import CompileArguments, Environment

SCRIPT = f"{UNIT}/headers.py"
# Not as a script: modules beside it may have names of Python's own.
_RUN = "import runpy, sys; del sys.argv[0]; runpy.run_path(sys.argv[0], run_name='__main__')"
INSTALLED = "*/pieces/headers.py"
_BUILT = re.compile(r"(?:^|/)build/(?:lib|bdist)")  # setuptools' copies


def merge_headers(
    project: Path, environment: Environment, arguments: CompileArguments, folder: Path
) -> list[Path]:
    """Include folders that stand before the framework's: one for each vendored unit with headers,
    and one for those that the environment has installed.

    The script is run by the environment's interpreter, as the build does. Raises
    EnvironmentFailed where a script fails: it was written for other headers.
    """
    scripts = sorted(project.rglob(SCRIPT)) if arguments.compat else []
    scripts = [s for s in scripts if not _BUILT.search(s.relative_to(project).as_posix())]
    if arguments.compat:
        scripts += Path(environment.paths[0]).glob(INSTALLED)
    found = []
    for number, script in enumerate(scripts):
        own, out = script.parent / "include", folder / f"merged-{number}"
        if not own.is_dir():
            continue
        words = (str(script), str(out), str(own), arguments.compat)
        argv = (str(environment.python), "-c", _RUN, *words)
        out.mkdir(parents=True, exist_ok=True)
        step = Step(name="headers", argv=argv, cwd=str(out), timeout=120, writable=(str(out),))
        result = process.run(step, folder / f"merged-{number}.log")
        if not result.ok:
            own_place = script.is_relative_to(project)
            place = str(script.relative_to(project) if own_place else script)
            said = result.tail.strip().rpartition("\n")[2] or f"it {describe_ending(result)}"
            raise EnvironmentFailed(
                f"{place} does not fit the headers of {environment.framework} "
                f"{environment.version}: {said}",
                hint="migrate again: the unit was written for another version",
            )
        found.append(out)
    return found
