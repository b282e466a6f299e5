"""What depends on a type that the source does not show is one line a name, with its places."""

from __future__ import annotations

import pytest

from porter.model import Guess, Language, Role, SourceFile
from porter.surface.load import load, load_torch
from porter.uses.differences import differences
from porter.uses.guesses import guesses
from porter.uses.lookup import find_missing, uses

MOVEDIM = "torch.Tensor.movedim"


def of(text: str) -> tuple[list[Guess], set[str]]:
    """The guesses, and the names that surely are missing or differ."""
    data = f"import torch\nimport numpy as np\n{text}\n".encode()
    file = SourceFile("a.py", Language.PYTHON, Role.LIBRARY, len(data))
    found, surface = list(uses([(file, data)])), load("paddle", "3.3.1")
    told = differences(found, surface, load_torch())
    sure = {item.name for item in find_missing(found, surface, load_torch())}
    return list(guesses(found, told, surface, load_torch())), sure


def test_a_name_is_one_line_with_the_number_of_its_places() -> None:
    ((guess,), _) = of("a = x.movedim(0, 1)\nb = self.y.movedim(0, 1)\nc = z[0].movedim(1, 0)")
    assert (guess.name, guess.sites, guess.line) == ("torch.Tensor.movedim", 3, 3)
    assert guess.reason == "if it is a Tensor's: paddle 3.3.1 lacks it"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("x.select(0, 1)", "torch.Tensor.select"),
        ("y.nbytes", "torch.Tensor.nbytes"),
        ("t.dtype.itemsize", "torch.dtype.itemsize"),
        ("x.split(2, dim=0)", "torch.Tensor.split(dim=)"),
        ("x.max(dim=1)", "torch.Tensor.max(dim=)"),
        ("x.flip(0, 1)", "torch.Tensor.flip"),
        ("x.mul(2)", "torch.Tensor.mul"),
        ("y = self.layer(x)\ny.movedim(0, 1)", "torch.Tensor.movedim"),
        ("from einops import rearrange\nrearrange(x, 'a b -> b a').movedim(0, 1)", MOVEDIM),
        ("from .ops import run\ny = run(x)\ny.movedim(source=0, destination=1)", MOVEDIM),
        ("d = {}\nd.get('a').movedim(0, 1)", MOVEDIM),
        ("y = Blocks()(x)\ny = y.movedim(0, 1)", MOVEDIM),
        ("def f(p):\n    return p.boxes().movedim(0, 1)", MOVEDIM),
        ("from .a import B\ndef f(b: B): return b.F.movedim(0, 1), b.g().movedim(0, 1)", MOVEDIM),
        ("x.put(i, y)", "torch.Tensor.put"),
        ("def f(y):\n    x = 0\n    x += y\n    return x.movedim(0, 1)", MOVEDIM),
        ("x.resize(2, 3)", "torch.Tensor.resize"),
        ("x.pinverse()", "torch.Tensor.pinverse"),
    ],
)
def test_what_torch_has_and_paddle_lacks_is_told_of_anything(text: str, name: str) -> None:
    found, _ = of(text)
    assert [guess.name for guess in found] == [name]


@pytest.mark.parametrize(
    "text",
    [
        "np.zeros(3).nbytes",
        "a = np.zeros(3)\na.nbytes",
        "def f(a: np.ndarray):\n    return a.nbytes",
        "'a b'.split(' '); x.split(',')",
        "class A:\n    def select(self): pass\n    def g(self): self.select()",
        "x.flip(1); x.mul(y); x.max()",
        "q.put(1); self.q.put(item, timeout=2)",
        "x.resize((2, 3), mode)",
        "x.nbytes(); x.movedim(0)",
        "if x.select == 1: pass",
        "x.put.more; x.put + 1",
        "a = np.zeros(3)\na = a.copy()\na.nbytes",
        "import queue\nq = queue.Queue()\nq.put(1, True)",
        "import pathlib\np = pathlib.Path('a')\np.parent.absolute()",
        "def f(x: 'torch.device', y: torch.device) -> torch.device: pass",
        "def f(a: np.ndarray): return torch.as_tensor(a)",
        "import pathlib\np = pathlib.Path('a')\np.parent.absolute()",
        "def f(x: 'torch.device', y: torch.device) -> torch.device: pass",
        "def f(a: np.ndarray): return torch.as_tensor(a)",
        "from shop import Cart\nc = Cart()\nc.put(a, b)",
        "def f(p):\n    if p.exists(): return p.absolute()",
        "with begin() as t:\n    t.put(a, b)",
        "class F(torch.autograd.Function):\n    def forward(ctx, x): return ctx.H",
    ],
)
def test_what_is_known_to_be_something_else_is_not_told(text: str) -> None:
    assert of(text) == ([], set())


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("x.share_memory_()", "torch.Tensor.share_memory_"),
        ("x.is_shared()", "torch.Tensor.is_shared"),
        ("torch.ops.aten.add.Tensor(a, b)", "torch.ops.aten"),
        ("torch.float32.itemsize", "torch.dtype.itemsize"),
        ("value, where = self.x.max(dim=1)", "torch.Tensor.max(dim=)"),
        ("x = torch.ones(4)\nx.relu().split(2, dim=0)", "torch.Tensor.split(dim=)"),
        ("import pytest\nt = pytest.importorskip('torch')\nt.std_mean(x)", "torch.std_mean"),
        ("import importlib\nn = importlib.import_module('torch.nn')\nn.RNN(1)", "torch.nn.RNN"),
        ("def f(x: torch.device | None): pass", "torch.device"),
        ("torch.linalg.vecdot(x, y, dim=0)", "torch.linalg.vecdot(dim=)"),
        ("torch.get_autocast_gpu_dtype() == torch.half", "torch.get_autocast_gpu_dtype"),
    ],
)
def test_what_is_known_to_be_torchs_is_no_guess(text: str, name: str) -> None:
    found, sure = of(text)
    assert name in sure and not found


