"""The catalogue of what experts changed: nothing in it is open, and what is said of it is shown."""

from __future__ import annotations

import re
import shutil
import socket
from collections.abc import Mapping
from pathlib import Path

import pytest

from porter.host.home import rules_home
from porter.rules.loader import load_pack
from porter.rules.pages import CATALOGUE_PAGE, find_unanswered
from porter.unit import Piece, Plane, pieces
from tests.conftest import ROOT
from tests.test_unit_pieces import run, write

PADDLE = rules_home() / "paddle"
SCRIPT = Path(__file__).parent / "data" / "torch_catalogue.py"
PROCESSES = SCRIPT.with_name("torch_distributed.py")
PIECES = pieces(PADDLE / "polyfills")
PAGE = ROOT / "docs" / "reference" / CATALOGUE_PAGE


def answered() -> set[str]:
    """The entries that a rule, a piece or catalogue.toml names."""
    rules = {entry for rule in load_pack("paddle").rules for entry in rule.catalogue}
    made = {entry for piece in PIECES for entry in piece.catalogue}
    return rules | made | {entry for entry, _ in find_unanswered(PADDLE / "catalogue.toml")}


def test_every_entry_is_accounted_for() -> None:
    entries = set(
        re.findall(r"^\| ([A-Z]-\d\d) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert len(entries) == 163
    assert entries == answered()


def test_python_pieces_that_name_an_entry_of_meaning_are_shown_to_answer_it() -> None:
    shown = set(re.findall(r'show\(\s*"([A-Z]-\d\d)"', SCRIPT.read_text(encoding="utf-8")))
    python = [piece for piece in PIECES if piece.plane is Plane.PYTHON]
    entries = {entry for piece in python for entry in piece.catalogue}
    claimed = {e for e in entries if e[0] in "YK" or e in ("J-02", "L-02")}
    elsewhere = {"Y-25", "Y-34"}  # torch_semantics.py
    assert claimed <= shown | elsewhere


@pytest.mark.real
def test_pieces_do_what_the_entries_are_about_as_torch_does(
    framework_pythons: Mapping[str, Path], tmp_path: Path
) -> None:
    write(tmp_path, [piece for piece in PIECES if piece.plane is Plane.PYTHON])
    code, torch = run(framework_pythons["torch"], SCRIPT)
    assert code == 0, torch
    script = Path(shutil.copy(SCRIPT, tmp_path))  # methods are torch's below the unit's folder only
    code, paddle = run(
        framework_pythons["paddle"], script, tmp_path / "_porter_compat" / "names.py"
    )
    assert code == 0, paddle
    assert len(torch.splitlines()) > 200
    kinds = [re.sub(r"raised \w+", "raised", text).splitlines() for text in (torch, paddle)]
    differ = [pair for pair in zip(*kinds, strict=True) if pair[0] != pair[1]]
    assert not differ


def with_needs(*names: str) -> list[Piece]:
    """Python pieces, and those that they need."""
    by_id, found = {piece.id: piece for piece in PIECES}, set[str]()
    wanted = [f"python/{name}" for name in names]
    while wanted:
        found.add(wanted.pop())
        wanted += {need for id in found for need in by_id[id].needs} - found
    return [piece for piece in PIECES if piece.id in found]


def told(python: Path, *arguments: str | Path) -> list[str]:
    """What two processes say of talking to each other, over ports that are free."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        script, *rest = arguments
        port = str(found.getsockname()[1])
    code, said = run(python, script, port, *rest)
    assert code == 0, said
    return [line for line in said.splitlines() if line.startswith("=")]


@pytest.mark.real
@pytest.mark.long
def test_processes_talk_to_each_other_as_under_torch(
    framework_pythons: Mapping[str, Path], tmp_path: Path
) -> None:
    functions = ("all_gather", "all_reduce", "broadcast", "reduce")
    with_gradients = (f"collectives_with_gradients.nn_{name}" for name in functions)
    names = "process_groups", "collectives", "exchanges", *with_gradients, "multiprocessing"
    write(tmp_path, with_needs(*names))
    torch = told(framework_pythons["torch"], PROCESSES)
    assert len(torch) > 40
    script = Path(shutil.copy(PROCESSES, tmp_path))
    unit = tmp_path / "_porter_compat" / "names.py"
    assert told(framework_pythons["paddle"], script, unit) == torch
