"""The command line as a user types it: its words in order, bad input, exit codes, documents."""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import hashlib
import io
import json
import os
import re
import resource
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import jsonschema
import pytest
from typer.main import get_command
from typer.testing import CliRunner

from porter import cli
from porter.cli.common import ensure_migrated
from porter.console import Console
from porter.host import process
from porter.model import Step
from porter.run.store import Run
from porter.stages.options import Options
from tests.conftest import ROOT

SCHEMA = json.loads((ROOT / "docs/reference/report.schema.json").read_text())

FILES = {
    "setup.py": """from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CppExtension

setup(
    name="myops",
    packages=["myops"],
    ext_modules=[CppExtension("myops._C", ["ops.cpp"])],
    cmdclass={"build_ext": BuildExtension},
)
""",
    "ops.cpp": "#include <torch/extension.h>\nint torch_ops() { return 1; }\n",
    "myops/__init__.py": "import torch\n\nfrom . import _C\n",
    "tests/test_ops.py": "import torch\n\n\ndef test_it():\n    assert torch.ones(2).sum() == 2\n",
}


PORTER = ("-m", "porter")
ENV = {"PYTHONPATH": str(ROOT), "COLUMNS": "400"}


def porter(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """A command as a user types it, run in this process: no second porter has to start."""
    argv = ["porter", *map(str, arguments)]
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2)]
    with (
        contextlib.chdir(cwd),
        mock.patch.dict(os.environ, ENV),
        mock.patch.object(sys, "argv", argv),
        contextlib.redirect_stdout(streams[0]),
        contextlib.redirect_stderr(streams[1]),
    ):
        code = cli.run()
    shown = []
    for stream in streams:
        stream.flush()
        stream.seek(0)
        shown.append(stream.read())
    return subprocess.CompletedProcess(argv, code, *shown)


def shown(*arguments: str | Path, cwd: Path, code: int) -> str:
    """What a command prints, with this exit code."""
    done = porter(*arguments, cwd=cwd)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def document(*arguments: str | Path, cwd: Path, code: int) -> Any:
    """The one JSON document of a command, valid by the schema, with this exit code."""
    found = json.loads(shown(*arguments, "--json", cwd=cwd, code=code))
    jsonschema.validate(found, SCHEMA)
    return found


