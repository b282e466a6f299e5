"""The harness of the C++ examples notices every kind of fault that is planted in a piece."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from porter.host.home import rules_home
from tests.conftest import CACHE
from tests.cpp_pieces import examples, running
from tests.cpp_pieces.bench import CASTER, Bench

pytestmark = [pytest.mark.real, pytest.mark.long]
PIECES = rules_home() / "paddle" / "polyfills" / "cpp"
HEADER = """\
#pragma once
#include <sched.h>

namespace at {
// extends
class Tensor {
  // Right.
  bool is_floating_point() const {
    return scalar_type() == at::kFloat;
  }
  // A wrong value.
  Tensor abs() const {
    return clone();
  }
  // A wrong dtype: torch adds integers up as int64.
  Tensor sum() const {
    return Tensor(paddle::experimental::sum(tensor_, {}, tensor_.dtype(), false));
  }
  // Wrong strides: a copy where torch gives a view.
  Tensor t() const {
    return Tensor(paddle::experimental::assign(paddle::experimental::transpose(tensor_, {1, 0})));
  }
  // A missing error.
  Tensor narrow(int64_t dim, int64_t start, int64_t length) const {
    return *this;
  }
  // Not in place.
  Tensor mul_(const Tensor& other) const {
    return Tensor(paddle::experimental::multiply(tensor_, other._PD_GetInner()));
  }
  // The end of the process.
  bool is_same(const Tensor& other) const {
    volatile int* nowhere = nullptr;
    *nowhere = 1;
    return true;
  }
  // It never returns, and a signal does not wake it.
  bool is_conj() const {
    for (;;) ::sched_yield();
  }
  // Declared, and nowhere defined.
  Tensor cumsum(int64_t dim) const;
};
}  // namespace at
"""
# What the faults of an expression say; nothing where there is none.
EXPECTED = {
    "x.is_floating_point()": "",
    "x.abs()": "values: torch float32[2, 3] [",
    "x.sum()": "dtype: torch int64, paddle int32",
    "x.t()": "strides of [3, 2]: torch (1, 3), paddle (2, 1)",
    "x.narrow(0, 1, 7)": "raises RuntimeError",
    "x.mul_(y)": "storage: torch x+0, paddle its own",
    "[&]{ x.mul_(y); return 1; }()": "x afterwards: values",
    "x.is_same(y)": "ended by SIGSEGV",
    "x.is_conj()": "no answer in 10 seconds: SIGALRM",
    "std::get<1>(std::make_tuple(x.numel(), x.clone()))": "",
    "x.cumsum(0)": "does not compile with paddle: undefined in paddle: at::Tensor::cumsum(long)",
    "x.numel()": "",
    "x.nothing()": "no member named 'nothing'",
    "x.sum().scalar_type()": "",
    "x.abs().sizes()": "no longer differs",
}
EXAMPLES = """\
[defaults]
dtypes = ["float32", "int32"]
shapes = [[2, 3]]
layouts = ["contiguous"]

[[example]]
code = [{codes}]

[[example]]
code = "x.sum().scalar_type()"
differs = "a deviation that is there"
where = {{ dtypes = ["int32"] }}

[[example]]
code = "x.abs().sizes()"
differs = "a deviation that is gone"
"""


def test_planted_faults_are_noticed(
    framework_pythons: Mapping[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "SECONDS", 10)
    header = tmp_path / "planted" / "include" / "ATen" / "core" / "TensorBody.h"
    header.parent.mkdir(parents=True)
    header.write_text(HEADER)
    (tmp_path / "planted" / "polyfill.toml").write_text('title = "planted"\n')
    shutil.copytree(PIECES / CASTER, tmp_path / CASTER)
    path = tmp_path / "planted" / "examples.toml"
    plain = [code for code in EXPECTED if f'"{code}"' not in EXAMPLES]
    path.write_text(EXAMPLES.format(codes=", ".join(f"'{code}'" for code in plain)))
    bench = Bench(framework_pythons, tmp_path, CACHE, only=["planted", CASTER])
    try:
        found = {each.code: bench.faults(each) for each in examples.read(path).examples}
    finally:
        bench.close()
    assert found.keys() == EXPECTED.keys()
    for code, expected in EXPECTED.items():
        if expected:
            assert any(expected in fault for fault in found[code]), (code, found[code])
        else:
            assert found[code] == [], code
