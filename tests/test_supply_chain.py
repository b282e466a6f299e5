"""porter's dependencies are locked by hash, its tools pinned, and nothing comes unencrypted."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from porter.errors import NetworkError
from porter.sources import package_index
from porter.targets.protocol import TOOLS
from porter.targets.torch_npu import BESIDE
from tests.conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS = PROJECT["project"]["optional-dependencies"]
LOCKS = {
    "requirements.lock": (),
    "requirements-dev.lock": ("dev",),
    "requirements-docs.lock": ("docs",),
    "requirements-tools.lock": ("dev", "docs", "fuzz", "release"),
}


def locked(name: str) -> dict[str, list[tuple[str, int]]]:
    """Return the versions of each package in a lock, with how many hashes each has."""
    found: dict[str, list[tuple[str, int]]] = {}
    for entry in re.split(r"\n(?=\S)", (ROOT / name).read_text()):
        text = "\n".join(line for line in entry.splitlines() if not line.lstrip().startswith("#"))
        requirement = Requirement(text.partition("\\")[0].strip())
        (pin,) = requirement.specifier
        assert pin.operator == "==", entry
        hashes = len(re.findall(r"--hash=sha256:[0-9a-f]{64}\b", text))
        found.setdefault(canonicalize_name(requirement.name), []).append((pin.version, hashes))
    return found


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_has_every_dependency_as_asked_for_with_hashes(name: str) -> None:
    found = locked(name)
    asked = [*PROJECT["project"]["dependencies"], *(r for e in LOCKS[name] for r in EXTRAS[e])]
    for requirement in map(Requirement, asked):
        versions = found[canonicalize_name(requirement.name)]
        assert all(requirement.specifier.contains(version) for version, _ in versions)
    assert all(hashes for versions in found.values() for _, hashes in versions)


def test_the_locks_agree() -> None:
    every = locked("requirements-tools.lock")
    for name in LOCKS:
        assert {package: every[package] for package in locked(name)} == locked(name)


def test_make_installs_by_hash_alone() -> None:
    installs = re.findall(r"\$\(PIP\) (.*)", (ROOT / "Makefile").read_text())
    assert installs
    assert all("--require-hashes" in i or "--no-deps --no-build-isolation" in i for i in installs)


def test_the_tools_of_environments_have_one_version_each() -> None:
    loose = [t for t in (*TOOLS, *BESIDE) if "==" not in t and not t.startswith("pip>")]
    assert loose == []


def test_plain_http_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setattr(package_index, "_config_files", lambda: ())
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    monkeypatch.delenv("PIP_EXTRA_INDEX_URL", raising=False)
    monkeypatch.setenv("PIP_INDEX_URL", "http://index.invalid/simple")
    with pytest.raises(NetworkError, match="not encrypted"):
        package_index.find("a", None, lambda line: None)
    monkeypatch.setenv("PIP_TRUSTED_HOST", "other.invalid index.invalid")
    with pytest.raises(NetworkError) as failed:  # asked, and not found
        package_index.find("a", None, lambda line: None)
    assert "not encrypted" not in str(failed.value)
