"""A torch of a few lines over numpy, so that the parity worker runs in fast tests.

Copied as `torch.py` into a folder of the test. FAKE_DTYPES names the framework in its dtypes.
"""

from __future__ import annotations

import os

import numpy as np


class dtype:
    def __init__(self, name, array):
        self.name = name
        self.array = array

    def __repr__(self):
        return f"{os.environ.get('FAKE_DTYPES', 'torch')}.{self.name}"


BITS = {"bfloat16": np.int16, "float8_e4m3fn": np.uint8, "float8_e5m2": np.uint8}
NAMES = ("float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint8", "bool")
DTYPES = {name: dtype(name, np.dtype(name)) for name in (*NAMES, "complex64", "complex128")}
DTYPES |= {name: dtype(name, np.dtype(bits)) for name, bits in BITS.items()}
globals().update(DTYPES)


class Tensor:
    requires_grad = False
    grad = None
    device = "cpu"

    def __init__(self, array, kind=None):
        self.array = array
        self.dtype = kind or DTYPES[array.dtype.name]

    shape = property(lambda self: self.array.shape)

    def stride(self):
        return tuple(step // self.array.itemsize for step in self.array.strides)

    def to(self, where):
        return Tensor(self.array.astype(where.array)) if isinstance(where, dtype) else self

    def __add__(self, other):
        return Tensor(self.array + other.array + (np.nan if npu.broken else 0))

    def data_ptr(self):
        return self.array.__array_interface__["data"][0]

    def element_size(self):
        return self.array.itemsize

    detach = cpu = lambda self: self

    def contiguous(self):
        return Tensor(np.array(self.array), self.dtype)

    def numpy(self):
        return self.array

    def view(self, kind):
        return Tensor(self.array.view(kind.array), kind)

    def transpose(self, one, other):
        return Tensor(self.array.swapaxes(one, other), self.dtype)

    def __getitem__(self, key):
        return Tensor(self.array[key], self.dtype)


THREADS = [1]


def manual_seed(seed):
    np.random.seed(seed)  # of the process, as torch's


def get_num_threads():
    return THREADS[0]


def set_num_threads(number):
    THREADS[0] = number


def from_numpy(array):
    return Tensor(array)


def as_strided(tensor, shape, strides):
    steps = [step * tensor.array.itemsize for step in strides]
    return Tensor(np.lib.stride_tricks.as_strided(tensor.array, shape, steps), tensor.dtype)


class npu:
    broken = False

    @staticmethod
    def is_available():
        return True

    @staticmethod
    def synchronize():
        pass


class cuda:
    @staticmethod
    def is_available():
        return False
