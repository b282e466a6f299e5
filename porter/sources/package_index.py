"""Find an sdist in the package indexes pip is configured for, without running anything."""

from __future__ import annotations

import base64
import configparser
import contextlib
import json
import os
import re
import ssl
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from http.client import HTTPException
from pathlib import Path
from typing import IO
from urllib.parse import unquote, urljoin, urlsplit, urlunsplit

from packaging.specifiers import SpecifierSet
from packaging.utils import InvalidSdistFilename, canonicalize_name, parse_sdist_filename
from packaging.version import InvalidVersion, Version

from porter.errors import NetworkError, SourceError

PYPI = "https://pypi.org/simple"
_ACCEPT = "application/vnd.pypi.simple.v1+json, text/html;q=0.2"
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_SECTIONS = ("global", "install", "download")


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A file that an index offers; it has a version where it is an sdist."""

    filename: str
    url: str
    sha256: str | None
    yanked: bool
    version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Where pip would look, in its order."""

    indexes: tuple[str, ...]
    links: tuple[str, ...]
    timeout: float = 60.0
    certificate: str | None = None
    trusted: tuple[str, ...] = ()  # hosts that pip may ask without encryption
    proxy: str | None = None


def find(
    name: str, version: str | SpecifierSet | None, progress: Callable[[str], None]
) -> Candidate:
    """The sdist of a version, or of the newest release (that a specifier allows).

    Raises SourceError, NetworkError.
    """
    settings = read_settings()
    found: list[Candidate] = []
    others: set[str] = set()
    failures: list[str] = []
    for url in (*settings.links, *(f"{index.rstrip('/')}/{name}/" for index in settings.indexes)):
        progress(f"looking for {name} in {strip_credentials(url)}")
        try:
            page = _page(url, settings)
        except (OSError, HTTPException) as error:
            failures.append(f"{strip_credentials(url)}: {error}")
            continue
        found += _candidates(page, name)
        others |= {file.filename for file in page if _names(file.filename, name)}
    return _choose(name, version, found, others, failures)


def _choose(
    name: str,
    version: str | SpecifierSet | None,
    found: list[Candidate],
    others: set[str],
    failures: list[str],
) -> Candidate:
    if version and isinstance(version, str):
        wanted = _version(version)
        fitting = [c for c in found if Version(c.version) == wanted]
    else:
        allowed = version if isinstance(version, SpecifierSet) else SpecifierSet()
        fits = [c for c in found if allowed.contains(c.version, prereleases=True)]
        live = [c for c in fits if not c.yanked]
        final = [c for c in live if not Version(c.version).is_prerelease]
        fitting = sorted(final or live, key=lambda c: Version(c.version), reverse=True)
    if fitting:
        return fitting[0]
    if failures and not found and not others:
        raise NetworkError(
            f"no package index could be read for {name}: {'; '.join(failures)}",
            hint="check the network and pip's index settings (`pip config list`)",
        )
    raise _missing_distribution_error(name, str(version or ""), found, others)


def _missing_distribution_error(
    name: str, version: str, found: list[Candidate], others: set[str]
) -> SourceError:
    if not found and not others:
        return SourceError(
            f"no distribution named {name}", hint="check the name, or give a git URL"
        )
    if not found or (version and any(f"-{version}-" in other for other in others)):
        return SourceError(
            f"{name}{'==' * version[:1].isdigit()}{version} has no sdist, only wheels",
            hint="give the URL of its git repository",
        )
    versions = sorted({Version(c.version) for c in found}, reverse=True)
    shown = ", ".join(map(str, versions[:12]))
    return SourceError(f"{name} has no version {version}", hint=f"versions with an sdist: {shown}")


def _version(text: str) -> Version:
    try:
        return Version(text)
    except InvalidVersion as error:
        raise SourceError(f"not a version: {text}", hint="write pypi:name==version") from error


# -------------------------------------------------------------------- pages


class _Anchors(HTMLParser):
    """Collects the links of a simple index page."""

    def __init__(self, base: str) -> None:
        super().__init__()
        self.base = base
        self.files: list[Candidate] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "base" and values.get("href"):
            with contextlib.suppress(ValueError):
                self.base = urljoin(self.base, values["href"])
        if tag == "a" and values.get("href"):
            with contextlib.suppress(ValueError):  # no URL
                url = urljoin(self.base, values["href"])
                self.files.append(_file(url, "data-yanked" in values))


def _file(url: str, yanked: bool = False) -> Candidate:
    parts = urlsplit(url)
    said = parts.fragment.startswith("sha256=")
    stated = _digest(parts.fragment.removeprefix("sha256=").split("&")[0]) if said else None
    return Candidate(
        filename=unquote(parts.path.rpartition("/")[2]),
        url=urlunsplit(parts._replace(fragment="")),
        sha256=stated,
        yanked=yanked,
    )


def _page(url: str, settings: Settings) -> list[Candidate]:
    """The files a page or folder lists; none where the index does not know the name."""
    local = _local(url)
    if local is not None:
        if local.is_dir() and not (local / "index.html").is_file():
            return [_file(entry.as_uri()) for entry in sorted(local.iterdir())]
        local = local / "index.html" if local.is_dir() else local
        return _anchors(local.read_text("utf-8"), local.as_uri()) if local.is_file() else []
    try:
        with open_url(url, settings) as response:
            kind = response.headers.get("Content-Type", "")  # type: ignore[attr-defined]
            final = response.geturl()  # type: ignore[attr-defined]
            text = response.read().decode("utf-8", "replace")
    except urllib.error.HTTPError as error:
        if error.code in (404, 410):
            return []
        raise
    return _json_files(text, final) if "json" in kind else _anchors(text, final)


