import datetime
import os
import threading

from .torchs_meaning import _torch


class DistError(RuntimeError):
    """An error of several processes."""


class DistBackendError(DistError):
    pass


class DistNetworkError(DistError):
    pass


class DistStoreError(DistError):
    pass


class QueueEmptyError(DistStoreError):
    pass


def _as_bytes(value):
    return value.encode() if isinstance(value, str) else bytes(value)


class Store:
    """Values by their keys, for several processes or threads."""

    _timeout = datetime.timedelta(minutes=5)

    @property
    def timeout(self):
        return self._timeout

    def set_timeout(self, timeout):
        self._timeout = timeout

    def has_extended_api(self):
        return True

    def multi_get(self, keys):
        return [self.get(key) for key in keys]

    def multi_set(self, keys, values):
        for key, value in zip(keys, values, strict=True):
            self.set(key, value)


class HashStore(Store):
    """In the memory of this process."""

    def __init__(self):
        self._values, self._queues, self._changed = {}, {}, threading.Condition()

    def clone(self):
        other = HashStore()
        vars(other).update(vars(self))
        return other

    def _write(self, key, value):
        self._values[key] = value
        self._changed.notify_all()
        return value

    def set(self, key, value):
        with self._changed:
            self._write(key, _as_bytes(value))

    def get(self, key):
        with self._changed:
            self.wait([key])
            return self._values[key]

    def add(self, key, amount):
        with self._changed:
            return int(self._write(key, str(int(self._values.get(key, b"0")) + amount).encode()))

    def append(self, key, value):
        with self._changed:
            self._write(key, self._values.get(key, b"") + _as_bytes(value))

    def compare_set(self, key, expected_value, desired_value):
        expected = _as_bytes(expected_value)
        with self._changed:
            if key not in self._values and expected:
                return expected
            known = self._values.get(key, b"")
            return self._write(key, _as_bytes(desired_value)) if known == expected else known

    def check(self, keys):
        return all(key in self._values for key in keys)

    def wait(self, keys, timeout=None):
        with self._changed:
            seconds = (timeout or self._timeout).total_seconds()
            if not self._changed.wait_for(lambda: self.check(keys), seconds):
                raise DistStoreError("Wait timeout")

    def delete_key(self, key):
        with self._changed:
            return self._values.pop(key, None) is not None

    def num_keys(self):
        return len(self._values)

    def queue_push(self, key, value):
        with self._changed:
            self._queues.setdefault(key, []).append(_as_bytes(value))
            self._changed.notify_all()

    def queue_pop(self, key, block=True):
        with self._changed:
            if not block and not self._queues.get(key):
                raise QueueEmptyError("queue is empty")
            if not self._changed.wait_for(lambda: self._queues.get(key), self._timeout.total_seconds()):
                raise DistStoreError("Wait timeout")
            return self._queues[key].pop(0)

    def queue_len(self, key):
        return len(self._queues.get(key, ()))


class PrefixStore(Store):
    """A store in which all keys begin alike."""

    def __init__(self, prefix, store):
        self._prefix, self.underlying_store = f"{prefix}/", store

    @property
    def timeout(self):
        return self.underlying_store.timeout

    def set_timeout(self, timeout):
        self.underlying_store.set_timeout(timeout)

    def clone(self):
        return PrefixStore(self._prefix[:-1], self.underlying_store.clone())

    def check(self, keys):
        return self.underlying_store.check([self._prefix + key for key in keys])

    def wait(self, keys, *timeout):
        self.underlying_store.wait([self._prefix + key for key in keys], *timeout)

    def num_keys(self):
        return self.underlying_store.num_keys()

    def __getattr__(self, name):
        if name not in ("add", "append", "compare_set", "delete_key", "get", "queue_len", "queue_pop", "queue_push", "set"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        of_store = getattr(self.underlying_store, name)
        return lambda key, *args, **kwargs: of_store(self._prefix + key, *args, **kwargs)


def get_node_local_rank(fallback_rank=None):
    if "LOCAL_RANK" in os.environ:
        return int(os.environ["LOCAL_RANK"])
    if fallback_rank is None:
        raise RuntimeError(
            "LOCAL_RANK is not in the environment. Consider passing fallback_rank to allow `get_node_local_rank` to work, "
            "assuming you are not running in a multi-device context and want the code to run locally instead."
        )
    return int(fallback_rank)


def is_backend_available(backend):
    known = f"is_{backend.lower()}_available"
    return known in ("is_gloo_available", "is_nccl_available") and _torch(f"distributed.{known}")()


def is_ucc_available():
    return False


def supports_complex(reduceOp):
    refused = "BAND BOR BXOR MAX MIN PRODUCT".split()
    return not any(reduceOp == getattr(_torch("distributed.ReduceOp"), each, None) for each in refused)


def get_default_backend_for_device(device):
    kind = str(device).partition(":")[0]
    if kind not in ("cpu", "cuda"):
        raise ValueError(f"Default backend not registered for device : {kind}")
    return {"cpu": "gloo", "cuda": "nccl"}[kind]
