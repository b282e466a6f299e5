"""porter explain: one name, every version, every answer."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from porter.cli.app import app
from porter.errors import UsageError
from porter.model import Language, State
from porter.stages.explain import Explained, explain
from porter.targets import TARGETS

PADDLE = TARGETS["paddle"]


def explained(name: str) -> Explained:
    return explain(name, PADDLE, PADDLE.surface_versions())


def test_a_name_that_means_something_else_is_shown_with_its_polyfill_and_its_probe() -> None:
    found = explained("torch.equal")
    assert [one.version for one in found.versions] == list(PADDLE.surface_versions())
    assert {one.state for one in found.versions} == {State.DIFFERENT}
    assert [a.kind for a in found.answers] == ["polyfill"]
    assert found.torch is not None
    assert found.torch.signatures == ("(input, other)",)
    assert any("torch.equal(" in code for code in found.probes)


def test_a_form_of_call_is_shown_with_the_piece_that_accepts_it() -> None:
    found = explained("torch.Tensor.view")
    assert {one.polyfill for one in found.versions} == {"python/bit_views"}


def test_a_rule_is_shown_with_an_example_that_uses_the_name() -> None:
    answer, piece = explained("torch.cuda.Stream.cuda_stream").answers
    assert (piece.kind, piece.id) == ("polyfill", "python/stream_handles")
    assert (answer.kind, answer.safety) == ("rule", "safe")
    assert ".cuda_stream" in answer.before
    assert ".cuda_stream" not in answer.after


def test_a_name_that_an_example_only_mentions_is_not_what_the_rule_is_about() -> None:
    about = {answer.id for answer in explained("torch.cuda.current_stream").answers}
    assert "paddle/python/cuda_stream_attribute" not in about


@pytest.mark.parametrize(
    ("name", "state", "piece"),
    [
        ("at::Tensor::scatter_", State.MISSING, "cpp/scatter_gather"),
        ("torch::Tensor::scatter_", State.MISSING, "cpp/scatter_gather"),
        ("TORCH_CHECK", State.PRESENT, "cpp/checks"),
        ("at::from_blob", State.PRESENT, "cpp/factories"),
        ("<ATen/cuda/CUDAContext.h>", State.PRESENT, ""),
    ],
)
def test_cpp_names_macros_and_headers(name: str, state: State, piece: str) -> None:
    found = explained(name)
    assert found.language is Language.CPP
    assert {(one.state, one.polyfill) for one in found.versions} == {(state, piece)}


@pytest.mark.parametrize("name", ["torch.equals", "numpy.sum", "at::Tensor::skatter_"])
def test_what_torch_does_not_list_is_refused_with_a_name_that_is_near(name: str) -> None:
    with pytest.raises(UsageError) as refused:
        explained(name)
    if name != "numpy.sum":
        assert "did you mean" in refused.value.hint


def test_the_command_speaks_to_people_and_to_programs() -> None:
    said = CliRunner().invoke(app, ["explain", "torch.equal", "--target", "paddle==3.3.1"])
    assert said.exit_code == 0
    assert "paddle 3.3.1: different" in said.output
    assert "3.3.0" not in said.output
    said = CliRunner().invoke(app, ["explain", "torch.equal", "--json"])
    assert json.loads(said.output)["versions"][0]["state"] == "different"


def test_of_a_missing_name_it_says_what_a_piece_does_otherwise() -> None:
    found = explained("torch.addcdiv").versions[-1]
    assert found.state is State.MISSING and found.polyfill
    assert any("rounds half" in fact for fact in found.facts)
