"""Fixtures shared by all tests: a private home for runs, and real environments made on demand."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
# Environments are kept between test runs, beside those of `make demo`.
CACHE = Path(os.environ.get("PORTER_HOME", ROOT / ".cache" / "porter"))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """A porter home of its own for each test; environments, objects and headers are shared.

    Fast tests make no environment: there migrate chooses C++ pieces by name.
    """
    if request.node.get_closest_marker("real") is None:
        monkeypatch.setenv("PORTER_NO_COMPILER", "1")
    home = tmp_path / "porter-home"
    home.mkdir()
    for shared in ("envs", "objects", "cuda-headers", "emulated"):
        (CACHE / shared).mkdir(parents=True, exist_ok=True)
        (home / shared).symlink_to(CACHE / shared)
    monkeypatch.setenv("PORTER_HOME", str(home))
    return home


@pytest.fixture(scope="session")
def framework_pythons() -> Mapping[str, Path]:
    """Interpreters that have real torch and real paddle: named by the environment, or made."""
    from porter import targets
    from porter.build import environment
    from porter.model import Device

    pythons = {}
    for name in ("torch", "paddle"):
        given = os.environ.get(f"PORTER_TEST_{name.upper()}_PYTHON")
        if given:
            pythons[name] = Path(given)
            continue
        framework = targets.framework(name)
        spec = framework.environment(framework.default_version, Device.CPU)
        pythons[name] = environment.prepare(spec, framework, home=CACHE).python
    return pythons


@pytest.fixture(scope="module")
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    for shared in ("envs", "objects", "cuda-headers", "emulated"):
        (CACHE / shared).mkdir(parents=True, exist_ok=True)
        (home / shared).symlink_to(CACHE / shared)
    return home


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes minutes first, so that no process is left alone with it at the end."""
    items.sort(key=lambda item: [not item.get_closest_marker(name) for name in ("minutes", "real")])
