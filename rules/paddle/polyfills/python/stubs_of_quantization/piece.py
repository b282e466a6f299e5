import collections
import copy

import paddle

from .torchs_meaning import _torch

QConfig = collections.namedtuple("QConfig", ["activation", "weight"])


class QuantStub(paddle.nn.Layer):
    """The place where a model is to be quantized: what comes is passed on."""

    def __init__(self, qconfig=None):
        super().__init__()
        if qconfig:
            self.qconfig = qconfig

    def forward(self, x):
        return x


class DeQuantStub(QuantStub):
    """The place where a quantized model ends."""


class QuantWrapper(paddle.nn.Layer):
    """A module between the two."""

    def __init__(self, module):
        super().__init__()
        self.add_sublayer("quant", QuantStub(getattr(module, "qconfig", None)))
        self.add_sublayer("dequant", DeQuantStub(getattr(module, "qconfig", None)))
        self.add_sublayer("module", module)
        for each in (self, self.quant, self.dequant):
            each.training = module.training

    def forward(self, X):
        return self.dequant(self.module(self.quant(X)))


def _unquantized(name):
    def function(*args, **kwargs):
        raise NotImplementedError(f"Paddle has no quantized tensors of torch's kind: torch.ao.quantization.{name}")

    function.__name__ = name
    return function


prepare = _unquantized("prepare")
prepare_qat = _unquantized("prepare_qat")
convert = _unquantized("convert")
quantize = _unquantized("quantize")
quantize_dynamic = _unquantized("quantize_dynamic")
quantize_qat = _unquantized("quantize_qat")
get_default_qconfig = _unquantized("get_default_qconfig")
get_default_qat_qconfig = _unquantized("get_default_qat_qconfig")
fuse_modules_qat = _unquantized("fuse_modules_qat")


def _of_kind(module):
    """The name of a layer of torch.nn, without its dimensions."""
    name = type(module).__name__
    return name.rstrip("123d") if name[-1:] == "d" else name


def _in_turn(*modules):
    return _torch("nn.Sequential")(*modules)


def _fused_modules(modules):
    """One module for some that follow each other."""
    kinds = tuple(map(_of_kind, modules))
    if kinds[:2] in (("Conv", "BatchNorm"), ("ConvTranspose", "BatchNorm"), ("Linear", "BatchNorm")):
        if modules[0].training != modules[1].training:
            raise AssertionError(f"{kinds[0]} and BN both must be in the same mode (train or eval).")
        linear = kinds[0] == "Linear"
        fuse = _torch("nn.utils.fusion.fuse_linear_bn_eval" if linear else "nn.utils.fusion.fuse_conv_bn_eval")
        options = () if kinds[0] != "ConvTranspose" else (True,)
        made = fuse(modules[0], modules[1], *options)
        if kinds[2:] == ():
            return made
        if kinds[2:] == ("ReLU",) and kinds[0] == "Conv":
            return _in_turn(made, modules[2])
    if kinds in (("Conv", "ReLU"), ("Linear", "ReLU"), ("BatchNorm", "ReLU")):
        return _in_turn(*modules)
    raise AssertionError(f"did not find fuser method for: {tuple(type(each) for each in modules)} ")


def _with_fused(model, names):
    homes = [name.rpartition(".") for name in names]
    owners = [model.get_submodule(home) if home else model for home, _, _ in homes]
    modules = [getattr(owner, last) for owner, (_, _, last) in zip(owners, homes, strict=True)]
    made = _fused_modules(modules)
    for at, (owner, (_, _, last)) in enumerate(zip(owners, homes, strict=True)):
        setattr(owner, last, _torch("nn.Identity")() if at else made)


def fuse_modules(model, modules_to_fuse, inplace=False, fuser_func=None, fuse_custom_config_dict=None):
    """A model in which modules that follow each other are one: convolutions with the normalization after them."""
    if fuser_func is not None or fuse_custom_config_dict is not None:
        raise NotImplementedError("Under Paddle, fuse_modules takes no functions that fuse")
    model = model if inplace else copy.deepcopy(model)
    for names in [modules_to_fuse] if isinstance(modules_to_fuse[0], str) else modules_to_fuse:
        _with_fused(model, names)
    return model
