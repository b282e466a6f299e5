"""The operators of the emulated CANN by their C functions: JSON of what each gave.

Arguments: libascendcl.so, libopapi.so. Each case: operator, then a list (sizes, type, values) for
each tensor, the result's last; a number is a scalar.
"""

import ctypes
import json
import sys

acl = ctypes.CDLL(sys.argv[1], ctypes.RTLD_GLOBAL)
api = ctypes.CDLL(sys.argv[2])
for make in (acl.aclrtMalloc, api.aclCreateTensor, api.aclCreateScalar):
    make.restype = ctypes.c_int if make is acl.aclrtMalloc else ctypes.c_void_p
FLOAT, INT32, INT64 = 0, 3, 9
KINDS = {FLOAT: ctypes.c_float, INT32: ctypes.c_int32, INT64: ctypes.c_int64}


class Tensor:
    def __init__(self, sizes, kind, values):
        self.count = len(values)
        self.values = (KINDS[kind] * max(1, self.count))(*values)
        shape = (ctypes.c_int64 * max(1, len(sizes)))(*sizes)
        many = ctypes.c_uint64(len(sizes))
        offset = ctypes.c_int64(0)
        made = api.aclCreateTensor(shape, many, kind, None, offset, 2, shape, many, self.values)
        self.handle = ctypes.c_void_p(made)


def scalar(value):
    kind = ctypes.c_float(value)
    return ctypes.c_void_p(api.aclCreateScalar(ctypes.byref(kind), FLOAT))


def run(name, *arguments):
    given = [Tensor(*a) if isinstance(a, tuple) else a for a in arguments]
    handles = [g.handle if isinstance(g, Tensor) else scalar(g) for g in given]
    size, executor = ctypes.c_uint64(), ctypes.c_void_p()
    first = getattr(api, f"{name}GetWorkspaceSize")
    error = first(*handles, ctypes.byref(size), ctypes.byref(executor))
    if error:
        return error
    assert getattr(api, name)(None, size, executor, None) == 0
    assert acl.aclrtSynchronizeStream(None) == 0
    tensors = [g for g in given if isinstance(g, Tensor)]
    out = tensors[0 if "Inplace" in name else -1]
    return list(out.values)[: out.count]


row, column = ((3,), FLOAT, [1, 2, 3]), ((2, 1), FLOAT, [10, 20])
whole, wide = ((2,), INT32, [7, -8]), ((2,), INT64, [2**60 + 1, -3])
nan = ((2,), FLOAT, [float("nan"), 1])
found = {
    "broadcast": run("aclnnAdd", row, column, 2.0, ((2, 3), FLOAT, [0] * 6)),
    "too small a result": run("aclnnAdd", row, column, 1.0, ((3,), FLOAT, [0] * 3)),
    "in place": run("aclnnInplaceMul", row, ((1,), FLOAT, [3])),
    "integers": run("aclnnMul", whole, whole, ((2,), INT32, [0, 0])),
    "wide integers": run("aclnnSub", wide, wide, 0.0, ((2,), INT64, [0, 0])),
    "integers to float": run("aclnnDiv", whole, ((), INT32, [2]), ((2,), FLOAT, [0, 0])),
    "float to integers": run("aclnnMul", row, row, ((3,), INT32, [0] * 3)),
    "integers of a function": run("aclnnExp", whole, ((2,), INT32, [0, 0])),
    "nan": run("aclnnMaximum", nan, ((1,), FLOAT, [2]), ((2,), FLOAT, [0, 0])),
}
print(json.dumps(found))
