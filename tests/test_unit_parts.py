"""C++ pieces are cut into parts, rendered again, marked for a compiler, and merged with headers."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from porter.build import marked
from porter.host.home import rules_home
from porter.model import Surface, Symbol
from porter.unit import Plane, pieces
from porter.unit.includes import lean
from porter.unit.installed import read_headers
from porter.unit.native import Seen, select
from porter.unit.parts import Part, absent, close, homes, load_script, parts_of
from porter.unit.render import render

BODY = b"""#pragma once
#include <small.h>

namespace at {

// extends
class Tensor {
  // The sum of all elements.
  Tensor sum(::std::optional<ScalarType> dtype = ::std::nullopt) const { return *this; }
  template <typename T>
  T* data() const {
    return data_ptr<T>();
  }
  // instead of the one with: step, {1})
  Tensor slice(int64_t dim, int64_t step = 1) const { return step == 1 ? *this : sum(); }
  int64_t numel() const { return 3; }
};

using TensorList = ArrayRef<Tensor>;
inline Tensor operator+(const Tensor& a, const Tensor& b) { return a.sum(); }
inline int braces() { return '}' == "}"[0] ? 1 : 0; }  // }
#if defined(WITH_GPU)
inline int on_gpu() { return 1; }
#endif

}  // namespace at

#define AT_TWICE(x) \\
  x;                \\
  x
"""
INSTALLED = """#pragma once
namespace at {
class TensorBase { public: int64_t numel() const; };
class Tensor : public TensorBase {
 public:
  Tensor slice(int64_t dim, int64_t step = 1) const { return cut(dim, step, { 1 }); }
  Tensor mean() const { return *this; }
};
}  // namespace at
"""


def cut(data: bytes = BODY, header: str = "ATen/core/TensorBody.h") -> dict[str, Part]:
    return {part.id: part for part in parts_of("cpp/one", ((f"include/{header}", data),))}


def test_each_declaration_is_a_part_with_its_qualified_name() -> None:
    names = {name for part in cut().values() if not part.loose for name in part.names}
    assert names == {
        "at::Tensor::sum",
        "at::Tensor::data",
        "at::Tensor::slice",
        "at::Tensor::numel",
        "at::TensorList",
        "at::operator+",
        "at::braces",
        "at::on_gpu",
        "AT_TWICE",
    }


def test_overloads_are_told_apart() -> None:
    text = b"namespace at {\nint f(int a);\nint f(double a, int b = 2);\n}\n"
    assert set(cut(text)) == {"at::f(int)", "at::f(double)"}


def test_a_rendered_header_has_the_parts_chosen_and_no_other() -> None:
    parts = [part for part in cut().values() if part.loose or "sum" in part.id]
    text = render(parts)["ATen/core/TensorBody.h"]
    assert "Tensor sum(" in text
    assert "#include <small.h>" in text
    assert not any(word in text for word in ("slice", "TensorList", "AT_TWICE", "on_gpu"))
    assert text.count("{") == text.count("}")


def test_rendered_and_cut_again_gives_the_same_parts() -> None:
    text = render(list(cut().values()))["ATen/core/TensorBody.h"]
    assert cut(text.encode()).keys() == cut().keys()


def lacked(tmp_path: Path, installed: str) -> set[str]:
    """The names of BODY that a target with this header lacks."""
    compat = tmp_path / str(len(installed))
    (compat / "ATen" / "core").mkdir(parents=True)
    (compat / "ATen" / "core" / "TensorBody.h").write_text(installed)
    parts = absent(list(cut().values()), str(compat))
    return {name.rpartition("::")[2] for p in parts if not p.loose for name in p.names}


def test_what_the_target_declares_is_not_lacking(tmp_path: Path) -> None:
    assert lacked(tmp_path, INSTALLED) == {
        *("sum", "data", "slice", "TensorList", "operator+", "braces", "on_gpu", "AT_TWICE")
    }  # TensorBase has numel
    newer = INSTALLED.replace("mean() const", "sum(optional<ScalarType> dtype = {}) const")
    assert "sum" not in lacked(tmp_path, newer)


def test_a_member_that_is_wrong_is_lacking_while_it_is_as_stated(tmp_path: Path) -> None:
    assert "slice" not in lacked(tmp_path, INSTALLED.replace("{ 1 }", "{ step }"))


def test_marks_name_the_part_at_each_use(tmp_path: Path) -> None:
    text = b"""#pragma once
