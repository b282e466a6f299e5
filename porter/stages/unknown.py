"""Names that no surface of porter's can judge, asked of the build of the target that is there."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path

from porter.build.reach import HEADERS
from porter.errors import EnvironmentFailed
from porter.model import Language, Residue, State
from porter.run.record import RunRecord
from porter.stages import analyze
from porter.stages.options import Progress
from porter.surface import capture
from porter.surface.load import load_torch
from porter.surface.names import python_name, python_state


def settled(kept: RunRecord, python: Path, progress: Progress) -> RunRecord:
    """The record with what this interpreter's build of the target has no longer unknown, and with
    what it lacks as missing. A build for a device has names that one for the CPU cannot show."""
    surface, torch = analyze.surface_of(kept), load_torch()
    python_ones = (one for one in kept.missing if one.language is Language.PYTHON)
    names = {left.name for left in kept.residue if left.state is State.UNKNOWN}
    names |= {one.name for one in python_ones if one.state is State.UNKNOWN}
    asked = {
        name: python_name(name, torch.python)
        for name in names
        if name.startswith("torch.") and python_state(name, surface, torch).state is State.UNKNOWN
    }
    if not asked:
        return kept
    try:
        with progress.stage(f"{len(asked)} names asked of {python}"):
            answers = capture.ask(python, surface.package, set(asked.values()))
    except EnvironmentFailed as error:
        progress.note(f"  {error}")
        return kept
    known = {name: answers[listed] for name, listed in asked.items()}
    return kept.verified(
        residue=tuple(judged for one in kept.residue if (judged := _judged(one, known))),
        missing=tuple(
            dataclasses.replace(one, state=known.get(one.name, one.state))
            for one in kept.missing
            if one.state is not State.UNKNOWN or known.get(one.name) is not State.PRESENT
        ),
    )


def compiled(kept: RunRecord) -> RunRecord:
    """The record of a tree that was built against torch's own headers: what porter's list of their
    names lacks, its extensions' sources and the headers may use."""
    extensions = kept.facts.extensions if kept.facts else ()
    taken = {source for extension in extensions for source in extension.sources}

    def settled(one: Residue) -> bool:
        known = one.path in taken or (bool(taken) and one.path.endswith(HEADERS))
        return one.state is State.UNKNOWN and known

    return kept.verified(residue=tuple(r for r in kept.residue if not settled(r)))


def _judged(one: Residue, known: Mapping[str, State]) -> Residue | None:
    """None where the name is there after all."""
    state = known.get(one.name, one.state) if one.state is State.UNKNOWN else one.state
    if one.state is State.UNKNOWN and state is State.PRESENT:
        return None
    if state is one.state:
        return one
    return dataclasses.replace(one, state=state, reason="the target's build there lacks it")
