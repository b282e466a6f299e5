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
        "import paddle\nHALF = (paddle.float16, paddle.bfloat16)\n",
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
        "import torch\n",
    ],
)
def test_a_module_that_does_more_is_not_deferred(source: str) -> None:
    assert deferred({"one": source}) == set()


def test_what_a_module_needs_that_is_not_deferred_is_not_either() -> None:
    sources = {
        "acting": "from .helper import f\nf()\n",
        "helper": "from .inner import g\ndef f(): return g()\n",
        "inner": "def g(): return 1\n",
        "apart": "from .inner import g\ndef h(): return g()\n",
    }
    assert deferred(sources) == {"apart"}
