"""Calls of torch, drawn at random from tables of its signatures, and what each gives.

    python torch_drawn_calls.py SEED FIRST COUNT

prints a line a call: its number, its text, and as JSON what it gives, what it writes into its
operands, its gradients, and, if the seed is even, for each third call the gradients of these. A call that ends or stops
the process is printed as such, and the others are made by a new one. tests/drawn_calls.py compares
what is printed under torch and under Paddle.

The tables name the functions by the form of their calls. In a form, `{KIND SHAPE}` is a tensor:

    KIND   f floats, F float32 or float64, r real numbers, n also complex ones, c complex, i whole
           numbers, b truths, x any, p positive, u between -1 and 1, jN places below N
    SHAPE  * any, = that of the first tensor, ~ one that broadcasts with it, or sizes: numbers,
           letters (the same size in a call), and * for leading ones
    `{d}` is a dimension of the first tensor, `{ds}` some of them, `{dt}` a dtype, `{a|b}` one of
    both; what is between < and > is left out at times.
"""

import json
import math
import random
import re
import signal
import subprocess
import sys

from torch_drawn_tables import FORMS, SPECIAL

LIMIT = 60  # seconds a call
CREATE = "create_" + "graph"  # the word in a source makes porter-compat compute gradients by other steps
FLOATS = ["float32"] * 4 + ["float64"] * 3 + ["float16", "bfloat16"]
WHOLE = ["int64", "int64", "int32", "uint8", "int8", "int16"]
EVERY = FLOATS + WHOLE + ["bool", "bool", "complex64"]
KINDS = {"f": FLOATS, "F": ["float32", "float32", "float64"], "r": FLOATS + WHOLE, "i": WHOLE}
KINDS |= {"n": [*FLOATS, *WHOLE, "complex64", "complex64"], "c": ["complex64"], "b": ["bool"]}
KINDS |= {"x": EVERY, "p": KINDS["F"], "u": KINDS["F"], "j": ["int64"]}
CALLS = [
    (form, name, group in SPECIAL)
    for group in FORMS
    for form, names in group.items()
    for name in names.split() * (4 if len(names.split()) < 3 else 1)
]


class Drawn:
    """The text of a call, from a form."""

    def __init__(self, draw, special):
        self.draw, self.sizes, self.first, self.dtypes = draw, {}, None, {}
        self.values = ["", "", "", "", "ties", "special" if special else ""]

    def text(self, form, name):
        form = form.replace("NAME", name)
        form = re.sub(r"<([^<>]*)>", lambda m: m[1] if self.draw.random() < 0.5 else "", form)
        return re.sub(r"\{([^{}]*)\}", lambda m: self.part(m[1]), form)

    def part(self, word):
        draw = self.draw
        if "|" in word:
            word = draw.choice(word.split("|"))
        if word == "dt":
            return "torch." + draw.choice(EVERY)
        if word in ("d", "ds"):
            rank = len(self.first or ())
            at = [draw.randint(-max(rank, 1), max(rank, 1) - (draw.random() < 0.97)) for _ in range(3)]
            some = sorted({each % max(rank, 1) for each in at[: draw.randint(1, 3)]})
            return str(at[0]) if word == "d" or draw.random() < 0.4 else str(some)
        if re.fullmatch(r"[fFrnxcibpu]( \S+)?|j\d+ \S+", word):
            return self.tensor(*(word.split() + ["*"])[:2])
        return str(self.sizes.get(word, word))

    def tensor(self, kind, shape):
        draw = self.draw
        if shape == "~" and kind != "b" and draw.random() < 0.2:
            return draw.choice(["2", "-1.5", "0", "3", "0.5", "True"])
        sizes = self.shape(shape)
        dtype = draw.choice(KINDS[kind[0]] if draw.random() > 0.03 or kind[0] == "j" else EVERY)
        if draw.random() < (0.75 if shape in "*~=" else 0.97):
            dtype = self.dtypes.setdefault(kind[0], dtype)
        self.dtypes.setdefault(kind[0], dtype)
        if self.first is None:
            self.first = sizes
        layout = draw.choice(["", "", "T", "S", "V"]) if sizes else ""
        grad = dtype[:2] in ("fl", "bf", "co") and draw.random() < 0.6
        values = kind if kind[0] in "puj" else draw.choice(self.values)
        words = [str(sizes), repr(dtype), str(draw.randrange(10**6))]
        words += [f"layout={layout!r}"] * bool(layout) + [f"values={values!r}"] * bool(values)
        return f"t({', '.join(words + ['grad=True'] * grad)})"

    def shape(self, word):
        draw = self.draw
        if word == "=":
            return list(self.first)
        if word == "~":
            kept = [1 if draw.random() < 0.2 else size for size in self.first]
            return [*([2] * (draw.random() < 0.1)), *kept[draw.choice([0, 0, 0, 0, 1]) :]]
        sizes = []
        for part in word.split(","):
            if part == "*":
                sizes += [draw.choice([0, 1, 2, 3, 2, 3, 3, 4]) for _ in range(draw.choice([0, 1, 2, 2, 3]))]
            elif part.isdigit():
                sizes.append(int(part))
            else:
                some = [1, 2, 2, 3, 0] if part == "N" else [4, 5, 6, 7] if part in "LHW" else [1, 2, 3]
                sizes.append(self.sizes.setdefault(part, draw.choice(some)))
        return sizes[:-1] if word == "*" and len(sizes) > 3 else sizes


