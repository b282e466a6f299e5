"""torch_npu's own wheel on the emulated NPU: each line is a check by name, and what it gave."""

import json
import sys

import torch

assert "torch_npu" in sys.modules, "torch imports its backends by itself"
import emulated_torch_npu

x = torch.arange(6.0).npu()
cpu = torch.arange(6.0)


def check(name, value):
    print("ok " if value else "WRONG ", name, flush=True)


def refused(call, said):
    try:
        call()
    except Exception as error:
        return said in str(error)
    return False


check("a tensor goes to the device and back", x.device.type == "npu" and (x.cpu() == cpu).all())
check("an operator's result is on the device", (x + x).device.type == "npu")
check("types are converted", (x.half() * 2).dtype == torch.float16)
check("views share memory", x.view(2, 3)[1].data_ptr() == x.data_ptr() + 12)
x.view(2, 3).t()[0].mul_(10)
check("what changes a view changes its base", x.cpu().tolist() == [0, 1, 2, 30, 4, 5])
x.copy_(cpu)
check("a strided copy is one", x.view(2, 3).t().contiguous().view(-1).tolist() == [0, 3, 1, 4, 2, 5])
out = torch.empty(0, device="npu")
torch.add(x, 1, out=out)
check("an output grows", out.tolist() == [1, 2, 3, 4, 5, 6])
check("a tensor of the CPU is refused", refused(lambda: x + cpu, "on the same device"))
check("a scalar tensor is not", (x + torch.tensor(1.0)).tolist() == out.tolist())
check("indices", x[torch.tensor([1, 3])].tolist() == [1, 3] and x[x > 3].tolist() == [4, 5])
check("complex", torch.view_as_real(torch.polar(x, x).conj().resolve_conj()).shape == (6, 2))

torch.manual_seed(3)
first = torch.randn(4, device="npu"), torch.randn(4, device="npu")
torch.manual_seed(3)
again = torch.randn(4, device="npu"), torch.randn(4, device="npu")
same = all((a == b).all() for a, b in zip(first, again, strict=True))
check("seeds give the same numbers again", same and (first[0] != first[1]).any())

torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(6, 4), torch.nn.GELU(), torch.nn.LayerNorm(4))
grads = []
for device in ("cpu", "npu"):
    model.zero_grad()
    model.to(device)
    model(x.to(device)[None].expand(3, 6)).square().sum().backward()
    grads.append([p.grad.cpu().clone() for p in model.parameters()])
check("gradients", all(torch.allclose(a, b) for a, b in zip(*grads, strict=True)))
own = torch.ones(2, 6, requires_grad=True, device="npu")
(own @ torch.ones(6, 3).npu()).sum().backward()
check("gradient of a product", own.grad.cpu().eq(3).all())
torch.optim.AdamW(model.parameters()).step()
with torch.autocast("npu", dtype=torch.float16):
    check("autocast", (x[None] @ x[:, None]).dtype == torch.float16)

stream, event, end = torch.npu.Stream(), torch.npu.Event(enable_timing=True), torch.npu.Event(True)
event.record()
with torch.npu.stream(stream):
    stream.wait_event(event)
    y = x * 3
    end.record()
torch.npu.synchronize()
check("streams and events", y.tolist() == [0, 3, 6, 9, 12, 15] and event.elapsed_time(end) >= 0)
pinned = torch.arange(4.0).pin_memory()
check("a copy that does not block", pinned.to("npu", non_blocking=True).tolist() == [0, 1, 2, 3])


class Module(torch.nn.Module):
    def forward(self, value):
        return torch.relu(value) + 1


check("export", (torch.export.export(Module(), (x,)).module()(x) == x + 1).all())
for backend in ("eager", "aot_eager"):
    check(f"compile by {backend}", (torch.compile(Module(), backend=backend)(x) == x + 1).all())


@torch.library.custom_op("porter::add", mutates_args=())
def add(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return a + b


add.register_fake(lambda a, b: torch.empty_like(a))
add.register_autograd(lambda context, grad: (grad, grad))
arguments = (x.clone().requires_grad_(), x)
# torch's own check of the registration of autograd knows no NPU, emulated or not.
tests = ("test_schema", "test_faketensor", "test_aot_dispatch_dynamic")
found = torch.library.opcheck(add, arguments, test_utils=tests)
check("opcheck", set(found.values()) == {"SUCCESS"})

half = x.half()
check(
    "torch_npu's own operators call what there is",
    torch.allclose(torch.ops.npu.npu_fast_gelu(half).float(), x * torch.sigmoid(1.702 * x), 1e-3),
)


def captured():
    with torch.npu.graph(torch.npu.NPUGraph()):
        x + x


check("graph capture is refused", refused(captured, "graph capture is not emulated"))
check("and nothing is broken by it", torch.equal(x + x, 2 * x))
check(
    "an operator without a kernel is refused by name",
    refused(lambda: (torch.ops.npu.npu_mish(x), torch.npu.synchronize()), "Mish"),
)
print(json.dumps(emulated_torch_npu.counts()["cpu"]))
