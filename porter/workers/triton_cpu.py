"""Run Triton kernels on the CPU, by Triton's own interpreter: what it lacks and what wants a GPU.

Stands alone, and is run before anything imports triton: `-p` of pytest, or `runpy.run_path`. It
acts when triton is imported, under torch and under another framework's proxy alike. No kernel is
touched: each patch makes the interpreter do what the compiler does, or stands in for a GPU.
`launches()` counts what was interpreted; with PORTER_NOTED, a file, each test that launched a
kernel is written down there.
"""

from __future__ import annotations

import functools
import importlib
import importlib.machinery
import importlib.util
import inspect
import math
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import TypeGuard

NOTE = "triton.interpreted"
_launched: list[None] = []  # an item a launch


def launches() -> int:
    """How many kernels were interpreted in this process."""
    return len(_launched)


class AfterImport:
    """Calls `then(module)` when the module of a name has been imported."""

    def __init__(self, name: str, then: Callable[[Any], None]) -> None:
        self.name = name
        self.then = then

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name != self.name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def exec_module(module: ModuleType) -> None:
                load(module)
                self.then(module)

            setattr(spec.loader, "exec_module", exec_module)  # noqa: B010 - of any loader
        return spec


def install() -> None:
    """From now on kernels are interpreted; those made before are not."""
    os.environ["TRITON_INTERPRET"] = "1"
    if "triton" in sys.modules:
        mend(sys.modules["triton"])
    else:
        sys.meta_path.insert(0, AfterImport("triton", mend))


def mend(triton: Any) -> None:
    interpreter = importlib.import_module("triton.runtime.interpreter")
    driver(triton)
    autotuner(triton)
    arguments(triton, interpreter)
    loops(triton, interpreter)
    comparisons(triton, interpreter)
    bfloat16(triton, interpreter)
    scopes(triton, interpreter)
    library(triton, interpreter)


# ------------------------------------------------------- instead of a GPU


class Device:
    """What a library may ask of a driver's `utils`."""

    def get_device_properties(self, index: int = 0) -> dict[str, int]:
        return {
            "max_shared_mem": 232448,
            "max_num_regs": 65536,
            "multiprocessor_count": 1,
            "warpSize": 32,
            "sm_clock_rate": 0,
            "mem_clock_rate": 0,
            "mem_bus_width": 0,
        }


def driver(triton: Any) -> None:
    """A driver for code that asks for the target or the stream, where no other is active."""
    base: Any = importlib.import_module("triton.backends.driver").DriverBase
    target = importlib.import_module("triton.backends.compiler").GPUTarget("cpu", 0, 32)

    class Driver(base):
        utils = Device()

        @classmethod
        def is_active(cls) -> bool:
            return True

        def map_python_to_cpp_type(self, ty: Any) -> str:
            raise NotImplementedError("kernels are interpreted here, not compiled")

        def get_current_target(self) -> Any:
            return target

        def get_current_device(self) -> int:
            return 0

        def set_current_device(self, device: int) -> None:
            pass

        def get_current_stream(self, device: int = 0) -> int:
            return 0

        def get_device_capability(self, device: int = 0) -> tuple[int, int]:
            return (0, 0)

        def get_active_torch_device(self) -> Any:
            return importlib.import_module("torch").device("cpu")

        def get_device_interface(self) -> Any:
            return importlib.import_module("torch").cpu

        def get_benchmarker(self) -> Callable[..., Any]:
            return once

        def get_empty_cache_for_benchmark(self) -> Any:
            return importlib.import_module("torch").empty(0)

        def clear_cache(self, cache: Any) -> None:
            pass

    triton.runtime.driver.set_active(Driver())


def once(call: Callable[[], object], *, quantiles: Any = None, **options: Any) -> Any:
    """A benchmarker: times mean nothing here."""
    call()
    return [0.0] * len(quantiles) if quantiles else 0.0


class StaticAssertion(AssertionError):
    """A condition of tl.static_assert does not hold: the compiler would refuse the kernel."""


def autotuner(triton: Any) -> None:
    """Takes the first configuration that the compiler would not refuse; times none."""
    tuner = triton.runtime.Autotuner
    run = tuner.run

    def _bench(self: Any, *args: Any, config: Any, **meta: Any) -> list[float]:
        return [math.inf if config in self.porter_refused else 0.0] * 3

    def run_first(self: Any, *args: Any, **kwargs: Any) -> Any:
        self.porter_refused = []
        while True:
            try:
                return run(self, *args, **kwargs)
            except Exception as error:
                config = self.best_config
                if (
                    not is_static_assertion(error)
                    or config in self.porter_refused
                    or len(self.configs) == 1
                ):
                    raise
                self.porter_refused.append(config)
                self.cache = {key: kept for key, kept in self.cache.items() if kept != config}

    tuner._bench, tuner.run = _bench, run_first


