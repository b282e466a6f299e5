import _codecs
import collections
import contextlib
import io
import os
import pickle
import sys
import types
import typing
import warnings
import zipfile

import numpy
import paddle

from .overrides import _torch_names
from .parts_of_sparse import _flagged
from .put_off import _Unbound
from .sizes import Size
from .subclasses_of_tensors import _of_subclasses
from .torch_function import _KIND_OF_RESULTS, _kind_of_results_of
from .torchs_meaning import _tensor_method, _torch

_WITHOUT_CLASS = (paddle.Tensor, paddle.base.framework.EagerParamBase)
# torch/storage.py, _dtype_to_storage_type_map
_STORED_AS = {
    "DoubleStorage": "float64",
    "FloatStorage": "float32",
    "HalfStorage": "float16",
    "BFloat16Storage": "bfloat16",
    "LongStorage": "int64",
    "IntStorage": "int32",
    "ShortStorage": "int16",
    "CharStorage": "int8",
    "ByteStorage": "uint8",
    "BoolStorage": "bool",
    "ComplexFloatStorage": "complex64",
    "ComplexDoubleStorage": "complex128",
}
_STORAGES = {_STORED_AS[name]: name for name in _STORED_AS}
_STORABLE = {getattr(paddle, name): name for name in (*_STORAGES, "float8_e4m3fn", "float8_e5m2")}
_safe: list = []


class _Global:
    """A name of torch as its files have it; nothing need be there by it."""

    def __init__(self, module, name):
        self.code = pickle.GLOBAL + f"{module}\n{name}\n".encode("ascii")

    def __call__(self):
        raise TypeError("what is written to a file is not called")


class _Memory:
    """The elements of a tensor, in its order."""

    def __init__(self, tensor, key):
        self.tensor, self.key = tensor, key


class _Writer(pickle._Pickler):  # the one in Python: the other takes no global that is not there
    def __init__(self, file, protocol):
        super().__init__(file, protocol)
        self.stored = {}

    def persistent_id(self, obj):
        if not isinstance(obj, _Memory):
            return None
        dtype = _STORABLE[obj.tensor.dtype]
        kind = _Global("torch", _STORAGES[dtype]) if dtype in _STORAGES else _Global("torch.storage", "UntypedStorage")
        length = obj.tensor.size * (1 if dtype in _STORAGES else obj.tensor.element_size())
        device = str(obj.tensor.place).lower()
        location = "cpu" if "cpu" in device else f"cuda:{obj.tensor.place.gpu_device_id()}"
        return ("storage", kind, obj.key, location, length)

    def reducer_override(self, obj):
        if isinstance(obj, Size):
            return _Global("torch", "Size"), (tuple(obj),)
        if type(obj) is type(_torch("device")("cpu")):
            return _Global("torch", "device"), (str(obj),)
        own = type(obj) not in _WITHOUT_CLASS and isinstance(obj, paddle.Tensor) and _of_subclasses("_reduces_itself")(obj)
        return self._of_tensor(obj) if isinstance(obj, paddle.Tensor) and not own else NotImplemented

    def _of_tensor(self, tensor):
        if tensor.is_sparse_coo() or tensor.is_sparse_csr():
            return self._of_sparse(tensor)
        if tensor.dtype not in _STORABLE or not tensor.is_dense():
            raise NotImplementedError(f"no tensor of {tensor.dtype}, or of rows, is saved under Paddle")
        place = (tensor.data_ptr(), tensor.size, tensor.dtype) if tensor.is_contiguous() else id(tensor)
        memory = self.stored.setdefault(place, _Memory(tensor, str(len(self.stored))))
        shape = tuple(tensor.shape)
        steps = tuple(int(numpy.prod(shape[at + 1 :])) for at in range(len(shape)))
        recorded = not tensor.stop_gradient
        parameter = isinstance(tensor, paddle.base.framework.EagerParamBase)
        parameter = parameter and _KIND_OF_RESULTS not in vars(type(tensor))
        args = (memory, 0, shape, steps, recorded and not parameter, collections.OrderedDict())
        if _STORABLE[tensor.dtype] in _STORAGES:
            made = _Global("torch._utils", "_rebuild_tensor_v2"), args
        else:
            made = _Global("torch._utils", "_rebuild_tensor_v3"), (*args, tensor.dtype)
        if not parameter and type(tensor) is not paddle.Tensor:
            function, args = made
            args = function, _kind_of_results_of(tensor), args, _of_subclasses("_state")(tensor)
            return _Global("torch._tensor", "_rebuild_from_type_v2"), args
        if not parameter:
            return made
        return _Global("torch._utils", "_rebuild_parameter"), (_Rebuilt(*made), recorded, collections.OrderedDict())

    def _of_sparse(self, tensor):
        if tensor.is_sparse_csr():
            name, parts, last = "torch.sparse_csr", [tensor.crows(), tensor.cols()], ()
        else:
            name, parts, last = "torch.sparse_coo", [tensor.indices()], (_flagged(tensor),)
        layout = _Rebuilt(_Global("torch.serialization", "_get_layout"), (name,))
        parts = (*parts, tensor.values().detach(), Size(tensor.shape), *last)
        return _Global("torch._utils", "_rebuild_sparse_tensor"), (layout, parts)

    def _save_global_of_torch(self, obj):
        self.write(obj.code)

    def _save_dtype(self, dtype):
        self.write(_Global("torch", _STORABLE.get(dtype, str(dtype).rpartition(".")[2])).code)

    def _save_function(self, function):
        own, name = function.__module__ == type(_torch_names).__module__, function.__qualname__
        if own and name.startswith("_torch_names."):
            module, _, name = name.replace("_torch_names", "torch", 1).rpartition(".")
            self.write(_Global(module, name).code)
        else:
            steps = (getattr(kind, "dispatch", {}).get(types.FunctionType) for kind in type(self).__mro__)
            next(step for step in steps if step not in (None, _Writer._save_function))(self, function)

    steps: typing.ClassVar[dict] = {
        _Global: _save_global_of_torch, type(paddle.float32): _save_dtype, types.FunctionType: _save_function,
        _Unbound: _save_function,
    }  # fmt: skip
    dispatch: typing.ClassVar[dict] = {**pickle._Pickler.dispatch, **steps}


