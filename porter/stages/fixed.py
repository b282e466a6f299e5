"""What a port is compared with, where the tree as it came does not build: it with the fixes that
the patch begins with."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Callable
from pathlib import Path

from porter.host import files
from porter.model import BuildResult, Status, Tree
from porter.run.record import RunRecord
from porter.run.store import Run
from porter.sources.repository import BASE_REF, git, zero_separated


def build(
    run: Run, kept: RunRecord, as_it_came: BuildResult, attempt: Callable[[Path], BuildResult]
) -> BuildResult:
    """A build of the unpatched tree, or where that failed and fixes help, one with the fixes."""
    patch = kept.migration.patch
    tried = as_it_came.cell.tree is Tree.UNPATCHED and as_it_came.status is Status.FAILED
    if not tried or patch is None or not patch.fixed:
        return as_it_came
    again = attempt(_tree(run, patch.fixed))
    if again.status is not Status.OK:
        return as_it_came
    return dataclasses.replace(again, needs_fixes=as_it_came.reason)


def _tree(run: Run, commit: str) -> Path:
    """A copy of the tree as it came, submodules included, with the files of the fixes."""
    shutil.rmtree(run.fixed, ignore_errors=True)
    shutil.copytree(run.base, run.fixed, symlinks=True)
    changed = git(run.tree, "diff", "--name-only", "-z", BASE_REF, commit)
    for path in zero_separated(changed):
        mode = (run.fixed / path).stat().st_mode & 0o777
        files.replace(run.fixed / path, git(run.tree, "show", f"{commit}:{path}"), mode)
    return run.fixed
