"""Fixtures shared by all tests: a private home for runs, and real environments made on demand."""

from __future__ import annotations

import itertools
import json
import os
import time
from collections import Counter
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from tests import shards

ROOT = Path(__file__).resolve().parent.parent
# Environments are kept between test runs, beside those of `make demo`.
CACHE = Path(os.environ.get("PORTER_HOME", ROOT / ".cache" / "porter"))

MAKING = 200.0  # seconds of tests, on all processes, for which environments are made
SHARED = ("compiled", "envs", "objects", "cuda-headers", "emulated")  # folders of a home


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folders for homes; `tmp_path` for each of thousands of tests would take longer than they."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in itertools.count())


@pytest.fixture(scope="session", autouse=True)
def shown(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Let steps read what tests give them, also where the sandbox hides the folders it lies in."""
    from porter.host import process

    process.show([tmp_path_factory.getbasetemp(), ROOT, CACHE])


@pytest.fixture(autouse=True)
def home(
    homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Path:
    """A porter home of its own for each test; environments, objects and headers are shared.

    Fast tests make no environment: there migrate chooses C++ pieces by name.
    """
    home = next(homes)
    monkeypatch.setenv("PORTER_HOME", str(home))
    if request.node.get_closest_marker("real") is None:
        monkeypatch.setenv("PORTER_NO_COMPILER", "1")
    return make_home(home)


def make_home(home: Path) -> Path:
    home.mkdir()
    for shared in SHARED:
        (CACHE / shared).mkdir(parents=True, exist_ok=True)
        (home / shared).symlink_to(CACHE / shared)
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
    return make_home(tmp_path_factory.mktemp("home") / "porter")


SECONDS: Counter[str] = Counter()  # by test


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    before = time.monotonic()
    result = yield
    SECONDS[item.nodeid] += time.monotonic() - before
    return result


def pytest_sessionfinish() -> None:
    """Record the seconds of each test, where that is asked for (see tests/shards.py)."""
    times = os.environ.get("PORTER_TEST_TIMES")
    if times and SECONDS:
        with Path(times).open("a") as file:
            file.write(json.dumps(SECONDS) + "\n")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shard", help="run part K of N of the selected tests: K/N")


@pytest.hookimpl(trylast=True)  # after the tests that `-m` leaves out are gone
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with the longest files, so that no process is left alone with one at the end."""
    seconds = shards.durations()
    shard = config.getoption("shard")
    if shard:
        names = {shards.file_of(item.nodeid) for item in items}
        chosen = shards.choose(names, seconds, shard)
        left_out = [item for item in items if shards.file_of(item.nodeid) not in chosen]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if shards.file_of(item.nodeid) in chosen]
    real = {shards.file_of(i.nodeid) for i in items if i.get_closest_marker("real")}
    order = _order(dict.fromkeys(shards.file_of(item.nodeid) for item in items), real, seconds)
    items.sort(key=lambda item: order.index(shards.file_of(item.nodeid)))


def _order(files: Iterable[str], real: Collection[str], seconds: Mapping[str, float]) -> list[str]:
    """The longest files first, so that no process is left alone with one at the end; before them
    some that need no environment, while tests/environments.py makes those."""
    longest = sorted(files, key=lambda file: -seconds.get(file, 0.0))
    ahead, total = [], 0.0
    for file in longest:
        if file not in real and total < MAKING:
            ahead.append(file)
            total += seconds.get(file, 0.0)
    return [*ahead, *(file for file in longest if file not in ahead)]