class _Rebuilt:
    """What a function of torch's makes of arguments, in a file."""

    def __init__(self, function, args):
        self.made = function, args

    def __reduce__(self):
        return self.made


def _of_module(own, module, name):
    """Our way of pickling with that of another module, such as dill, for what is not torch's."""
    theirs, plain = getattr(module, name, None), getattr(pickle, f"_{name}")
    if theirs is None or theirs is plain or not (isinstance(theirs, type) and issubclass(theirs, plain)):
        return own
    dispatch = type(theirs.dispatch)(theirs.dispatch)
    dispatch.update(own.steps)
    return type(own.__name__, (own, theirs), {"dispatch": dispatch})


def torch_save(obj, f, pickle_module=pickle, pickle_protocol=2, _use_new_zipfile_serialization=True):
    """Write a file that torch can read, too, but for objects of the library that is used."""
    text = io.BytesIO()
    writer = _of_module(_Writer, pickle_module, "Pickler")(text, min(pickle_protocol, 2))
    writer.dump(obj)
    with contextlib.ExitStack() as opened:
        file = opened.enter_context(open(f, "wb")) if isinstance(f, (str, os.PathLike)) else f
        archive = opened.enter_context(zipfile.ZipFile(file, "w"))
        archive.writestr("archive/data.pkl", text.getvalue())
        archive.writestr("archive/byteorder", sys.byteorder)
        for memory in writer.stored.values():
            tensor = memory.tensor.detach().cpu().contiguous().flatten()
            data = _tensor_method("view")(tensor, paddle.uint8).numpy().tobytes() if tensor.size else b""
            archive.writestr(f"archive/data/{memory.key}", data)
        archive.writestr("archive/version", "3\n")


