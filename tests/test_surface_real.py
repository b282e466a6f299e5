"""The shipped surfaces are what real frameworks say."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from porter.host.home import rules_home
from porter.host.process import run
from porter.model import Step
from porter.surface.capture import WORKERS, capture
from porter.surface.load import dumps, read
from porter.surface.quirks import read_quirks
from porter.unit.answered import measure_answered

pytestmark = pytest.mark.real


@pytest.mark.long
def test_every_probe_holds_under_torch(
    framework_pythons: Mapping[str, Path], tmp_path: Path
) -> None:
    quirks = read_quirks(rules_home() / "paddle").values()
    probes = [(name, code) for quirk in quirks for name, code in quirk.probes.items()]
    asked, answer = tmp_path / "ask.json", tmp_path / "answer.json"
    pairs = [[str(k), code] for k, (_, code) in enumerate(probes)]
    asked.write_text(json.dumps({"enable": "", "probes": pairs}))
    worker = str(WORKERS / "surface_probes.py")
    argv = (str(framework_pythons["torch"]), worker, str(asked), str(answer))
    place = str(tmp_path)
    step = Step(name="probes", argv=argv, cwd=place, writable=(place,))
    assert run(step, tmp_path / "log").ok
    wrong = {probes[int(k)]: v for k, v in json.loads(answer.read_text()).items() if v is not None}
    assert wrong == {}


@pytest.mark.long
def test_the_shipped_surface_of_paddle_is_captured_again_byte_for_byte(
    framework_pythons: Mapping[str, Path],
) -> None:
    surface = capture(framework_pythons["paddle"], "paddle")
    shipped = rules_home() / "paddle" / "surfaces" / f"{surface.version}.json"
    assert dumps(surface).splitlines() == dumps(read(shipped)).splitlines()


@pytest.mark.long
def test_what_the_package_answers_is_measured_again(framework_pythons: Mapping[str, Path]) -> None:
    rules = rules_home() / "paddle"
    for shipped in (rules / "answered").glob("*.json"):
        found = measure_answered(rules, framework_pythons["paddle"], shipped.stem)
        kept = {name: tuple(facts) for name, facts in json.loads(shipped.read_bytes()).items()}
        assert found == kept
