"""Call the operators of rows.cu: calls.py TOOLKIT FRAMEWORK LIBRARY."""

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


def center(x, past=0, stale=False):
    return torch.ops.emulated_rows.center(x, past, stale)


said = {"available": torch.cuda.is_available(), "devices": torch.cuda.device_count()}
x = np.random.default_rng(0).standard_normal((5, 100)).astype(np.float32)
on_gpu = torch.from_numpy(x).to("cuda")
said["device"] = str(on_gpu.device)
result = center(on_gpu)
said["result"] = [str(result.device), bool(result.is_cuda)]
exact = x.astype(np.float64) - x.astype(np.float64).mean(1, keepdims=True)
said["error"] = float(np.abs(result.cpu().numpy() - exact).max())
stale = center(on_gpu, stale=True)
said["stale"] = float(np.abs(stale.cpu().numpy() - exact).max())
view = center(on_gpu[:, ::2])
said["view"] = float(np.abs(view.cpu().numpy() - (x[:, ::2] - x[:, ::2].mean(1, keepdims=True))).max())
# torch's own operators on such tensors: the CPU's
both = (on_gpu * 2 - on_gpu).sum(1) @ torch.ones([5], device="cuda")
said["own"] = [bool(both.is_cuda), abs(float(both) - float(x.sum())) < 1e-3]
# changed in place, where it is: views see it, and pointers to it stay
whole = on_gpu.clone()
pointer, part = whole.data_ptr(), whole[1:3]
part.fill_(3)
whole.add_(whole)
said["in place"] = [float(part.sum()), whole.data_ptr() == pointer]
said["empty"] = str((on_gpu[:0] * 2).device)
said["name"] = torch.cuda.get_device_name(0)
torch.cuda.synchronize()
for what, call in (
    ("on the CPU", lambda: center(torch.from_numpy(x).to("cpu"))),
    ("a vector", lambda: center(on_gpu[0])),
):
    try:
        call()
        said[what] = "no error"
    except Exception as error:
        said[what] = f"{type(error).__name__}: {str(error).strip()}"
# two elements past the end of the last row: seen at the next synchronisation
faulty = center(on_gpu[:1], 2)
try:
    torch.cuda.synchronize()
    said["past"] = "no error"
except Exception as error:
    said["past"] = str(error)
emulated_start.forget_errors()
said["after"] = float(np.abs(center(on_gpu).cpu().numpy() - exact).max())
print(json.dumps(said))
