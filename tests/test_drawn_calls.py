"""Calls of torch's functions, drawn at random, give under Paddle what they give under torch."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.drawn_calls import difference, differences, equal
from tests.test_compat_methods import printed
from tests.test_compat_package import cache, installed, wheel  # noqa: F401 - fixtures

DATA = Path(__file__).parent / "data"

# What is known to differ, by a part of the call and the kind of the difference. Each comment has a
# line of Paddle (or of torch, where that is the cause) that shows it.
KNOWN = (
    # torch's gradient is an error in the backward pass: torch.unique(x).sum().backward()
    ("torch.unique", "gives"),
    # torch gives the input: F.pixel_unshuffle(torch.ones(0, 2, 4, 6), 2).shape
    ("F.pixel_unshuffle(t([0", "gives"),
    # torch's result requires a gradient, which is zero: x.lt_(y)
    (".lt_(", "gives"),
    # paddle.kthvalue(paddle.to_tensor([1.0, 1.0, 2.0]), 1): the place of another equal element
    ("torch.kthvalue", "gives"),
    # paddle.bincount(x, weights) has no gradient; nor has torch's: its backward pass fails
    ("torch.bincount", "gives"),
    # torch's q, which is empty, requires a gradient: torch.linalg.qr(x, mode="r")
    ("torch.linalg.qr", "gives"),
    # (paddle.ones([2]).astype("bfloat16") / 3).norm() rounds other steps
    ("F.cosine_similarity", "gives"),
    # paddle.std(paddle.to_tensor([1.0, float("inf")])): the order of the steps on infinite numbers
    ("torch.std_mean", "gives"),
    # the gradient of an infinite condition number: inf in torch, NaN by paddle.linalg.cond
    ("torch.linalg.cond", "gradients"),
    # torch's is memory that nothing has written: F.multilabel_margin_loss(torch.ones(0, 4), ...)
    ("F.multilabel_margin_loss(t([0", "gives"),
    # paddle.slice_scatter(x, value, [0], [1], [3]) needs strides
    ("torch.slice_scatter", "refused"),
    # paddle.nn.functional.tanhshrink(paddle.to_tensor(1)) takes no integers
    ("nn.Tanhshrink", "refused"),
    # paddle.nn.functional.fold(x, 4, 2) needs a batch
    ("F.fold", "refused"),
    # paddle.index_add(x, index, 0, value * 0.5) of integers needs one dtype
    ("torch.index_add", "refused"),
    # paddle.ones([2]).astype("bfloat16").exp() is rounded at other steps in the backward pass
    ("F.scaled_dot_product_attention", "gradients"),
    # paddle.grad(paddle.linalg.svd(x, full_matrices=True)[1].sum(), [x], create_graph=True)
    ("torch.svd", "gradients refused"),
    # paddle.grad(x.put_along_axis(i, v, 0, "amin").sum(), [x], create_graph=True)
    ("reduce", "gradients refused"),
    # paddle.grad(paddle.linalg.lu(x)[0].sum(), [x], create_graph=True)
    ("torch.lu_solve", "gradients refused"),
    # paddle.assign(y, x) of half: paddle.grad(x.sum(), [y], create_graph=True)
    ("'bfloat16'", "gradients refused"),
    # torch's second gradient of torch._weight_norm(v, g, 0) is wrong, by finite differences
    ("weight_norm", "second"),
    # torch's fused attention in float32: digits
    ("F.multi_head_attention_forward", "second"),
    # paddle.nn.functional.selu(0): the second gradient of negative numbers
    ("F.selu", "second"),
)


def test_digits_may_differ_and_shapes_may_not() -> None:
    one = ["float32", [2], False, [1.0, 2.0]]
    assert equal(one, ["float32", [2], False, [1.00001, 2.0]], 0)
    assert not equal(one, ["float32", [2], False, [1.01, 2.0]], 0)
    assert not equal(one, ["float64", [2], False, [1.0, 2.0]], 0)
    assert not equal(one, ["float32", [2, 1], False, [1.0, 2.0]], 0)
    assert difference({"error": ["ValueError", ""]}, {"error": ["crash", ""]}) is None
    assert difference({"gives": one}, {"error": ["crash", ""]}) == "crash"


@pytest.mark.real
@pytest.mark.long
@pytest.mark.parametrize(("seed", "count"), [(1, 500), (2, 300)])
def test_drawn_calls_agree(
    framework_pythons: Mapping[str, Path],
    installed: Path,  # noqa: F811
    cache: Path,  # noqa: F811
    tmp_path: Path,
    seed: int,
    count: int,
) -> None:
    """Also the gradients of gradients, for the second seed; what torch refuses is not compared."""
    for name in ("torch_drawn_calls.py", "torch_drawn_tables.py"):
        shutil.copy(DATA / name, tmp_path)
    call = (str(tmp_path / "torch_drawn_calls.py"), str(seed), "0", str(count))
    torch = printed(framework_pythons["torch"], tmp_path, *call)
    found = {"PYTHONPATH": str(installed), "PORTER_COMPAT_CACHE": str(cache)}
    paddle = printed(framework_pythons["paddle"], tmp_path, "-m", "porter_compat", *call, **found)
    assert len(torch) == len(paddle) == count
    unknown = [
        (kind, text)
        for _, text, kind, _, _ in differences("\n".join(torch), "\n".join(paddle))
        if "accepted" not in kind
        and not any(part in text and kind == known for part, known in KNOWN)
    ]
    assert not unknown
