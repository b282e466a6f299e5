# ruff: noqa: E501
"""Bytes that fuzzing begins with: samples of formats that are in no file of the repository."""

from __future__ import annotations

import io
import json
import struct
import zipfile

_TENSOR = {
    "status": "returned",
    "tree": {},
    "emulated": False,
    "changed": [],
    "left": 0,
    "tensors": [
        {
            "role": "result",
            "place": "result",
            "dtype": "float32",
            "shape": [1],
            "strides": [1],
            "device": "cpu",
            "alias": "",
            "file": "0.npy",
        }
    ],
}
_ARRAY = (
    b"\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }"
    + b" " * 60
    + b"\n\0\0\0\0"
)
ANSWER = json.dumps(_TENSOR).encode() + b"\0" + _ARRAY
_CELLS = [
    {"cell_type": "markdown", "metadata": {}, "source": ["# A\n"]},
    {
        "cell_type": "code",
        "metadata": {},
        "execution_count": None,
        "outputs": [],
        "source": ["%time x = 1\n", "import torch\n", 'y = torch.equal("\u00e9", \'"\')'],
    },
    {"cell_type": "code", "metadata": {}, "outputs": [], "source": "!ls\ntorch.ones(2).size()"},
]
NOTEBOOK = json.dumps({"nbformat": 4, "metadata": {}, "cells": _CELLS}, indent=1).encode()
CYTHON = b'import torch\nfrom torch cimport a as b\n# c\ncdef int f(x): return b.c("""d""")\n'
CLONE = b"ref: refs/heads/main\n\0../other\n\0core.filemode\ntrue\0extensions.objectformat\nsha256"
# As deep as Python's own parser takes it, so that what walks the tree has to hold.
NESTED = tuple(
    b"import torch\n\nx = torch.equal(" + text + b")\ny = torch.cuda.current_stream().cuda_stream\n"
    for depth in (90, 180, 990, 2500)
    for text in (
        b"a" + b".b" * depth,
        b"a" + b"(1)" * depth,
        b"1" + b" + 1" * depth,
        b"[" * depth + b"]" * depth,
        b"not " * depth + b"a",
        b"lambda: " * depth + b"1",
        b"a if b else " * depth + b"1",
        b"1)\nif a:\n  pass\n" + b"elif torch.b:\n  pass\n" * depth + b"x = (1",
        b"1)\n" + b"".join(b" " * n + b"if a:\n" for n in range(90)) + b" " * 90 + b"torch.a(1",
    )
)
LOG = (
    b"a.cpp:3:5: error: 'foo' was not declared in this scope\n  3 | foo(1)\n    | ^~~\n"
    b'a.cpp(3): error: identifier "x" is undefined\nld: undefined reference to `a::b(int)\'\n'
    b"CMake Error at CMakeLists.txt:3 (find_package):\n  Could not find Torch\n"
    b"  File \"setup.py\", line 3, in <module>\nModuleNotFoundError: No module named 'torch'\n"
)


def _elf(names: bytes, *sections: tuple[int, int, bytes]) -> bytes:
    """Return an ELF file of names and sections of a kind and a size of entries, which use these."""
    rows = [(0, 0, b""), (3, 1, names), *sections]
    at, heads, data = 64 + 64 * len(rows), b"", b""
    for kind, size, content in rows:
        offset = at + len(data)
        heads += struct.pack("<2I4Q2I2Q", 0, kind, 0, 0, offset, len(content), 1, 1, 1, size)
        data += content
    count = len(rows)
    head = (b"\x7fELF\2\1\1", 3, 62, 1, 0, 0, 64, 0, 64, 0, 0, 64, count, 1)
    return struct.pack("<16sHHI3QI6H", *head) + heads + data


_SYMBOLS = struct.pack("<24xIBBHQQIBBHQQ", 1, 0x12, 0, 0, 0, 0, 1, 0x22, 0, 1, 0, 0)
LIBRARY = _elf(
    b"\0f\0libc.so.6\0$ORIGIN:/a\0",
    (11, 24, _SYMBOLS),
    (6, 16, struct.pack("<6Q", 1, 3, 29, 13, 0, 0)),
)
LINKED = _elf(  # with torch, and what it wants of a version
    b"\0aoti_torch_f\0libtorch.so\0V_1\0",
    (11, 24, _SYMBOLS),
    (6, 16, struct.pack("<4Q", 1, 14, 0, 0)),
    (0x6FFFFFFF, 2, struct.pack("<3H", 0, 2, 1)),
    (0x6FFFFFFE, 0, struct.pack("<HHIIIIHHII", 1, 1, 14, 16, 0, 0, 0, 2, 26, 0)),
)