def is_static_assertion(error: BaseException | None) -> bool:
    """Whether a static assertion is what ended a kernel."""
    while error is not None and not isinstance(error, StaticAssertion):
        error = error.__cause__
    return error is not None


# --------------------------------------------------- what goes into a kernel


def arguments(triton: Any, interpreter: Any) -> None:
    """Tensors on the CPU go in as they are; a float is a scalar tensor, as it is compiled."""
    executor = interpreter.GridExecutor
    to_host, from_host, call = (
        executor._init_args_hst,
        executor._restore_args_dev,
        executor.__call__,
    )
    convert = interpreter._implicit_cvt

    def _init_args_hst(self: Any, args: Any, kwargs: Any) -> Any:
        if are_on_cpu((*args, *kwargs.values())):
            return list(args), dict(kwargs)
        return to_host(self, args, kwargs)

    def _restore_args_dev(
        self: Any, args: Any, args_host: Any, kwargs: Any, kwargs_host: Any
    ) -> None:
        if not are_on_cpu((*args, *kwargs.values())):
            from_host(self, args, args_host, kwargs, kwargs_host)

    def _implicit_cvt(arg: Any) -> Any:
        if isinstance(arg, float):
            language = triton.language
            handle = interpreter.TensorHandle(
                interpreter.np.array([arg], interpreter.np.float32), language.float32
            )
            return language.core.tensor(handle, language.float32)
        return convert(arg)

    def __call__(self: Any, *args: Any, **kwargs: Any) -> Any:
        _launched.append(None)
        note(os.environ.get("PORTER_NOTED"), os.environ.get("PYTEST_CURRENT_TEST", ""))
        return call(self, *args, **kwargs)

    executor._init_args_hst = _init_args_hst
    executor._restore_args_dev = _restore_args_dev
    executor.__call__ = __call__
    interpreter._implicit_cvt = _implicit_cvt


def are_on_cpu(values: Iterable[Any]) -> bool:
    """Whether all tensors among these, at any depth, are in the memory of the host."""
    for value in values:
        if isinstance(value, (tuple, list)):
            if not are_on_cpu(value):
                return False
        elif hasattr(value, "block_shape") or hasattr(value, "data_ptr"):
            tensor = getattr(value, "base", None)
            tensor = value if tensor is None or not hasattr(tensor, "data_ptr") else tensor
            if "cpu" not in str(tensor.device).lower():
                return False
    return True


@functools.cache
def note(path: str | None, test: str) -> None:
    if path:
        with open(path, "a", encoding="utf-8") as file:
            print(NOTE, test, file=file)


# ------------------------------------------------------- inside of a kernel


def loops(triton: Any, interpreter: Any) -> None:
    """The variable of `for x in range(...)` is a tensor, as it is compiled."""
    import ast

    np, core = interpreter.np, triton.language.core

    base: Any = type(interpreter.FunctionRewriter.ast_transformer)

    class Transformer(base):
        def visit_For(self, node: ast.For) -> ast.AST:
            self.generic_visit(node)
            if is_range(node.iter):
                node.iter.func = ast.copy_location(
                    ast.Name("_porter_range", ast.Load()), node.iter.func
                )
            return node

    def is_range(node: ast.expr) -> TypeGuard[ast.Call]:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            return False
        return node.func.id == "range"

    def count(*bounds: Any) -> Iterator[Any]:
        wide = any(isinstance(b, core.tensor) and b.dtype.primitive_bitwidth == 64 for b in bounds)
        kind, dtype = (core.int64, np.int64) if wide else (core.int32, np.int32)
        for number in range(*bounds):
            yield core.tensor(interpreter.TensorHandle(np.array([number], dtype), kind), kind)

    interpreter._porter_range = count  # what a kernel's globals lack comes from there
    interpreter.FunctionRewriter.ast_transformer = Transformer()


