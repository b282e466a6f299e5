"""The points of a case's grid."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np
import pytest

from porter.errors import UsageError
from porter.model import ParityCase, TensorSpec
from porter.parity.cases import load, tensors
from porter.parity.grid import SETS, WHOLE, points
from porter.parity.inputs import decode, generate


def cases(tmp_path: Path, body: str) -> tuple[ParityCase, ...]:
    path = tmp_path / "porter.parity.toml"
    path.write_text(f'[[case]]\nname = "c"\ncall = "ops:f"\n{body}\n', encoding="utf-8")
    return load(path)


def test_each_point_is_a_case_with_the_values_in_place_of_the_names(tmp_path: Path) -> None:
    found = cases(
        tmp_path,
        'args = [{shape = ["n", "2*d"], dtype = "kind"}, "how", 3]\nkwargs = {eps = "eps"}\n'
        "[case.grid]\nn = [2]\nd = [3, 5]\nkind = ['float16']\nhow = ['sum']\neps = [0.5]",
    )
    assert [case.args[0] for case in found] == [
        TensorSpec(shape=(2, 6), dtype="float16"),
        TensorSpec(shape=(2, 10), dtype="float16"),
    ]
    assert {case.args[1:] for case in found} == {("sum", 3)}
    assert {case.kwargs["eps"] for case in found} == {0.5}
    assert [case.name for case in found] == [
        "c [n=2 d=3 float16 sum eps=0.5]",
        "c [n=2 d=5 float16 sum eps=0.5]",
    ]
    assert {case.group for case in found} == {"c"}


def test_a_point_may_be_refused_by_both_unless_the_case_says_otherwise(tmp_path: Path) -> None:
    grid = "args = [{shape = ['n']}]\n[case.grid]\nn = [1]"
    assert cases(tmp_path, grid)[0].expect == "either"
    assert cases(tmp_path, "expect = 'result'\n" + grid)[0].expect == "result"
    assert cases(tmp_path, "args = [{shape = [1]}]")[0].expect == "result"


def test_words_stand_for_sets_of_values(tmp_path: Path) -> None:
    body = (
        "args = [{shape = ['n', 4], dtype = 't', layout = 'l', numbers = 'v'}]\n"
        "[case.grid]\nn = 'sizes'\nt = 'floating'\nl = 'layouts'\nv = 'numbers'"
    )
    specs = [spec for case in cases(tmp_path, body) for spec in tensors(case.args)]
    assert {spec.shape[0] for spec in specs} == set(SETS["sizes"])
    assert {spec.dtype for spec in specs} == set(SETS["floating"])
    assert {spec.layout for spec in specs} == set(SETS["layouts"])
    assert {spec.special for spec in specs} == {True, False}


def test_a_large_size_is_as_large_as_there_is_room(tmp_path: Path) -> None:
    found = cases(
        tmp_path,
        'args = [{shape = ["rows", "2*n"]}, [{shape = ["n", "n"]}], {values = [1, 2]}]\n'
        "[case.grid]\nrows = [3, 1000000]\nn = [5, 'large']",
    )
    sizes = {case.name: [spec.shape for spec in tensors(case.args)] for case in found}
    assert sizes["c [rows=3 n=5]"][0] == (3, 10)
    first, second = sizes["c [rows=3 n=large]"][:2]
    assert first == (3, 2 * 1025) and second == (1025, 1025)  # of 2049 there is no room
    assert sizes["c [rows=1000000 n=large]"][0] == (1000000, 4)


def test_few_points_are_all_made() -> None:
    axes = {"a": [1, 2, 3], "b": [4, 5]}
    found = [tuple(p["args"]) for _, p in points({"args": ["a", "b"], "grid": axes}, axes)]
    assert found == list(itertools.product(*axes.values()))


def test_of_many_points_each_pair_of_values_is_met() -> None:
    axes = {name: list(range(size)) for name, size in zip("abcde", (6, 4, 4, 3, 2), strict=True)}
    assert math.prod(map(len, axes.values())) > WHOLE
    found = [tuple(p["args"]) for _, p in points({"args": list(axes)}, axes)]
    assert len(found) < WHOLE
    assert found[0] == (0, 0, 0, 0, 0)
    for one, other in itertools.combinations(range(5), 2):
        values = list(axes.values())
        pairs = set(itertools.product(values[one], values[other]))
        assert {(point[one], point[other]) for point in found} == pairs


@pytest.mark.parametrize("sizes", [[5, 0, 1, 31], [0, 7], [0]])
def test_a_pair_of_values_is_met_in_tensors_that_are_not_empty(sizes: list[int]) -> None:
    axes = {"n": sizes, "m": [3, 0, 4], "a": [*"abcdef"], "b": [*"uvwxyz"]}
    written = {"args": [{"shape": ["n", "2 * m"]}, "a", "b"]}
    found = [(p["args"][0]["shape"], *p["args"][1:]) for _, p in points(written, axes)]
    assert len(found) < math.prod(map(len, axes.values()))
    shown = {(a, b) for shape, a, b in found if shape[1] and (shape[0] or sizes == [0])}
    assert shown == set(itertools.product(axes["a"], axes["b"]))
    assert {(shape[0], a) for shape, a, _ in found} == set(itertools.product(sizes, axes["a"]))


@pytest.mark.parametrize(
    ("grid", "problem"),
    [
        ("n = []", "has no value"),
        ("n = 'size'", "did you mean 'sizes'"),
        ("n = 3", "must be an array"),
        ("n = [-1]", "integers from 0"),
    ],
)
def test_a_wrong_grid_is_told(tmp_path: Path, grid: str, problem: str) -> None:
    with pytest.raises(UsageError) as caught:
        cases(tmp_path, f"args = [{{shape = ['n']}}]\n[case.grid]\n{grid}")
    assert problem in f"{caught.value} {caught.value.hint}"


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "float8_e5m2", "complex64"])
def test_special_numbers_are_among_ordinary_ones(dtype: str) -> None:
    spec = TensorSpec(shape=(5, 6), dtype=dtype, special=True)
    numbers = decode(generate(spec), dtype)
    assert np.isnan(numbers).any()
    assert (numbers == 0).any()
    ordinary = numbers.reshape(-1)[0::3]
    assert np.isfinite(ordinary).all()
    assert (np.abs(ordinary) <= 1.5).all()


def test_special_integers_are_the_extremes() -> None:
    numbers = generate(TensorSpec(shape=(9,), dtype="int8", special=True))
    assert {127, -128} <= set(numbers.tolist())