namespace at {
struct Tensor {};
inline Tensor sum(Tensor a) { return a; }
inline Tensor mean(Tensor a) { return sum(a); }
template <typename T> T* data(Tensor a) { sum(a); return nullptr; }
using List = Tensor;
enum class Kind { A };
}
"""
    (tmp_path / "h.h").write_text(render(list(cut(text, "h.h").values()), marked=True)["h.h"])
    (tmp_path / "a.cpp").write_text(
        '#include "h.h"\nauto f(at::List x) { at::data<int>(x); return at::mean(x); }\n'
    )
    said = subprocess.run(
        ["g++", "-std=c++17", "-fsyntax-only", "a.cpp"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    ).stderr
    for name in ("at::sum(Tensor)", "at::mean(Tensor)", "at::data(<>, Tensor)", "at::List"):
        assert f"porter:{name}" in said
    assert "porter:at::Kind" not in said


def test_the_frame_of_a_header_comes_with_its_parts_and_not_alone() -> None:
    every = [
        *cut(b"#pragma once\n#include <b.h>\n#include <c.h>\nint f();\n", "a.h").values(),
        *cut(b"#pragma once\nint g();\n", "b.h").values(),
        *cut(b"#pragma once\nint h();\n", "c.h").values(),
    ]
    chosen = [part for part in every if part.id == "f()"]
    headers = {part.header for part in close(chosen, every, present={"b.h", "c.h"})}
    assert headers == {"a.h"}
    lacking: Mapping[str, str] = render(close(chosen, every, present={"c.h"}))
    assert set(lacking) == {"a.h", "b.h"}  # a.h includes it, and the target has none
    assert "#include <c.h>" in lacking["a.h"]


# ------------------------------------------------- the script that comes with a unit


def written(tmp_path: Path, own: Mapping[str, bytes], compat: Mapping[str, str]) -> dict[str, str]:
    """What the unit's script makes of our headers (by path) and those of the target."""
    for path, text in compat.items():
        (tmp_path / "compat" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "compat" / path).write_text(text)
    parts = [p for path, data in own.items() for p in cut(data, path).values()]
    installed = read_headers(parts, str(tmp_path / "compat"))
    for path, text in render(parts, installed=installed).items():
        (tmp_path / "own" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "own" / path).write_text(text)
    return rewritten(tmp_path, compat)


def rewritten(tmp_path: Path, compat: Mapping[str, str]) -> dict[str, str]:
    for path, text in compat.items():
        (tmp_path / "compat" / path).write_text(text)
    out = tmp_path / "out"
    load_script()["write"](str(out), str(tmp_path / "own"), str(tmp_path / "compat"))
    return {p.relative_to(out).as_posix(): p.read_text() for p in out.rglob("*.h")}


NAME = "ATen/core/TensorBody.h"
REAL = """#pragma once
namespace std { template <typename T> struct optional {}; }
namespace at {
enum class ScalarType { Int };
template <typename T> struct ArrayRef {};
class Tensor {
 public:
  Tensor slice(int dim, int step = 1) const { return cut(dim, { 1 }); }
  Tensor mean() const { return *this; }
 private:
  Tensor cut(int dim, int const (&step)[1]) const { return *this; }
};
}  // namespace at
"""
OWN = b"""#pragma once
namespace at {

// extends
class Tensor {
  // The sum.
  Tensor sum() const { return *this; }
  // instead of the one with: {1}
  Tensor slice(int dim, int step = 1) const { return step == 1 ? *this : sum(); }
  Tensor operator+(const Tensor& other) const { return other; }
};

inline Tensor stack(Tensor a) { return a; }
inline Tensor stack(Tensor a, int b) { return a; }
using TensorList = ArrayRef<Tensor>;

}  // namespace at

#define AT_TWICE(x) x x
"""


def test_the_unit_adds_what_the_target_lacks(tmp_path: Path) -> None:
    text = written(tmp_path, {NAME: OWN}, {NAME: REAL})[NAME]
    assert "step == 1" in text
    assert "{ 1 }" not in text
    for once in ("Tensor sum()", "operator+", "stack(Tensor a)", "using TensorList", "AT_TWICE(x)"):
        assert text.count(once) == 1
    (tmp_path / "a.cpp").write_text(
        f'#include "out/{NAME}"\n'
        "auto f(at::Tensor x) { return at::stack(x.slice(1) + x.sum()); }\n"
    )
    command = ["g++", "-std=c++17", "-fsyntax-only", "a.cpp"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)


