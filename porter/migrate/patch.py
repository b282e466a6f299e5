"""A plan to commits, a `git am` series and one diff; written whole or not at all."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from porter.errors import ExitCode, PorterError, UsageError
from porter.host import files
from porter.migrate.commits import Group, groups, message
from porter.model import FilePatch, PatchRecord, Plan
from porter.sources import repository
from porter.sources.repository import git

COMBINED = "port.patch"
_QUOTED = re.compile(rb"=|[^\t\n\x20-\x7e]")  # what quoted-printable writes in hexadecimal


class PatchError(PorterError):
    """A plan that does not fit the tree it is for."""

    exit_code = ExitCode.DEFECT
    anchor = "patch"


def write(plan: Plan, tree: Path, out: Path, command: str) -> PatchRecord:
    """Commit a plan onto the work tree's base commit, and write it below `out`.

    `command` is what regenerates it. An earlier patch of the same tree is replaced.
    Raises PatchError where the tree is not the one planned for; the tree is then as before.
    """
    base = repository.head(tree, repository.BASE_REF)
    repository.restore(tree, base)
    try:
        fixed, author = "", repository.user(tree)
        for group in groups(plan):
            _commit(tree, group, command, author)
            if group.is_fix:
                fixed = repository.head(tree)
    except BaseException:
        repository.restore(tree, base)
        raise
    fixes = {change.rule: change for patch in plan.fixes for change in patch.changes}
    return replace(_export(tree, base, out), fixed=fixed, fixes=tuple(fixes.values()))


# ------------------------------------------------------------------- commits


def _commit(tree: Path, group: Group, command: str, author: tuple[str, str]) -> None:
    for patch in group.patches:
        _put(tree, patch)
    paths = [path for p in group.patches for path in (p.path, p.renamed_from) if path]
    git(tree, "--literal-pathspecs", "add", "--force", "--all", "--", *paths)
    repository.commit(tree, message(group, command), _date(), author)


def _date() -> str:
    """Now, or SOURCE_DATE_EPOCH for a patch that is the same every time."""
    stated = os.environ.get("SOURCE_DATE_EPOCH", "")
    when = datetime.fromtimestamp(int(stated), UTC) if stated.isdigit() else datetime.now(UTC)
    return when.isoformat(timespec="seconds")


# --------------------------------------------------------------------- files


def _put(tree: Path, patch: FilePatch) -> None:
    """Bring one file to its planned bytes, atomically, with the mode it had."""
    old = tree / (patch.renamed_from or patch.path)
    new = tree / patch.path
    for path in {old, new}:
        _require_inside(tree, path)
    present = old.read_bytes() if old.is_file() else None
    if present != patch.before or (old != new and new.exists()):
        raise PatchError(f"{patch.path} is not as planned for", hint="run `porter migrate` again")
    if patch.after is not None:
        mode = old.stat().st_mode & 0o777 if present is not None else 0o644
        new.parent.mkdir(parents=True, exist_ok=True)
        files.replace(new, patch.after, mode, aside=tree / ".git")
    if patch.before is not None and (patch.after is None or old != new):
        old.unlink()


def _require_inside(tree: Path, path: Path) -> None:
    """Nothing is written through a link, out of the tree, or into its `.git`."""
    relative = path.relative_to(tree)
    if ".." in relative.parts or ".git" in relative.parts or not relative.parts:
        raise PatchError(f"a patch cannot write {relative}")
    for count in range(1, len(relative.parts) + 1):
        if tree.joinpath(*relative.parts[:count]).is_symlink():
            raise UsageError(
                f"{relative} is or lies behind a symbolic link; nothing written",
                hint="replace the link by a folder or file of the repository",
            )


# -------------------------------------------------------------------- output


def _export(tree: Path, base: str, out: Path) -> PatchRecord:
    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob("*.patch"):
        old.unlink()
    shape = ("--binary", "--full-index", "--find-renames")
    combined = out / COMBINED
    files.replace(combined, git(tree, "diff", *shape, base, "HEAD"))
    plain = ("--zero-commit", "--no-signature", "-o", str(out))
    git(tree, "format-patch", "-q", *shape, *plain, f"{base}..HEAD")
    series = tuple(sorted(p for p in out.glob("*.patch") if p.name != COMBINED))
    for path in series:
        data = path.read_bytes()
        if b"\r" in data:
            files.replace(path, _quote_mail(data))
    changed, added, removed = _count(tree, base)
    return PatchRecord(
        path=str(combined),
        series=tuple(map(str, series)),
        files=changed,
        added=added,
        removed=removed,
        digest=git(tree, "rev-parse", "HEAD^{tree}").decode().strip(),
    )


def _quote_mail(mail: bytes) -> bytes:
    """A mail that keeps carriage returns: `git am` drops them from plain text."""
    head, _, body = mail.partition(b"\n\n")
    headers = [
        line for line in head.split(b"\n")
        if not line.lower().startswith((b"content-", b"mime-version:"))
    ]  # fmt: skip
    headers += [
        b"MIME-Version: 1.0",
        b"Content-Type: text/plain; charset=UTF-8",
        b"Content-Transfer-Encoding: quoted-printable",
    ]
    return b"\n".join(headers) + b"\n\n" + _QUOTED.sub(_hexadecimal, body)


def _hexadecimal(match: re.Match[bytes]) -> bytes:
    return b"=%02X" % match[0][0]


def _count(tree: Path, base: str) -> tuple[int, int, int]:
    """Files, lines added, lines removed; binary files count no lines."""
    out = git(tree, "diff", "--numstat", "--no-renames", base, "HEAD").decode("utf-8", "replace")
    rows = [line.split("\t") for line in out.splitlines()]
    numbers = [[int(n) if n.isdigit() else 0 for n in row[:2]] for row in rows]
    return len(rows), sum(n[0] for n in numbers), sum(n[1] for n in numbers)
