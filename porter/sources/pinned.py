"""A SOURCE with what it holds now: a commit, a version, or the content of a folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from porter.errors import SourceError
from porter.host import scratch
from porter.sources import checkout, repository
from porter.sources.source import Kind, SourceSpec, parse

WHOLE = (40, 64)  # digits of a commit's id


@dataclass(frozen=True, slots=True, kw_only=True)
class Pinned:
    """What to fetch, so that it is the same later and elsewhere."""

    source: str
    identity: str
    kind: Kind
    content: str  # commit, version, or git's id of a folder's whole tree


def pin(source: str) -> Pinned:
    """Find what a SOURCE holds now; of a repository elsewhere nothing is fetched.

    Raises SourceError, NetworkError, EnvironmentFailed.
    """
    spec = parse(source)
    if spec.kind is Kind.PYPI:
        if spec.ref is None:
            raise SourceError(f"{spec.text} has no version", hint="write pypi:name==version")
        return Pinned(source=spec.text, identity=spec.identity, kind=spec.kind, content=spec.ref)
    if Path(spec.location).is_absolute():
        with scratch.folder() as aside:
            got = checkout.fetch(spec, aside)
        content = got.digest if spec.kind is Kind.PATH else got.commit or ""
    else:
        content = _ask(spec)
    at = f"@{content}" if spec.kind is Kind.GIT else ""
    text = f"{spec.location}{at}" + (f"#{spec.subdir}" if spec.subdir else "")
    return Pinned(source=text, identity=parse(text).identity, kind=spec.kind, content=content)


def _ask(spec: SourceSpec) -> str:
    """The commit that a branch, a tag or the default branch of a repository elsewhere is at."""
    ref = spec.ref or "HEAD"
    if len(ref) in WHOLE and not ref.strip("0123456789abcdef"):
        return ref
    names = [ref, f"refs/{ref}", f"refs/tags/{ref}^{{}}", f"refs/tags/{ref}", f"refs/heads/{ref}"]
    with scratch.folder() as aside:
        repository.initialise(aside)
        command = ("ls-remote", "--end-of-options", spec.location, *names)
        try:
            said = repository.git(aside, *command, user_config=True)
        except repository.GitFailed as error:
            raise repository.explain_failure(error, spec.location) from error
    lines = (line.split("\t") for line in said.decode("utf-8", "replace").splitlines())
    found = {name: commit for commit, name in lines}
    for name in names:
        if name in found:
            return found[name]
    raise SourceError(
        f"no branch or tag {ref} in {repository.mask_credentials(spec.location)}",
        hint="give a branch, a tag, or all digits of a commit",
    )