class _Reader(pickle._Unpickler):  # the one in Python: of the other, no step can be refused
    def __init__(self, file, read_memory, map_location, weights_only, **options):
        super().__init__(file, **options)
        self.read_memory, self.map_location, self.weights_only = read_memory, map_location, weights_only
        self.stored = {}

    def _build(self):
        """Set the state of an object: a file of weights may not change classes and functions so."""
        kind = type(self.stack[-2])
        if self.weights_only and kind is not collections.OrderedDict and kind not in _safe:
            raise pickle.UnpicklingError(f"Weights only load failed. A file of weights sets the state of a {kind}.")
        self.load_build()

    steps: typing.ClassVar[dict] = {pickle.BUILD[0]: _build}
    dispatch: typing.ClassVar[dict] = {**pickle._Unpickler.dispatch, **steps}

    def read(self):
        try:
            return self.load()
        except (AttributeError, EOFError, IndexError, KeyError, TypeError, ValueError) as error:
            if not self.weights_only:
                raise
            raise pickle.UnpicklingError(f"Weights only load failed. {type(error).__name__}: {error}") from error

    def find_class(self, module, name):
        known = _globals_of_files().get((module, name))
        if known is None and module == "torch" and name in _STORED_AS:
            known = _STORED_AS[name]
        if known is None and module == "torch":
            known = next((dtype for dtype, text in _STORABLE.items() if text == name), None)
        if known is not None:
            return known
        if self.weights_only:
            for safe in _safe:
                if f"{module}.{name}" == f"{safe.__module__}.{safe.__qualname__}":
                    return safe
            raise pickle.UnpicklingError(
                f"Weights only load failed. WeightsUnpickler error: Unsupported global: GLOBAL {module}.{name} was "
                "not an allowed global by default. Please use `torch.serialization.add_safe_globals` to allowlist "
                "this global if you trust this class/function, or set weights_only=False for a file that you trust."
            )
        if (module, name) == ("torch._C", "_VariableFunctionsClass"):
            return _torch_names  # torch finds functions there that are not written in Python
        known = _torch(f"{module}.{name}".partition(".")[2]) if module.partition(".")[0] == "torch" else None
        return known if isinstance(known, (types.FunctionType, _Unbound)) else super().find_class(module, name)  # of no class

    def persistent_load(self, saved_id):
        kind, dtype, key, location, *_ = saved_id
        if kind == "module":  # a class, with its source
            return dtype
        if key not in self.stored:
            data = numpy.frombuffer(bytearray(self.read_memory(key)), numpy.uint8)
            self.stored[key] = _moved(paddle.to_tensor(data), location, self.map_location), dtype
        memory, _ = self.stored[key]
        if len(saved_id) > 5 and saved_id[5] is not None:  # a part of it
            _, first, length = saved_id[5]
            size = paddle.base.core.size_of_dtype(getattr(paddle, dtype))
            memory = memory[first * size : (first + length) * size]
        return memory, dtype


class _Anything:
    """What a name in a file stands for while only its memory is looked for: nothing is called."""

    def __new__(cls, *args, **kwargs):
        return super().__new__(cls)

    def __init__(self, *args, **kwargs):
        pass

    def _take(self, *args):
        pass

    __setitem__ = __setstate__ = append = extend = add = _take


class _Listing(pickle._Unpickler):
    """Lists the memory that a file names: its elements' size, by key."""

    def __init__(self, file):
        super().__init__(file)
        self.sizes = {}

    def find_class(self, module, name):
        return _STORED_AS.get(name, "uint8") if name.endswith("Storage") else _Anything

    def persistent_load(self, saved_id):
        if saved_id[0] == "storage":
            self.sizes[saved_id[2]] = paddle.base.core.size_of_dtype(getattr(paddle, saved_id[1]))
        return _Anything()


_OLD_FILES = 0x1950A86A20F9469CFC6C  # torch/serialization.py, MAGIC_NUMBER


