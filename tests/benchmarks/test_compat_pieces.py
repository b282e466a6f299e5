"""What the pieces of porter-compat cost: calls with a piece, and with Paddle's bare function."""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.test_compat_package import DATA, cache, call, installed, wheel

__all__ = ["cache", "installed", "wheel"]  # fixtures

pytestmark = [pytest.mark.real, pytest.mark.long]
SCRIPTS = ("functions", "semantics", "catalogue", "augmented")


def test_most_calls_take_less_than_twice_what_paddles_own_take(
    framework_pythons: Mapping[str, Path], installed: Path, cache: Path, tmp_path: Path
) -> None:
    timed: dict[str, tuple[str, float, float]] = {}
    (tmp_path / "unit.py").write_bytes((DATA / "time_pieces.py").read_bytes())
    variables = {"PORTER_COMPAT_CACHE": str(cache), "TIMED": str(tmp_path / "timed")}
    for script in (f"torch_{name}.py" for name in SCRIPTS):
        (tmp_path / script).write_bytes((DATA / script).read_bytes())
        command = [str(framework_pythons["paddle"]), "-W", "ignore", script, "unit.py"]
        status, said = call(command, installed, tmp_path, **variables)
        assert status == 0, said
        for name, pieces, own, bare in json.loads((tmp_path / "timed").read_text()):
            timed.setdefault(name, (pieces, own, bare))
    worst = sorted(timed.items(), key=lambda row: row[1][2] / row[1][1])
    for name, (pieces, own, bare) in worst[:10]:
        figures = f"{own * 1e6:.1f} | {bare * 1e6:.1f} | {own / bare:.1f}"
        sys.stdout.write(f"| `{name}` | {pieces} | {figures} |\n")
    median = statistics.median(own / bare for _, own, bare in timed.values())
    sys.stdout.write(f"{len(timed)} names, half of them below {median:.2f}\n")
    assert len(timed) > 100
    assert median < 2