def _packed(data: bytes) -> bytes:
    """Return a wheel that has a library of these bytes."""
    place = io.BytesIO()
    with zipfile.ZipFile(place, "w") as archive:
        archive.writestr(zipfile.ZipInfo("ops/libops.so"), data, zipfile.ZIP_DEFLATED)
    return place.getvalue()


WHEEL = _packed(LINKED)
TRACED = (
    b'{"number": 0, "path": "a.py", "line": 1}\n'
    b'{"start": 0, "site": 0, "callee": {}, "arguments": {}}\n{"end": 0, "result": {}, "unit": []}\n'
)
EVENTS = (
    b'{"event": "collected", "ids": ["a"]}\n{"event": "start", "id": "a"}\n'
    b'{"event": "outcome", "id": "a", "outcome": "passed", "message": ""}\n'
)
RULE = (
    b'title = "t"\nmessage = "m"\nsafety = "safe"\ncatalogue = []\nuntil = "u"\n'
    b'[find]\nname = "torch.a"\nreplace = "b"\n'
)
TABLE = (
    b'[[rename]]\nname = "torch.a"\nreplace = "torch.b"\ncatalogue = []\nuntil = "u"\n'
    b'examples = [{before = "torch.a", after = "torch.b"}]\n'
)
PAGE = b'<base href="/x/"><a href="a-1.tar.gz#sha256=00" data-yanked="">a-1.tar.gz</a>'
PAGE_JSON = b'{"files": [{"filename": "a-1.tar.gz", "url": "a-1.tar.gz", "hashes": {}}]}'
UNIT = b'[{"directory": "/d", "file": "a.cpp", "command": "c++ -I x -DA=1 -c a.cpp"}]'
EXTENSIONS = b'{"error": "", "extensions": [{"name": "a._C", "class": "CppExtension", "arguments": {"cxx": ["-O2"]}, "macros": [["A", "1"]], "sources": ["a.cpp"], "include_dirs": ["b"]}]}'
CALL = b'{"call": "torch.ops.a.b", "args": [{"shape": [1], "dtype": "float32"}], "kwargs": {}}\n'
SCHEMA = b"- func: ns::op(Tensor self, int[2] a=1, *, bool b=False) -> (Tensor, Tensor)\n"

# Pieces of the formats: repeated they show where time is more than linear.
PIECES = tuple(
    piece.encode()
    for piece in (
        *"()[]{}<>\"'#\\/*\n\t ;:,.=@$%&|!?-+~`^_",
        *("a", "0", "\r\n", "\0", "é", "\ufeff", "//", "/*", "*/", "/**/", '"""', "'''", 'R"(', ")\""),
        *("#include <a>\n", "#if a\n", "#define a\\\n", "<<<", ">>>", "::", "a::b", "a.b", "a(", "a)"),
        *("a<b", "[[", "]]", "[=[", "#[[", "${a}", "a = 1\n", "[a]\n", '"a" = "b"\n', "a = [", "{a="),
        *("import torch\n", "from torch import a\n", "torch.a(b)\n", "x = torch.y\n", " if 1:\n"),
        *("def f():\n", "class A:\n ", "lambda: ", "not ", "-", "(a,", "f'{", "%%time\n", '{"a":', "1e9"),
        *("torch::Tensor a;", "TORCH_CHECK(a, b);", "template <typename T>", "namespace a {", "\\\n"),
        *("a.cpp:1:2: error: b\n", "error: ", "<a href='a'>", "```python\n", ">>> a\n", ".. code::\n"),
        *("AT_DISPATCH_ALL_TYPES(", "__global__ void f(", "f<<<1, 2>>>(a);", "__shared__ int a[1];"),
        *("- func: a(", "  exec: aclnnA\n", "add_library(a b)\n", "find_package(Torch)\n", "u8R\"a("),
    )
)  # fmt: skip
