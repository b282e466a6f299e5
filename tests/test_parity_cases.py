"""porter.parity.toml: read, validated, frozen."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.errors import UsageError
from porter.model import Device, ParityCase, Placeholder, TensorSpec
from porter.parity.cases import load, tensors


def cases(tmp_path: Path, text: str) -> tuple[ParityCase, ...]:
    path = tmp_path / "porter.parity.toml"
    path.write_text(text, encoding="utf-8")
    return load(path)


def one(tmp_path: Path, body: str) -> ParityCase:
    (case,) = cases(tmp_path, f'[[case]]\nname = "c"\ncall = "ops:f"\n{body}\n')
    return case


def test_every_kind_of_argument_is_read(tmp_path: Path) -> None:
    case = one(
        tmp_path,
        "args = [{shape = [2, 3]}, 1, 2.5, true, 'x', {none = true}, {torch = 'float16'},"
        " {device = true}, [{shape = []}, 3]]\nkwargs = {eps = 1e-6}",
    )
    tensor, *rest = case.args
    assert tensor == TensorSpec(shape=(2, 3))
    assert rest[:5] == [1, 2.5, True, "x", None]
    assert rest[5:7] == [Placeholder("torch", "float16"), Placeholder("device")]
    assert rest[7] == (TensorSpec(shape=(), seed=1), 3)
    assert case.kwargs == {"eps": 1e-6}


def test_tensors_without_a_seed_get_different_numbers(tmp_path: Path) -> None:
    case = one(tmp_path, "args = [{shape=[2]}, {shape=[2]}]\nkwargs = {w = {shape=[2]}}")
    found = tensors((*case.args, *case.kwargs.values()))
    assert [spec.seed for spec in found] == [0, 1, 2]


def test_integers_have_a_range_of_their_own(tmp_path: Path) -> None:
    (spec,) = tensors(one(tmp_path, "args = [{shape=[2], dtype='int64'}]").args)
    assert (spec.low, spec.high) == (0, 10)


def test_given_values_bring_their_shape(tmp_path: Path) -> None:
    (spec,) = tensors(one(tmp_path, "args = [{values=[[1, nan], [inf, 2]]}]").args)
    assert spec.shape == (2, 2)


def test_the_file_gives_defaults_to_its_cases(tmp_path: Path) -> None:
    text = """
imports = ["ops"]
devices = ["cuda"]
[[case]]
name = "a"
call = "torch.ops.ns.add"
imports = ["more"]
[[case]]
name = "b"
call = "ops.sub:Class.method"
devices = ["cpu"]
"""
    first, second = cases(tmp_path, text)
    assert first.imports == ("ops", "more")
    assert first.devices == (Device.CUDA,)
    assert second.devices == (Device.CPU,)


def test_a_file_without_cases_is_no_error(tmp_path: Path) -> None:
    assert cases(tmp_path, "") == ()


@pytest.mark.parametrize(
    ("body", "place", "hint"),
    [
        ("args = [{shape=[2], layot='transposed'}]", "args[0]", "layout"),
        ("args = [{shape=[2], dtype='float31'}]", "dtype", "float32"),
        ("toleranse = {rtol=1, atol=1}", "'c'", "tolerance"),
        ("tolerance = {rtol=0.5}", "tolerance", ""),
        ("tolerance = {rtol=0.5, atol=0.5}", "tolerance", "reason"),
        ("tolerance = {rtol=-1, atol=0, reason='x'}", "tolerance", ""),
        ("tolerance = {rtol=nan, atol=0, reason='x'}", "tolerance", ""),
        ("args = [{dtype='float32'}]", "args[0]", ""),
        ("args = [{shape=[-1]}]", "shape", ""),
        ("args = [{shape=[2], values=[1]}]", "shape", ""),
        ("args = [{values=[[1], [1, 2]]}]", "values", ""),
        ("args = [{values=['a']}]", "values", ""),
        ("args = [{shape=[2], layout='transposed'}]", "layout", ""),
        ("args = [{shape=[], layout='sliced'}]", "layout", ""),
        ("args = [{shape=[2], dtype='int32', grad=true}]", "grad", ""),
        ("args = [{shape=[2], grad='yes'}]", "grad", ""),
        ("args = [{shape=[2], seed=-1}]", "seed", ""),
        ("args = [{shape=[2], dtype='uint8', low=-1}]", "low", ""),
        ("args = [{values=[1.5], dtype='int32'}]", "values", ""),
        ("args = [{shape=[2], low=2, high=1}]", "high", ""),
        ("args = {a=1}", "args", ""),
        ("kwargs = [1]", "kwargs", ""),
        ("devices = ['gpu']", "devices", "cpu"),
        ("devices = []", "devices", ""),
        ("expect = 'failure'", "expect", "result"),
    ],
)
def test_a_mistake_names_the_file_the_place_and_a_remedy(
    tmp_path: Path, body: str, place: str, hint: str
) -> None:
    with pytest.raises(UsageError) as caught:
        one(tmp_path, body)
    assert "porter.parity.toml" in str(caught.value)
    assert place in str(caught.value)
    assert hint in caught.value.hint
    assert caught.value.hint


@pytest.mark.parametrize("call", ["ops.f", "torch.ops.add", "ops:", "o ps:f", ":f", "", 3])
def test_what_cannot_be_called_is_refused(tmp_path: Path, call: str | int) -> None:
    with pytest.raises(UsageError):
        cases(tmp_path, f'[[case]]\nname = "c"\ncall = {call!r}\n')


@pytest.mark.parametrize(
    "text",
    [
        "not [ toml",
        '[[cases]]\nname = "c"\n',
        "[case]\n",
        'case = ["c"]\n',
        '[[case]]\ncall = "a:b"\n',
        '[[case]]\nname="c"\ncall="a:b"\n[[case]]\nname="c"\ncall="a:b"\n',
    ],
)
def test_a_file_that_is_not_as_it_should_be_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageError):
        cases(tmp_path, text)


def test_a_file_that_is_not_there_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        load(tmp_path / "none.toml")


def test_a_tolerance_within_the_default_needs_no_reason(tmp_path: Path) -> None:
    case = one(
        tmp_path,
        "args = [{shape=[2], dtype='bfloat16'}]\ntolerance = {rtol=1e-2, atol=1e-6}",
    )
    assert case.tolerance is not None
    assert case.tolerance.rtol == 1e-2


def test_the_strictest_dtype_of_the_arguments_decides_what_is_loose(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        one(
            tmp_path,
            "args = [{shape=[2], dtype='bfloat16'}, {shape=[2]}]\n"
            "tolerance = {rtol=1e-2, atol=1e-6}",
        )
