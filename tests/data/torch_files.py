"""Files of tensors: `python torch_files.py write FILE`, or `read FILE`, whose lines torch shares.

Run by tests/test_compat_files.py: under torch, or as a script that a porter_compat run executes.
"""

import collections
import io
import pathlib
import pickle
import sys
import zipfile

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

OLD = [name for name in OBJECTS if name != "eighths"]


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


def written(pickled, memory=bytes(16)):
    """What is read of a file with these steps."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in (("data.pkl", pickled), ("byteorder", b"little"), ("data/0", memory), ("version", b"3\n")):
            archive.writestr(f"archive/{name}", data)
    buffer.seek(0)
    return torch.load(buffer)


def number(value):
    return b"J" + value.to_bytes(4, "little", signed=True)


def text(value):
    return b"X" + len(value).to_bytes(4, "little") + value.encode()


def tensor_of(offset, size, steps):
    """The steps of a file with a tensor in a memory of four numbers."""
    storage = b"(" + text("storage") + b"ctorch\nFloatStorage\n" + text("0") + text("cpu") + number(4) + b"tQ"
    shape = b"".join(b"(" + b"".join(map(number, each)) + b"t" for each in (size, steps))
    end = b"\x89ccollections\nOrderedDict\n)RtR."
    return b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n(" + storage + number(offset) + shape + end


def read_what_is_hostile():
    for place in ((0, (2, 2), (1, 2)), (0, (3,), (0,)), (2, (2,), (1,)), (9, (0,), (1,))):
        show(lambda: written(tensor_of(*place)))
    for place in ((3, (2,), (1,)), (0, (99,), (1,)), (0, (2,), (99,)), (5, (), ()), (-1, (2,), (1,)), (0, (2,), (-1,))):
        show(lambda: written(tensor_of(*place)))
    for name in ("torch\nSize", "torch.nn.parameter\nParameter", "torch._utils\n_rebuild_tensor_v2"):
        state = b"(N}" + text("numel") + number(1) + b"stb."
        show(lambda: written(b"\x80\x02c" + name.encode() + b"\n" + state))
    show(lambda: torch.Size([2, 3]).numel())
    for code in (b"cos\nsystem\n(X\x01\x00\x00\x00:tR.", b"cbuiltins\neval\n(X\x01\x00\x00\x001tR."):
        show(lambda: written(b"\x80\x02" + code))


def read_old(path):
    """A file as torch before 1.6 wrote it; Paddle's code for torch writes none, and reads it."""
    with open(path, "rb") as file:
        whole = file.read()
    read = torch.load(path)
    for name in OLD:
        show(lambda: read[name])
    print(read["shared"][0].data_ptr() == read["shared"][1].data_ptr())
    moved = io.BytesIO(b"before" + whole)
    moved.seek(6)
    show(lambda: torch.load(moved, map_location="cpu")["numbers"])
    show(lambda: torch.load(path, weights_only=False)["views"])
    start = b"".join(pickle.dumps(each, 2) for each in (0x1950A86A20F9469CFC6C, 1001, {}))
    for code in (b"cos\nsystem\n(X\x01\x00\x00\x00:tR.", b"cos\nsystem\n."):
        show(lambda: torch.load(io.BytesIO(start + b"\x80\x02" + code + pickle.dumps([], 2))))
    huge = start + pickle.dumps(3, 2) + pickle.dumps(["0"], 2) + b"\xff" * 8
    for bad in (pickle.dumps({"a": 1}), start[:20], start + pickle.dumps(3, 2)):
        show(lambda: torch.load(io.BytesIO(bad)))
    try:
        torch.load(io.BytesIO(huge))
    except (AssertionError, pickle.UnpicklingError):
        print("refused")
    show(lambda: torch.load(path, pickle_module=pickle, weights_only=True))


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
    show(lambda: through(io.BytesIO(), collections.Counter("aab")))
    read_what_is_hostile()
    optimizer = torch.optim.Adam(module.parameters(), lr=0.5)
    optimizer.load_state_dict(through(io.BytesIO(), optimizer.state_dict()))
    show(lambda: optimizer.param_groups[0]["lr"])
    read_old(f"{path}.old")


if sys.argv[1] == "write":
    with open(sys.argv[2], "wb") as file:
        torch.save(OBJECTS, file)
    old = {name: OBJECTS[name] for name in OLD}
    torch.save(old, f"{sys.argv[2]}.old", _use_new_zipfile_serialization=False)
else:
    use(sys.argv[2])