def git(folder: Path, *arguments: str) -> str:
    who = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    done = subprocess.run(
        ["git", *who, *arguments], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(text.encode())
    return root


def state(root: Path) -> dict[str, str]:
    """Every file below a folder, git's own too, with a hash of its content."""
    return {
        str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in root.rglob("*")
        if path.is_file() and not path.is_symlink()
    }


@pytest.fixture
def ops(tmp_path: Path) -> Path:
    """A small operator repository, as a clone with one commit."""
    root = write(tmp_path / "ops", FILES)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    return root


# ------------------------------------------------------------ words in order


def test_the_words_work_in_their_order_next_to_a_clone(ops: Path, tmp_path: Path) -> None:
    before = state(ops)
    analyzed = document("analyze", "./ops", cwd=tmp_path, code=0)
    migrated = document("migrate", "--target", "paddle", cwd=tmp_path, code=0)
    assert migrated["run"] == analyzed["run"]
    assert {stage["name"] for stage in migrated["stages"]} == {"analyze", "migrate"}
    assert migrated["patch"]["files"] > 0
    patch = porter("patch", cwd=tmp_path)
    assert patch.stdout == Path(migrated["patch"]["path"]).read_text()
    assert state(ops) == before, "the clone is never written to"


def test_the_words_work_inside_a_clone_and_in_its_folders(ops: Path) -> None:
    first = document("migrate", cwd=ops, code=0)  # analyzes by itself
    assert first["source"]["written"] == "."
    inside = document("migrate", cwd=ops / "myops", code=0)
    assert inside["run"] == first["run"]


def test_two_spellings_of_a_path_continue_one_run(ops: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(ops)
    run = document("analyze", "./ops", cwd=tmp_path, code=0)["run"]
    for spelling in (str(ops), "ops/../ops/", "link", ops.as_uri()):
        assert document("migrate", spelling, cwd=tmp_path, code=0)["run"] == run


def test_migrating_again_starts_from_the_base(ops: Path, tmp_path: Path) -> None:
    first = document("migrate", "ops", cwd=tmp_path, code=0)
    text = Path(first["patch"]["path"]).read_text()
    second = document("migrate", "ops", cwd=tmp_path, code=0)
    assert Path(second["patch"]["path"]).read_text() == text
    fork = document("migrate", "ops", "--style", "fork", cwd=tmp_path, code=0)
    assert fork["style"] == "fork"
    assert "PORTER_FRAMEWORK" not in Path(fork["patch"]["path"]).read_text()
    assert document("migrate", cwd=tmp_path, code=0)["style"] == "fork", "continued as it was"
    named = document("migrate", "ops", cwd=tmp_path, code=0)
    assert (named["style"], Path(named["patch"]["path"]).read_text()) == ("dual", text)


def test_a_patch_stays_until_a_migration_replaces_it(ops: Path, tmp_path: Path) -> None:
    first = document("migrate", "ops", cwd=tmp_path, code=0)
    text = Path(first["patch"]["path"]).read_text()
    analyzed = document("analyze", "ops", cwd=tmp_path, code=0)["run"]
    again = porter("patch", cwd=tmp_path)
    assert (again.returncode, again.stdout) == (0, text)
    assert analyzed in again.stderr and first["run"] in again.stderr, "says whose patch it is"
    assert porter("patch", "--run", analyzed, cwd=tmp_path).returncode == 2
    other = write(tmp_path / "other", {"setup.py": "import torch\n"})
    document("analyze", "other", cwd=tmp_path, code=0)
    assert porter("patch", cwd=tmp_path).returncode == 2, f"{other} has none"
    new = "import torch\n\nKEPT = {}\n\n\ndef f(x: torch.Tensor):\n    return KEPT[x.shape]\n"
    (ops / "myops" / "new.py").write_text(new)
    git(ops, "add", "-A")
    assert document("migrate", "ops", cwd=tmp_path, code=0)["run"] != first["run"]
    assert "new.py" in porter("patch", "ops", cwd=tmp_path).stdout


def test_a_folder_does_not_go_on_with_the_run_of_a_folder_in_it(ops: Path, tmp_path: Path) -> None:
    document("migrate", cwd=ops, code=0)
    for command in ("patch", "report", "bundle"):
        done = porter(command, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, ""), command
    assert porter("patch", "ops", cwd=tmp_path).returncode == 0, "it is there by its name"


def test_a_report_that_is_written_is_a_success(ops: Path, tmp_path: Path) -> None:
    document("analyze", "ops", cwd=tmp_path, code=0)
    shown("report", cwd=tmp_path, code=1)
    for words in (["--html"], ["-o", "report.md"], ["--format", "sarif"]):
        shown("report", *words, cwd=tmp_path, code=0)


def test_another_target_is_analyzed_for_before_it_is_migrated_to(ops: Path, tmp_path: Path) -> None:
    document("analyze", "ops", cwd=tmp_path, code=0)
    found = document("migrate", "ops", "--target", "torch_npu", cwd=tmp_path, code=0)
    fresh = document("analyze", "ops", "--target", "torch_npu", cwd=tmp_path, code=0)
    assert found["findings"] == fresh["findings"]
    assert {m["name"] for m in fresh["missing"]} <= {m["name"] for m in found["missing"]}


def test_a_run_is_chosen_by_the_beginning_of_its_name(ops: Path, tmp_path: Path) -> None:
    old = document("analyze", "ops", cwd=tmp_path, code=0)["run"]
    new = document("analyze", "ops", cwd=tmp_path, code=0)["run"]
    assert document("report", cwd=tmp_path, code=1)["run"] == new
    assert document("report", "--run", old, cwd=tmp_path, code=1)["run"] == old
    rows = json.loads(porter("runs", "--json", cwd=tmp_path).stdout)
    assert [row["run"] for row in rows] == [old, new]
    assert (
        "does not exist"
        in document("report", "--run", "x", cwd=tmp_path, code=2)["error"]["message"]
    )


def test_what_is_not_migrated_yet_is_migrated_before_it_is_built(
    ops: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    console, options = Console(quiet=True), Options(compiler=False)
    first = ensure_migrated("ops", None, options, console)[0]
    stages = first.load().stages
    assert [stage.name for stage in stages] == ["analyze", "migrate"]
    assert ensure_migrated("ops", None, options, console)[0].load().stages == stages, "once"
    other = dataclasses.replace(options, target="torch_npu")
    assert ensure_migrated("ops", None, other, console)[0].load().target == "torch_npu"
    assert ensure_migrated("ops", None, options, console)[0].load().target == "torch_npu", "goes on"
    older = dataclasses.replace(options, target="paddle==3.3.0")
    assert ensure_migrated("ops", None, older, console)[0].load().target_version == "3.3.0"
    any_version = dataclasses.replace(options, target="paddle")
    assert ensure_migrated("ops", None, any_version, console)[0].load().target_version == "3.3.0"


YAML = """custom:
  - func: npu_mine(Tensor self) -> Tensor
    op_api: all_version
    gen_opapi: {out: {size: self, dtype: self}, exec: aclnnMine}
"""


@pytest.mark.parametrize("script", ["setup.py", "gen.sh"])
def test_who_makes_sources_before_a_build_is_said(tmp_path: Path, script: str) -> None:
    written = tmp_path / "npu"
    written.mkdir()
    (written / "setup.py").write_text("import torch_npu\n")
    (written / "mine.yaml").write_text(YAML)
    with (written / script).open("a") as file:
        file.write('# python -m torchnpugen.gen_op_plugin_functions --source_yaml "$1"\n')
    found = document("analyze", "npu", "--target", "torch_npu", cwd=tmp_path, code=0)
    said = [note for note in found["notes"] if "--prepare" in note]
    assert len(said) == (script == "gen.sh")
    assert all('`--prepare "bash gen.sh mine.yaml"`' in note for note in said)


@pytest.mark.parametrize("words", [["patch"], ["patch", "--apply"]])
def test_what_needs_a_migration_says_so(ops: Path, tmp_path: Path, words: list[str]) -> None:
    porter("analyze", "ops", cwd=tmp_path)
    done = porter(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert "porter migrate" in done.stderr


@pytest.mark.parametrize("words", [["verify"], ["build"], ["migrate"], ["report"], ["patch"]])
def test_without_a_run_or_a_project_the_first_step_is_named(
    tmp_path: Path, words: list[str]
) -> None:
    done = porter(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert "porter" in done.stderr.partition("\n")[2], "a remedy stands below the message"


def test_a_report_is_written_as_markdown_and_to_files(ops: Path, tmp_path: Path) -> None:
    porter("migrate", "ops", cwd=tmp_path)
    shown = porter("report", "--format", "markdown", cwd=tmp_path)
    assert shown.stdout.startswith("## Port to paddle")
    porter("report", "--format", "markdown", "-o", "pr.md", cwd=tmp_path)
    assert (tmp_path / "pr.md").read_text() == shown.stdout
    away = porter("report", "--format", "markdown", "-o", "none/pr.md", cwd=tmp_path)
    assert away.returncode == 2
    assert "none/pr.md" in away.stderr


def test_a_report_goes_to_stdout_by_a_dash(ops: Path, tmp_path: Path) -> None:
    porter("analyze", "ops", cwd=tmp_path)
    written = porter("report", "--format", "sarif", cwd=tmp_path)
    dashed = porter("report", "--format", "sarif", "-o", "-", cwd=tmp_path)
    assert dashed.returncode == 0 and json.loads(dashed.stdout) == json.loads(written.stdout)
    assert not (tmp_path / "-").exists()


def test_an_unknown_format_is_answered_in_one_sentence(ops: Path, tmp_path: Path) -> None:
    porter("analyze", "ops", cwd=tmp_path)
    done = porter("report", "--format", "jsonn", cwd=tmp_path)
    assert done.returncode == 2
    assert "'jsonn'" in done.stderr and "'sarif'" in done.stderr
    assert "Value error" not in done.stderr


def test_a_report_is_a_page_sarif_and_junit(ops: Path, tmp_path: Path) -> None:
    porter("migrate", "ops", cwd=tmp_path)
    made = porter("report", "--html", cwd=tmp_path)
    (path,) = re.findall(r"written: (\S+/report\.html)\n", made.stderr)
    assert made.stdout == "" and Path(path).read_text().startswith("<!doctype html>")
    shown = porter("report", "--format", "html", cwd=tmp_path)
    assert shown.stdout == Path(path).read_text()
    found = json.loads(porter("report", "--format", "sarif", cwd=tmp_path).stdout)
    assert any("fixes" in result for result in found["runs"][0]["results"])
    porter("report", "--format", "junit", "-o", "tests.xml", cwd=tmp_path)
    assert (tmp_path / "tests.xml").read_text().startswith("<?xml")


def test_rules_are_listed_and_explained(tmp_path: Path) -> None:
    rows = json.loads(porter("rules", "--json", cwd=tmp_path).stdout)
    assert all(row["safety"] in ("manual", "review", "safe") for row in rows)
    rule = rows[0]["id"]
    assert rule in porter("rules", rule, cwd=tmp_path).stdout
    near = porter("rules", rule[:-2], cwd=tmp_path)
    assert near.returncode == 2
    assert rule in near.stderr


def test_a_surface_tells_of_one_name(tmp_path: Path) -> None:
    assert "different" in porter("explain", "torch.equal", cwd=tmp_path).stdout
    unknown = porter("explain", "torch.no_such_name", cwd=tmp_path)
    assert unknown.returncode == 2
    nowhere = porter("surface", "capture", "--python", "/no/python", cwd=tmp_path)
    assert nowhere.returncode == 3
    assert "/no/python" in nowhere.stderr


def test_an_interrupted_port_goes_on_only_with_the_same_choices(
    ops: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from porter.stages import session

    monkeypatch.chdir(tmp_path)
    console = Console(quiet=True)

    def resume(options: Options) -> Run:
        return session.resume(session.begin("ops", console), options, console)

    run = document("migrate", "ops", cwd=tmp_path, code=0)["run"]
    again = resume(Options(target="paddle"))
    assert again.folder.name == run, "stages done one by one are stages done"
    other = resume(Options(tests="pytest tests/x"))
    assert other.folder.name != run
    fresh = resume(Options(target="paddle==3.3.0"))
    assert fresh.folder.name not in (run, other.folder.name)


# --------------------------------------------------------------------- apply


def test_a_patch_is_applied_on_a_branch_of_a_clean_clone(ops: Path) -> None:
    porter("migrate", cwd=ops)
    head, before = git(ops, "rev-parse", "main"), state(ops / "myops")
    done = porter("patch", "--apply", cwd=ops)
    assert done.returncode == 0, done.stderr
    assert git(ops, "rev-parse", "main") == head
    assert git(ops, "branch", "--show-current").strip() == "main"
    assert git(ops, "status", "--porcelain") == ""
    assert state(ops / "myops") == before
    assert "import porter_compat" in git(ops, "show", "porter/paddle:setup.py")
    tip = git(ops, "rev-parse", "porter/paddle")
    assert porter("patch", "--apply", cwd=ops).returncode == 0, "the same patch: nothing to do"
    assert git(ops, "rev-parse", "porter/paddle") == tip
    git(ops, "branch", "-f", "porter/paddle", "main")
    again = porter("patch", "--apply", cwd=ops)
    assert again.returncode == 2
    assert "porter/paddle" in again.stderr


def test_a_branch_that_is_gone_is_made_again(ops: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also within the same second, when its commits are the same ones."""
    monkeypatch.setenv("GIT_COMMITTER_DATE", "1700000000 +0000")
    porter("migrate", cwd=ops)
    for _ in range(2):
        assert porter("patch", "--apply", cwd=ops).returncode == 0
        git(ops, "branch", "-D", "porter/paddle")


def test_a_dirty_tree_is_ported_as_it_is_and_not_applied_to(ops: Path) -> None:
    (ops / "more.py").write_text("import torch\n\nhandle = torch.cuda.Stream().cuda_stream\n")
    with (ops / "setup.py").open("a") as file:
        file.write("# edited\n")
    before = state(ops)
    found = document("migrate", cwd=ops, code=0)
    assert found["source"]["dirty"] is True
    text = Path(found["patch"]["path"]).read_text()
    assert "more.py" in text
    assert "+# edited" not in text, "the user's change is part of the base"
    applied = porter("patch", "--apply", cwd=ops)
    assert applied.returncode == 2
    assert "setup.py" in applied.stderr
    assert state(ops) == before


# ----------------------------------------------------------------- bad input


def bad_sources(tmp_path: Path) -> Iterator[tuple[str, int, str]]:
    yield "nothere", 2, "nothere"
    yield "https://nonexistent.invalid/a/b", 3, "https://nonexistent.invalid/a/b"
    yield f"file://{tmp_path}/ops@no-such-ref", 2, "no-such-ref"
    yield "./ops#nowhere", 2, "nowhere"
    yield "empty", 2, "empty"
    yield "bare.git", 2, "bare.git"
    yield "file.txt", 2, "file.txt"
    yield "ftp://example.org/a", 2, "ftp"
    yield "pypi:no such name", 2, "pypi"
    yield "-x", 2, "-x"


@pytest.mark.parametrize("index", range(10))
def test_a_source_that_cannot_be_had_is_named_with_a_remedy(
    ops: Path, tmp_path: Path, index: int, home: Path
) -> None:
    (tmp_path / "file.txt").write_text("")
    (tmp_path / "empty").mkdir()
    git(tmp_path / "empty", "init", "-q")
    git(tmp_path, "init", "-q", "--bare", "bare.git")
    source, code, named = list(bad_sources(tmp_path))[index]
    words = ("analyze", "--", source) if source.startswith("-") else ("analyze", source)
    shown = porter(*words, cwd=tmp_path)
    assert shown.returncode == code, shown.stderr
    assert shown.stdout == ""
    assert named in shown.stderr
    if source.startswith("-"):
        return
    error = document(*words, cwd=tmp_path, code=code)["error"]
    assert named in error["message"]
    assert error["hint"]
    assert not list(home.glob("runs/*")), "nothing is left behind"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--target", "padle"], "paddle"),
        (["--target", "paddle==3.2.0"], "3.3.0"),
        (["--target", "paddle=="], "=="),
        (["--style", "both"], "dual"),
        (["--no-such-option"], "--no-such-option"),
    ],
)
def test_a_choice_porter_does_not_know_names_those_it_does(
    ops: Path, tmp_path: Path, words: list[str], said: str
) -> None:
    error = document("analyze", "ops", *words, cwd=tmp_path, code=2)["error"]
    assert said in error["message"] + error["hint"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--device", "gpu"], "cuda"),
        (["--parity", "none.toml"], "none.toml"),
        (["--source-python", "none"], "none"),
        (["--target-python", "none"], "none"),
        (["--requires", "./here"], "./here"),
        (["--requires", "torch==2.1"], "frameworks"),
    ],
)
def test_a_file_or_device_that_is_not_there_is_said_before_anything_is_built(
    ops: Path, tmp_path: Path, words: list[str], said: str
) -> None:
    error = document("port", "ops", *words, cwd=tmp_path, code=2)["error"]
    assert said in error["message"] + error["hint"]
    assert json.loads(porter("runs", "--json", cwd=tmp_path).stdout) == []


def test_the_source_framework_is_torch(ops: Path, tmp_path: Path) -> None:
    error = document("parity", "run", "ops", "--source", "paddle", cwd=tmp_path, code=2)["error"]
    assert "torch" in error["hint"]


def test_parity_cases_that_cannot_be_read_are_said_before_anything_is_built(
    ops: Path, tmp_path: Path, home: Path
) -> None:
    (ops / "porter.parity.toml").write_text("[[case]\n")
    found = document("migrate", "ops", cwd=tmp_path, code=0)
    error = document("verify", "ops", cwd=tmp_path, code=2)["error"]
    assert "porter.parity.toml" in error["message"]
    assert not (home / "runs" / found["run"] / "cells").exists()


def test_missing_words_and_unknown_commands_are_wrong_use(tmp_path: Path) -> None:
    assert "SOURCE" in document("analyze", cwd=tmp_path, code=2)["error"]["message"]
    assert "nosuch" in document("nosuch", cwd=tmp_path, code=2)["error"]["message"]


def test_every_odd_file_is_named_and_the_others_are_read(
    ops: Path, tmp_path: Path, home: Path
) -> None:
    odd = {
        "broken.py": b"import torch\ndef f(:\n",
        "latin_undeclared.py": b'import torch\nx = "\xe9"\n',
        "nul.py": b"import torch\n\0\n",
        "wide.py": "import torch\n".encode("utf-16"),
        "pyproject.toml": b"[project\nname = 'torch'\n",
        "huge.py": b"import torch\n" + b"# data data data data data data\n" * 700_000,
        "deep.py": b"import torch\nx = " + b"-" * 20_000 + b"1\n",
    }
    call = b"torch.cuda.current_stream().cuda_stream\n"
    read = {
        "latin.py": b'# -*- coding: latin-1 -*-\nimport torch\nx = "\xe9"\n' + call,
        "bom.py": b"\xef\xbb\xbfimport torch\n" + call,
        "crlf.py": b"import torch\r\n" + call.replace(b"\n", b"\r\n"),
        "latin.cpp": b"// \xe9\r\n#include <torch/extension.h>\r\n",
    }
    for name, data in {**odd, **read}.items():
        (ops / name).write_bytes(data)
    (ops / "one").symlink_to("two")
    (ops / "two").symlink_to("one")
    (ops / "self").symlink_to(".")
    (ops / "out.py").symlink_to("/etc/passwd")
    found = document("analyze", "ops", cwd=tmp_path, code=1)
    why = {item["path"]: item for item in found["skipped"]}
    named = {*odd, "one", "two", "out.py"}
    assert named <= set(why)
    assert all(why[name]["reason"] and why[name]["remedy"] for name in named)
    assert not set(read) & set(why)
    assert found["crashes"] == []
    shown = porter("report", cwd=tmp_path).stdout
    assert "broken.py" in shown
    assert "correct the syntax" in " ".join(shown.split())
    migrated = document("migrate", "ops", cwd=tmp_path, code=1)
    tree = home / "runs" / migrated["run"] / "tree"
    assert (tree / "bom.py").read_bytes().startswith(b"\xef\xbb\xbf")
    assert b"\xe9" in (tree / "latin.py").read_bytes()
    assert (tree / "crlf.py").read_bytes().count(b"\n") == 2 * 1
    assert b"\n" not in (tree / "crlf.py").read_bytes().replace(b"\r\n", b"")
    for name, data in odd.items():
        assert (tree / name).read_bytes() == data


def test_a_file_of_100_mb_is_left_with_its_name(ops: Path, tmp_path: Path) -> None:
    with (ops / "data.py").open("wb") as file:
        file.write(b"import torch\n")
        file.truncate(101 << 20)
    done = porter("analyze", "ops", cwd=tmp_path)
    assert "data.py" in done.stdout
    shutil.rmtree(ops / ".git")
    found = document("analyze", "ops", cwd=tmp_path, code=1)
    (item,) = (item for item in found["skipped"] if item["path"] == "data.py")
    assert item["remedy"]


def test_a_rule_that_raises_costs_itself_only(
    ops: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from porter.cli.app import app
    from porter.host import home

    rules = tmp_path / "copied"
    shutil.copytree(home.rules_home(), rules)
    broken = rules / "paddle" / "python" / "broken_on_purpose"
    broken.mkdir()
    (broken / "rule.toml").write_text(
        'title = "Broken"\nmessage = "broken"\nsafety = "manual"\ncatalogue = []\nuntil = "u"\n'
    )
    (broken / "README.md").write_text("# Broken\n")
    (broken / "rule.py").write_text("def check(module, facts):\n    raise KeyError('broken')\n")
    for module in [m for m in sys.modules.values() if hasattr(m, "rules_home")]:
        monkeypatch.setattr(module, "rules_home", lambda: rules)
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["analyze", "ops", "--json", "--jobs", "1"])
    assert done.exit_code == 1, done.output
    found = json.loads(done.stdout)
    assert {crash["where"] for crash in found["crashes"]} == {"paddle/python/broken_on_purpose"}
    assert all("KeyError" in crash["error"] for crash in found["crashes"])
    assert found["findings"], "the other rules went on"
    shown = CliRunner().invoke(app, ["report"])
    assert "broken_on_purpose" in shown.stdout


def test_a_defect_leaves_a_file_to_report(ops: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(
        "import porter.survey.discover\n\n"
        "def broken(*args, **kwargs):\n    raise ValueError('made for a test')\n\n"
        "porter.survey.discover.discover = broken\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "porter", "analyze", "ops", "--json"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{site}{os.pathsep}{ROOT}"},
    )
    assert done.returncode == 4, done.stderr
    error = json.loads(done.stdout)["error"]
    assert "ValueError: made for a test" in error["message"]
    assert "made for a test" in Path(error["hint"].rpartition(" ")[2]).read_text()


def test_a_home_that_cannot_be_written_is_said(
    ops: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PORTER_HOME", str(tmp_path / "file" / "home"))
    error = document("analyze", "ops", cwd=tmp_path, code=3)["error"]
    assert str(tmp_path / "file") in error["message"]
    assert "PORTER_HOME" in error["hint"]


@pytest.mark.parametrize("damage", ["", '{"id": 3', '{"id": "older", "layout": 1}'])
def test_a_damaged_record_is_no_hindrance(
    ops: Path, tmp_path: Path, damage: str, home: Path
) -> None:
    run = document("analyze", "ops", cwd=tmp_path, code=0)["run"]
    record = home / "runs" / run / "record.json"
    record.write_text(damage)
    error = document("report", "ops", cwd=tmp_path, code=3)["error"]
    assert str(record) in error["message"]
    rows = porter("runs", "--json", cwd=tmp_path)
    assert rows.returncode == 0, rows.stderr
    fresh = document("analyze", "ops", cwd=tmp_path, code=0)["run"]
    assert document("migrate", "ops", cwd=tmp_path, code=0)["run"] == fresh


def test_a_record_of_another_version_is_refused_with_a_remedy(
    ops: Path, tmp_path: Path, home: Path
) -> None:
    run = document("analyze", "ops", cwd=tmp_path, code=0)["run"]
    record = home / "runs" / run / "record.json"
    written = json.loads(record.read_text())
    record.write_text(json.dumps({**written, "version": written["version"] + 1}))
    error = document("report", "ops", cwd=tmp_path, code=3)["error"]
    assert run in error["message"] and "porter analyze" in error["hint"]
    record.write_text(json.dumps(written))
    assert document("report", "ops", cwd=tmp_path, code=1)["run"] == run


def test_no_compiler_is_an_error_of_the_machine(ops: Path, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "git").symlink_to(shutil.which("git") or "git")
    lacking = {"PATH": str(tools), "CXX": ""}
    for word, changed in (("migrate", {}), ("build", lacking)):
        done = subprocess.run(
            [sys.executable, "-m", "porter", word, "ops", "--json"],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**os.environ, **ENV, **changed},
        )
    assert done.returncode == 3, done.stderr
    error = json.loads(done.stdout)["error"]
    assert "compiler" in error["message"]
    assert "g++" in error["hint"]


# ------------------------------------------------------------- without torch


def test_a_tree_without_torch_has_nothing_to_port(tmp_path: Path, home: Path) -> None:
    root = write(tmp_path / "plain", {"a.py": "import os\n", "b.cpp": "int main() {}\n"})
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "x")
    for words in (["port", "plain"], ["analyze", "plain"], ["migrate"], ["build"], ["verify"]):
        found = document(*words, cwd=tmp_path, code=0)
        assert found["repository"]["uses_torch"] is False
        assert found["builds"] == []
    run = home / "runs" / found["run"]
    assert not (run / "tree").exists(), "nothing is copied"
    assert "nothing to port" in porter("report", cwd=tmp_path).stdout
    assert porter("patch", cwd=tmp_path).returncode == 0


def test_every_port_writes_a_page_and_ends_with_its_path(tmp_path: Path, home: Path) -> None:
    write(tmp_path / "plain", {"a.py": "import os\n"})
    done = porter("port", "plain", cwd=tmp_path)
    last = done.stderr.split()[-1]
    assert last.endswith("report.html") and Path(last).is_relative_to(home)
    assert "nothing to port" in Path(last).read_text()


def test_a_file_git_does_not_know_yet_counts(tmp_path: Path) -> None:
    root = write(tmp_path / "plain", {"a.py": "import os\n", "gone.py": "import torch\n"})
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "x")
    (root / "gone.py").unlink()
    assert not document("analyze", "plain", cwd=tmp_path, code=0)["repository"]["uses_torch"]
    (root / "new.py").write_text("import torch\n")
    assert document("analyze", "plain", cwd=tmp_path, code=0)["repository"]["uses_torch"]


# Looks for the word in the same files with the same libraries: what nobody can do without.
SEARCH = """\
import pathlib, libcst, rich, typer
[b"torch" in path.read_bytes() for path in pathlib.Path("plain").rglob("*.py")]
"""


def test_a_large_tree_without_torch_takes_a_few_times_a_search_for_the_word(tmp_path: Path) -> None:
    text = "".join(f"value_{n} = {n}  # a line of data\n" for n in range(600))
    write(tmp_path / "plain", {f"p{n % 40}/m{n}.py": text for n in range(2000)})  # 32 MB
    peer = cpu("-c", SEARCH, cwd=tmp_path)
    assert cpu(*PORTER, "port", "plain", cwd=tmp_path) < 7 * peer  # 3 to 4 measured


def test_help_takes_few_times_what_its_library_takes_to_start(tmp_path: Path) -> None:
    peer = cpu("-c", "import typer.main", cwd=tmp_path)
    assert cpu(*PORTER, "--help", cwd=tmp_path) < 3 * peer  # 1.6 to 2.1 measured


def cpu(*words: str, cwd: Path) -> float:
    """Seconds of CPU of a Python command, the better of two tries."""
    tries = []
    for _ in range(2):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [sys.executable, *words], cwd=cwd, capture_output=True, env={**os.environ, **ENV}
        )
        assert done.returncode == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        tries.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return min(tries)


# ---------------------------------------------------------------------- help


def commands() -> Iterator[tuple[str, Any]]:
    from porter.cli.app import app

    for name, command in get_command(app).commands.items():  # type: ignore[attr-defined]
        inner = getattr(command, "commands", None)
        for below, one in (inner or {}).items():
            yield f"{name} {below}", one
        if inner is None:
            yield name, command


def test_every_command_has_examples_of_itself() -> None:
    found = dict(commands())
    assert {"port", "analyze", "migrate", "build", "verify", "report", "patch"} <= set(found)
    for name, command in found.items():
        _, mark, examples = (command.help or "").partition("Examples:")
        assert mark, f"{name} has no examples"
        assert f"porter {name}" in examples


@pytest.mark.parametrize(
    ("words", "said", "command"),
    [
        (("port", "--nonsense", "x"), "--nonsense", "porter port"),
        (("port",), "SOURCE", "porter port"),
        (("verfy",), "verify", "porter"),
        (("runs", "compare", "1"), "RUN", "porter runs compare"),
        (("analyze", ".", "-j", "x"), "--jobs", "porter analyze"),
    ],
)
def test_wrong_words_are_told_like_any_other_error(
    tmp_path: Path, words: tuple[str, ...], said: str, command: str
) -> None:
    first, hint, page = porter(*words, cwd=tmp_path).stderr.splitlines()
    assert first.startswith("porter: ") and said in first
    assert f"`{command} --help`" in hint and page.endswith("errors.md#usage")


def test_quiet_shows_results_and_errors_only(ops: Path, tmp_path: Path) -> None:
    usual, quiet = (porter("analyze", ops, *more, cwd=tmp_path) for more in ((), ("-q",)))
    assert "analyze" in usual.stderr and quiet.stderr == ""
    assert quiet.stdout == usual.stdout and quiet.returncode == usual.returncode
    wrong = porter("analyze", tmp_path / "nowhere", "--quiet", cwd=tmp_path)
    assert wrong.returncode == 2 and "nowhere" in wrong.stderr
    assert "analyze" in porter("analyze", ops, cwd=tmp_path).stderr, "of one command only"


def test_verbose_shows_each_step_and_where_its_log_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check(*args: object) -> tuple[()]:
        step = Step(name="say", argv=("echo", "two words"), cwd=str(tmp_path))
        process.run(step, tmp_path / "say.log")
        return ()

    monkeypatch.setattr("porter.stages.doctor.examine", check)
    usual, verbose = (porter("doctor", "--json", *v, cwd=tmp_path) for v in ((), ("-v",)))
    assert "echo" not in usual.stderr
    assert "$ echo 'two words'" in verbose.stderr and str(tmp_path / "say.log") in verbose.stderr
    assert (tmp_path / "say.log").read_text() == "two words\n"
    assert json.loads(verbose.stdout) == json.loads(usual.stdout) == []
    assert porter("doctor", "-v", "-q", cwd=tmp_path).returncode == 2


def test_every_command_can_be_quiet_and_verbose() -> None:
    for name, command in commands():
        flags = {flag for option in command.params for flag in option.opts}
        assert {"-v", "--verbose", "-q", "--quiet"} <= flags, name


def test_the_examples_name_options_that_exist() -> None:
    for name, command in commands():
        options = {option for parameter in command.params for option in parameter.opts}
        for line in (command.help or "").partition("Examples:")[2].splitlines():
            words = shlex.split(line.strip().removeprefix(f"porter {name}"))
            if line.strip().startswith(f"porter {name}"):
                given = {word for word in words if word.startswith("-") and " " not in word}
                assert given <= options, line


def test_migrate_sees_that_the_tree_changed_since_it_was_analyzed(ops: Path) -> None:
    first = json.loads(porter("analyze", ops, "--json", cwd=ops.parent).stdout)
    same = json.loads(porter("migrate", ops, "--json", cwd=ops.parent).stdout)
    assert same["run"] == first["run"]
    (ops / "added.py").write_text("import torch\n\n\n@torch.no_grad\ndef f(): ...\n")
    git(ops, "add", "-A")
    changed = json.loads(porter("migrate", ops, "--json", cwd=ops.parent).stdout)
    assert changed["run"] != first["run"]
    assert "added.py" in {finding["path"] for finding in changed["findings"]}


# ------------------------------------------------------------ ends of all kinds


AT_IMPORT = """
import importlib.abc, os, signal, sys
class Stopper(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.{signal})
sys.meta_path.insert(0, Stopper())
sys.argv = ["porter", "runs"]
import porter.cli
porter.cli.main()
"""


@pytest.mark.parametrize("module", ["porter.cli.app", "typer", "porter.errors"])
@pytest.mark.parametrize(("signal", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_a_signal_while_porter_starts_ends_it_without_a_traceback(
    module: str, signal: str, code: int
) -> None:
    script = AT_IMPORT.format(module=module, signal=signal)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == code
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EROFS])
def test_a_full_disk_is_no_defect(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*arguments: object, **named: object) -> None:
        raise OSError(number, os.strerror(number), "/full/file")

    write(tmp_path, FILES)
    for place in (Path, "write_text"), (Path, "mkdir"):
        with monkeypatch.context() as patch:
            patch.setattr(*place, refuse)
            patch.setattr(sys, "argv", ["porter", "analyze", str(tmp_path)])
            assert cli.run() == 3
        said = capsys.readouterr().err
        assert "PORTER_HOME" in said


def test_characters_that_move_the_cursor_are_shown_as_escapes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    hostile = "a\x1b[2J\u202eb\udcff\r\x07"
    console = Console()
    console.note(hostile)
    console.error(hostile, hostile)
    console.show(hostile)
    said = capsys.readouterr()
    for text in (said.out, said.err):
        assert "a" in text
        assert not {*"\x1b\u202e\udcff\r\x07"} & {*text}
