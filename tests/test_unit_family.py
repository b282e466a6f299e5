"""Families of pieces: a repository that uses one function of a family gets that function."""

from __future__ import annotations

import ast
import builtins
import symtable
from collections.abc import Iterator
from pathlib import Path

import pytest

from porter.errors import RuleError
from porter.host.home import rules_home
from porter.model import Language, ProjectFacts, Role, State, Surface, Symbol, Use
from porter.surface.load import list_shipped, load, load_torch
from porter.targets.paddle import PROXY
from porter.unit import Piece, Plane, find_shown_by, pieces
from porter.unit.choose import choose
from porter.unit.compose import compose
from porter.unit.family import keyword_forms

FACTS = ProjectFacts(builds=(), build_scripts=(), extensions=(), registration=(), packages=())
SURFACE = Surface(package="paddle", version="3.3.1", build="cpu", python={})
TOML = 'why = "Paddle lacks it."\neach = ["torch", "torch.Tensor"]\n'
CODE = """\
import functools
from math import inf, pi

import paddle


# what both need
def _half(value):
    return value / 2


def first(input, second=None):
    \"\"\"Its parameter is called as another function is.\"\"\"
    return _half(input) + (second or pi)


second = paddle.second


@functools.cache
def third(input):
    return [first(each) for each in input]


def torch_only(input):
    return inf
"""


def family(folder: Path, code: str = CODE, toml: str = TOML, name: str = "some") -> Path:
    place = folder / "python" / name
    place.mkdir(parents=True)
    (place / "polyfill.toml").write_text(toml)
    (place / "piece.py").write_text(code)
    for needed in ("overrides", "methods_of_tensors"):
        place = folder / "python" / needed
        place.mkdir(exist_ok=True)
        text = f'title = "{needed}"\nwhy = "w"\nuntil = "u"\nprovides = []\n'
        (place / "polyfill.toml").write_text(text)
        (place / "piece.py").write_text("one = 1\n")
    return folder


def members(folder: Path) -> dict[str, Piece]:
    return {p.id.partition(".")[2]: p for p in pieces(folder) if "." in p.id}


def test_each_function_is_a_piece(tmp_path: Path) -> None:
    found = members(family(tmp_path))
    assert list(found) == ["_half", "first", "second", "third", "torch_only"]
    assert found["first"].id == "python/some.first"
    assert found["first"].provides == ("torch.first", "torch.Tensor.first")
    assert found["first"].missing == found["first"].provides
    assert found["first"].why == "Paddle lacks it."
    assert "torch.first" in found["first"].until
    assert found["torch_only"].provides == ("torch.only",)
    assert found["_half"].provides == ()


def test_a_function_comes_with_the_others_that_it_calls_and_no_more(tmp_path: Path) -> None:
    found = members(family(tmp_path))
    given = ("python/methods_of_tensors", "python/overrides")
    assert found["first"].needs == (*given, "python/some._half")
    assert found["second"].needs == given
    assert found["third"].needs == (*given, "python/some.first")
    assert found["torch_only"].needs == ("python/overrides",)
    assert found["_half"].needs == ()


def test_a_function_comes_with_the_imports_that_it_uses(tmp_path: Path) -> None:
    code = {name: p.files[0][1].decode() for name, p in members(family(tmp_path)).items()}
    assert code["second"] == "import paddle\nsecond = paddle.second\n_methods(second=second)\n"
    assert code["torch_only"].startswith("from math import inf\n\n\ndef torch_only")
    assert code["first"].startswith("from math import pi\n")
    assert code["first"].endswith("\n\n\n_methods(first=first)\n")
    assert "import functools\n\n\n@functools.cache\ndef third" in code["third"]
    assert code["_half"] == "# what both need\ndef _half(value):\n    return value / 2\n"


def chosen(folder: Path, *names: str) -> tuple[Piece, ...]:
    uses = [Use(name, Language.PYTHON, "a.py", 1, 1, Role.LIBRARY) for name in names]
    return choose(pieces(folder), uses, FACTS, SURFACE, {})