def test_an_old_unit_leaves_out_what_a_newer_target_has(tmp_path: Path) -> None:
    written(tmp_path, {NAME: OWN}, {NAME: REAL})
    newer = REAL.replace("{ 1 }", "{ step }").replace(
        " private:", "  Tensor sum() const { return mean(); }\n private:"
    )
    more = "#pragma once\nnamespace at {\nclass Tensor;\nTensor stack(Tensor tensors);\n}\n"
    (tmp_path / "compat" / "ATen").mkdir(exist_ok=True)
    text = rewritten(tmp_path, {NAME: newer, "ATen/stack.h": more})[NAME]
    assert text.count("Tensor sum() const") == 1
    assert "{ step }" in text
    assert "step == 1" not in text
    assert "stack(" not in text
    assert "operator+" in text
    assert "using TensorList" in text


def test_a_header_of_an_earlier_unit_does_not_stay(tmp_path: Path) -> None:
    own = {"a.h": b"int f();\n", "b.h": b"int g();\n"}
    assert written(tmp_path, own, {}).keys() == own.keys()
    (tmp_path / "own" / "b.h").unlink()
    assert set(rewritten(tmp_path, {})) == {"a.h"}


def test_a_header_that_the_target_has_goes_on_from_it_and_another_is_new(tmp_path: Path) -> None:
    own = {"a.h": b"#pragma once\nint f();\n", "b.h": b"#pragma once\nint g();\n"}
    texts = written(tmp_path, own, {"a.h": "#pragma once\n"})
    assert "#include_next <a.h>" in texts["a.h"]
    assert "#include_next" not in texts["b.h"]


def test_enumerators_join_the_installed_enum(tmp_path: Path) -> None:
    own = (
        b"namespace c10 {\n// extends\nenum class Key {\n  Meta,\n  CPU,\n  Autograd = 9,\n};\n}\n"
    )
    assert set(cut(own, "c10/key.h")) == {"c10::Key::Meta", "c10::Key::CPU", "c10::Key::Autograd"}
    there = "namespace c10 {\nenum class Key {\n  Undefined = 0,\n  CPU\n};\n}\n"
    text = written(tmp_path, {"c10/key.h": own}, {"c10/key.h": there})["c10/key.h"]
    assert text.count("CPU") == 1
    assert "Meta" in text
    assert "Autograd = 9" in text


def test_the_unit_says_which_class_is_gone(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="class Tensor"):
        written(tmp_path, {NAME: OWN}, {NAME: "#pragma once\n"})


def test_another_header_of_the_target_is_mended_as_well(tmp_path: Path) -> None:
    own = (
        b"#pragma once\n// instead of the one with: { SUM, MAX }\n"
        b"typedef enum { A_SUM, A_MAX } Kind;\n"
    )
    there = "#pragma once\ntypedef enum { SUM, MAX } Kind;\nint f(Kind kind);\n"
    text = written(tmp_path, {"phi/device.h": own}, {"phi/device.h": there})["phi/device.h"]
    assert "{ SUM, MAX }" not in text
    assert "{ A_SUM, A_MAX } Kind;" in text
    mended = there.replace("{ SUM, MAX }", "{ B_SUM, B_MAX }")
    assert "A_SUM" not in rewritten(tmp_path, {"phi/device.h": mended})["phi/device.h"]


def test_a_class_of_the_target_can_be_replaced(tmp_path: Path) -> None:
    own = b"""#pragma once
namespace at {
// instead of the one with: int size() const { return 1; }
struct Pair {
  int size() const { return 2; }
};
// extends
class Tensor {
  int both() const { return 2; }
};
}  // namespace at
"""
    there = """#pragma once
namespace at {
struct Pair;
struct Pair {
  Pair(int first) {}
  int size() const { return 1; }
};
structured_t f(int x) { return x; }
class Tensor {
};
}  // namespace at
"""
    text = written(tmp_path, {NAME: own}, {NAME: there})[NAME]
    assert "return 1;" not in text
    assert "Pair(int first)" not in text
    assert text.index("int size() const { return 2; }") < text.index("class Tensor")
    assert "struct Pair;\n" in text
    assert "structured_t f(int x) { return x; }" in text
    newer = there.replace("return 1;", "return 3;")
    before, _, _ = rewritten(tmp_path, {NAME: newer})[NAME].partition("class Tensor")
    assert "return 2;" not in before


def test_a_name_is_not_taken_into_a_namespace_without_what_it_names() -> None:
    text = (
        b"#pragma once\nnamespace c10 {\nenum class Kind { A };\nint f();\n}\n"
        b"namespace at { using c10::Kind; }\n"
    )
    every = list(cut(text, "c10/kind.h").values())
    alone = close([p for p in every if "f()" in p.id], every, present=set())
    assert "using c10::Kind" not in render(alone)["c10/kind.h"]
    both = close([p for p in every if not p.loose], every, present=set())
    assert "using c10::Kind" in render(both)["c10/kind.h"]


