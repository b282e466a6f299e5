"""Without a compiler the names in the sources choose the parts of a unit: enough, and not all."""

from __future__ import annotations

from porter.languages import cpp
from porter.unit.by_name import select_by_name
from porter.unit.parts import Part, parts_of

HEADER = b"""#pragma once
#include <vector>

namespace at {
// extends
class Tensor {
  Tensor sum() const { return total(*this); }
  Tensor mean() const { return sum(); }
  Tensor& operator+=(const Tensor& other) { return mul(other); }
  Tensor& mul(const Tensor& other) { return *this; }
};
inline Tensor total(const Tensor& x) { return x; }
inline Tensor sum(const Tensor& x) { return x.sum(); }
inline Tensor operator-(const Tensor& a, const Tensor& b) { return a; }
using TensorList = std::vector<Tensor>;
namespace cuda {
inline void warp() {}
inline void block() { warp(); }
}  // namespace cuda
}  // namespace at

namespace c10 {
// extends
class Scalar {
  Scalar(const at::Tensor& x);
  operator bool() const { return true; }
  Scalar operator[](int i) const { return *this; }
};
// extends
enum class DispatchKey {
  Meta,
  Autograd
};
inline bool is_meta(DispatchKey k) { using K = DispatchKey; return k == K::Meta; }
}  // namespace c10

#define AT_TWICE(x) at::total(x)
"""


def chosen(source: str) -> set[str]:
    """The parts of HEADER for a source, by name."""
    parts: tuple[Part, ...] = parts_of("cpp/one", (("include/h.h", HEADER),))
    found = select_by_name(parts, [cpp.parse(source.encode(), "a.cpp").tokens])
    return {name for part in found for name in part.names}


def test_a_name_counts_as_it_stands() -> None:
    assert chosen("void f(at::Tensor x) { x.sum(); }") == {"at::Tensor::sum", "at::total"}
    assert "at::sum" in chosen("auto y = at::sum(x);")
    assert "at::sum" in chosen("auto y = sum(x);")  # by its argument, or `using namespace`
    assert "at::sum" in chosen("auto y = apply(torch::sum, x);")
    assert chosen("int sum = 0; return sum + std::sum(x);") == set()
    assert chosen("auto list = at::TensorList();") == {"at::TensorList"}


def test_parts_name_others_in_turn() -> None:
    assert chosen("AT_TWICE(x);") == {"AT_TWICE", "at::total"}
    assert chosen("x->mean();") >= {"at::Tensor::mean", "at::Tensor::sum", "at::total"}
    alias = chosen("c10::is_meta(k);")
    assert alias == {"c10::is_meta", "c10::DispatchKey::Meta"}


def test_a_function_of_a_namespace_is_another_where_nothing_names_that() -> None:
    assert chosen("block();") == set()
    assert chosen("at::cuda::block();") == {"at::cuda::block", "at::cuda::warp"}
    assert "at::cuda::block" in chosen("using namespace at::cuda; void f() { block(); }")


def test_operators_and_conversions_come_with_their_classes() -> None:
    assert chosen("at::Tensor f(at::Tensor x) { return x += x; }") == {
        *("at::Tensor::operator+=", "at::Tensor::mul")
    }
    assert chosen("at::Tensor f(at::Tensor x) { return x - x; }") == {"at::operator-"}
    assert chosen("int f(int x) { return x - 1; }") == set()
    assert {"c10::Scalar::Scalar"} < (made := chosen("void f(at::Scalar x) { f(tensor); }"))
    assert "c10::Scalar::operator[]" not in made
    assert "c10::Scalar::operator[]" in chosen("void f(at::Scalar x) { f(x[1]); }")


def test_what_frames_of_chosen_headers_name_comes_too() -> None:
    parts = parts_of("cpp/one", (("include/h.h", HEADER + b"template <> int at::all<3>();"),))
    frame = Part(
        id="frame",
        piece="cpp/one",
        header="h.h",
        scope=("at",),
        kind="frame",
        names=(),
        text="template <> struct Made<int> { Tensor made(Tensor x) { return total(x); } };",
    )
    assert {p.id for p in select_by_name(parts, [], [frame])} == {"at::total(Tensor)"}
