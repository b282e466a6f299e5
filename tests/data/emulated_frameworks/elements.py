"""Call the operators of elements.cu: elements.py TOOLKIT FRAMEWORK LIBRARY."""

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
ops = torch.ops.emulated_elements
a = np.arange(1, 25, dtype=np.float32).reshape(2, 3, 4)
x = torch.from_numpy(a).to("cuda")
said = {}


def tell(name, call, expected):
    try:
        result = call()
        found = result.detach().to("cpu").numpy()
        said[name] = found.shape == expected.shape and bool((found == expected).all())
    except Exception as error:
        said[name] = f"{type(error).__name__}: {error}"


def to_cuda(values):
    return torch.from_numpy(np.ascontiguousarray(values)).to("cuda")


tell("whole", lambda: ops.scaled(x, 2.0), a * 2)
tell("transposed", lambda: ops.scaled(x.transpose(0, 2), 2.0), a.transpose(2, 1, 0) * 2)
tell("sliced", lambda: ops.scaled(x[:, 1:, ::2], 3.0), a[:, 1:, ::2] * 3)
tell("one", lambda: ops.scaled(x[0, 0, 0], 3.0), a[0, 0, 0] * np.float32(3))
tell("none", lambda: ops.scaled(x[:0], 3.0), a[:0] * 3)
b = a % 3 == 0
tell("masked", lambda: ops.masked(x, to_cuda(b)), np.where(b, a, np.float32(-1)))
tell(
    "masked rows",
    lambda: ops.masked(x, to_cuda(b[0, :, :1])),
    np.where(b[0, :, :1], a, np.float32(-1)),
)
tell(
    "another dtype",
    lambda: ops.masked(x, to_cuda(b.astype(np.int64))),
    np.where(b, a, np.float32(-1)),
)
tell("broadcast", lambda: ops.added(x[:, :, :1], x[0]), a[:, :, :1] + a[0])
tell("a number", lambda: ops.added(x, torch.tensor(2.5, device="cpu")), a + np.float32(2.5))
print(json.dumps(said))
