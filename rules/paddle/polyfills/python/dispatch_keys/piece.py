import contextlib
import enum
import typing

import paddle

from .operators import _below_autograd

_BACKENDS = "CPU CUDA HIP XLA MPS IPU XPU HPU VE Lazy MTIA MAIA PrivateUse1 PrivateUse2 PrivateUse3 Meta".split()
_OTHER_KEYS = """
Undefined Dense Quantized Sparse SparseCsr NestedTensor BackendSelect Python FuncTorchDynamicLayerBackMode Functionalize
Conjugate Negative ZeroTensor ADInplaceOrView AutogradOther AutogradFunctionality AutogradNestedTensor AutocastCPU
AutocastXPU AutocastIPU AutocastHPU AutocastMPS AutocastCUDA AutocastPrivateUse1 FuncTorchBatched
FuncTorchBatchedDecomposition FuncTorchVmapMode FuncTorchGradWrapper PythonTLSSnapshot FuncTorchDynamicLayerFrontMode
PreDispatch PythonDispatcher Autograd CompositeImplicitAutograd CompositeImplicitAutogradNestedTensor
CompositeExplicitAutograd CompositeExplicitAutogradNonFunctional
""".split()
_KINDS_OF_KEYS = ("", "Quantized", "Sparse", "SparseCsr", "NestedTensor", "Autograd")

_kind_of_keys: typing.Any = enum.Enum
_keys_of_backends = [kind + backend for kind in _KINDS_OF_KEYS for backend in _BACKENDS]
DispatchKey = _kind_of_keys("DispatchKey", [*_keys_of_backends, *_OTHER_KEYS], start=0)
# int() takes torch's, too; the numbers are not torch's.
DispatchKey.__int__ = DispatchKey.__index__ = lambda key: key.value


class DispatchKeySet:
    def __init__(self, key, *others):
        self._keys = frozenset([key, *others])

    @classmethod
    def _of(cls, keys):
        made = cls.__new__(cls)
        made._keys = frozenset(keys)
        return made

    def has(self, key):
        return key in self._keys

    def add(self, key):
        return self._of(self._keys | {key})

    def remove(self, key):
        return self._of(self._keys - {key})

    def __or__(self, other):
        return self._of(self._keys | other._keys)

    def __and__(self, other):
        return self._of(self._keys & other._keys)

    def __sub__(self, other):
        return self._of(self._keys - other._keys)

    def __eq__(self, other):
        return isinstance(other, DispatchKeySet) and self._keys == other._keys

    def __repr__(self):
        return f"DispatchKeySet({', '.join(key.name for key in sorted(self._keys, key=int))})"


class _ExcludeDispatchKeyGuard(contextlib.ExitStack):
    """While it is active, there is no autocast or nothing is recorded, if the keys say so."""

    def __init__(self, keys):
        super().__init__()
        self._names = {key.name for key in keys._keys}

    def __enter__(self):
        here = "CPU" if paddle.get_device() == "cpu" else "CUDA"
        if f"Autocast{here}" in self._names:
            self.enter_context(paddle.amp.auto_cast(False))
        if self._names & {"Autograd", "AutogradFunctionality", f"Autograd{here}"}:
            self.enter_context(_below_autograd())
        return super().__enter__()


class _IncludeDispatchKeyGuard(contextlib.nullcontext):
    """No key that can be included changes what Paddle calls."""
