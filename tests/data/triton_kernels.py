"""Kernels interpreted on the CPU, whose answers are known: a line for each, the same everywhere.

Run by tests/test_triton_cpu.py: `python triton_kernels.py PLUGIN`, or with `paddle` after it.
"""

import importlib.util
import sys

spec = importlib.util.spec_from_file_location("porter_triton_cpu", sys.argv[1])
plugin = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = plugin
spec.loader.exec_module(plugin)
if sys.argv[2:] == ["paddle"]:
    import paddle

    paddle.enable_compat()

import math

import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice
from triton.language.extra.cuda.libdevice import rsqrt

load = tl.load  # an alias, which the interpreter alone does not know


def show(name, value):
    print(name, value)


@triton.jit
def add_kernel(x, y, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out + offsets, load(x + offsets, mask=mask) + load(y + offsets, mask=mask), mask=mask)


for n in (1, 255, 1000):
    x, y, out = torch.arange(n).float(), torch.ones(n), torch.zeros(n + 1)
    original = tl.load
    add_kernel[(triton.cdiv(n, 256),)](x, y, out, n, BLOCK=256)
    same = out[:n].tolist() == [i + 1.0 for i in range(n)] and float(out[n]) == 0
    show(f"add {n}", same and load is original and tl.load is original)
show("launches", plugin.launches())

# a tensor is written to where it is: views, other dtypes, no copy
grid = torch.zeros(4, 6)
part = grid[1:3]
add_kernel[(1,)](torch.ones(12), torch.ones(12), part, 12, BLOCK=16)
show("view", grid.tolist())
for dtype in ("float16", "bfloat16", "int32", "int64", "float64"):
    kind = getattr(torch, dtype)
    x, out = torch.ones(3).to(kind), torch.zeros(3).to(kind)
    add_kernel[(1,)](x, x, out, 3, BLOCK=4)
    show(dtype, out.float().tolist())


