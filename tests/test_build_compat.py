"""The package of pieces in environments that have code of a repository."""

from __future__ import annotations

import dataclasses
import zipfile
from pathlib import Path

import pytest

from porter.build import compat
from porter.errors import EnvironmentFailed
from porter.host import process
from porter.model import Step, StepResult
from porter.targets.protocol import Environment


def test_libraries_of_all_runs_are_compiled_apart_from_what_a_repository_installs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PORTER_HOME", str(tmp_path / "home"))
    with zipfile.ZipFile(tmp_path / "pieces.whl", "w") as wheel:
        wheel.writestr("porter_compat/__init__.py", "")
    started: list[tuple[Step, bool]] = []

    def run(step: Step, log: Path) -> StepResult:
        started.append((step, Path(step.cwd, "porter_compat").is_dir()))
        made = {"returncode": 0, "seconds": 0, "timed_out": False, "marked": None}
        return StepResult(name=step.name, argv=step.argv, log=str(log), tail="", **made)  # type: ignore[arg-type]

    monkeypatch.setattr(process, "run", run)
    site, python = tmp_path / "site", tmp_path / "venv" / "python"
    environment = Environment(
        python=python, framework="paddle", version="3.3.1", build="cpu", paths=(str(site),)
    )
    with pytest.raises(EnvironmentFailed):
        compat.make_libraries(environment, tmp_path / "pieces.whl", tmp_path)
    assert not started
    clean = dataclasses.replace(environment, downloader=tmp_path / "base" / "python")
    compat.make_libraries(clean, tmp_path / "pieces.whl", tmp_path)
    ((step, has_pieces),) = started
    assert step.argv[0] == str(clean.downloader) and has_pieces
    assert step.cwd != str(site) and str(site) not in str(step.environment)
