"""Calls of the routes under Paddle with its unit's names: `routes.py NAMES LIBRARY`; a line of JSON."""

import json
import runpy
import sys

import numpy as np
import paddle

paddle.enable_compat()
runpy.run_path(sys.argv[1])

import torch  # noqa: E402
import torch_npu  # noqa: E402

torch.ops.load_library(sys.argv[2])
ops, wrong = torch.ops.ascend_add, []
rng = np.random.default_rng(0)
for shape in [(1,), (7,), (256,), (8, 2047), (3, 5, 17), (5, 0), (70000,)]:
    for dtype in ("float32", "float16", "int32"):
        x, y = ((rng.standard_normal(shape) * 9).astype(dtype) for _ in range(2))
        for op in (ops.add_aclnn, ops.add_direct):
            z = op(torch.from_numpy(x).npu(), torch.from_numpy(y).npu())
            if z.device.type != "npu" or not (z.cpu().numpy() == x + y).all():
                wrong.append([str(op), shape, dtype])
x = torch.from_numpy(rng.standard_normal((6, 9)).astype("float32")).npu()
turned = ops.add_direct(x, torch.from_numpy(x.cpu().numpy().T.copy()).npu().t())
beside, said = ops.beside(x, x)
said = {"wrong": wrong, "said": said, "beside": bool((beside == 3 * x).all())}
said["turned"] = bool((turned == 2 * x).all())
stream = torch.npu.Stream()
with torch.npu.stream(stream):
    z = ops.add_aclnn(ops.add_direct(x, x), x)
torch.npu.current_stream().wait_stream(stream)
said["on a stream"] = bool((z == 3 * x).all())
for name, arguments in {"shapes": (x, x[:3].contiguous()), "the CPU": (x.cpu(), x.cpu())}.items():
    try:
        ops.add_aclnn(*arguments)
    except (RuntimeError, NotImplementedError) as error:
        said[name] = str(error).splitlines()[0]
torch.npu.set_device("npu:0")
torch.npu.synchronize()
said["names"] = [
    torch.npu.is_available(),
    torch.npu.current_device(),
    torch_npu.npu.device_count(),
    str(x.device),
    x.is_npu,
    str(torch.empty(2, device="npu").place),
    str(x.to(x.device).place),
    x.cpu().is_npu,
]
print(json.dumps(said))
