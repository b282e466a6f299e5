import contextlib
import types

import paddle

_CUDNN_FLAGS = {
    "benchmark": "FLAGS_cudnn_exhaustive_search",
    "deterministic": "FLAGS_cudnn_deterministic",
}


class _Cudnn(types.ModuleType):
    def __setattr__(self, name, value):
        super().__setattr__(name, value)
        if paddle.is_compiled_with_cuda():
            if name in _CUDNN_FLAGS:
                paddle.set_flags({_CUDNN_FLAGS[name]: bool(value)})
            elif name == "allow_tf32":
                paddle.base.core.set_cudnn_switch(bool(value))


@contextlib.contextmanager
def _cudnn_flags(**flags):
    """The flags that are given, and before and after it those that were."""
    before = {name: getattr(cudnn, name) for name in flags}
    try:
        for name, value in flags.items():
            setattr(cudnn, name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(cudnn, name, value)


def _cudnn_version():
    found = paddle.version.cudnn() if paddle.is_compiled_with_cuda() else "False"
    if found == "False":
        return None
    major, minor, patch = (int(part) for part in f"{found}.0.0".split(".")[:3])
    return major * (10000 if major > 8 else 1000) + minor * 100 + patch


cudnn = _Cudnn("paddle.backends.cudnn")
vars(cudnn).update(
    allow_tf32=True,
    benchmark=False,
    benchmark_limit=10,
    deterministic=False,
    enabled=True,
    flags=_cudnn_flags,
    is_available=lambda: _cudnn_version() is not None,
    version=_cudnn_version,
)
