"""SOURCE as the user writes it, taken apart: a git URL, a folder, or a distribution."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from porter.errors import SourceError
from porter.sources.view import is_bare

FORMS = (
    "give a git URL (with @ref and #subdir if needed), a folder, or pypi:name==version, "
    "for instance https://example.org/ops.git@v1.2, ./ops or pypi:some-ops==1.0"
)
_SCP = re.compile(r"^(?:[\w.-]+@[\w.-]+:(?!//)\S+|[\w.-]+:(?!//)[^\s/]+/\S+)$")


LONGEST = 4000  # characters; what a path may have


class Kind(StrEnum):
    GIT = "git"
    PATH = "path"
    PYPI = "pypi"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSpec:
    """A SOURCE taken apart; `ref` is the version for a distribution."""

    text: str
    kind: Kind
    location: str  # URL, absolute path, or name of a distribution
    ref: str | None = None
    subdir: str = ""

    @property
    def identity(self) -> str:
        """One spelling for all ways to write the same source."""
        if self.kind is Kind.GIT:
            place = _plain_url(self.location)
        else:
            place = f"{self.kind.value}:{self.location}"
        mark = "==" if self.kind is Kind.PYPI else "@"
        ref = f"{mark}{self.ref}" if self.ref else ""
        return f"{place}{ref}" + (f"#{self.subdir}" if self.subdir else "")


def parse(source: str) -> SourceSpec:
    """Take a SOURCE apart, without network. Raises SourceError where it cannot be one."""
    text = source.strip()
    if not text or text.startswith("-") or any(ord(c) < 32 for c in text):
        raise SourceError(f"not a source: {source!r}", hint=FORMS)
    if len(text) > LONGEST:
        raise SourceError(f"not a source, of {len(text)} characters: {text[:60]}...", hint=FORMS)
    if text.lower().startswith("pypi:"):
        return _parse_pypi(text)
    if _exists(text):
        return _parse_path(text, text, "")
    body, _, fragment = text.partition("#")
    subdir = _subdir(fragment, text)
    body = body.removeprefix("git+")
    if "://" in body:
        return _parse_url(text, body, subdir)
    if _SCP.match(body) and not re.match(r"^[A-Za-z]:\\", body):
        host, _, path = body.partition(":")
        path, ref = _split_ref(path, text)
        return SourceSpec(
            text=text, kind=Kind.GIT, location=_safe(f"{host}:{path}", text), ref=ref, subdir=subdir
        )
    return _parse_path(text, body, subdir)


def _path(location: str, text: str) -> Path:
    try:
        path = Path(location).expanduser()
        path.exists()
    except (OSError, RuntimeError, ValueError) as error:
        raise SourceError(f"not a path: {text}: {error}", hint=FORMS) from error
    return path


def _exists(text: str) -> bool:
    try:
        return _path(text, text).exists()
    except SourceError:
        return False


def _parse_pypi(text: str) -> SourceSpec:
    from packaging.utils import canonicalize_name

    match = re.fullmatch(
        r"(?i)pypi:\s*([A-Z0-9](?:[A-Z0-9._-]*[A-Z0-9])?)\s*(?:==\s*([A-Z0-9.!+_-]+))?", text
    )
    if match is None:
        raise SourceError(f"not a distribution: {text}", hint="write pypi:name==version")
    return SourceSpec(text=text, kind=Kind.PYPI, location=canonicalize_name(match[1]), ref=match[2])


def _parse_url(text: str, body: str, subdir: str) -> SourceSpec:
    parts = urlsplit(body)
    if parts.scheme not in ("https", "http", "ssh", "git", "file"):
        raise SourceError(
            f"porter does not fetch over {parts.scheme}: {text}",
            hint="use https, ssh, git or file URLs",
        )
    path, ref = _split_ref(parts.path, text)
    if parts.scheme == "file":
        location = str(_path(unquote(path), text).resolve())
        kind = Kind.GIT if ref or is_bare(Path(location)) else Kind.PATH
        return SourceSpec(text=text, kind=kind, location=location, ref=ref, subdir=subdir)
    if not parts.netloc.strip("@") or not path.strip("/"):
        raise SourceError(f"no repository in this URL: {text}", hint=FORMS)
    url = _safe(f"{parts.scheme}://{parts.netloc}{path}", text)
    return SourceSpec(text=text, kind=Kind.GIT, location=url, ref=ref, subdir=subdir)


def _parse_path(text: str, body: str, subdir: str) -> SourceSpec:
    if _exists(body):
        location, ref = body, None
    else:
        location, ref = _split_ref(body, text)
    path = _path(location, text)
    kind = Kind.PATH if ref is None else Kind.GIT
    return SourceSpec(text=text, kind=kind, location=str(path.resolve()), ref=ref, subdir=subdir)


def _split_ref(path: str, text: str) -> tuple[str, str | None]:
    """`path@ref` at the last `@`, as pip reads it."""
    if "@" not in path:
        return path, None
    path, _, ref = path.rpartition("@")
    if not re.fullmatch(r"(?![-/.])(?!.*(?:\.\.|@\{|//))[^\s~^:?*\[\\\x00-\x1f]+(?<![/.])", ref):
        raise SourceError(f"not a git ref: {ref!r} in {text}", hint=FORMS)
    return path, ref


def _safe(url: str, text: str) -> str:
    host = re.sub(r"^\w+://", "", url)
    if host.startswith("-") or re.search(r"[@/:]-", host.split("/", 1)[0]) or "::" in url:
        raise SourceError(f"this looks like an option, not a URL: {text}", hint=FORMS)
    return url


def _subdir(fragment: str, text: str) -> str:
    fields = [field for field in fragment.split("&") if not field.startswith("egg=")]
    value = fields[0].removeprefix("subdirectory=").removeprefix("subdir=") if fields else ""
    path = PurePosixPath(value)
    if path.is_absolute() or ".." in path.parts:
        raise SourceError(f"the subdirectory must lie inside the source: {text}", hint=FORMS)
    return "" if str(path) == "." else str(path)


def _plain_url(location: str) -> str:
    """`host/path`, whichever protocol and user it is fetched with."""
    if "://" in location:
        parts = urlsplit(location)
        host, path = parts.hostname or "", parts.path
    elif _SCP.match(location):
        host, _, path = location.rpartition("@")[2].partition(":")
    else:
        return f"path:{location}"
    return f"git:{host.lower()}/{path.strip('/').removesuffix('.git')}"
