import math
import mmap
import os
import tempfile
import weakref
from multiprocessing.reduction import ForkingPickler

import numpy
import paddle
from paddle.utils.dlpack import from_dlpack

from .kinds_of_storages import (
    BFloat16Storage,
    BoolStorage,
    CharStorage,
    DoubleStorage,
    FloatStorage,
    HalfStorage,
    IntStorage,
    LongStorage,
    ShortStorage,
    _KindOfStorage,
)
from .methods_of_tensors import _members, _methods
from .sparse_kinds import ByteStorage
from .states_of_modules import _parameter_again, _reduce_parameter
from .storages import _put_in_memory, _Storage, _TypedStorage

_FOLDER = "/dev/shm" if os.path.isdir("/dev/shm") else None
_SHARED: weakref.WeakValueDictionary = weakref.WeakValueDictionary()  # memory by its address
_KINDS_OF_STORAGES = (
    *(FloatStorage, DoubleStorage, HalfStorage, BFloat16Storage, BoolStorage),
    *(LongStorage, IntStorage, ShortStorage, CharStorage, ByteStorage),
)


class _MemoryOfProcesses(mmap.mmap):
    """What processes have in common: of those that start later, and of those that are given its file."""


def _allocate(size, file=None):
    """Bytes that other processes see, at least one."""
    if file is None:
        file = tempfile.TemporaryFile(dir=_FOLDER)
        file.truncate(max(size, 1))
    memory = _MemoryOfProcesses(file.fileno(), max(size, 1))
    memory.file = file
    array = numpy.frombuffer(memory, numpy.uint8)
    _SHARED[array.ctypes.data] = memory
    return from_dlpack(array)


def _memory_of(tensor):
    return tensor.place.is_cpu_place() and _SHARED.get(tensor.data_ptr() - tensor.offset)


def _allocate_elements(count, dtype):
    size = count * paddle.empty([0], dtype=dtype).element_size()
    return _allocate(size)[:size].view(dtype)


def is_shared(self):
    return self.place.is_gpu_place() or bool(_memory_of(self))


def share_memory_(self):
    """Move a tensor to memory that other processes see; views that were taken before stay where they are."""
    if not is_shared(self):
        with paddle.no_grad():
            shared = _allocate_elements(math.prod(self.shape), self.dtype).reshape(self.shape)
            shared.copy_(self.detach())
            self.get_tensor()._share_data_with(shared.get_tensor())
    return self


def share_memory(self):
    for tensor in (*self.parameters(), *self.buffers()):
        share_memory_(tensor)
    return self


def storage_type(self):
    return next(kind for kind in _KINDS_OF_STORAGES if kind.dtype == self.dtype)


def _typed_storage(self):
    return _TypedStorage(self)


def _new_shared(self, size, *, device=None):
    return _TypedStorage(_allocate_elements(size, self.dtype))


def _set(self, source=None, storage_offset=0, size=None, stride=None):
    """Make a tensor one of the memory of a storage, or of another tensor."""
    if self.is_leaf and not self.stop_gradient and paddle.is_grad_enabled():
        raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")
    vars(self).pop("_view_of", None)
    if source is None:
        source = paddle.empty([0], self.dtype, device=self.place)
    start = 0
    if isinstance(source, _Storage):
        source = source._whole() if size is None or not source._tensor.is_contiguous() else source._tensor
    else:
        start = source.offset
    if source.dtype != self.dtype:
        raise RuntimeError(f"Could not set tensor of type {source.dtype} to a tensor of type {self.dtype}")
    if size is not None:
        if not source.is_contiguous():
            raise RuntimeError("passed in tensor to be used as storage must be contiguous")
        if stride is None:
            stride = numpy.cumprod([1, *(max(n, 1) for n in size[:0:-1])])[::-1][: len(size)].tolist()
        start += storage_offset * source.element_size()
        source = paddle.as_strided(source.detach(), [*size], [*stride], start)
    _put_in_memory(self, source)
    return self


def _rebuild(file, size, dtype, place):
    memory = _allocate(size, os.fdopen(file.detach(), "r+b"))
    shape, strides, offset = place
    return paddle.as_strided(memory.view(getattr(paddle, dtype)), shape, strides, offset)


def _requiring_grad(make, args):
    made = make(*args)
    made.stop_gradient = False
    return made


def _reduce(tensor):
    memory = _memory_of(tensor)
    is_parameter = isinstance(tensor, paddle.base.framework.EagerParamBase)
    if not memory:
        return _reduce_parameter(tensor, 2) if is_parameter else tensor.__reduce_ex__(2)
    from multiprocessing.reduction import DupFd  # Windows has none

    place = [*tensor.shape], [*tensor.strides], tensor.offset
    dtype = str(tensor.dtype).rpartition(".")[2]
    rebuilt = _rebuild, (DupFd(memory.file.fileno()), len(memory), dtype, place)
    if is_parameter:
        return _parameter_again, (*rebuilt, not tensor.stop_gradient)
    return rebuilt if tensor.stop_gradient else (_requiring_grad, rebuilt)


for _sendable in (paddle.Tensor, paddle.base.framework.EagerParamBase):
    ForkingPickler.register(_sendable, _reduce)
_methods(
    set_=_set,
    **{each.__name__: each for each in (_typed_storage, is_shared, share_memory_, storage_type)},
)
_members(paddle.nn.Layer, share_memory=share_memory)
_members(_TypedStorage, _new_shared=_new_shared)
_members(_KindOfStorage, _new_shared=_new_shared)
_members(ByteStorage, _new_shared=classmethod(_new_shared))
_members(_Storage, is_shared=lambda self: is_shared(self._tensor))
