"""Torch's own database of operators, called under Paddle: `python -m tests.operators COMMAND`.

record: torch's samples and answers; replay: the same calls under Paddle with porter-compat;
layers, seconds, variants: both, of torch's database of layers, of second gradients, and of special
and large values;
mutants: faults planted in pieces;
uses FOLDER ...: how often the repositories there use each name; table: data and pages of what was
replayed, with the rows of other entries as they were. Records are kept in `operators` below
PORTER_HOME.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from porter import targets
from porter.build import environment
from porter.host.home import rules_home
from porter.model import Device
from porter.unit.package import build_wheel
from tests.conftest import CACHE, ROOT
from tests.operators import pages, planted, table
from tests.operators.uses import count

HOME = CACHE.resolve() / "operators"
RECORDED, REPLAYED, VARIANTS = (HOME / name for name in ("recorded", "replayed", "variants"))


def python(framework: str) -> Path:
    asked = targets.framework(framework)
    spec = asked.environment(asked.default_version, Device.CPU)
    return environment.prepare(spec, asked, home=CACHE).python


def run(interpreter: Path, site: Path, module: str, *arguments: str | Path) -> None:
    """Run a module of this package by a framework's interpreter."""
    paths = os.pathsep.join(map(str, (ROOT, site)))
    variables = {"PYTHONPATH": paths, "PORTER_COMPAT_CACHE": str(HOME / "cache")}
    command = [interpreter, "-W", "ignore", "-m", f"tests.operators.{module}", *arguments]
    subprocess.run([*map(str, command)], cwd=ROOT, env={**os.environ, **variables}, check=True)


def record(names: list[str], folder: Path, which: str = "samples") -> None:
    """Raises CalledProcessError."""
    folder.mkdir(parents=True, exist_ok=True)
    interpreter, site = python("torch"), HOME / "site"
    if not (site / "expecttest").exists():
        install = ("-m", "pip", "install", "-q", "--target", str(site), "expecttest")
        subprocess.run([str(interpreter), *install], check=True)
    run(interpreter, site, "recording", which, folder, *names)


def package() -> Path:
    """The folder that porter-compat is unpacked in."""
    site = HOME / "porter-compat"
    shutil.rmtree(site, ignore_errors=True)
    with zipfile.ZipFile(build_wheel(rules_home() / "paddle", HOME / "wheel")) as archive:
        archive.extractall(site)
    return site


def replay(names: list[str], site: Path, recorded: Path, folder: Path) -> None:
    """Raises CalledProcessError."""
    folder.mkdir(parents=True, exist_ok=True)
    run(python("paddle"), site, "replaying", recorded, folder, *names)


def mutants() -> None:
    """Raises CalledProcessError and PlantError; ends with 1 where fewer than enough are found."""

    def outcomes(site: Path, names: list[str]) -> dict[str, planted.Rows]:
        rows: dict[str, planted.Rows] = {name: [] for name in names}
        for recorded in (RECORDED, VARIANTS):
            with tempfile.TemporaryDirectory() as folder:
                replay(names, site, recorded, Path(folder))
                for name in names:
                    rows[name] += json.loads((Path(folder) / f"{name}.json").read_text())
        return rows

    called = sorted({name for fault in planted.load() for name in fault.entries})
    record(called, RECORDED)
    record(called, VARIANTS, "variants")
    found = [*planted.plant(package(), HOME / "mutant", outcomes)]
    lines = planted.table(found)
    (pages.DATA / "mutants.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    sys.stdout.write("\n".join(lines) + "\n")
    if sum(bool(call) for _, call in found) < planted.ENOUGH * len(found):
        sys.exit(1)


def rows_of(folder: Path) -> list[table.Row]:
    """What became of the entries that were replayed into a folder."""
    return [
        table.row_of(path.stem, json.loads(path.read_text()))
        for path in sorted(folder.glob("*.json"))
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = ("record", "replay", *pages.OTHERS, "mutants", "uses", "table")
    parser.add_argument("command", choices=commands)
    parser.add_argument("names", nargs="*", help="entries, default: all; of `uses` folders")
    options = parser.parse_args()
    if options.command == "record":
        record(options.names, RECORDED)
    elif options.command == "replay":
        replay(options.names, package(), RECORDED, REPLAYED)
    elif options.command in pages.OTHERS:
        recorded, replayed = HOME / options.command, HOME / f"{options.command}-replayed"
        record(options.names, recorded, options.command)
        replay(options.names, package(), recorded, replayed)
        pages.save(rows_of(replayed), pages.DATA / f"{options.command}.json")
    elif options.command == "mutants":
        mutants()
    elif options.command == "uses":
        names = [Path(name).name.replace("+", "/") for name in options.names]
        pages.save_uses(count(map(Path, options.names)), names)
    else:
        known = {row.name: row for row in (pages.load()[0] if pages.ROWS.exists() else ())}
        known |= {row.name: row for row in rows_of(REPLAYED)}
        pages.save([known[name] for name in sorted(known)])
        for path, text in pages.texts().items():
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
