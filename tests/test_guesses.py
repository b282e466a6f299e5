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
