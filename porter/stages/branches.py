"""The patch of a run as a branch of the user's clone, and back."""

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from porter.errors import UsageError
from porter.host import files, scratch
from porter.migrate import branch
from porter.migrate.branch import Branch
from porter.run.record import RunRecord
from porter.run.store import Run


def apply(run: Run, kept: RunRecord, clone: Path, name: str) -> Branch:
    """Put a run's patch on a new branch of a clone; nothing is to do where that was done.

    Raises UsageError.
    """
    earlier = [made for _, made in _find_applied((run,))]
    with scratch.folder() as aside:
        made = branch.build(clone, _series(run, kept), name, aside, earlier)
        if made in earlier and branch.is_at(made):
            return made
        note = _note(run, made)  # first, so that `undo` knows of it whatever happens next
        try:
            branch.create(made, aside)
        except BaseException:
            if not branch.is_at(made):
                note.unlink(missing_ok=True)
            raise
    return made


def undo(runs: Iterable[Run], clone: Path | None, name: str | None) -> tuple[Branch, bool]:
    """Delete the branch that `apply` made last; give it, and whether it was still there.

    Raises UsageError where there is none, or it is no longer as porter left it.
    """
    known = [
        made
        for _, made in sorted(_find_applied(runs), key=lambda item: -item[0])
        if (clone is None or Path(made.repository) == clone.resolve()) and name in (None, made.name)
    ]
    if not known:
        said = f"branch {name!r} that" if name else "branch that"
        raise UsageError(
            f"no {said} `porter patch --apply` made",
            hint="name the SOURCE, or the run: `porter runs`",
        )
    last = known[0]
    tries = (m for m in known if (m.repository, m.name) == (last.repository, last.name))
    with scratch.folder() as aside:  # of tries that were cut short only one made the branch
        chosen = next((made for made in tries if branch.is_at(made)), last)
        return chosen, branch.delete(chosen, aside)


def list_made(runs: Iterable[Run]) -> list[Branch]:
    """The branches that `apply` made. Raises UsageError for a note that cannot be read."""
    return [made for _, made in _find_applied(runs)]


def _series(run: Run, kept: RunRecord) -> list[bytes]:
    """The patches as mails, of one migration."""
    assert kept.migration.patch is not None
    try:
        mails = [Path(path).read_bytes() for path in kept.migration.patch.series]
        if run.load().migration.patch == kept.migration.patch:
            return mails
    except FileNotFoundError:
        pass
    raise UsageError(
        f"the patch of run {kept.id} is being rewritten, or was deleted",
        hint="`porter migrate` writes it; then try again",
    )


def _note(run: Run, made: Branch) -> Path:
    path = run.applied / f"{time.time_ns()}.json"
    path.parent.mkdir(exist_ok=True)
    files.replace(path, json.dumps(dataclasses.asdict(made)))
    return path


def _find_applied(runs: Iterable[Run]) -> Iterator[tuple[int, Branch]]:
    """The branches that runs were put on, each with when."""
    for run in runs:
        for path in run.applied.glob("*.json"):
            try:
                yield int(path.stem), Branch(**json.loads(path.read_bytes()))
            except (OSError, TypeError, ValueError) as error:
                raise UsageError(f"{path} cannot be read: {error}", hint="delete it") from error
