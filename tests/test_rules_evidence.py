"""What counts as evidence of a value, and what does not."""

from __future__ import annotations

import ast

import pytest

from porter.languages.python import Module, parse
from porter.rules.evidence import (
    STREAMS,
    defines_attribute,
    is_for_torch_1,
    is_made_by,
    method_calls,
    stands_alone,
    torch_alias,
    uses,
)


def module(text: str) -> Module:
    return parse(text.encode(), "pkg/mod.py", "pkg")


def receiver(text: str) -> tuple[Module, ast.expr]:
    """The value of the first `.cuda_stream` in a text."""
    parsed = module("import torch\nfrom typing import Optional, Union\n" + text)
    return parsed, next(uses(parsed, "cuda_stream")).value


@pytest.mark.parametrize(
    "text",
    [
        "torch.cuda.current_stream(d).cuda_stream",
        "s = torch.cuda.Stream()\ns.cuda_stream",
        "def f(s: torch.cuda.Stream):\n    s.cuda_stream",
        "def f(s: 'torch.cuda.Stream'):\n    s.cuda_stream",
        "def f(s: Optional[torch.cuda.Stream] = None):\n    s = s or g()\n    s.cuda_stream",
        "def f(s: torch.cuda.Stream | None):\n    s.cuda_stream",
        "def f(s=None):\n  if s is None:\n    s = torch.cuda.current_stream()\n  s.cuda_stream",
        "def f(s=None):\n  s = torch.cuda.current_stream() if s is None else s\n  s.cuda_stream",
        "s: torch.cuda.Stream = pool[0]\ns.cuda_stream",
        "o.s = torch.cuda.Stream()\no.s.cuda_stream",
        "o.s = None\no.s = torch.cuda.Stream()\no.s.cuda_stream",
        "(torch.cuda.Stream() if a else torch.cuda.current_stream()).cuda_stream",
    ],
)
def test_a_stream_is_known_by_how_it_was_made_or_annotated(text: str) -> None:
    parsed, value = receiver(text)
    assert is_made_by(parsed, value, STREAMS)


@pytest.mark.parametrize(
    "text",
    [
        "def f(s):\n    s.cuda_stream",
        "def f(s: Union[int, torch.cuda.Stream]):\n    s.cuda_stream",
        "def f(s: torch.cuda.Stream | int):\n    s.cuda_stream",
        "s = torch.cuda.Stream()\ns = other()\ns.cuda_stream",
        "for s in streams:\n    s.cuda_stream",
        "def f(s):\n    s = torch.cuda.Stream()\n    s.cuda_stream",
        "o.s = torch.cuda.Stream()\no.s = other()\no.s.cuda_stream",
        "o.s, o.t = torch.cuda.Stream(), 1\no.s.cuda_stream",
        "other.current_stream().cuda_stream",
        "def f(torch):\n    torch.cuda.current_stream().cuda_stream",
    ],
)
def test_anything_less_is_no_evidence(text: str) -> None:
    parsed, value = receiver(text)
    assert not is_made_by(parsed, value, STREAMS)


@pytest.mark.parametrize(
    "head",
    [
        "import triton\n@triton.jit",
        "import triton\n@triton.autotune([], [])\n@triton.jit",
        "import tilelang.language as T\n@T.prim_func",
        "import cutlass.cute as cute\n@cute.kernel",
        "from numba import cuda\n@cuda.jit('void(x)')",
    ],
)
def test_kernels_are_not_looked_into(head: str) -> None:
    assert not list(method_calls(module(f"{head}\ndef k(x):\n    x.numel()\n"), "numel"))


def test_functions_that_only_make_kernels_are_looked_into() -> None:
    text = "import tilelang\n@tilelang.jit\ndef make(x):\n    x.numel()\n"
    assert len(list(method_calls(module(text), "numel"))) == 1


def test_f_strings_are_not_looked_into() -> None:
    assert not list(method_calls(module('text = f"{x.numel()}"\n'), "numel"))


def test_attributes_that_the_file_gives_are_its_own() -> None:
    assert defines_attribute(module("self.wait = 1\n"), "wait")
    assert defines_attribute(module("class A:\n    def wait(self): ...\n"), "wait")
    assert defines_attribute(module("class A:\n    wait: int\n"), "wait")
    assert not defines_attribute(module("def wait(): ...\nx.wait()\n"), "wait")


def test_the_name_of_torch_is_that_of_the_place() -> None:
    parsed = module("import torch as th\ndef f(th):\n    a\nb\n")
    inner, outer = parsed.tree.body[1], parsed.tree.body[2]
    assert isinstance(inner, ast.FunctionDef)
    assert torch_alias(parsed, outer) == "th"
    assert torch_alias(parsed, inner.body[0]) is None


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("f(x.y)", True),
        ("f(k=x.y)", True),
        ("a = x.y", True),
        ("a = x.y + 1", False),
        ("x.y()", False),
        ("a[x.y]", False),
        ("a = x.y if b else c", True),
        ("a = b if x.y else c", False),
    ],
)
def test_parentheses_are_needed_inside_of_other_expressions(text: str, alone: bool) -> None:
    parsed = module(text)
    assert stands_alone(parsed, next(uses(parsed, "y"))) is alone


@pytest.mark.parametrize(
    ("test", "body", "orelse"),
    [
        ("torch.__version__ < '1.8'", True, False),
        ("version.parse(torch.__version__) < version.parse('2.0')", True, False),
        ("torch.__version__ <= '2.0'", False, False),
        ("torch.__version__ >= '1.8'", False, True),
        ("torch.__version__ > '2.0'", False, False),
        ("MAJOR == 1 and MINOR < 8", True, False),
        ("MAJOR < 2", True, False),
        ("MAJOR != 1", False, True),
        ("MINOR == 1", False, False),
        ("numpy.__version__ < '1.8'", False, False),
    ],
)
def test_a_branch_for_torch_1_is_known_by_its_test(test: str, body: bool, orelse: bool) -> None:
    parsed = module(
        "import numpy\nimport torch\nfrom packaging import version\n"
        "MAJOR = int(torch.__version__.split('.')[0])\n"
        "MINOR = int(torch.__version__.split('.')[1])\n"
        f"if {test}:\n    import a\nelse:\n    import b\n"
    )
    first, second = list(parsed.nodes_of(ast.Import))[-2:]
    assert (is_for_torch_1(parsed, first), is_for_torch_1(parsed, second)) == (body, orelse)