def _old_file(file):
    """The pickle of a file as torch before 1.6 wrote it, and its memory; None for any other file."""
    try:
        if _Listing(file).load() != _OLD_FILES:
            return None
    except (pickle.UnpicklingError, AttributeError, EOFError, IndexError, KeyError, TypeError, ValueError):
        return None
    try:
        for _ in ("version", "machine"):
            _Listing(file).load()
        begin, listing = file.tell(), _Listing(file)
        listing.load()
        end, memory = file.tell(), {}
        keys = _Listing(file).load()
        start = file.tell()
        left = file.seek(0, io.SEEK_END) - file.seek(start)
        for key in keys:
            length = int.from_bytes(file.read(8), "little") * listing.sizes[key]
            left -= 8 + length
            if left < 0:  # before memory is asked for
                raise RuntimeError("unexpected EOF. The file might be corrupted.")
            memory[key] = file.read(length)
        file.seek(begin)
        return io.BytesIO(file.read(end - begin)), memory.__getitem__
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise pickle.UnpicklingError(f"not a sound file of torch's: {type(error).__name__}: {error}") from error


def _archived(archive):
    """The pickle of an archive, and what reads its memory."""
    homes = [name[: -len("data.pkl")] for name in archive.namelist() if name.endswith("/data.pkl")]
    if len(homes) != 1:
        raise pickle.UnpicklingError("not a file of tensors: it has no data.pkl, or more than one")
    return io.BytesIO(archive.read(f"{homes[0]}data.pkl")), lambda key: archive.read(f"{homes[0]}data/{key}")


def _moved(memory, location, asked):
    """Memory on the device that it was on, or that is asked for instead."""
    if callable(asked) and not isinstance(asked, (str, paddle.base.core.Place)):
        moved = asked(memory, location)
        if moved is not None:
            return moved
        asked = None
    target = str(asked.get(location, location) if isinstance(asked, dict) else location if asked is None else asked)
    if target.startswith("cuda") and not paddle.is_compiled_with_cuda():
        raise RuntimeError(
            "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If you are "
            "running on a CPU-only machine, please use torch.load with map_location=torch.device('cpu') to map your "
            "storages to the CPU."
        )
    return memory if target == "cpu" else _tensor_method("to")(memory, target)


def _check_extent(length, offset, size, steps):
    """Refuse a file that asks for what is not in its memory: Paddle reads on, into that of the process."""
    last = offset + sum((n - 1) * step for n, step in zip(size, steps, strict=True))
    if min(offset, *size, *steps, 0) < 0 or last >= length:
        raise RuntimeError(f"a tensor of size {[*size]}, steps {[*steps]} from {offset} on is not in {length} elements")


def _rebuilt_sparse(layout, parts):
    if layout == "torch.sparse_coo":
        indices, values, size, *flag = parts
        options = {"check_invariants": True, "is_coalesced": bool(flag and flag[0])}
        return _torch("sparse_coo_tensor")(indices, values, size, **options)
    if layout == "torch.sparse_csr":
        crow, columns, values, size = parts
        steps, highest = crow[1:] - crow[:-1], columns.max().item() if columns.size else -1
        sound = crow.size == size[0] + 1 and crow[0].item() == 0 and crow[-1].item() == columns.size == len(values)
        if not sound or steps.size and steps.min().item() < 0 or highest >= size[1] or (columns < 0).any().item():
            raise RuntimeError("a sparse tensor in a file has indices that are not in order, or outside its size")
        return _torch("sparse_csr_tensor")(crow, columns, values, size)
    raise NotImplementedError(f"a tensor of layout {layout} is not read under Paddle")


