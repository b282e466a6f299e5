"""Rewritten files do what they did, and tell each operation in its place."""

from __future__ import annotations

import builtins
import importlib.util
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

WORKERS = Path(__file__).parent.parent / "porter" / "workers"
SOURCE = '''"""A docstring."""
from __future__ import annotations

import math as m
from os import path


def plain(a: "int", *rest: int, k=3, **more) -> "list[int]":
    """Docs."""
    total = a + sum(rest) * k
    total += len(more)
    if total > 3 and not more:
        total = -total
    return [total, m.floor(2.5), path.join("a", "b"), f"{total:>{k}}"]


class Base:
    def __init__(self, x=1):
        self.__hidden = x

    @property
    def hidden(self):
        return self.__hidden

    def __getitem__(self, key):
        return key


class Derived(Base):
    def __init__(self):
        super().__init__(5)
        self.items = list(range(6))

    def changed(self):
        self.items[1:3] = [7, 8]
        self.items[0] += 2
        self.items[-1] = self.items[0]
        (self.items[4], second), last = (1, 2), 3
        return self.items, second, last, self[1:2, ..., None], self[::2]


def numbers(limit):
    for n in (x for x in range(limit) if x % 2 == 1):
        got = yield n * n
        if got is not None:
            yield got


def caught():
    found = []
    for make in (lambda: 1 / 0, lambda: {}["no"], lambda: [].nothing):
        try:
            found.append(make())
        except (ZeroDivisionError, KeyError) as error:
            found.append(type(error).__name__)
        except AttributeError:
            found.append("attribute")
            continue
        finally:
            found.append("end")
    with open(__file__) as file:
        first = file.readline()
    return found, first, (1 if first else 2)


def matched(value):
    match value:
        case {"a": [first, *_]} if first > 1:
            return first
        case m.pi:
            return "pi"
        case str() | int():
            return "simple"
    return None


def frames():
    import sys

    def mine():
        return sys._getframe(1).f_code.co_name

    local = 1
    return mine(), sorted(locals()), eval("local + 1"), [mine() for _ in "a"][0]


def counting():
    count = 0

    def more():
        nonlocal count
        count += 1
        return count

    return more() + more(), count, (lambda *a, b=2: a + (b,))(1, *[2, 3], b=(y := 4)), y


def answers():
    generator = numbers(6)
    both = next(generator), generator.send(10), list(generator)
    return (
        plain(1, 2, k=4, **{"z": 1}),
        plain(2),
        Derived().changed(),
        Derived().hidden,
        both,
        caught(),
        [matched(v) for v in ({"a": [2]}, {"a": [0]}, m.pi, "x", None)],
        frames(),
        counting(),
        2 < 3 < 4,
        "%s" % "a" + "b",
    )
'''


class Told:
    """A recorder that keeps the labels of what has ended."""

    slice = staticmethod(slice)

    def __init__(self, sites: list[dict[str, Any]]) -> None:
        self.sites = sites
        self.ended: list[str] = []

    def obj(self, site: int, value: Any, last: bool = False) -> Any:
        return value

    fn = obj

    def args(self, site: int, values: Any, last: bool) -> Any:
        return values

    named = args

    def out(self, site: int, result: Any) -> Any:
        self.ended.append(self.sites[site]["label"])
        return result

    def value(self, site: int, value: Any) -> Any:
        return value

    def raised(self, error: BaseException) -> None:
        self.ended.append(f"raised {type(error).__name__}")

    def caught(self) -> None:
        pass


@pytest.fixture
def sites() -> Iterator[Any]:
    spec = importlib.util.spec_from_file_location("trace_sites", WORKERS / "trace_sites.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    vars(builtins).pop(module.NAME, None)


def told(sites: Any, source: str, call: str = "answers") -> tuple[Any, Told]:
    """What a function gives, rewritten, and what was told meanwhile."""
    listed: list[dict[str, Any]] = []
    tree = sites.rewrite(source.encode(), "pkg/mod.py", listed)
    recorder = Told(listed)
    setattr(builtins, sites.NAME, recorder)
    names: dict[str, Any] = {"__name__": "mod", "__file__": __file__}
    exec(compile(tree, __file__, "exec", dont_inherit=True), names)
    return names[call](), recorder


def test_a_rewritten_file_does_what_it_did(sites: Any) -> None:
    names: dict[str, Any] = {"__name__": "mod", "__file__": __file__}
    exec(compile(SOURCE, __file__, "exec", dont_inherit=True), names)
    found, recorder = told(sites, SOURCE)
    assert found == names["answers"]()
    assert len(recorder.ended) > 60
    assert inspect.getdoc(names["plain"]) == "Docs."


def test_each_operation_has_its_place_and_what_imports_say(sites: Any) -> None:
    source = (
        "import torch.nn.functional as F\n\n\nclass A:\n    def f(self, x):\n"
        "        y = F.pad(x, (1,))\n        y[0] = x.numel() - 1\n        return y.shape\n"
    )
    listed: list[dict[str, Any]] = []
    sites.rewrite(source.encode(), "pkg/mod.py", listed)
    known = {(s["kind"], s["label"]): s for s in listed}
    pad = known["call", "F.pad"]
    assert (pad["line"], pad["function"], pad["name"], pad["path"]) == (
        *(6, "A.f", "torch.nn.functional.pad", "pkg/mod.py"),
    )
    assert known["call", "x.numel"]["word"] == "numel"
    assert known["store", "y[0]"]["line"] == 7
    assert known["attribute", "y.shape"]["line"] == 8
    assert ("value", "return") in known and ("operator", "x.numel() - 1") in known


def test_kernels_that_read_their_own_source_are_left_alone(sites: Any) -> None:
    source = "import triton\n\n@triton.jit\ndef kernel(x):\n    return x + 1\n"
    listed: list[dict[str, Any]] = []
    sites.rewrite(source.encode(), "mod.py", listed)
    assert listed == []


def test_an_exception_is_told_in_each_function_it_leaves(sites: Any) -> None:
    source = (
        "def inner():\n    raise ValueError('x')\n\ndef outer():\n    try:\n        inner()\n"
        "    except ValueError:\n        return 1\n"
    )
    found, recorder = told(sites, source, "outer")
    assert found == 1
    assert [each for each in recorder.ended if "raised" in each] == ["raised ValueError"]


def test_tracebacks_keep_the_lines(sites: Any) -> None:
    source = "def f():\n    a = [1]\n    return a[\n        3\n    ]\n"
    with pytest.raises(IndexError) as raised:
        told(sites, source, "f")
    last = raised.traceback[-1]
    assert last.lineno + 1 == 3, sys.exc_info()