def comparisons(triton: Any, interpreter: Any) -> None:
    """What a comparison gives is of int1, not of its operands' dtype: it may be a mask."""
    builder = interpreter.InterpreterBuilder

    def as_int1(compare: Callable[..., Any]) -> Callable[..., Any]:
        def compare_as_int1(self: Any, lhs: Any, rhs: Any) -> Any:
            found = compare(self, lhs, rhs)
            return interpreter.TensorHandle(found.data, triton.language.int1)

        return compare_as_int1

    for name, compare in list(vars(builder).items()):
        if name.startswith(("create_icmp", "create_fcmp")):
            setattr(builder, name, as_int1(compare))


def bfloat16(triton: Any, interpreter: Any) -> None:
    """Numpy has no bfloat16: the interpreter computes with the bits of it as if they were integers.

    Here in float32, rounded to the nearest even one, as processors do that have no bfloat16.
    """
    np, builder, handle = interpreter.np, interpreter.InterpreterBuilder, interpreter.TensorHandle
    bf16, fp32 = triton.language.bfloat16, triton.language.float32

    def is_bf16(value: Any) -> bool:
        return isinstance(value, handle) and value.dtype == bf16

    def widen(value: Any) -> Any:
        if not is_bf16(value):
            return value
        return handle((value.data.astype(np.uint32) << 16).view(np.float32), fp32)

    def narrow(value: Any) -> Any:
        numbers = np.asarray(value.data, np.float32)
        bits = numbers.view(np.uint32)
        nearest = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
        kept = np.where(np.isnan(numbers), (bits >> 16) | 0x40, nearest)
        return handle(kept.astype(np.uint16), bf16)

    cast = builder.cast_impl

    def cast_impl(self: Any, source: Any, target: Any) -> Any:
        if source.dtype == bf16:
            source = widen(source)
        if target.scalar == bf16:
            return narrow(source)
        return source if source.dtype == target.scalar else cast(self, source, target)

    def compute_in_float32(compute: Callable[..., Any]) -> Callable[..., Any]:
        def run(self: Any, *operands: Any) -> Any:
            handles = [each for each in operands if isinstance(each, handle)]
            if not any(map(is_bf16, handles)):
                return compute(self, *operands)
            found = compute(self, *map(widen, operands))
            # a comparison gives no number; of a product the accumulator, the last one, says
            return narrow(found) if found.dtype == fp32 and is_bf16(handles[-1]) else found

        return run

    builder.cast_impl = cast_impl
    names = ["fadd", "fsub", "fmul", "fdiv", "frem", "fneg", "precise_divf", "approx_divf", "fma"]
    names += ["minimumf", "maximumf", "minnumf", "maxnumf", "clampf", "dot"]
    computing = [f"create_{name}" for name in names]
    computing += [name for name in vars(builder) if name.startswith("create_fcmp")]
    for name in computing:
        if hasattr(builder, name):
            setattr(builder, name, compute_in_float32(getattr(builder, name)))


class NoScope:
    """What the interpreter restores itself: nothing, see `scopes`."""

    def restore(self) -> None:
        pass


def scopes(triton: Any, interpreter: Any) -> None:
    """The language is patched once a launch, and whole.

    The interpreter patches it again for each call of a device function, never restores that, and
    knows builtins only by their place in triton.language: `gather = tl.gather` in a module stays
    unpatched.
    """
    executor = interpreter.GridExecutor
    call, patch, patch_core = (
        executor.__call__,
        interpreter._patch_lang,
        interpreter._patch_lang_core,
    )
    language = triton.language
    active: list[Any] = []  # scopes of the running launch, the outermost first
    seen: set[object] = set()  # what they are for

    def patch_lang_core(lang: Any, scope: Any) -> None:
        def static_assert(condition: Any, message: str = "", **options: Any) -> None:
            if not condition:
                raise StaticAssertion(message)

        patch_core(lang, scope)
        scope.set_attr(lang, "static_assert", static_assert)

    def patch_lang(fn: Any) -> Any:
        names = fn.__globals__
        modules = frozenset(id(m) for m in names.values() if m is language or m is language.core)
        if modules and modules not in seen:
            seen.add(modules)
            active.append(patch(fn))
        if id(names) not in seen:
            seen.add(id(names))
            active.append(aliases(names))
        return NoScope()

    def aliases(names: Any) -> Any:
        """Replace what a module has imported out of the language by name."""
        scope = Names(names)
        for obj, name, original in [c for s in active for c in getattr(s, "_changes", ())]:
            for own in [n for n, value in names.items() if value is original and callable(value)]:
                scope.replace(own, getattr(obj, name))
        return scope

    def __call__(self: Any, *args: Any, **kwargs: Any) -> Any:
        outermost = not active
        try:
            return call(self, *args, **kwargs)
        finally:
            while outermost and active:
                active.pop().restore()
            if outermost:
                seen.clear()

    executor.__call__ = __call__
    interpreter._patch_lang = patch_lang
    interpreter._patch_lang_core = patch_lang_core


