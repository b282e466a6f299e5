"""Files of tensors: `python torch_files.py write FILE`, or `read FILE`, whose lines torch shares.

Run by tests/test_compat_files.py: under torch, or as a script that a porter_compat run executes.
"""

import collections
import io
import pathlib
import pickle
import sys

import torch
from torch import nn

SHARED = torch.arange(4.0)
OBJECTS = {
    "halves": [torch.ones(2).half(), torch.full((2,), 3).bfloat16()],
    "numbers": [torch.tensor([1, -2]), torch.tensor([200], dtype=torch.uint8), torch.tensor(5.0)],
    "others": [torch.tensor([True, False]), torch.tensor([1 + 2j]), torch.empty(0, 3)],
    "eighths": torch.ones(2).to(torch.float8_e4m3fn),
    "views": [torch.tensor([[1, 2], [3, 4]]).t(), torch.arange(10)[3:6], torch.arange(9).view(3, 3)[:, 1]],
    "shared": (SHARED, SHARED),
    "leaves": [torch.ones(2, requires_grad=True), nn.Parameter(torch.zeros(2), requires_grad=False)],
    "values": [None, 2.5, "text", b"bytes", {1, 2}, collections.OrderedDict(a=1)],
    "torch": [torch.float32, torch.Size([1, 2]), torch.device("cpu")],
    "state": nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3)).double().state_dict(),
}
OBJECTS["state"]["0.weight"].copy_(torch.arange(6.0).view(3, 2))
OBJECTS["state"]["0.bias"].zero_()


def plain(value):
    if isinstance(value, torch.Tensor):
        known = value.float() if value.dtype == torch.float8_e4m3fn else value
        return (
            [str(value.dtype), list(value.shape), known.tolist()]
            + [value.requires_grad, isinstance(value, nn.Parameter)]
        )
    if isinstance(value, dict):
        return [type(value).__name__, *((name, plain(each)) for name, each in value.items())]
    if isinstance(value, (list, tuple)) and not isinstance(value, torch.Size):
        return [type(value).__name__, *map(plain, value)]
    return [str(value).replace("paddle.Size", "torch.Size"), value == value]


def show(call):
    try:
        print(plain(call()))
    except Exception as error:
        print(type(error).__name__)


class Own:
    value = 1


def through(buffer, obj, **options):
    torch.save(obj, buffer)
    buffer.seek(0)
    return torch.load(buffer, **options)


def use(path):
    every = [{}, {"map_location": "cpu"}, {"map_location": torch.device("cpu"), "weights_only": True}]
    every += [{"map_location": lambda storage, place: storage}, {"map_location": {"cuda:0": "cpu"}, "mmap": False}]
    for options in every:
        show(lambda: torch.load(path, **options))
    read = torch.load(pathlib.Path(path))
    print(read["shared"][0].data_ptr() == read["shared"][1].data_ptr())
    with open(path, "rb") as file:
        show(lambda: torch.load(file)["numbers"])
    module = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3)).double()
    module.load_state_dict(read["state"])
    show(lambda: module[0].weight)
    show(lambda: through(io.BytesIO(), Own()))
    show(lambda: through(io.BytesIO(), Own(), weights_only=False).value)
    with torch.serialization.safe_globals([Own]):
        print(Own in torch.serialization.get_safe_globals())
    show(lambda: through(io.BytesIO(), module, weights_only=False)[0].weight)
    show(lambda: torch.load(io.BytesIO(b"no file of tensors"), weights_only=True))
    show(lambda: torch.load(path + ".missing"))
    optimizer = torch.optim.Adam(module.parameters(), lr=0.5)
    optimizer.load_state_dict(through(io.BytesIO(), optimizer.state_dict()))
    show(lambda: optimizer.param_groups[0]["lr"])


if sys.argv[1] == "write":
    with open(sys.argv[2], "wb") as file:
        torch.save(OBJECTS, file)
else:
    use(sys.argv[2])