def call_text(seed, number):
    draw = random.Random(f"{seed} {number}")
    form, name, special = draw.choice(CALLS)
    return Drawn(draw, special).text(form, name)


class Made:
    """The tensors of a call, and how to read what it gives."""

    def __init__(self):
        self.leaves, self.bases, self.before, self.modules = [], [], [], []

    def t(self, sizes, dtype, seed, layout="", values="", grad=False):
        draw, form = random.Random(seed), [*sizes]
        if layout == "T":
            form[0], form[-1] = form[-1], form[0]
        elif layout == "S":
            form[-1] *= 2
        elif layout == "V":
            form[0] += 1
        number = {"b": lambda: draw.random() < 0.5, "u": lambda: draw.randint(0, 9)}
        number = number.get(dtype[0], lambda: draw.randint(-5, 5))
        if dtype[0] in "fbc" and dtype != "bool":
            number = lambda: round(draw.uniform(-3, 3), 2)
        if values == "ties":
            number = lambda: draw.randint(0, 2)
        elif values == "special" and dtype[0] in "fb" and dtype != "bool":
            number = lambda: draw.choice([0.0, -0.0, 1.0, -2.5, math.nan, math.inf, -math.inf, 7e4])
        elif values == "special" and dtype[0] == "i":
            number = lambda: draw.choice([0, 1, -1, 127, -128])
        elif values == "p":
            number = lambda: round(draw.uniform(0.1, 2), 2)
        elif values == "u":
            number = lambda: round(draw.uniform(-0.95, 0.95), 2)
        elif values[:1] == "j":
            number = lambda: draw.randrange(int(values[1:]))
        if dtype == "complex64":
            whole, number = number, lambda: complex(whole(), whole())
        given = [number() for _ in range(math.prod(form))]
        x = torch.tensor(given, dtype=getattr(torch, dtype)).reshape(form)
        if grad:
            self.leaves.append(x.requires_grad_(True))
            x = x * 1
        self.bases.append(x)
        self.before.append(str(read(x)))
        x = x.transpose(0, -1) if layout == "T" else x[..., ::2] if layout == "S" else x
        return x[1:] if layout == "V" else x

    def module(self, module):
        draw = random.Random(0)
        for tensor in [*module.parameters(), *module.buffers()]:
            numbers = [round(draw.uniform(0.1, 0.9), 2) for _ in range(tensor.numel())]
            with torch.no_grad():
                tensor.copy_(torch.tensor(numbers).reshape(tensor.shape))
        self.leaves += module.parameters()
        self.modules.append(module)
        return module


