"""Which layer of an extension a divergence belongs to, and what the sources say of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from porter.parity import layers
from porter.parity.diverge import Parting
from porter.parity.layers import Layer
from porter.parity.trace import Event, Site
from porter.parity.values import Difference

CPP = """\
#include <torch/extension.h>
static at::Tensor sum_rows(const at::Tensor& x);  // declared first
at::Tensor sum_rows(const at::Tensor& x) { return x.sum(1); }
TORCH_LIBRARY(ns, m) { m.def("sum_rows(Tensor x) -> Tensor"); }
TORCH_LIBRARY_IMPL(ns, CPU, m) { m.impl("sum_rows", &sum_rows); }
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("twice", [](at::Tensor x) { return x + x; });
  m.def("rows", sum_rows, "m.def(\\"twice\\")");
}
"""
HEADER = """\
namespace at {
class Tensor {
  Tensor sum(int64_t dim) const { return compat_detail::summed(*this, dim); }
  Tensor& fill_(double value) const;
};
}
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    unit = tmp_path / "pkg" / "_porter_compat" / "include" / "ATen" / "core"
    unit.mkdir(parents=True)
    (unit / "TensorBody.h").write_text(HEADER)
    (tmp_path / "ops.cpp").write_text(CPP)
    return tmp_path


def test_a_function_is_found_by_the_name_it_is_exported_under(root: Path) -> None:
    assert str(layers.find_export(root, "sum_rows")) == "ops.cpp:3"
    assert str(layers.find_export(root, "rows")) == "ops.cpp:3"
    assert str(layers.find_export(root, "twice")) == "ops.cpp:7"
    assert not layers.find_export(root, "absent")


def test_the_unit_gives_what_its_headers_declare(root: Path) -> None:
    found = layers.find_polyfilled_members(root, root / "none")
    assert list(found) == ["sum", "fill_"], "what they call is not theirs"
    assert str(found["sum"]).endswith("_porter_compat/include/ATen/core/TensorBody.h:3")


def test_the_package_gives_what_its_headers_declare(root: Path, tmp_path: Path) -> None:
    headers = tmp_path / "site" / "porter_compat" / "pieces" / "include"
    headers.parent.mkdir(parents=True)
    (root / "pkg" / "_porter_compat" / "include").rename(headers)
    found = layers.find_polyfilled_members(root, tmp_path / "site")
    assert found["sum"] == "porter_compat/pieces/include/ATen/core/TensorBody.h:3"


def value(**more: Any) -> dict[str, Any]:
    told = {"kind": "tensor", "dtype": "float32", "shape": [2, 2], "strides": [2, 1]}
    return {**told, "hash": "a", **more}


def event(**more: Any) -> Event:
    site = Site(path="ops.py", line=3, label="_C.rows", word="rows")
    arguments = {"args[0]": value(), "args[1]": value(hash="b")}
    made = Event(number=1, site=site, kind="operation", callee={"of": "extension"})
    made.arguments, made.result = arguments, value()
    return replace(made, **more)


def found_in(
    root: Path,
    *,
    kind: str = "result",
    aspect: str = "values",
    place: str = "result",
    experiment: Callable[[Any, bool], bool] = lambda swap, flat: False,
    error: str = "",
    **source: Any,
) -> Layer:
    difference = Difference(
        place=place, aspect=aspect, message="", source=value(), target=value(hash="c")
    )
    parting = Parting(
        kind=kind,
        source=event(**source),
        target=event(error=error),
        message="",
        difference=None if error else difference,
    )
    return layers.layer(parting, root, experiment, root / "none")


def test_numbers_alone_without_operators_are_the_kernels(root: Path) -> None:
    found = found_in(root, operators=("empty_like", "view"))
    assert (found.name, found.sure, found.place) == (layers.KERNEL, False, "ops.cpp:3")


def test_operators_that_the_unit_gives_are_its_polyfills(root: Path) -> None:
    found = found_in(root, operators=("empty", "sum"))
    assert found.name == layers.NATIVE_POLYFILL
    assert found.place.endswith("TensorBody.h:3")
    assert "sum" in found.evidence[0]


def test_operators_that_the_target_has_itself_are_no_polyfills(root: Path) -> None:
    assert found_in(root, operators=("empty", "cumsum")).name == layers.BINDING


@pytest.mark.parametrize("aspect", ["dtype", "shape", "strides", "structure"])
def test_more_than_numbers_is_the_bindings(root: Path, aspect: str) -> None:
    assert found_in(root, aspect=aspect, operators=("sum",)).name == layers.BINDING


def test_a_write_that_does_not_arrive_is_the_bindings(root: Path) -> None:
    found = found_in(root, kind="arguments", place="args[0]", after={"args[0]": value(hash="d")})
    assert found.name == layers.BINDING and "a copy" in found.evidence[0]


def test_refused_arguments_are_the_bindings(root: Path) -> None:
    error = "TypeError: rows(): incompatible function arguments. The following ..."
    found = found_in(root, kind="error", error=error, operators=("sum",))
    assert found.name == layers.BINDING


def test_the_call_made_otherwise_tells_of_order_and_strides(root: Path) -> None:
    found = found_in(root, experiment=lambda swap, flat: swap == ("args[0]", "args[1]"))
    assert found.name == layers.BINDING and "swapped" in found.evidence[0]
    strided = {"args[0]": value(strides=[1, 2])}
    found = found_in(root, experiment=lambda swap, flat: flat, arguments=strided)
    assert found.name == layers.BINDING and "contiguous" in found.evidence[0]
