"""Indices of tensors, drawn at random: what is read, written and differentiated by each.

Run by tests/test_compat_methods.py under both frameworks, which print the same.
"""

import random
import warnings

import numpy as np
import torch

warnings.simplefilter("ignore")  # of bytes as masks

CASES = 600


def draw_tensor(draw):
    shape = [draw.randint(0 if draw.random() < 0.05 else 1, 4) for _ in range(draw.randint(0, 4))]
    x = torch.arange(torch.Size(shape).numel()).reshape(shape)
    x = x.float() if draw.random() < 0.5 else x
    form = draw.random()
    if len(shape) >= 2 and form < 0.3:
        return x.transpose(draw.randrange(len(shape)), draw.randrange(len(shape)))
    if shape and form < 0.4:
        return x[::2] if draw.random() < 0.5 else x[1:]
    return x.unsqueeze(0).expand(2, *x.shape) if shape and form < 0.5 else x


def draw_places(draw, size, block):
    count = torch.Size(block).numel()
    places = torch.tensor([draw.randint(-size, size - 1) for _ in range(count)]).reshape(block)
    places = places.int() if draw.random() < 0.3 else places
    return places.tolist() if draw.random() < 0.2 else places


def draw_mask(draw, sizes):
    drawn = [draw.random() < 0.5 for _ in range(torch.Size(sizes).numel())]
    return torch.tensor(drawn, dtype=torch.bool).reshape(sizes)


def draw_index(draw, x):
    index, at = [], 0
    block = [draw.randint(1, 3) for _ in range(draw.randint(0, 2))]
    for _ in range(draw.randint(0, x.dim() + 1)):
        kind = draw.random()
        if kind < 0.2:
            index.append(None)
            continue
        if kind < 0.3 and ... not in [each for each in index if not isinstance(each, torch.Tensor)]:
            index.append(...)
            continue
        if at == x.dim():
            break
        size = x.shape[at]
        if not size:
            part = slice(None)
        elif kind < 0.45:
            part = draw.randint(-size, size - 1)
        elif kind < 0.65:
            ends = draw.choice([None, 0, 1, -2]), draw.choice([None, 0, 2, -1, 9])
            part = slice(*ends, draw.choice([None, 2]))
        elif kind < 0.8:
            part = draw_places(draw, size, block)
        elif kind < 0.9 or at + 2 > x.dim():
            part = draw_mask(draw, [size])
        elif kind < 0.95:
            part = draw_mask(draw, [size, x.shape[at + 1]])
            at += 1
        else:
            part = draw.choice([True, False, torch.tensor(True), torch.tensor(0)])
        index.append(part)
        at += 1
    return index[0] if len(index) == 1 and draw.random() < 0.7 else tuple(index)


def said(tensor):
    return str(tensor.dtype).rpartition(".")[2], [*tensor.shape], tensor.tolist()


def written(x, index, by_number):
    x = x.clone()
    part = x[index]
    x[index] = 7 if by_number else torch.arange(part.numel()).to(x.dtype).reshape(part.shape)
    return said(x)


def differentiated(x, index):
    x = x.detach().double().requires_grad_(True)
    (x[index] ** 2).sum().backward()
    return said(x.grad)


def show(number, function, *arguments):
    try:
        print(number, function(*arguments))
    except (IndexError, RuntimeError, ValueError, TypeError):
        print(number, "refused")  # by another exception, and in other words


for case in range(CASES):
    draw = random.Random(case)
    x = draw_tensor(draw)
    index, by_number = draw_index(draw, x), draw.random() < 0.5
    show(case, lambda x, index: said(x[index]), x, index)
    show(case, written, x, index, by_number)
    show(case, differentiated, x, index)

one, rows = torch.ones(1), torch.arange(6.0).reshape(2, 3)
for index in (
    [True, False],
    ([True, False], 0),
    (slice(None), [True, False, True]),
    (None, [True, False]),
    ([True, False], None),
    [[True, False, True], [False, True, False]],
    np.array([True, False]),
    (np.array([True, False]), None),
    np.array([1, 0]),
    ((0,), (1,)),
):
    show("given", lambda index: said(rows[index]), index)
    show("given", written, rows, index, True)
for index in ([True], [False], (None, [True]), np.array([True]), torch.tensor([1], dtype=torch.uint8)):
    show("one", lambda index: said(one[index]), index)

row, table = torch.arange(3.0), torch.arange(12.0).reshape(3, 4)
for place in (7, -5):
    k = torch.tensor([place])
    for function in (
        lambda k: row[k],
        lambda k: table[:, k],
        lambda k: table[k, 0],
        lambda k: table[[0], k],
        lambda k: table[..., k],
        lambda k: table[None, k],
        lambda k: table.t()[k],
        lambda k: row[k.tolist()],
        lambda k: row.clone().__setitem__(k, 1.0),
        lambda k: table.clone().__setitem__((slice(None), k), 1.0),
        lambda k: table.clone().__setitem__((k, None), 1.0),
        lambda k: row.index_put((k,), torch.ones(1)),
        lambda k: row.clone().index_put_((k,), torch.ones(1), accumulate=True),
        lambda k: row.index_fill(0, k, 1.0),
        lambda k: row.index_copy(0, k, torch.ones(1)),
        lambda k: table.clone().index_copy_(1, k, torch.ones(3, 1)),
        lambda k: row.put(k, torch.ones(1)),
        lambda k: row.clone().put_(k, torch.ones(1)),
        lambda k: torch.take(row, k),
        lambda k: torch.nn.functional.embedding(k, table),
        lambda k: torch.nn.Embedding(3, 4)(k),
    ):
        try:
            print("inside", said(function(k)))
        except IndexError:
            print("outside")


def wrote(value):
    x = torch.zeros(2, 4)
    x[torch.tensor([True, True]), None] = value
    return said(x)


for value in (torch.ones(2, 1, 4), torch.ones(1, 1, 2, 1, 4), torch.ones(3), 1.0):
    show("value", wrote, value)


def by_sequences(index):
    x = torch.arange(24.0).reshape(2, 3, 4).transpose(1, 2)
    before = said(x[index])
    x[index] -= 100.0
    return before, said(x)


for sequences in (
    (range(2), range(2)),
    ((0, 1), (0, 1)),
    range(2),
    (slice(None), range(0, 4, 2)),
    ([0, 1], range(2), (0, 1)),
    (..., range(2)),
    (None, range(2)),
    [(0, 1), (1, 2)],
    ((True, False), 1),
    range(0),
    range(9),
):
    show("sequence", by_sequences, sequences)

one, number, exact = torch.tensor([0.5]), torch.tensor(0.25), torch.tensor(1.5, dtype=torch.float64)
for elements in (
    [[1.0, one / 10], [number, 2.0]], [one, number], [one, 1], [torch.tensor([[2]]), 1], [[one], [1.0]], [one, one],
    [torch.ones(2), torch.ones(2)], [[1.0, torch.ones(2)]], [1, torch.tensor([[2]])], [exact, 1.0], [number, 2],
    [torch.tensor(True), 1], [torch.tensor(2, dtype=torch.int32)], [torch.tensor(1.0, dtype=torch.float16), 1], (number, number),
):
    try:
        print("elements", said(torch.tensor(elements)), said(torch.as_tensor(elements)))
    except ValueError:
        print("elements refused")