# what is a scalar tensor when compiled: a float, the variable of a loop
@triton.jit
def scalars_kernel(x, out, scale, steps, nothing, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    values = tl.load(x + offsets)
    tl.static_assert((values * scale).dtype == tl.float32)  # half by a float
    total = values.to(tl.float32) * scale.to(tl.float32)
    for step in range(0, steps):
        total += step.to(tl.float32)
    for step in range(1, 3):
        total += tl.load(x + step.to(tl.int64)).to(tl.float32)
    for step in tl.static_range(2):
        total += step
    if nothing is not None:
        total += tl.load(nothing)
    tl.store(out + offsets, total)


half = torch.tensor([1.0, 2.0, 3.0, 4.0]).half()
out = torch.zeros(4)
scalars_kernel[(1,)](half, out, 0.5, 4, None, BLOCK=4)
show("scalars", out.tolist())


# a comparison of scalars is a mask, also of int64
@triton.jit
def last_row_kernel(x, out, rows, COLUMNS: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    offsets = tl.arange(0, COLUMNS)
    mask = (offsets < COLUMNS) & (row + 1 < rows)
    tl.store(out + row * COLUMNS + offsets, tl.load(x + offsets, mask=mask, other=9), mask=mask)


out = torch.zeros(2, 4)
last_row_kernel[(2,)](torch.ones(4), out, 2, COLUMNS=4)
show("mask", out.tolist())


# bfloat16 is computed in float32 and rounded to the nearest
@triton.jit
def bfloat16_kernel(x, y, out, BLOCK: tl.constexpr):
    rows, columns = tl.arange(0, BLOCK)[:, None], tl.arange(0, BLOCK)[None, :]
    offsets = rows * BLOCK + columns
    a, b = tl.load(x + offsets), tl.load(y + offsets)
    tl.store(out + offsets, tl.dot(a, b))
    signs = tl.where(a < 0, -a, a) * b - a / 3.0
    tl.store(out + BLOCK * BLOCK + offsets, signs.to(tl.float32))
    tl.store(out + 2 * BLOCK * BLOCK + offsets, (a.to(tl.float32) / 3).to(tl.bfloat16))
    tl.store(out + 3 * BLOCK * BLOCK + offsets, a.to(tl.int32))


x = (torch.arange(256).reshape(16, 16).float() % 9 - 4).bfloat16()
y = (torch.arange(256).reshape(16, 16).float() % 5 - 2).bfloat16()
out = torch.zeros(4, 16, 16)
bfloat16_kernel[(1,)](x, y, out, BLOCK=16)
show("dot", out[0].tolist() == torch.matmul(x.float(), y.float()).tolist())
third = (x.float() / 3).bfloat16().float()
product = (x.float().abs() * y.float()).bfloat16().float()
show("arithmetic", float((out[1] - (product - third)).abs().max()) < 0.05)
show("rounding", out[2].tolist() == third.tolist())
show("whole", out[3].tolist() == x.float().tolist())


# autotuning: the first configuration that the compiler would take, once
configs = [triton.Config({"BLOCK": b}) for b in (7, 8, 16)]


@triton.autotune(configs=configs, key=["n"], reset_to_zero=["out"])
@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
@triton.jit
def tuned_kernel(x, out, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    tl.static_assert(BLOCK != 7)
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + offsets) if EVEN else tl.load(x + offsets, mask=offsets < n)
    tl.atomic_add(out, tl.sum(values, 0))


out = torch.full((1,), 5.0)
for n in (16, 12):
    tuned_kernel[lambda meta: (triton.cdiv(meta["n"], meta["BLOCK"]),)](torch.ones(16), out, n)
    show(f"tuned {n}", [out.tolist(), str(tuned_kernel.best_config).split(",")[0]])
tuned_kernel[(2,)](torch.ones(16), out, 12)  # known by now: nothing is reset
show("again", out.tolist())


@triton.jit
def refusing_kernel(x, BLOCK: tl.constexpr):
    tl.static_assert(BLOCK > 100, "too small")


try:
    triton.autotune(configs=configs[:2], key=[])(refusing_kernel)[(1,)](torch.ones(1))
except triton.runtime.errors.InterpreterError as error:
    show("refused", ["too small" in str(error), tl.load is original])


# device functions, and what libdevice has
@triton.jit
def doubled(x, TIMES: tl.constexpr):
    for _ in range(TIMES):
        x = x + x
    return x


@triton.jit
def functions_kernel(x, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    values = tl.load(x + offsets)
    tl.store(out + offsets, libdevice.tanh(values))
    tl.store(out + BLOCK + offsets, rsqrt(values))
    tl.store(out + 2 * BLOCK + offsets, libdevice.pow(values, 3.0))
    tl.store(out + 3 * BLOCK + offsets, libdevice.round(values))
    tl.store(out + 4 * BLOCK + offsets, doubled(values, 3))
    tl.store(out + 5 * BLOCK + offsets, libdevice.isnan(values).to(tl.float32))


x = torch.tensor([0.5, 1.5, 2.5, 4.0])
out = torch.zeros(6, 4)
functions_kernel[(1,)](x, out, BLOCK=4)
wanted = [
    [f(v) for v in x.tolist()]
    for f in (
        math.tanh,
        lambda v: v**-0.5,
        lambda v: v**3,
        lambda v: math.floor(v + 0.5),
        lambda v: 8 * v,
        lambda v: 0.0,
    )
]
show("functions", bool(((out - torch.tensor(wanted)).abs() < 1e-4).all()))


@triton.jit
def bessel_kernel(x):
    libdevice.cyl_bessel_i1(tl.load(x))


try:
    bessel_kernel[(1,)](x)
except triton.runtime.errors.InterpreterError as error:
    show("unknown", "is not interpreted" in str(error))

# the driver
driver = triton.runtime.driver.active
show("target", [driver.get_current_target().backend, driver.get_current_device()])
show("benchmark", [driver.get_benchmarker()(lambda: None, quantiles=(0.5, 0.2)), len(configs)])
show("properties", sorted(driver.utils.get_device_properties(0))[:2])


# autograd
class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        out = torch.empty_like(x)
        add_kernel[(1,)](x, x, out, 4, BLOCK=4)
        return out

    @staticmethod
    def backward(ctx, gradient):
        gradient = gradient.contiguous()
        out = torch.empty_like(gradient)
        add_kernel[(1,)](gradient, gradient, out, 4, BLOCK=4)
        return out


x = torch.ones(4, requires_grad=True)
Doubled.apply(x).sum().backward()
show("gradient", x.grad.tolist())
