import dataclasses
import enum
import typing

import paddle

from .torchs_meaning import _torch


class ShardingStrategy(enum.Enum):
    """What of a model each process keeps only a part of."""

    FULL_SHARD = enum.auto()
    SHARD_GRAD_OP = enum.auto()
    NO_SHARD = enum.auto()
    HYBRID_SHARD = enum.auto()
    _HYBRID_SHARD_ZERO2 = enum.auto()


class BackwardPrefetch(enum.Enum):
    BACKWARD_PRE = enum.auto()
    BACKWARD_POST = enum.auto()


class StateDictType(enum.Enum):
    FULL_STATE_DICT = enum.auto()
    LOCAL_STATE_DICT = enum.auto()
    SHARDED_STATE_DICT = enum.auto()


@dataclasses.dataclass
class MixedPrecision:
    """The dtypes of parameters, of gradients that are exchanged and of buffers."""

    param_dtype: typing.Any = None
    reduce_dtype: typing.Any = None
    buffer_dtype: typing.Any = None
    keep_low_precision_grads: bool = False
    cast_forward_inputs: bool = False
    cast_root_forward_inputs: bool = True
    _module_classes_to_ignore: typing.Sequence = dataclasses.field(
        default_factory=lambda: (_torch("nn.modules.batchnorm._BatchNorm"),)
    )


@dataclasses.dataclass
class CPUOffload:
    offload_params: bool = False


@dataclasses.dataclass
class StateDictConfig:
    offload_to_cpu: bool = False


@dataclasses.dataclass
class FullStateDictConfig(StateDictConfig):
    rank0_only: bool = False


@dataclasses.dataclass
class LocalStateDictConfig(StateDictConfig):
    pass


@dataclasses.dataclass
class ShardedStateDictConfig(StateDictConfig):
    _use_dtensor: bool = False


@dataclasses.dataclass
class OptimStateDictConfig:
    offload_to_cpu: bool = True


@dataclasses.dataclass
class FullOptimStateDictConfig(OptimStateDictConfig):
    rank0_only: bool = False


@dataclasses.dataclass
class ShardedOptimStateDictConfig(OptimStateDictConfig):
    _use_dtensor: bool = False


_UNSHARDED = "Paddle has no FullyShardedDataParallel: use paddle.distributed.shard_optimizer, or DistributedDataParallel"


class FullyShardedDataParallel(paddle.nn.Layer):
    """A class that no module is of: to make one raises an error."""

    def __init__(self, module, *args, **kwargs):
        raise NotImplementedError(_UNSHARDED)


def always_wrap_policy(*args, **kwargs):
    """Wrap each module."""
    return True


def lambda_auto_wrap_policy(module, recurse, nonwrapped_numel, lambda_fn):
    """Wrap those that a function is true of."""
    return True if recurse else lambda_fn(module)


def transformer_auto_wrap_policy(module, recurse, nonwrapped_numel, transformer_layer_cls):
    """Wrap those of some classes."""
    return True if recurse else isinstance(module, tuple(transformer_layer_cls))


def size_based_auto_wrap_policy(
    module, recurse, nonwrapped_numel, min_num_params=int(1e8), force_leaf_modules=None, exclude_wrap_modules=None
):
    """Wrap those with many parameters, of which no module inside has so many."""
    lists, attention = (_torch("nn.ModuleList"), _torch("nn.ModuleDict")), (_torch("nn.MultiheadAttention"),)
    excluded = lists if exclude_wrap_modules is None else tuple(exclude_wrap_modules)
    leaves = attention if force_leaf_modules is None else tuple(force_leaf_modules)
    large = nonwrapped_numel >= min_num_params
    return large and not isinstance(module, leaves if recurse else excluded)


class ModuleWrapPolicy:
    """Wrap modules of some classes."""

    def __init__(self, module_classes):
        self._module_classes = set(module_classes)
        self._module_classes_str = str(self._module_classes)

    def __call__(self, module, recurse, *args, **kwargs):
        return True if recurse else isinstance(module, tuple(self._module_classes))

    def __repr__(self):
        return f"{super().__repr__()}({self._module_classes_str})"
