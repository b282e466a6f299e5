"""Completion: by the protocol that shells speak, and by bash itself."""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from porter import cli
from tests.test_cli import git, ops, porter

__all__ = ["ops"]  # a fixture


def complete(*words: str, shell: str = "zsh", cursor: int | None = None) -> list[str]:
    """What a shell is offered for the last of these words, by the protocol of typer."""
    given = {"_PORTER_COMPLETE": f"complete_{shell}"}
    if shell == "bash":
        at = len(words) if cursor is None else cursor
        given |= {"COMP_WORDS": "\n".join(("porter", *words)), "COMP_CWORD": str(at)}
    else:
        given |= {"_TYPER_COMPLETE_ARGS": shlex.join(("porter", *words[:-1])) + " " + words[-1]}
        given |= {"_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    out = io.StringIO()
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(out),
        contextlib.suppress(SystemExit),
    ):
        for name, value in given.items():
            patch.setenv(name, value)
        patch.setattr(sys, "argv", ["porter"])
        cli.run()
    return [line for line in out.getvalue().splitlines() if line]


@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_targets_and_their_versions(shell: str) -> None:
    assert "paddle" in complete("analyze", "--target", "pa", shell=shell)[0]
    assert "mindspore" not in "".join(complete("analyze", "-t", "pa", shell=shell))
    words = ("paddle", "==", "3.3.") if shell == "bash" else ("paddle==3.3.",)
    found = complete("port", "./ops", "--target", *words, shell=shell)
    whole = "" if shell == "bash" else "paddle=="
    assert [line.split("\t")[0] for line in found] == [f"{whole}3.3.0", f"{whole}3.3.1"]


def test_bash_goes_on_after_its_word_breaks() -> None:
    assert complete("analyze", "--target", "paddle", "==", shell="bash") == ["3.3.0", "3.3.1"]
    assert complete("analyze", "--target", "=", "pa", shell="bash") == ["paddle"]
    assert complete("mi", shell="bash") == ["migrate"]


def test_rules_by_short_and_by_whole_names() -> None:
    assert complete("rules", "event_wait", shell="bash") == ["event_wait_method"]
    found = complete("rules", "paddle/python/event_wait", shell="bash")
    assert found == ["paddle/python/event_wait_method"]


def test_runs_the_newest_first_with_their_sources(ops: Path, tmp_path: Path) -> None:
    for _ in range(2):
        porter("analyze", "ops", cwd=tmp_path)
    ids = [line.split("  ")[0] for line in porter("runs", cwd=tmp_path).stdout.splitlines()]
    assert complete("report", "--run", "", shell="bash") == ids[::-1]
    assert complete("runs", "compare", ids[0], ids[1][:-1], shell="bash") == [ids[1]]
    (line,) = complete("report", "--run", ids[0], shell="fish")
    assert line == f"{ids[0]}\t{ops}"


def test_refs_of_a_repository_on_this_machine(ops: Path) -> None:
    git(ops, "tag", "v1.2")
    git(ops, "branch", "vnext")
    url = f"file://{ops}"
    found = complete("analyze", f"{url}@v", shell="fish")
    assert {line.split("\t")[0] for line in found} == {f"{url}@v1.2", f"{url}@vnext"}
    words = ("file", ":", f"//{ops}", "@", "v1")
    assert complete("analyze", *words, shell="bash") == ["v1.2"]
    assert complete("analyze", "file:///nowhere@", shell="fish") == []
    assert complete("analyze", "https://example.invalid/a@", shell="fish") == []


def test_branches_that_porter_made(ops: Path) -> None:
    porter("migrate", "--no-compiler", cwd=ops)
    done = porter("patch", "--apply", cwd=ops)
    assert done.returncode == 0, done.stderr
    assert complete("undo", "--branch", "po", shell="bash") == ["porter/paddle"]


def test_words_of_options() -> None:
    assert complete("analyze", "--style", "", shell="bash") == ["dual", "fork"]
    assert complete("port", "a", "--device", "em", shell="bash") == ["emulated"]
    assert complete("port", "a", "--sandbox", "re", shell="bash") == ["require"]


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_itself_completes_with_the_script_that_porter_prints(tmp_path: Path) -> None:
    program = tmp_path / "porter"
    program.write_text(f"#!{sys.executable}\nfrom porter.cli import main\n\nmain()\n")
    program.chmod(0o755)
    script = f"""
PATH={shlex.quote(str(tmp_path))}:$PATH
eval "$(_PORTER_COMPLETE=source_bash porter)"
COMP_WORDS=(porter analyze --target paddle == 3.3)
COMP_CWORD=5
_porter_completion porter
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    done = subprocess.run(
        ["bash", "--norc", "-c", script], capture_output=True, text=True, env=dict(os.environ)
    )
    assert done.stdout.split() == ["3.3.0", "3.3.1"], done.stderr