def test_a_member_defined_outside_comes_with_its_class() -> None:
    text = b"""#pragma once
namespace at {
struct Node { void run(int a); };
inline void Node::run(int a) {}
inline std::vector<int> other() { return {}; }
}
"""
    every = list(cut(text, "n.h").values())
    node = close([p for p in every if p.id == "at::Node"], every, present=set())
    assert "Node::run" in render(node)["n.h"]
    other = close([p for p in every if "other" in p.id], every, present=set())
    assert "Node" not in render(other)["n.h"]


def test_an_include_line_goes_where_another_brings_the_same(tmp_path: Path) -> None:
    compat = tmp_path / "include/paddle/phi/api/include/compat"
    (compat / "ATen").mkdir(parents=True)
    (compat / "ATen/ATen.h").write_text("#pragma once\n#include <ATen/base.h>\n")
    (compat / "ATen/base.h").write_text(
        "#ifndef BASE\n#define BASE\n#include <vector>\n"
        "#ifdef GPU\n#include <gpu.h>\n#endif\n#endif\n"
    )
    own = {
        "all.h": b"#pragma once\n#include <mid.h>\n#include <idle.h>\n",
        "mid.h": b"#pragma once\n#include <f.h>\n",  # brings f.h only: not needed itself
        "idle.h": b"#pragma once\n#include <vector>\n#include <ATen/ATen.h>\n",
        "f.h": (
            b"#pragma once\n#include <ATen/ATen.h>\n#include <vector>\n#include <gpu.h>\nint f();\n"
        ),
    }
    parts = [part for path, data in own.items() for part in cut(data, path).values()]
    text = render(lean(parts, str(compat), {"all.h"}))
    assert text == {
        "all.h": "#pragma once\n\n#include <f.h>\n",
        "f.h": "#pragma once\n\n#include <ATen/ATen.h>\n#include <gpu.h>\n\nint f();\n",
    }


def test_headers_that_include_each_other_keep_their_lines(tmp_path: Path) -> None:
    own = {
        "a.h": b"#pragma once\n#include <b.h>\n#include <vector>\nint a();\n",
        "b.h": b"#pragma once\n#include <a.h>\n#include <vector>\nint b();\n",
    }
    parts = [part for path, data in own.items() for part in cut(data, path).values()]
    assert sum("<vector>" in text for text in render(lean(parts, str(tmp_path), ())).values()) == 2