def test_a_repository_that_uses_one_function_gets_it_and_its_helpers(tmp_path: Path) -> None:
    found = chosen(family(tmp_path), "torch.Tensor.first")
    assert [p.id for p in found if "." in p.id] == ["python/some._half", "python/some.first"]
    (unit,) = (p.after for p in compose(PROXY, "", "x uses", found) if p.path.endswith("names.py"))
    assert unit is not None
    text = unit.decode()
    assert text.index("def _half") < text.index("def first") < text.index("_methods(first=first)")
    assert '        "torch.first": first,\n' in text and "second = " not in text
    ast.parse(text)


def test_a_function_that_the_target_has_is_left_out(tmp_path: Path) -> None:
    here = Symbol(kind="function", state=State.PRESENT)
    names = ("torch.second", "torch.Tensor.second", "torch.first")
    newer = Surface(package="p", version="4", build="cpu", python=dict.fromkeys(names, here))
    uses = [Use(name, Language.PYTHON, "a.py", 1, 1, Role.LIBRARY) for name in names]
    found = choose(pieces(family(tmp_path)), uses, FACTS, newer, {})
    assert "python/some.second" not in {p.id for p in found}
    assert "python/some.first" in {p.id for p in found}, "the method is lacking"


def test_a_helper_may_be_of_another_family(tmp_path: Path) -> None:
    family(tmp_path)
    other = "import paddle\n\n\ndef other(input):\n    return _half(input)\n"
    family(tmp_path, other, 'why = "w"\neach = ["torch.special"]\n', "another")
    found = members(tmp_path)["other"]
    assert found.provides == ("torch.special.other",)
    assert found.needs == ("python/overrides", "python/some._half")


@pytest.mark.parametrize(
    ("code", "toml", "said"),
    [
        (CODE, TOML.replace("Tensor", "Tesnor"), r"each.*torch\.Tesnor"),
        (CODE + "\n\nsecond = paddle.third\n", TOML, "second is defined twice"),
        (CODE + "\n\ntorch_first = paddle.first\n", TOML, r"torch\.first is defined twice"),
        (CODE + "\n\nround = paddle.round\n", TOML, "round is Python's own"),
        (CODE + "\n\nif paddle:\n    pass\n", TOML, r"piece\.py:29"),
        (CODE + "\n\nif (\n", TOML, r"piece\.py"),
        (CODE, TOML + 'provides = ["torch.f"]\n', "provides"),
        (CODE, TOML + 'needs = ["python/nothing"]\n', r"some.polyfill\.toml.*python/nothing"),
    ],
)
def test_what_is_no_family_is_an_error(tmp_path: Path, code: str, toml: str, said: str) -> None:
    with pytest.raises(RuleError, match=said):
        pieces(family(tmp_path, code, toml))


def test_two_families_cannot_define_the_same(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match=r"python/some: _half also belongs to python/another"):
        pieces(family(family(tmp_path), name="another"))


def test_each_is_a_key_of_python_pieces_alone(tmp_path: Path) -> None:
    place = tmp_path / "build" / "one"
    place.mkdir(parents=True)
    (place / "polyfill.toml").write_text(
        'title = "t"\nwhy = "w"\nuntil = "u"\nprovides = []\neach = ["torch"]\n'
    )
    with pytest.raises(RuleError, match="each"):
        pieces(tmp_path)


# ------------------------------------------------------------------ as shipped

IMPLICIT = ("__file__", "__name__", "__class__")
SHIPPED = {p.id: p for p in pieces(rules_home() / "paddle" / "polyfills")}


def needed(piece: Piece) -> set[str]:
    found: set[str] = set()
    left = {piece.id}
    while left:
        found |= left
        left = {need for id in left for need in SHIPPED[id].needs} - found
    return found


