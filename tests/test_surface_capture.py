"""Capture and files of surfaces; the captures themselves need real frameworks."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.errors import EnvironmentFailed, RuleError, UsageError
from porter.host.home import rules_home
from porter.model import State, Surface, Symbol
from porter.surface.capture import capture, read_request
from porter.surface.facts import parse
from porter.surface.load import list_shipped, load, nearest, read, save
from porter.surface.signatures import rejections


def test_a_surface_is_read_back_as_it_was_saved(tmp_path: Path) -> None:
    surface = Surface(
        package="paddle",
        version="9.9.9",
        build="cpu",
        python={
            "torch.a": Symbol(
                kind="function", signatures=("(x)",), facts=(parse("call: differs"),)
            ),
            "torch.b": Symbol(kind="class", state=State.MISSING),
            "torch.c": Symbol(kind="module"),
        },
        cpp={"at::a": Symbol(kind="function", signatures=("(x)",), provenance="ATen/a.h")},
        quirks={"it_differs": ("torch.a",), "it_does_not": ()},
    )
    save(surface, tmp_path / "s.json")
    assert read(tmp_path / "s.json") == surface


def test_a_surface_file_has_one_name_a_line_in_order(tmp_path: Path) -> None:
    names = {n: Symbol(kind="function") for n in ("torch.b", "torch.a")}
    save(Surface(package="p", version="1", build="cpu", python=names), tmp_path / "s.json")
    lines = (tmp_path / "s.json").read_text().splitlines()
    assert [line for line in lines if "torch." in line] == [
        '"torch.a": ["function"],',
        '"torch.b": ["function"]',
    ]


def test_a_damaged_surface_names_its_file(tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text('{"package": "paddle"')
    with pytest.raises(RuleError, match=r"s\.json"):
        read(tmp_path / "s.json")


def test_an_unshipped_patch_version_is_answered_by_the_newest_before_it() -> None:
    assert nearest("paddle", "3.3.1") == "3.3.1"
    assert nearest("paddle", "3.3.7") == "3.3.1"
    assert nearest("paddle", "3.3.0.post1") == "3.3.0"
    assert load("paddle", "3.4.0").version == "3.3.1"
    assert list_shipped("paddle")[:2] == ("3.3.0", "3.3.1")


def test_an_unknown_package_is_a_clear_error() -> None:
    with pytest.raises(UsageError, match="nosuch"):
        nearest("nosuch", "1.0")


def test_a_keyword_that_only_torch_takes_is_a_fact() -> None:
    found = rejections(("(input, dim, *, out=None) -> Tensor",), "(x, axis=None)", False)
    facts = [str(fact) for fact in found]
    assert "keyword dim: not accepted" in facts
    assert "keyword out: not accepted" in facts


def test_a_target_that_takes_any_keyword_rejects_none() -> None:
    assert list(rejections(("(input, *, dim)",), "(x, **kwargs)", False)) == []


def test_an_argument_of_another_meaning_at_the_same_place_is_a_fact() -> None:
    (fact,) = rejections(("(name, sources, *args, **kwargs)",), "(sources, **kwargs)", False)
    assert str(fact) == "position 1: means sources, not name"


def test_the_receiver_of_a_member_is_no_argument() -> None:
    assert list(rejections(("(self, dim)",), "(x, dim)", member=True)) == []


def test_tables_of_the_shipped_target_are_valid() -> None:
    request = read_request(rules_home() / "paddle" / "surface.toml")
    assert request.package == "paddle"


def test_an_interpreter_without_the_framework_is_an_environment_error(tmp_path: Path) -> None:
    import sys

    if _has("torch"):
        pytest.skip("this interpreter has torch")
    with pytest.raises(EnvironmentFailed, match="failed to answer"):
        capture(Path(sys.executable), "torch")


def _has(name: str) -> bool:
    import importlib.util

    return importlib.util.find_spec(name) is not None