def test_a_module_has_a_path_under_any_framework() -> None:
    assert of("torch.__path__, torch.nn.__file__") == ([], set())


@pytest.mark.parametrize(
    "text",
    [
        "torch.FloatTensor([[1, 2]]); torch.FloatTensor(2, 3); torch.FloatTensor()",
        "v = [n for n in x]\ntorch.FloatTensor(v)",
        "torch.FloatTensor(list(x))",
        "def f(x: torch.FloatTensor = None) -> torch.FloatTensor: pass",
        "y: list[torch.FloatTensor] = x",
    ],
)
def test_a_typed_tensor_of_a_list_or_in_an_annotation_is_not_told(text: str) -> None:
    assert of(text) == ([], set())


@pytest.mark.parametrize(
    "text",
    [
        "torch.FloatTensor(x.shape)\ntorch.FloatTensor(x.size())",
        "torch.FloatTensor(range(3))\ntorch.FloatTensor(values)",
        "isinstance(x, torch.FloatTensor)\nx.to(torch.FloatTensor)",
    ],
)
def test_a_typed_tensor_of_a_size_or_as_a_type_is_told(text: str) -> None:
    guesses = {guess.name: guess.sites for guess in of(text)[0]}
    assert guesses["torch.FloatTensor"] == 2


def names_of(text: str) -> set[str]:
    found, sure = of(text)
    return {guess.name for guess in found} | sure


@pytest.mark.parametrize(
    ("told", "not_told", "name"),
    [
        ("def f(x): x = x.relu(); x.clamp_(0)", "def f(x): x = x.double(); x.clamp_(0)", "clamp_"),
        ("def f(x): x.sum().add_(x.y)", "def f(x, y): x.sum().add_(y.to(x))", "add_"),
        ("def f(x, y): x.sum().add_(y)", "def f(x, y): x.sum().add_(y); y.detach()", "add_"),
        ("def f(x, y): x.sum().add_(y)", "def f(x, y): x.sum().add_(y, alpha=2)", "add_"),
        ("def f(x, y): x.sum().add_(2, alpha=2)", "def f(x, y): h, w = y; x.sum().add_(y)", "add_"),
        ("def f(m): m.weight.data.zero_()", "def init(m): m.weight.data.zero_()", "data"),
        ("def f(m): m.weight.data.zero_()", "def f(m): m.w.clone().data.zero_()", "data"),
        ("def f(x): return x.max(1)", "def f(x): return x.max(1) + 1", "max"),
        ("def f(x): x.put(x, x)", "def f(x, name: str): x.put(x, name)", "put"),
        ("def f(x): return x.layout", "def f(x): return x.layout.name", "layout"),
        (
            "def f(p): return p.movedim(0, 1)",
            "def f(p): p.conv1; p.movedim(0, 1)",
            "movedim",
        ),
    ],
)
def test_what_the_source_shows_rules_a_guess_out(told: str, not_told: str, name: str) -> None:
    full = f"torch.Tensor.{name}"
    assert full in names_of(told) and full not in names_of(not_told)


@pytest.mark.parametrize(
    ("told", "not_told"),
    [
        ("def f(x): return torch.sum(x)", "def f(x): torch.sum(x).backward()"),
        ("def f(x): return torch.sum(x)", "def f(x): return torch.sum(x > 0)"),
        ("def f(x): return torch.flatten(x)", "def f(x): return torch.flatten(x) + 1"),
        ("def f(x): y = torch.flatten(x); return y", "def f(x): y = torch.flatten(x); y.size()"),
        (
            "def f(x): y = torch.flatten(x); x.zero_(); return y.size()",
            "def f(x): y = torch.flatten(x); return y.size()",
        ),
        ("def f(x): return torch.unbind(x, 0)", "def f(x): return [y for y in torch.unbind(x, 0)]"),
        ("def f(x): return torch.allclose(x, x)", "def f(x): assert torch.allclose(x.long(), x)"),
        ("def f(x): torch.prod(x)", "torch.prod(torch.LongTensor([2, 3]))"),
        (
            "def f(v): return torch.as_tensor(v)",
            "def f(v):\n    if not isinstance(v, torch.Tensor): return torch.as_tensor(v)",
        ),
        (
            "def f(v): return torch.as_tensor(v)",
            "def f(v):\n    if torch.is_tensor(v): return v\n    return torch.as_tensor(v)",
        ),
        ("def f(v): return torch.as_tensor(v)", "def f(v): torch.as_tensor(v, dtype=torch.long)"),
        ("def f(v): torch.full((2,), v)", "def f(x): torch.full((2,), 1, dtype=x.dtype)"),
        ("def f(x): torch.clamp(x, 0)", "def f(x): torch.clamp(torch.stack([x.double(), x]), 0)"),
        (
            "import torch.nn.functional as F\ndef f(x): F.interpolate(x, 5)",
            "import torch.nn.functional as F\ndef f(x, h, w): F.interpolate(x, (h, w))",
        ),
    ],
)
def test_a_difference_that_cannot_show_is_not_told(told: str, not_told: str) -> None:
    assert names_of(told) and not names_of(not_told)


def test_an_import_alone_is_no_use_that_may_differ() -> None:
    assert not names_of("from torch import FloatTensor")


def test_a_variable_that_takes_the_name_of_an_import_is_no_import() -> None:
    text = "import torch.optim as optim\noptim = optim.Adam(x)\noptim.step()\ndef f(): optim.step()"
    assert "torch.optim.step" not in names_of(text) and "torch.optim.Adam" in names_of(text)