def free(table: symtable.SymbolTable) -> Iterator[str]:
    """The names that code takes from its module."""
    outermost = table.get_type() == "module"
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (outermost or symbol.is_global()):
            yield symbol.get_name()
    for inner in table.get_children():
        yield from free(inner)


def test_a_python_piece_uses_only_what_comes_with_it() -> None:
    for piece in SHIPPED.values():
        if piece.plane is Plane.PYTHON:
            code = b"\n".join(SHIPPED[id].files[0][1] for id in sorted(needed(piece)))
            module = symtable.symtable(code.decode(), piece.id, "exec")
            defined = {s.get_name() for s in module.get_symbols() if s.is_assigned()}
            defined |= {s.get_name() for s in module.get_symbols() if s.is_imported()}
            own = symtable.symtable(piece.files[0][1].decode(), piece.id, "exec")
            lacking = set(free(own)) - defined - {*dir(builtins), *IMPLICIT}
            assert not lacking, (piece.id, lacking)


def test_keywords_that_a_function_of_a_piece_takes_are_answered() -> None:
    code = """
def f(input, dim=None, *, fast=False, strict=False):
    if strict:
        raise NotImplementedError("strict")
    if dim is None:
        dim = 0

def nn_g(x, key):
    ...

h = f
"""
    provides = ("torch.f", "torch.Tensor.f", "torch.nn.g", "torch.h")
    assert set(keyword_forms(code, provides)) == {
        *("torch.f(input=)", "torch.f(dim=)", "torch.f(fast=)"),
        *("torch.Tensor.f(dim=)", "torch.Tensor.f(fast=)", "torch.nn.g(x=)", "torch.nn.g(key=)"),
    }


def test_no_two_python_pieces_define_the_same() -> None:
    owners: dict[str, str] = {}
    for piece in SHIPPED.values():
        if piece.plane is Plane.PYTHON:
            table = symtable.symtable(piece.files[0][1].decode(), piece.id, "exec")
            for symbol in table.get_symbols():
                if symbol.is_assigned():
                    owner = owners.setdefault(symbol.get_name(), piece.id)
                    assert owner == piece.id, (symbol.get_name(), owner)


def test_families_give_names_of_torch_that_paddle_lacks() -> None:
    torch = load_torch().python
    paddle = load("paddle", list_shipped("paddle")[-1]).python
    given = {name for piece in SHIPPED.values() if "." in piece.id for name in piece.provides}
    assert len(given) > 200
    assert not {name for name in given if name not in torch}
    lacking = {n for n in given if n not in paddle or paddle[n].state is State.MISSING}
    assert lacking == given


def test_helpers_come_without_a_word_about_them(tmp_path: Path) -> None:
    found = chosen(family(tmp_path), "torch.Tensor.first")
    (unit,) = (p for p in compose(PROXY, "", "x uses", found) if p.path.endswith("names.py"))
    assert unit.after is not None and unit.after.count(b"# ") == len(found)  # one of them its own
    assert not [change for change in unit.changes if "_half" in change.reason]


def test_a_test_that_lacks_a_function_asks_for_it(tmp_path: Path) -> None:
    found = pieces(family(tmp_path))
    said = "AttributeError: 'Tensor' object has no attribute 'first'"
    assert find_shown_by(found, [said, "'Tensor' object has no attribute 'fir'"]) == (
        "python/some.first",
    )
    said = "module 'paddle' has no attribute 'second'. Did you mean: 'seconds'?"
    assert find_shown_by(found, [said]) == ("python/some.second",)


def test_a_test_that_finds_no_member_of_a_tensor_asks_for_it() -> None:
    piece = SHIPPED["python/sparse_members"]
    said = "AttributeError: 'Tensor' object has no attribute '_nnz'"
    assert find_shown_by([piece], [said]) == ("python/sparse_members",)
    assert find_shown_by([piece], ["module 'paddle' has no attribute '_nnz'"]) == ()
