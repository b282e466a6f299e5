"""What C++ headers declare, read by tokens."""

from porter.surface.cpp_headers import scan

STABLE = b"""#define LIB_NAMESPACE_BEGIN(...) namespace x {
LIB_NAMESPACE_BEGIN(torch, stable)
class Tensor {
 public:
  int64_t dim() const { return 0; }
};
inline namespace v2 { Tensor clone(const Tensor &x); }
LIB_NAMESPACE_END(torch, stable)
int after();
"""
PLAIN = b"""namespace a { namespace b { struct S { int size() const; }; } using T = b::S; }
namespace c = a::b;
"""
DEPRECATED = b"""#define OLD_USING(Name, Type) using Name [[deprecated]] = Type;
namespace a {
struct New {};
OLD_USING(Old, New)
template <typename T, int N = 1>
OLD_USING(OldOf, Newer<T, N>)
int after();
}
"""


def test_a_type_that_a_macro_declares_is_one() -> None:
    declared = scan({"deprecated.h": DEPRECATED})
    assert all(declared.find(f"a::{name}") is not None for name in ("Old", "OldOf", "after"))
    assert declared.find("a::T") is None


def test_a_namespace_opened_by_a_macro_is_one() -> None:
    declared = scan({"stable.h": STABLE})
    assert declared.find("torch::stable::Tensor::dim") is not None
    assert declared.find("torch::stable::clone") is not None
    assert declared.find("after") is not None
    assert declared.find("Tensor") is None


def test_aliases_lead_to_what_they_name() -> None:
    declared = scan({"a.h": PLAIN})
    assert declared.find("a::T::size") is not None
    assert declared.find("c::S") is not None
    assert declared.find("c::T") is None
