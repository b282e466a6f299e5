"""Which modules of pieces are imported at their first use, and what an import then costs."""

from __future__ import annotations

import pytest

from porter.unit.deferred import deferred


@pytest.mark.parametrize(
    "source",
    [
        "import functools\n\n@functools.lru_cache(None)\ndef f(x):\n    return register(x)\n",
        "NAMES = 'a b'.split()\nPAIRS = dict.fromkeys(NAMES)\n",
        "class A:\n    half = property(lambda self: _method('half'))\n",
        "import os\nHERE = os.path.dirname(os.path.abspath(__file__))\n"
        "if __name__ == '__main__':\n    print(HERE)\n",
        "import paddle\nHALF = (paddle.float16, paddle.bfloat16)\n",
        "def made(n):\n    def f(x):\n        return g(x, n)\n    f.__name__ = n\n    return f\n"
        "one, two = made('one'), made('two')\n",
        "import paddle\ndef made(n):\n    theirs = getattr(paddle.fft, n)\n"
        "    return lambda x: theirs(x)\nfft = made('fft')\n",
    ],
)
def test_a_module_that_only_defines_things_is_deferred(source: str) -> None:
    assert deferred({"one": source}) == {"one"}


@pytest.mark.parametrize(
    "source",
    [
        "from .overrides import _register\n_register({}, {})\n",
        "from .overrides import _function\n_theirs = _function('sum')\n",
        "from .overrides import _function\ndef f(theirs=_function('sum')):\n    return theirs\n",
        "import paddle\nreshape = paddle.Tensor.reshape\n",
        "import paddle\nIN_PLACE = hasattr(paddle.Tensor, 'abs_')\n",
        "import paddle\npaddle.here = 1\n",
        "import os\nos.environ.update(A='1')\n",
        "from .half import takes_half\n@takes_half\ndef f(x):\n    return x\n",
        "if True:\n    pass\n",
        "def made(f):\n    theirs = f()\n    return lambda x: theirs(x)\none = made(register)\n",
        "def made(f):\n    f.__name__ = 'one'\n    return f\nfrom a import b\none = made(b)\n",
        "import paddle\ndef made(n):\n    theirs = getattr(paddle.Tensor, n)\n"
        "    return lambda x: theirs(x)\nabs = made('abs')\n",
        "def made(dir):\n    return dir()\none = made(register)\n",
        "import torch\n",
    ],
)
def test_a_module_that_does_more_is_not_deferred(source: str) -> None:
    assert deferred({"one": source}) == set()


def test_a_module_beside_may_be_asked_to_make_a_function() -> None:
    sources = {
        "asking": "from .making import takes_half\n@takes_half\ndef f(x): return x\n",
        "making": "import functools\nfrom .acting import register\ndef takes_half(f):\n"
        "    @functools.wraps(f)\n    def g(x): return register(f, x)\n    return g\n",
        "acting": "def register(*a): return a\n",
    }
    assert deferred(sources) == {*sources}
    sources["acting"] += "register()\n"
    assert deferred(sources) == {"asking", "making"}, "what they import is there already"


def test_a_decorator_may_mark_the_function_that_is_being_defined_only() -> None:
    sources = {
        "marked": "from .marking import mark\n@mark\ndef f(x): return x\n",
        "marking": "def mark(f):\n    f.marked = True\n    return f\n",
        "acting": "import paddle\nfrom .marking import mark\nof_paddle = mark(paddle.sum)\n",
    }
    assert deferred(sources) == {"marked"}


def test_what_a_module_needs_that_is_not_deferred_is_not_either() -> None:
    sources = {
        "acting": "from .helper import f\nf()\n",
        "helper": "from .inner import g\ndef f(): return g()\n",
        "inner": "def g(): return 1\n",
        "apart": "from .inner import g\ndef h(): return g()\n",
    }
    assert deferred(sources) == {"apart"}