def test_members_of_a_class_of_ours_are_parts_too(tmp_path: Path) -> None:
    text = b"""#pragma once
namespace c10 {
struct Size { int n; };
template <class T>
class List {
 public:
  List() {}

 private:
  int n = 1;
};
// extends
template <class T>
class List {
  int size() const { return n; }
  Size sized() const { return {size()}; }
  bool empty() const { return n == 0; }
};
}
"""
    every = list(cut(text, "list.h").values())
    members = [part for part in every if part.extends]
    assert len(members) == 3
    alone = close([members[0], *homes(members[:1], every)], every, present=set())
    body = render(alone)["list.h"]
    assert "size()" in body
    assert "empty()" not in body
    assert body.index("size()") < body.index("private:")
    (tmp_path / "list.h").write_text(render(every, marked=True)["list.h"])
    (tmp_path / "a.cpp").write_text(
        '#include "list.h"\nint f(c10::List<int> x) { return x.size(); }\n'
    )
    command = ["g++", "-std=c++17", "-fsyntax-only", "a.cpp"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stderr
    marks = marked.read([tmp_path])
    used, edges = marks.uses(said.replace("list.h:", f"{tmp_path}/list.h:"))
    assert used == {"c10::List", "c10::List::size(const)"}
    assert ("c10::List::sized(const)", "c10::Size") in edges | marks.edges
    assert ("c10::List::sized(const)", "c10::List") in marks.edges
    assert ("c10::List", "c10::Size") not in edges | marks.edges


def test_what_a_member_defined_outside_uses_its_class_uses(tmp_path: Path) -> None:
    text = b"""#pragma once
namespace at {
inline int f() { return 1; }
struct Node { int run(); };
inline int Node::run() { return f(); }
}
"""
    (tmp_path / "n.h").write_text(render(list(cut(text, "n.h").values()), marked=True)["n.h"])
    (tmp_path / "a.cpp").write_text('#include "n.h"\nint g(at::Node x) { return x.run(); }\n')
    command = ["g++", "-std=c++17", "-fsyntax-only", "a.cpp"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stderr
    marks = marked.read([tmp_path])
    used, edges = marks.uses(said.replace("n.h:", f"{tmp_path}/n.h:"))
    follow = edges | marks.edges
    (outside,) = {needed for user, needed in follow if user == "at::Node"}
    assert "at::Node" in used
    assert (outside, "at::f()") in follow


def test_headers_of_pieces_include_what_they_use_of_the_units_own() -> None:
    """What a header gets through another's part goes with that part."""
    native = [p for p in pieces(rules_home() / "paddle" / "polyfills") if p.plane is Plane.CPP]
    parts = [part for piece in native for part in piece.parts]
    homes: dict[str, set[str]] = {}
    includes: dict[str, set[str]] = {}
    for part in parts:
        for name in part.names:
            homes.setdefault(re.split(r"\W", name.rpartition("::")[2])[0], set()).add(part.header)
        if part.header_of_include:
            includes.setdefault(part.header, set()).add(part.header_of_include)

    def reached(direct: set[str]) -> set[str]:
        found, todo = set(direct), [*direct]
        while todo:
            header = todo.pop()
            more = includes.get(header, set()) if header.startswith("porter_compat/") else set()
            todo += more - found
            found |= more
        return found

    lacking = set()
    for piece in native:
        for header in {part.header for part in piece.parts}:
            own = [part for part in piece.parts if part.header == header]
            there = reached({part.header_of_include for part in own if part.header_of_include}) | {
                header
            }
            for name in re.findall(r"compat_detail::(\w+)", "".join(part.text for part in own)):
                of = homes.get(name, set())
                if of and all(h.startswith("porter_compat/") for h in of) and not of & there:
                    lacking.add((piece.id, header, name))
    assert not lacking


def test_a_template_that_only_the_words_show_comes_with_what_it_needs() -> None:
    lacking = Surface(package="paddle", version="3.3.1", build="cpu", python={}, cpp={})

    def chosen(code: bytes) -> set[str]:
        sources = {"csrc/a.cpp": code}
        every = pieces(rules_home() / "paddle" / "polyfills")
        parts = select(every, sources, lacking, Seen(frozenset(), ""))
        return {name for part in parts if not part.loose for name in part.names}

    found = chosen(b"template <class T> using check = std::enable_if_t<c10::is_complex<T>::value>;")
    assert found >= {"c10::is_complex", "c10::compat_detail::complex_part"}
    assert not chosen(b"bool f(at::Tensor x) { return x.is_complex(); }")


def test_a_template_comes_with_the_templates_that_it_names() -> None:
    """A compiler looks for `Taken<A>::type` where A is known, and says nothing about it before."""
    lacking = Surface(package="paddle", version="3.3.1", build="cpu", python={}, cpp={})
    every = pieces(rules_home() / "paddle" / "polyfills")
    seen = Seen(frozenset({"paddle::recorded::cast(Tensor, DataType)"}), "")
    parts = select(every, {"csrc/a.cpp": b"int a();"}, lacking, seen)
    found = {part.names[0].rpartition("::")[2] for part in parts if not part.loose}
    assert found >= {"Signature", "Taken", "WithoutOut", "RecordedCall", "IsOut"}


def test_what_an_old_header_brings_of_the_target_s_own_stays() -> None:
    """Its includes are no part that a compiler could say is used."""
    context = "<ATen/cuda/CUDAContext.h>"
    surface = Surface(
        package="paddle",
        version="3.3.1",
        build="cpu",
        python={},
        cpp={context: Symbol(kind="header")},
    )
    every = pieces(rules_home() / "paddle" / "polyfills")

    def included(code: bytes) -> set[str]:
        parts = select(every, {"a.cu": code}, surface, Seen(frozenset(), ""))
        return {part.header_of_include for part in parts if part.header.startswith("THC/")}

    assert context[1:-1] in included(b"#include <THC/THC.h>\n")
    assert not included(b"#include <ATen/Context.h>\n")


def test_a_header_that_a_source_includes_chooses_a_piece_too() -> None:
    """Of what the source uses nothing is missing: the target's header itself does not compile."""
    lacking = Surface(package="paddle", version="3.3.1", build="cpu", python={}, cpp={})
    every = pieces(rules_home() / "paddle" / "polyfills")

    def chosen(code: bytes) -> set[str]:
        parts = select(every, {"a.cpp": code}, lacking, Seen(frozenset(), ""))
        return {part.piece for part in parts}

    alone = "cpp/op_headers_alone"
    assert alone in chosen(b"#include <ATen/ops/zeros.h>\n")
    assert alone not in chosen(b"#include <ATen/ops/empty.h>\nauto x = at::zeros({2});\n")
