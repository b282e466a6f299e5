import paddle

from .torchs_meaning import _tensor_method


def clone(input, *, memory_format=None):
    made = paddle.clone(input)
    if repr(memory_format).startswith("torch.channels_last"):
        return _tensor_method("contiguous")(made, memory_format=memory_format)
    return made
