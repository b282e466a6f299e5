"""What the build of a cell is given, of a run's record and the user's choices."""

from __future__ import annotations

import posixpath
from pathlib import Path

from porter import targets
from porter.build.driver import Options as BuildOptions
from porter.model import Ascend, Cell, Evidence, ProjectFacts, Tree
from porter.run.record import RunRecord
from porter.stages.options import Options
from porter.survey.discover import discover
from porter.survey.survey import survey


def compat_wheel(kept: RunRecord, cell: Cell) -> Path | None:
    """The package of pieces, for the target's cells of a tree that imports it."""
    from porter.unit.package import wheel

    target = targets.TARGETS[kept.target or ""]
    if kept.form.is_vendored or cell.environment != target.name or cell.tree is Tree.UNPATCHED:
        return None
    return wheel(target.rules / target.pack)


def project_of(kept: RunRecord, cell: Cell, tree: Path) -> str:
    """The folder of a cell's tree with what is built and tested: the project, or the one that a
    conversion wrote beside it for the target."""
    subdir = kept.source.subdir or ""
    own = targets.TARGETS[kept.target or ""].project if cell.environment == kept.target else ""
    there = posixpath.join(subdir, own)
    return there if own and (tree / there).is_dir() else subdir


def options_of(
    kept: RunRecord, options: Options, cell: Cell, patched: Path | None = None
) -> BuildOptions:
    facts = kept.facts or ProjectFacts()
    prefix = f"{kept.source.subdir}/" if kept.source.subdir else ""
    subdir = kept.source.subdir or ""
    own = project_of(kept, cell, patched) if patched else subdir
    return BuildOptions(
        subdir=subdir,
        project=own if own != subdir else "",
        build_scripts=tuple(prefix + script for script in facts.build_scripts),
        packages=tuple(prefix + package.path for package in facts.packages),
        jobs=options.jobs,
        timeout=options.timeout,
        requirements=options.isolation and not options.offline,
        compat_wheel=compat_wheel(kept, cell),
        everywhere=cell.tree is Tree.UNMODIFIED,
        needed=options.needed,
        prepare=kept.prepare,
        ascend=_ascend(kept, patched),
        tested=bool(facts.tests or options.tests) and cell.evidence is not Evidence.COMPILED,
        # It comes with CUDA builds of torch, so that few say that they need it; here it does not.
        # Its wheel brings no CUDA package.
        extras=(*options.requires, *(("triton",) if "triton" in kept.kernels else ())),
        identity=kept.source.identity,
    )


def _ascend(kept: RunRecord, patched: Path | None) -> Ascend | None:
    """What a tree has for Ascend NPUs: the patch may bring operator packages."""
    if patched is not None and kept.migration.route:
        root = patched / (kept.source.subdir or "")
        return survey(root, discover(root, exclude=kept.analysis.scope.exclude)).ascend
    return kept.ascend
