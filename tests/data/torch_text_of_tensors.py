"""Texts of tensors, as torch writes them.

Run by tests/test_unit_pieces.py: `python torch_text_of_tensors.py`, or with the path of a unit to run
under Paddle's proxy.
"""

import collections
import logging
import pprint
import random
import sys

if len(sys.argv) > 1:
    import runpy

    import paddle

    paddle.enable_compat()
    runpy.run_path(sys.argv[1])

import torch

SHAPES = [(), (1,), (7,), (0,), (2, 0), (3, 4), (2, 3, 2), (1, 1, 1), (40,), (1200,), (7, 300), (12, 10, 11)]
DTYPES = [
    torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.uint8, torch.bool,
    torch.complex64, torch.complex128,
]
SCALES = [0.0, 1.0, 1e-3, 1e-6, 123.0, 1e5, 1e9]


def made(draw, shape, dtype):
    count = 1
    for size in shape:
        count *= size
    scale, whole = draw.choice(SCALES), draw.random() < 0.4
    values = [draw.gauss(0, 1) * scale for _ in range(count)]
    if whole:
        values = [float(round(value)) for value in values]
    if draw.random() < 0.3:
        values[: count // 2] = [draw.choice([0.0, float("inf"), float("nan"), -float("inf")]) for _ in values[: count // 2]]
    if not dtype.is_floating_point and not dtype.is_complex:
        values = [int(draw.gauss(0, 1) * 100) % 200 for _ in range(count)]
    return torch.tensor(values, dtype=torch.float64 if dtype.is_floating_point else None).reshape(shape).to(dtype)


def record(x):
    return logging.makeLogRecord({"x": x})


def main():
    draw = random.Random(7)
    options = [
        {"profile": "default"}, {"precision": 2}, {"sci_mode": True}, {"profile": "short", "sci_mode": False},
        {"profile": "default", "edgeitems": 1, "threshold": 5}, {"profile": "default", "linewidth": 40},
        {"profile": "full"}, {"profile": "default"},
    ]
    for given in options:
        torch.set_printoptions(**given)
        print(given)
        for shape in SHAPES:
            for dtype in DTYPES:
                print(made(draw, shape, dtype))
    x = torch.arange(6.0).reshape(2, 3)
    y = x.clone().requires_grad_()
    print(y, y * y, (y * y).sum(), torch.nn.Parameter(x), [x, y], (y * 2).detach())
    print(f"{y}", f"{x[0, 1]:.3f}", "%s" % x[0], repr(x[:0]), str(x.int()), x.view(3, 2).t())
    try:
        print(f"{x:.3f}")
    except TypeError as error:
        print(error)
    long = torch.linspace(0, 1, 9).requires_grad_()
    print(long, long.double(), (long * long).double())
    print(torch.device("cpu"), [torch.device("cuda", 1), torch.device("cpu")], str(torch.device("cuda:0")))
    pair = collections.namedtuple("Pair", "first second")
    print(pair(x[0], torch.device("cpu")), pprint.pformat([x[0]]), logging.Formatter("%(x)s").formatMessage(record(x[1])))
    print({"a": torch.tensor(True), "b": torch.tensor(3), "c": torch.tensor(1 + 2j)})


main()
