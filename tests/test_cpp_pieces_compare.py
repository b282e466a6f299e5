"""The comparer of C++ examples sees what differs, and the files of examples are read with care."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cpp_pieces import examples, overlay
from tests.cpp_pieces.compare import difference, faults
from tests.cpp_pieces.examples import Example, Point
from tests.cpp_pieces.inputs import arrays
from tests.cpp_pieces.sources import blamed

PLAIN = Example("piece", 0, "x")
POINT = Point("float32", (2,), "contiguous")


def told(
    values: Any, dtype: str = "float32", strides: tuple[int, ...] | None = None, alias: str = ""
) -> dict[str, Any]:
    array = np.array(values, dtype)
    plain = tuple(stride // array.itemsize for stride in array.strides)
    entry = ("tensor", dtype, array.shape, strides or plain, alias, array.tobytes())
    return {"values": [entry], "after": {}}


def differs(a: Any, b: Any, plain: bool = True, **changes: Any) -> str:
    return difference(Example("piece", 0, "x", **changes), a, b, plain)


def test_the_same_answers_do_not_differ() -> None:
    assert not differs(told([1, 2.5]), told([1, 2.5]))
    assert not differs(told([np.nan, np.inf]), told([np.nan, np.inf]))
    assert not differs(told([1.0]), told([1.0 + 1e-7]))


@pytest.mark.parametrize(
    ("other", "what"),
    [
        (told([1, 2.6]), "values"),
        (told([1, np.nan]), "values"),
        (told([1, 2.5], "float64"), "dtype"),
        (told([[1, 2.5]]), "shape"),
        (told([1, 2.5], strides=(2,)), "strides"),
        (told([1, 2.5], alias="x+0"), "storage"),
        ({"error": "RuntimeError", "text": "no"}, "raises"),
        ({"crash": "ended by SIGSEGV"}, "SIGSEGV"),
        ({"values": [], "after": {}}, "gives"),
        ({"values": [("int", "1")], "after": {}}, "int 1"),
    ],
)
def test_another_answer_differs(other: Any, what: str) -> None:
    assert what in differs(told([1, 2.5]), other)
    assert differs(other, told([1, 2.5]))


def test_integers_and_truth_are_compared_exactly() -> None:
    assert "values" in differs(told([10**9], "int64"), told([10**9 + 1], "int64"))
    assert "values" in differs(told([True], "bool"), told([False], "bool"))
    assert differs({"values": [("int", "3")], "after": {}}, {"values": [("int", "4")], "after": {}})


def test_half_precision_is_compared_in_its_precision() -> None:
    def bits(value: float) -> dict[str, Any]:
        data = (np.array([value], np.float32).view(np.uint32) >> 16).astype(np.uint16).tobytes()
        return {"values": [("tensor", "bfloat16", (1,), (1,), "", data)], "after": {}}

    assert not differs(bits(1.0), bits(1.0078125))
    assert "values" in differs(bits(1.0), bits(1.5))
    assert "values" in differs(told([1.0], "float16"), told([1.01], "float16"))


def test_what_a_call_leaves_in_its_inputs_is_compared() -> None:
    ours, theirs = told([1.0]), told([1.0])
    ours["after"] = {"x": told([2.0])["values"][0]}
    theirs["after"] = {"x": told([3.0])["values"][0]}
    assert "x afterwards" in differs(ours, theirs)


def test_strides_of_new_tensors_count_for_contiguous_inputs_and_those_of_views_always() -> None:
    def two(strides: tuple[int, ...], alias: str) -> dict[str, Any]:
        return told([[1, 2], [3, 4]], strides=strides, alias=alias)

    assert "strides" in differs(two((2, 1), ""), two((1, 2), ""))
    assert not differs(two((2, 1), ""), two((1, 2), ""), plain=False)
    assert "strides" in differs(two((2, 1), ""), two((1, 2), ""), plain=False, strides="all")
    assert "strides" in differs(two((2, 1), "x+0"), two((1, 2), "x+0"), plain=False)
    assert not differs(two((2, 1), "x+0"), two((1, 2), "x+0"), strides=False)


def test_strides_that_lead_nowhere_do_not_count() -> None:
    assert not differs(told([[1, 2]], strides=(2, 1)), told([[1, 2]], strides=(1, 1)))
    assert not differs(
        told(np.zeros((0, 3)), strides=(3, 1)), told(np.zeros((0, 3)), strides=(1, 1))
    )


def test_options_compare_less() -> None:
    assert not differs(told([1, 2]), told([2, 1]), unordered=True)
    assert differs(told([1, 2]), told([2, 3]), unordered=True)
    assert not differs(told([1, 2]), told([7, 8]), values=False)
    assert not differs(told([1.0]), told([1.05]), tolerance=0.1)
    assert not differs(told([1.0]), told([1.0], alias="x+0"), aliases=False)


def test_types_of_errors_are_compared_if_asked_for() -> None:
    ours = {"error": "IndexError", "text": "out of range"}
    theirs = {"error": "RuntimeError", "text": "out of range"}
    assert not differs(ours, theirs)
    assert "IndexError" in differs(ours, theirs, errors="type")


def test_a_deviation_must_be_there_at_every_point_that_it_names() -> None:
    said = Example("piece", 0, "x", differs="a reason", where=({"dtypes": ["float32"]},))
    same, other = (told([1.0]), told([1.0])), (told([1.0]), told([2.0]))
    half = Point("float16", (2,), "contiguous")
    assert not faults(said, {POINT: other, half: same})
    assert "no longer differs" in faults(said, {POINT: same})[0]
    assert "values" in faults(said, {POINT: other, half: other})[0]


def test_a_grid_has_each_layout_that_a_shape_can_have() -> None:
    points = list(Example("piece", 0, "x", dtypes=("int8",)).points())
    layouts = [(point.shape, point.layout) for point in points]
    assert ((), "contiguous") in layouts and ((), "sliced") not in layouts
    assert ((3,), "sliced") in layouts and ((3,), "transposed") not in layouts
    assert ((2, 3, 4), "transposed") in layouts
    assert len(layouts) == len(set(layouts)) == 10


@pytest.mark.parametrize("layout", ["contiguous", "transposed", "sliced"])
def test_inputs_have_the_same_elements_in_every_layout(layout: str) -> None:
    def element(found: Any) -> Any:
        _, buffer, shape, strides, offset = found
        steps = [stride * buffer.itemsize for stride in strides]
        return np.lib.stride_tricks.as_strided(buffer[offset:], shape, steps)

    def made(layout: str) -> Any:
        return arrays(Example("p", 0, "x").given(Point("float32", (2, 3, 4), layout)))

    plain, placed = made("contiguous"), made(layout)
    for name in ("x", "y", "m"):
        assert np.array_equal(element(plain[name]), element(placed[name]))
    assert len(np.unique(element(plain["x"]))) == 24, "no ties"


def test_examples_are_refused_if_they_are_not_understood(tmp_path: Path) -> None:
    def read(text: str) -> examples.Examples:
        path = tmp_path / "piece" / "examples.toml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return examples.read(path)

    found = read('[defaults]\ndtypes = ["int8"]\n[[example]]\ncode = ["x", " y "]\n')
    assert [(e.number, e.code, e.dtypes) for e in found.examples] == [
        (0, "x", ("int8",)),
        (1, "y", ("int8",)),
    ]
    for wrong in ("colour = 1", "strides = false", "where = {shapes = [[2]]}", "unordered = true"):
        with pytest.raises(ValueError, match=r"unknown|reason|differs"):
            read(f'[[example]]\ncode = "x"\n{wrong}\n')


def test_an_error_belongs_to_the_example_that_required_it() -> None:
    output = """\
porter-example-3: In function 'void case_3(...)':
porter-example-3:1:9: error: no member named 'nothing'
    1 | x.nothing()
      |   ^~~~~~~
other.h: In instantiation of 'auto f() [with T = int]':
porter-example-5:1:4:   required from here
other.h:9:1: error: no match
other.h:9:1: note: candidate
other.h:12:1: error: something else
"""
    assert blamed(output) == {3: "no member named 'nothing'", 5: "no match"}


def test_broken_pieces_do_not_hide_the_others() -> None:
    def error_of(names: Any) -> str:
        return next((f"error in {name}" for name in ("b", "d") if name in names), "")

    def suspect(name: str, error: str) -> bool:
        return error.endswith(name)

    assert overlay.sound(["a", "c"], error_of, suspect) == (("a", "c"), {})
    kept, errors = overlay.sound(["a", "b", "c", "d"], error_of, suspect)
    assert kept == ("a", "c") and errors == {"b": "error in b", "d": "error in d"}
    kept, errors = overlay.sound(["a", "b"], error_of, lambda name, error: False)
    assert kept == () and set(errors) == {"a", "b"}
