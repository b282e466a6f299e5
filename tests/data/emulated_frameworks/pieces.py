"""Call the operators of pieces.cu: pieces.py TOOLKIT FRAMEWORK LIBRARY."""

import json
import sys

toolkit, framework, library = sys.argv[1:]

import emulated_start  # noqa: E402  # from PYTHONPATH

emulated_start.start(toolkit, f"emulated_{framework}")
if framework == "paddle":
    import paddle

    paddle.enable_compat()
import numpy as np  # noqa: E402
import torch  # noqa: E402

torch.ops.load_library(library)
ops = torch.ops.emulated_pieces
draw = np.random.default_rng(0)
x = torch.from_numpy(draw.uniform(-2, 2, (6, 20)).astype(np.float32)).to("cuda")
line = x.reshape([-1])[:64]
said = {}


def tell(name, call):
    try:
        result = call()
        values = result.detach().to("cpu").to(torch.float64).numpy()
        said[name] = [str(result.dtype).split(".")[-1], list(values.shape), values.ravel().tolist()]
    except Exception as error:
        said[name] = f"{type(error).__name__}: {str(error).strip().splitlines()[0]}"


for dtype in ("float32", "float64", "float16", "bfloat16", "int32", "int64", "int16", "int8", "uint8"):
    kind = getattr(torch, dtype)
    whole = "int" in dtype
    numbers = torch.arange(40, device="cuda") % 5 if whole else line.to(torch.float64)
    tell(f"atomics {dtype}", lambda: ops.atomics(numbers.to(kind)))
    tell(f"limits {dtype}", lambda: ops.limits(torch.zeros([1], device="cuda", dtype=kind)))
    if not whole:
        tell(f"arithmetic {dtype}", lambda: ops.arithmetic(line.to(kind)))
for way in (0, 1):
    tell(f"compact {way}", lambda: ops.compact(x, way))
    tell(f"compact transposed {way}", lambda: ops.compact(x.transpose(0, 1), way))
    tell(f"compact sliced {way}", lambda: ops.compact(x.reshape([2, 3, 20])[:, 1:, ::3], way))
for name in ("products", "complex_numbers"):
    tell(name, lambda: getattr(ops, name)(line))
for name in ("offsets", "warps", "streams", "filled", "events", "guards", "memory", "philox_states"):
    tell(name, lambda: getattr(ops, name)(line))
for way in (0, 1, 2):
    tell(f"fails {way}", lambda: ops.fails(line, way))
print(json.dumps(said))
