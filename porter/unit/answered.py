"""Which facts of a target's surface do not hold for code that imports the package of its pieces.

`python -m porter.unit.answered PYTHON VERSION` measures that, with the interpreter of an
environment that has this version of the target and not the package, and writes
rules/TARGET/answered/VERSION.json: facts as text, by name, and `LACKED` for a name that the target
lacks and no piece lists; or the newest version that porter ships, if all is as for that one. To be
repeated when pieces change, for the newest version first.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from porter.host import files
from porter.host.home import rules_home
from porter.model import LACKED, Language, Missing, State
from porter.surface.capture import find_answered
from porter.surface.load import list_shipped, load
from porter.unit.choose import find_offers
from porter.unit.package import FOLDER, package_name, write_package
from porter.unit.pieces import pieces


def measure_answered(target: Path, python: Path, version: str) -> dict[str, tuple[str, ...]]:
    """Measure the facts of a target, by the folder of its rules. Raises EnvironmentFailed."""
    with tempfile.TemporaryDirectory() as folder:
        write_package(target, Path(folder))
        completed = Path(folder), package_name(target)
        surface = load(target.name, version)
        found = find_answered(python, surface, completed)
    lacked = (
        Missing(name=name, language=Language.PYTHON, uses=1, state=State.MISSING)
        for name, said in found.items()
        if LACKED in said
    )
    of_pieces = find_offers(pieces(target / "polyfills"), lacked, surface, packaged=True)
    told = {name for _, name in of_pieces}
    left = {n: tuple(f for f in said if f != LACKED or n not in told) for n, said in found.items()}
    return {name: said for name, said in left.items() if said}


if __name__ == "__main__":
    python, version = sys.argv[1:3]
    (target,) = (path.parent for path in rules_home().glob(f"*/{FOLDER}"))
    said = json.dumps(measure_answered(target, Path(python), version), indent=0, ensure_ascii=False)
    newest = target / "answered" / f"{list_shipped(target.name, rules_home())[-1]}.json"
    if newest.stem != version and newest.is_file() and newest.read_text("utf-8") == f"{said}\n":
        said = json.dumps(newest.stem)
    files.replace(target / "answered" / f"{version}.json", f"{said}\n")
