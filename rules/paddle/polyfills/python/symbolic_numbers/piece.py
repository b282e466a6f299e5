class _Symbol:
    def __init__(self, node):
        self.node = node


class SymInt(_Symbol):
    """A whole number that a trace does not know."""


class SymFloat(_Symbol):
    """A number that a trace does not know."""


class SymBool(_Symbol):
    """A truth value that a trace does not know."""


py_sym_types = (SymInt, SymFloat, SymBool)


class AcceleratorError(RuntimeError):
    """An error of a device in a call that was over before."""


class DeferredCudaCallError(Exception):
    """An error of what waited for CUDA to be ready."""