def _rebuilt(storage, offset, size, steps, requires_grad=False, hooks=None, metadata=None):
    memory, dtype = storage
    dtype = next((known for known, name in _STORABLE.items() if name == dtype), dtype)
    if not numpy.prod(size):
        made = paddle.empty([*size], dtype)
    else:
        _check_extent(memory.size // paddle.base.core.size_of_dtype(dtype), offset, size, steps)
        values = _tensor_method("view")(memory, dtype)
        made = paddle.as_strided(values, [*size], [*steps], offset * values.element_size())
    made.stop_gradient = not requires_grad
    return made


def _rebuilt_as(storage, offset, size, steps, requires_grad, hooks, dtype, metadata=None):
    return _rebuilt((storage[0], dtype), offset, size, steps, requires_grad)


def _rebuilt_parameter(data, requires_grad, hooks=None, state=None):
    return _torch("nn.Parameter")(data, requires_grad)


def _globals_of_files():
    return {
        ("torch._utils", "_rebuild_tensor"): _rebuilt,
        ("torch._utils", "_rebuild_tensor_v2"): _rebuilt,
        ("torch._utils", "_rebuild_sparse_tensor"): _rebuilt_sparse,
        ("torch.serialization", "_get_layout"): str,
        ("torch._utils", "_rebuild_tensor_v3"): _rebuilt_as,
        ("torch._utils", "_rebuild_parameter"): _rebuilt_parameter,
        ("torch._utils", "_rebuild_parameter_with_state"): _rebuilt_parameter,
        ("torch._utils", "_rebuild_meta_tensor_no_storage"): _torch("_utils._rebuild_meta_tensor_no_storage"),
        ("torch._tensor", "_rebuild_from_type_v2"): _torch("_tensor._rebuild_from_type_v2"),
        ("torch.storage", "UntypedStorage"): "uint8",
        ("torch", "Size"): Size,
        ("torch", "device"): _torch("device"),
        ("torch.nn.parameter", "Parameter"): _torch("nn.Parameter"),
        ("collections", "OrderedDict"): collections.OrderedDict,
        ("collections", "Counter"): collections.Counter,
        ("_codecs", "encode"): _codecs.encode,
        **{(module, each.__name__): each for module in ("builtins", "__builtin__") for each in (set, bytearray, complex)},
    }


def torch_load(f, map_location=None, pickle_module=None, *, weights_only=None, mmap=None, **options):
    """Read a file of torch's, or of `torch_save`."""
    with contextlib.ExitStack() as opened:
        file = opened.enter_context(open(f, "rb")) if isinstance(f, (str, os.PathLike)) else f
        start = file.tell()
        packed = zipfile.is_zipfile(file)
        file.seek(start)
        found = _archived(opened.enter_context(zipfile.ZipFile(file))) if packed else _old_file(file)
        if found is None:
            raise pickle.UnpicklingError(
                f"{f}: not a file of torch 0.4 or later, which torch.load reads; paddle.load reads Paddle's own"
            )
        if weights_only and pickle_module is not None:
            raise RuntimeError("Can not safely load weights when explicit pickle_module is specified")
        weights_only = pickle_module is None if weights_only is None else weights_only
        return _of_module(_Reader, pickle_module, "Unpickler")(*found, map_location, weights_only, **options).read()


def add_safe_globals(safe_globals):
    _safe.extend(safe_globals)


def get_safe_globals():
    return [*_safe]


def clear_safe_globals():
    _safe.clear()


class safe_globals:
    """These may be in files that are read inside."""

    def __init__(self, safe_globals):
        self._also = safe_globals

    def __enter__(self):
        self._kept = [*_safe]
        _safe.extend(self._also)

    def __exit__(self, *error):
        _safe[:] = self._kept


def location_tag(storage):
    device = str(storage.place if isinstance(storage, paddle.Tensor) else storage.device)
    return "cpu" if "cpu" in device else "cuda:" + device.rpartition(":")[2].rstrip(")")


def default_restore_location(storage, location):
    """The storage where it was, as map_location may leave it."""
    if location != "cpu" and not location.startswith("cuda"):
        kind = type(storage).__name__
        raise RuntimeError(f"don't know how to restore data location of {kind} (tagged with {location})")
    if location == "cpu" and location_tag(storage) == "cpu":
        return storage
    if isinstance(storage, paddle.Tensor) or not paddle.is_compiled_with_cuda():
        return _moved(storage, location, None)
    return storage.cpu() if location == "cpu" else storage.cuda(int(location.partition(":")[2] or 0))


def check_module_version_greater_or_equal(module, req_version_tuple, error_if_malformed=True):
    try:
        parts = module.__version__.split(".")
        found = tuple(type(wanted)(parts[at]) for at, wanted in enumerate(req_version_tuple))
        return found >= req_version_tuple
    except Exception as error:
        said = (
            f"'{module.__name__}' module version string is malformed '{module.__version__}' and cannot be compared "
            f"with tuple {req_version_tuple}"
        )
        if error_if_malformed:
            raise RuntimeError(said) from error
        warnings.warn(f"{said}, but continuing assuming that requirement is met", stacklevel=2)
        return True
