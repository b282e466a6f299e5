"""Whether what is compiled for a framework can be imported in an environment that has another build
of it, or its proxy."""

from __future__ import annotations

from pathlib import Path

from porter.build import compat, pip
from porter.errors import EnvironmentFailed
from porter.host import process
from porter.model import COMPAT, Step
from porter.targets.protocol import Environment

_LONGEST = 120.0  # seconds of an import
_IMPORT = """\
import importlib, importlib.metadata, sys
for file in importlib.metadata.files(sys.argv[1]) or ():
    if file.name == "__init__.py" and len(file.parts) == 2:
        importlib.import_module(file.parts[0])
    elif file.suffix == ".py" and len(file.parts) == 1:
        importlib.import_module(file.stem)
"""


def remove_unimportable(
    environment: Environment, made: pip.Planned, folder: Path, label: str, pieces: Path | None
) -> str:
    """Why a distribution that was installed is removed: it cannot be imported. Empty if it can.

    It can where it is compiled for what is there, or, with the wheel of `pieces`, is on torch's
    stable ABI, or does without its compiled part.
    """
    script = folder / f"{label}-import.py"
    script.write_text(_IMPORT, encoding="utf-8")
    way = ("-m", COMPAT) if pieces else ()
    step = Step(
        name=f"{label}-import",
        argv=(str(environment.python), *way, str(script), made.name),
        cwd=str(folder),
        timeout=_LONGEST,
        foreign=True,
        writable=(str(folder),),
    )
    try:
        if pieces:
            compat.make_libraries(environment, pieces, folder)
        result = process.run(step, folder / f"{label}-import.log")
        said = "" if result.ok else result.tail.strip().rpartition("\n")[2] or "it ended"
    except EnvironmentFailed as error:
        said = str(error)
    if not said:
        return ""
    words = ("uninstall", "--yes", made.name)
    venv = environment.python.parent.parent
    step = pip.step(environment.python, f"{label}-remove", words, cwd=folder, writable=(venv,))
    process.run(step, folder / f"{label}-remove.log")
    return f"{made.name} {made.version} was tried, and cannot be imported: {said}"