def _anchors(text: str, base: str) -> list[Candidate]:
    parser = _Anchors(base)
    try:
        parser.feed(text)
    except AssertionError as error:  # what html.parser raises of a marked section it does not know
        raise OSError(f"the index returned unexpected HTML ({error})") from error
    return parser.files


def _json_files(text: str, base: str) -> list[Candidate]:
    try:
        files = json.loads(text)["files"]
        return [
            Candidate(
                filename=str(file["filename"]),
                url=urljoin(base, file["url"]),
                sha256=_digest(file.get("hashes", {}).get("sha256")),
                yanked=bool(file.get("yanked", False)),
            )
            for file in files
        ]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise OSError(f"the index returned unexpected JSON ({error})") from error


def _digest(stated: object) -> str | None:
    text = str(stated).lower()
    return text if re.fullmatch(r"[0-9a-f]{64}", text) else None


def _candidates(files: list[Candidate], name: str) -> Iterator[Candidate]:
    for file in files:
        try:
            project, version = parse_sdist_filename(file.filename)
        except (InvalidSdistFilename, InvalidVersion):
            continue
        if project == canonicalize_name(name) and "/" not in file.filename:
            yield replace(file, version=str(version))


def _names(filename: str, name: str) -> bool:
    return filename.endswith(".whl") and canonicalize_name(filename.split("-")[0]) == name


# ------------------------------------------------------------ pip's settings


def read_settings() -> Settings:
    """What pip's configuration files and environment variables say about indexes."""
    values = _config_values()

    def words(key: str) -> tuple[str, ...]:
        return tuple(values.get(key, "").split())

    index = () if values.get("no-index", "").lower() in ("1", "true", "yes", "on") else (
        (values.get("index-url") or PYPI).strip(), *words("extra-index-url")
    )  # fmt: skip
    timeout = values.get("timeout") or values.get("default-timeout") or "60"
    return Settings(
        indexes=index,
        links=words("find-links"),
        timeout=float(timeout) if timeout.replace(".", "", 1).isdigit() else 60.0,
        certificate=values.get("cert"),
        trusted=words("trusted-host"),
        proxy=values.get("proxy"),
    )


def _config_values() -> dict[str, str]:
    values: dict[str, str] = {}
    chosen = os.environ.get("PIP_CONFIG_FILE")
    files = [*_config_files(), *([Path(chosen)] if chosen else [])]
    for path in [] if chosen == os.devnull else files:
        parser = configparser.RawConfigParser()
        try:
            parser.read(path, encoding="utf-8")
        except (configparser.Error, UnicodeDecodeError):
            continue  # pip itself reports a broken file
        for section in _SECTIONS:
            if parser.has_section(section):
                values |= {key.replace("_", "-"): text for key, text in parser.items(section)}
    for key, text in os.environ.items():
        if key.startswith("PIP_") and text:
            values[key.removeprefix("PIP_").lower().replace("_", "-")] = text
    return values


def _config_files() -> Iterator[Path]:
    home = Path.home()
    roots = os.environ.get("XDG_CONFIG_DIRS", "/etc/xdg").split(os.pathsep)
    yield from (Path(root) / "pip" / "pip.conf" for root in reversed(roots))
    yield Path("/etc/pip.conf")
    yield home / ".pip" / "pip.conf"
    if sys.platform == "darwin":
        yield home / "Library" / "Application Support" / "pip" / "pip.conf"
    yield Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config") / "pip" / "pip.conf"
    yield Path(sys.prefix) / "pip.conf"


# ------------------------------------------------------------------ opening


def open_url(url: str, settings: Settings | None = None) -> IO[bytes]:
    """Open a URL or a local file. Raises OSError."""
    settings = settings or read_settings()
    local = _local(url)
    if local is not None:
        return local.open("rb")
    parts = urlsplit(url)
    if parts.scheme not in ("https", "http"):
        raise OSError(f"not an https or http URL: {strip_credentials(url)}")
    _require_encrypted(url, settings)
    headers = {"Accept": _ACCEPT, "User-Agent": "porter"}
    if parts.username:
        secret = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        headers["Authorization"] = "Basic " + base64.b64encode(secret.encode()).decode()
    request = urllib.request.Request(_bare(url), headers=headers)
    handlers: list[urllib.request.BaseHandler] = [
        urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=settings.certificate))
    ]
    if settings.proxy:
        proxies = {"http": settings.proxy, "https": settings.proxy}
        handlers.append(urllib.request.ProxyHandler(proxies))
    opener = urllib.request.build_opener(*handlers)
    response: IO[bytes] = opener.open(request, timeout=settings.timeout)
    _require_encrypted(response.geturl(), settings)  # type: ignore[attr-defined]
    return response


def _require_encrypted(url: str, settings: Settings) -> None:
    """Refuse plain http, as pip does: neither a page nor the hashes on it are what was sent."""
    parts = urlsplit(url)
    known = (*_LOOPBACK, *settings.trusted)
    if parts.scheme == "http" and not {parts.hostname, f"{parts.hostname}:{parts.port}"} & {*known}:
        raise OSError(f"{strip_credentials(url)} is not encrypted: use https, or trusted-host")


def strip_credentials(url: str) -> str:
    """The URL as it may be shown."""
    return _bare(url) if "://" in url else url


def _bare(url: str) -> str:
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def _local(url: str) -> Path | None:
    if url.startswith("file:"):
        return Path(unquote(urlsplit(url).path))
    return None if "://" in url else Path(url).expanduser()
