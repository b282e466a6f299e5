"""The action for CI and the hook for pre-commit: valid, and their commands run as they stand."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from tests.conftest import ROOT
from tests.test_cli import git, porter, write

USES = "import torch\n\nx = torch.frombuffer(b'abcd', dtype=torch.float32)\n"


def load(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text())


def clone(root: Path) -> Path:
    write(root / "ops", {"ops.py": USES})
    git(root / "ops", "init", "-q")
    git(root / "ops", "add", "-A")
    git(root / "ops", "commit", "-qm", "first")
    return root / "ops"


def test_the_hook_has_what_pre_commit_asks_for() -> None:
    (hook,) = load(".pre-commit-hooks.yaml")
    assert {"id", "name", "entry", "language"} <= {*hook}
    assert hook["language"] == "python", "pre-commit installs the repository by pip"
    assert not hook["pass_filenames"], "porter looks at the whole tree"


def test_the_entry_of_the_hook_fails_where_something_is_found(tmp_path: Path) -> None:
    (hook,) = load(".pre-commit-hooks.yaml")
    program, *words = shlex.split(hook["entry"])
    assert program == "porter"
    ops = clone(tmp_path)
    assert porter(*words, "--target", "paddle", cwd=ops).returncode == 1
    porter("analyze", ".", "--write-baseline", tmp_path / "b.json", cwd=ops)
    assert porter(*words, "--baseline", tmp_path / "b.json", cwd=ops).returncode == 0


# --------------------------------------------------------------------- action


def script(name: str) -> dict[str, Any]:
    return next(step for step in load("action.yml")["runs"]["steps"] if step.get("name") == name)


def run_action(tmp_path: Path, **inputs: str) -> tuple[subprocess.CompletedProcess[str], Path]:
    """Run the action's own step with inputs, as a runner does; porter is this one."""
    action, step = load("action.yml"), script("Run porter")
    given = {name: each.get("default", "") for name, each in action["inputs"].items()} | {
        name.replace("_", "-"): value for name, value in inputs.items()
    }
    names = {key: re.fullmatch(r"\$\{\{ inputs\.([\w-]+) }}", v) for key, v in step["env"].items()}
    environment = {key: given[match[1]] for key, match in names.items() if match}
    assert {*environment} == {*step["env"]}
    program = write(tmp_path, {"temp/porter/bin/porter": ""}) / "temp/porter/bin/porter"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m porter "$@"\n')
    program.chmod(0o755)
    places = {"RUNNER_TEMP": tmp_path / "temp", "GITHUB_OUTPUT": tmp_path / "output"}
    places["GITHUB_STEP_SUMMARY"] = tmp_path / "summary"
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment, **places},
        capture_output=True,
        text=True,
    )
    return done, tmp_path / "temp" / "porter-report"


def test_the_action_writes_every_report_and_fails_where_something_is_found(tmp_path: Path) -> None:
    clone(tmp_path)
    done, reports = run_action(tmp_path, source="ops", target="paddle")
    assert done.returncode == 1, done.stderr
    assert {path.name for path in reports.iterdir()} == {
        *("report.html", "report.json", "report.md", "porter.sarif")
    }
    assert json.loads((reports / "porter.sarif").read_text())["runs"][0]["results"]
    assert (tmp_path / "summary").read_text() == (reports / "report.md").read_text()
    assert "exit-code=1" in (tmp_path / "output").read_text()


def test_an_input_of_the_action_is_no_code(tmp_path: Path) -> None:
    clone(tmp_path)
    evil = "$(touch pwned); `touch pwned` 'a b'"
    done, _ = run_action(tmp_path, source=evil, arguments=evil)
    assert done.returncode == 2 and not (tmp_path / "pwned").exists()
    done, _ = run_action(tmp_path, source="ops", command="clean --all-runs")
    assert done.returncode == 2
    for step in load("action.yml")["runs"]["steps"]:
        assert "${{" not in step.get("run", ""), "inputs come by the environment"


def test_the_action_is_complete() -> None:
    action = load("action.yml")
    assert action["runs"]["using"] == "composite"
    text = (ROOT / "action.yml").read_text()
    assert {*re.findall(r"inputs\.([\w-]+)", text)} == {*action["inputs"]}
    for step in action["runs"]["steps"]:
        assert "uses" in step or step["shell"] == "bash"
    page = (ROOT / "docs" / "how-to" / "ci.md").read_text()
    assert all(f"`{name}`" in page for name in action["inputs"])