class Names:
    """Globals replaced for a while."""

    def __init__(self, names: dict[str, Any]) -> None:
        self.names = names
        self.before: dict[str, Any] = {}

    def replace(self, name: str, value: Any) -> None:
        self.before.setdefault(name, self.names[name])
        self.names[name] = value

    def restore(self) -> None:
        self.names.update(self.before)


# ----------------------------------------------------------------- libdevice


def library(triton: Any, interpreter: Any) -> None:
    """Functions of libdevice, which the interpreter does not have, by numpy."""
    known = functions(interpreter.np)
    cuda = importlib.import_module("triton.language.extra.cuda.libdevice")
    common = importlib.import_module("triton.language.extra.libdevice")
    core = triton.language.core

    def create_extern_elementwise(
        self: Any,
        library: Any,
        path: str,
        symbol: str,
        arguments: list[Any],
        result: Any,
        is_pure: Any,
    ) -> Any:
        name = symbol.removeprefix("__nv_").removeprefix("fast_")
        function = known.get(name) or known.get(name.removesuffix("f"))
        if function is None:
            raise NotImplementedError(f"{symbol} is not interpreted")
        dtype = result.scalar
        data = function(*[argument.data for argument in arguments])
        return interpreter.TensorHandle(data.astype(interpreter._get_np_dtype(dtype)), dtype)

    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            kwargs["_semantic"] = interpreter.interpreter_semantic
            return function(*args, **kwargs)

        return functools.wraps(function)(wrapper)

    interpreter.InterpreterBuilder.create_extern_elementwise = create_extern_elementwise
    for name, function in inspect.getmembers(cuda, core.is_builtin):
        setattr(cuda, name, wrap(function))
    for name in [n for n, f in inspect.getmembers(common, inspect.isfunction)]:
        if hasattr(cuda, name):
            setattr(common, name, getattr(cuda, name))


def functions(np: Any) -> dict[str, Callable[..., Any]]:
    """By the name of the symbol, less its marks for the precision."""

    def each(function: Callable[..., Any]) -> Callable[..., Any]:
        vectorized: Callable[..., Any] = np.vectorize(function, otypes=[np.float64])
        return vectorized

    def away_from_zero(x: Any) -> Any:
        return np.copysign(np.floor(np.abs(x) + 0.5), x)

    same = (
        *("ceil", "floor", "trunc", "rint", "fabs", "sqrt", "cbrt", "exp", "exp2", "expm1"),
        *("log", "log2", "log10", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh"),
        *("fmod", "copysign", "nextafter", "hypot", "ldexp"),
    )
    known = {name: getattr(np, name) for name in same}
    for name in ("asin", "acos", "atan", "asinh", "acosh", "atanh"):
        known[name] = getattr(np, name.replace("a", "arc", 1))
    known |= {name: each(getattr(math, name)) for name in ("erf", "erfc", "lgamma")}
    known |= dict.fromkeys(("isnanf", "isnand"), np.isnan)
    known |= dict.fromkeys(("isinff", "isinfd"), np.isinf)
    known |= dict.fromkeys(("finitef", "isfinited"), np.isfinite)
    known |= dict.fromkeys(("signbitf", "signbitd"), np.signbit)
    for kind in "fd":
        operators = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide}
        known |= {f"{kind}{name}_rn": function for name, function in operators.items()}
        known |= {f"{kind}sqrt_rn": np.sqrt, f"{kind}rcp_rn": np.reciprocal}
    return known | {
        "abs": np.abs,
        "llabs": np.abs,
        "atan2": np.arctan2,
        "exp10": lambda x: np.power(x.dtype.type(10), x),
        "fdividef": np.divide,
        "fma": lambda x, y, z: np.float64(x) * y + z,
        "fma_rn": lambda x, y, z: np.float64(x) * y + z,
        "frsqrt_rn": lambda x: 1 / np.sqrt(x),
        "nearbyint": np.rint,
        "pow": np.power,
        "powi": np.power,
        "remainder": lambda x, y: x - y * np.rint(x / y),
        "round": away_from_zero,
        "rsqrt": lambda x: 1 / np.sqrt(x),
        "saturate": lambda x: np.clip(x, 0, 1),
    }


install()