def read(value):
    if isinstance(value, torch.Tensor):
        values = value.detach().clone().flatten().tolist()
        values = [[z.real, z.imag] for z in values] if value.is_complex() else values
        return [str(value.dtype).rpartition(".")[2], [*value.shape], value.requires_grad, values]
    if isinstance(value, (tuple, list)) and not isinstance(value, torch.Size):
        return ["list" if isinstance(value, list) else "tuple", *map(read, value)]
    if isinstance(value, (bool, int, float)) or value is None:
        return value
    return str(value)


def scalar(values):
    """A number that all of what is given has a part in."""
    total = 0.0
    for x in tensors(values):
        if x.requires_grad:
            x = torch.view_as_real(x.resolve_conj()) if x.is_complex() else x
            weights = torch.arange(1, x.numel() + 1, dtype=torch.float64) / (x.numel() + 1)
            total = total + (x.double() * weights.reshape(x.shape)).sum()
    return total


def tensors(value):
    if isinstance(value, (tuple, list)):
        return [each for part in value for each in tensors(part)]
    return [value] if isinstance(value, torch.Tensor) else []


def attempt(function):
    try:
        return function(), None
    except Exception as error:
        return None, [type(error).__name__, str(error).strip()[:150]]


def result(text, second):
    made = Made()
    names = {"torch": torch, "F": torch.nn.functional, "nn": torch.nn, "t": made.t, "m": made.module}
    got, error = attempt(lambda: eval(text, names))
    if error:
        return {"error": error}
    out = {"gives": read(got), "same": any(got is base for base in made.bases)}
    now = [read(base) for base in made.bases]
    out["written"] = [new for new, old in zip(now, made.before, strict=True) if str(new) != old]
    out["state"] = [(k, read(v)) for module in made.modules for k, v in module.named_buffers()]
    total = scalar(got)
    leaves = [leaf for leaf in made.leaves if leaf.requires_grad]
    if not isinstance(total, torch.Tensor) or not leaves:
        return out
    grads, error = attempt(
        lambda: torch.autograd.grad(total, leaves, allow_unused=True, **{CREATE: second})
    )
    out["gradients"] = error or [None if grad is None else read(grad) for grad in grads]
    if second and not error:
        total = scalar([None if each is None else each * each for each in grads])
        if isinstance(total, torch.Tensor):
            grads, error = attempt(lambda: torch.autograd.grad(total, leaves, allow_unused=True))
            out["second"] = error or [None if each is None else read(each) for each in grads]
    return out


def make(seed, first, last):
    if seed % 2 == 0:
        x = torch.ones(1, requires_grad=True)
        torch.autograd.grad((x * x).sum(), [x], **{CREATE: True})
    for number in range(first, last):
        text = call_text(seed, number)
        print(f"\ncall\t{number}\t{text}", flush=True)
        signal.alarm(LIMIT)
        print("\ngave\t" + json.dumps(result(text, seed % 2 == 0 and number % 3 == 0)), flush=True)


def drive(seed, first, last):
    """Make the calls in another process, and in a new one after each that ends it."""
    before = -1
    while before < first < last:
        before = first
        command = [sys.executable, "-W", "ignore", __file__, "make", str(seed), str(first), str(last)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, stderr=subprocess.DEVNULL) as done:
            begun = None
            for line in done.stdout:
                mark, _, rest = line.rstrip("\n").partition("\t")
                if mark == "call":
                    begun, first = rest, int(rest.split("\t")[0]) + 1
                elif mark == "gave":
                    begun = print(begun, rest, sep="\t", flush=True)
        if begun:
            print(begun, '{"error": ["crash", ""]}', sep="\t", flush=True)
    if first < last:
        sys.exit(f"no call is made from {first}")


if __name__ == "__main__":
    if sys.argv[1] == "make":
        import torch

        torch.set_num_threads(1)
        make(*map(int, sys.argv[2:5]))
    elif sys.argv[1] == "call":
        import torch

        print(json.dumps(result(sys.argv[2], True), indent=1))
    else:
        seed, first, count = map(int, sys.argv[1:4])
        drive(seed, first, first + count)
