"""Targets: what a user may write, what is refused, what a unit is compiled with."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter import targets
from porter.errors import UsageError
from porter.model import Device
from porter.targets import Environment
from porter.targets.versions import release


def environment(name: str) -> Environment:
    return Environment(
        python=Path("/env/bin/python"), framework=name, version="1", build="cpu", root="/env/fw"
    )


def test_a_name_alone_means_the_default_version() -> None:
    target, version = targets.resolve("paddle")
    assert (target.name, version) == ("paddle", target.default_version)


def test_a_version_is_kept_as_written() -> None:
    assert targets.resolve("paddle==3.4.0")[1] == "3.4.0"
    assert targets.resolve(" paddle == 3.3.0 ")[1] == "3.3.0"


@pytest.mark.parametrize("written", ["paddel", "paddlepaddle==3.3.1"])
def test_a_misspelt_target_gets_a_suggestion(written: str) -> None:
    with pytest.raises(UsageError, match="unknown target") as caught:
        targets.resolve(written)
    assert "`paddle`" in caught.value.hint


def test_an_unknown_target_gets_the_list() -> None:
    with pytest.raises(UsageError) as caught:
        targets.resolve("jax")
    assert "paddle" in caught.value.hint


@pytest.mark.parametrize("version", ["3.2.2", "3.2.0", "2.6.2", "3.0.0b1"])
def test_a_paddle_without_the_proxy_is_refused(version: str) -> None:
    with pytest.raises(UsageError, match="no torch proxy"):
        targets.resolve(f"paddle=={version}")


@pytest.mark.parametrize("written", ["paddle==", "paddle==latest", "paddle==3.x"])
def test_what_is_no_version_is_refused(written: str) -> None:
    with pytest.raises(UsageError, match="version"):
        targets.resolve(written)


def test_a_build_from_source_without_a_number_is_not_refused() -> None:
    assert targets.resolve("paddle==0.0.0")[1] == "0.0.0"


def test_the_shipped_versions_are_sorted_as_numbers() -> None:
    shipped = targets.TARGETS["paddle"].surface_versions()
    assert list(shipped) == sorted(shipped, key=lambda v: release(v) or ())


@pytest.mark.parametrize(
    ("written", "numbers"),
    [
        ("3.3", (3, 3, 0)),
        ("3.3.1", (3, 3, 1)),
        ("2.13.0+cpu", (2, 13, 0)),
        ("3.4.0.dev20260101", (3, 4, 0)),
        ("3.4.0rc1", (3, 4, 0)),
        ("nightly", None),
    ],
)
def test_releases_are_numbers(written: str, numbers: tuple[int, ...] | None) -> None:
    assert release(written) == numbers


@pytest.mark.parametrize("name", ["torch", "paddle"])
def test_every_framework_answers_the_protocol(name: str) -> None:
    found = targets.framework(name)
    assert isinstance(found, targets.Framework)
    assert found.name == name
    assert found.environment("1.0", Device.CPU).requirements[0].endswith("==1.0")


@pytest.mark.parametrize("target", targets.TARGETS.values(), ids=lambda t: t.name)
def test_every_target_answers_the_protocol(target: targets.Target) -> None:
    assert isinstance(target, targets.Target)
    assert target.activation and target.stages and target.pack


def test_a_gpu_asks_for_another_distribution() -> None:
    paddle = targets.TARGETS["paddle"]
    assert paddle.environment("3.3.1", Device.CPU).requirements[0] == "paddlepaddle==3.3.1"
    assert paddle.environment("3.3.1", Device.CUDA).requirements[0] == "paddlepaddle-gpu==3.3.1"


@pytest.mark.parametrize("name", ["torch", "paddle"])
def test_cuda_defines_belong_to_cuda_units_only(name: str) -> None:
    framework = targets.framework(name)
    plain = framework.compile_arguments(environment(name), cuda_source=False, device=Device.CPU)
    assert not any("CUDA" in define for define in plain.defines)
    assert all(folder.startswith("/env/fw") or not folder for folder in plain.includes)


def test_the_builder_of_paddle_that_prints_failure_has_failed() -> None:
    import re

    mark = targets.TARGETS["paddle"].failure_marks[0]
    assert re.search(mark, "  /tree/csrc/ops.cpp compile failed, command 'g++' failed")
    assert not re.search(mark, "checking whether the test program compile failed, trying again")
