"""What fuzzing found stays fixed, and no reader's time is more than linear for repeated pieces."""

from __future__ import annotations

import contextlib
import json
import struct
import time
from pathlib import Path

import pytest

from porter import targets as porter_targets
from porter.errors import UsageError
from porter.parity import answers, cases, choice
from tests.fuzz.readers import Finding
from tests.fuzz.samples import LINKED, NESTED, PIECES, WHEEL
from tests.fuzz.targets import EXPECTED, TARGETS, seeds

CASE = b'[[case]]\nname = "a"\ncall = "a:b"\nargs = [%s]\n'
DEEP_TOML = b"a = " + b"[" * 5000
FOUND = {
    "a script that is nested too deeply": ("setup.py", b"-" * 8000),
    "a table that is nested too deeply": ("pyproject.toml", DEEP_TOML),
    "a table in metadata": ("metadata", DEEP_TOML),
    "a table in cases": ("parity cases", DEEP_TOML),
    "a table in a rule": ("rule", DEEP_TOML),
    "an integer of many digits": ("toml", b"a = " + b"9" * 5000),
    "definitions nested too deeply": ("ascend definitions", b"[" * 20_000),
    "compile commands nested too deeply": ("compile commands", b"[" * 20_000),
    "compile commands of another shape": ("compile commands", b"[1, {}]"),
    "goldens nested too deeply": ("goldens", b"[" * 20_000),
    "goldens of another shape": ("goldens", b'{"files": 1, "environment": {}, "device": "x"}'),
    "events of another shape": ("test events", b'{"event": "outcome", "id": []}'),
    "calls that are no JSON": ("recorded calls", b"("),
    "calls that are no text": ("recorded calls", b"d\xf6\xf5"),
    "a trace that is no text": ("trace", b"\x8a"),
    "a trace that begins in the middle": ("trace", b'{"end": 3}'),
    "a page that is nested too deeply": ("index page", b"[" * 20_000),
    "a page with a number for a name": ("index page", b'{"files": [{"filename": 1, "url": "u"}]}'),
    "a page with a link that is none": ("index page", b'<a href="http://[::1">a-1.tar.gz</a>'),
    "a page with a marked section of no known kind": ("index page", b"<![a[b"),
    "an error in a file of a long name": ("compiler output", b"a" * 300 + b".cpp:1:2: error: b\n"),
    "an error in a line of many digits": (
        "compiler output",
        b"a.cpp:" + b"1" * 5000 + b": error: b\n",
    ),
    "a long sum": ("migrate python", NESTED[20]),
    "many values in braces": ("cpp", b"${a}" * 10_000),
    "many calls": ("residue", b"import torch\n" + b"torch.a(b)\n" * 4000),
    "a command of signs": ("pyproject.toml", b">" * 40_000),
    "a folder after many spaces": ("pyproject.toml", b" " * 100_000 + b"x"),
    "a size of a digit that is none": (
        "parity cases",
        CASE.replace(b"%s", '{shape = ["²*n"]}'.encode()) + b"grid = {n = [1]}\n",
    ),
}
# Of a library: the header's size of a section's header, and of the table of versions its lengths.
NO_SIZE = LINKED[:58] + struct.pack("<HH", 0, 65535) + LINKED[62:]
LAST = struct.pack("<HHIIIIHHII", 1, 1, 14, 16, 0, 0, 0, 2, 26, 0)
ROUND = LINKED.replace(LAST, struct.pack("<HHIIIIHHII", 1, 65535, 14, 0, 1, 0, 0, 2, 26, 0))
CENTRAL = b"PK\1\2\x14\3\x14\0"  # of an archive, up to the flags of a file
FOUND |= {
    "a library whose sections have no size": ("wheel", NO_SIZE),
    "a library whose versions go round": ("wheel", ROUND),
    "a wheel with a password": (
        "wheel",
        WHEEL.replace(CENTRAL + b"\0", CENTRAL + b"\1"),
    ),
    "a wheel whose library is cut off": ("wheel", WHEEL[:60] + b"\xff" * 20 + WHEEL[80:]),
    "a wheel packed in an unknown way": ("wheel", WHEEL.replace(b"\x08\0\0\0", b"\x63\0\0\0")),
}
SECONDS = 10.0  # some take tenths of a second; without their fix minutes, or they raise


def run(name: str, data: bytes) -> float:
    """Give data to a target; return the seconds that it took."""
    began = time.process_time()
    with contextlib.suppress(*EXPECTED):
        TARGETS[name].run(data)
    return time.process_time() - began


@pytest.mark.parametrize(("name", "data"), FOUND.values(), ids=FOUND)
def test_what_was_found_stays_fixed(name: str, data: bytes) -> None:
    assert run(name, data) < SECONDS


@pytest.mark.parametrize("name", TARGETS)
def test_every_target_takes_its_seeds(name: str) -> None:
    found = seeds(TARGETS[name])
    assert found
    for data in found[:8]:
        run(name, data)


@pytest.mark.long
@pytest.mark.parametrize("name", TARGETS)
def test_repeated_pieces_take_time_by_their_length(name: str) -> None:
    slow = [piece for piece in PIECES if run(name, piece * (16_000 // len(piece))) > SECONDS]
    assert slow == []


def test_the_checks_of_targets_see_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    from porter.languages.edits import Applied
    from porter.migrate import plan

    def harm(data: bytes, findings: object) -> Applied:
        done = plan_apply(data, findings)  # type: ignore[arg-type]
        return Applied(done.data.replace(b"# kept", b""), done.applied, done.deferred)

    plan_apply = plan.apply
    monkeypatch.setattr("tests.hostile.differential.apply", harm)
    text = b"import torch\n\ny = torch.cuda.current_stream().cuda_stream\nz = 1  # kept\n"
    with pytest.raises(Finding, match="comments lost"):
        TARGETS["migrate python"].run(text)


@pytest.mark.parametrize(
    "tensor",
    [
        b"{shape = [1000000000000]}",
        b"{shape = [100000, 100000]}",
        b"{shape = [%s]}" % b", ".join([b"1"] * 40),
    ],
)
def test_a_tensor_that_no_memory_holds_is_refused(tmp_path: Path, tensor: bytes) -> None:
    path = tmp_path / cases.FILE_NAME
    path.write_bytes(CASE.replace(b"%s", tensor))
    with pytest.raises(UsageError, match=r"case 'a': args\[0\]: shape"):
        cases.load(path)


@pytest.mark.parametrize(
    "expression",
    ["not " * 5000 + "a", "(" * 5000, "a " * 200, "a (b)", "and", "not", "10**10**10 b"],
)
def test_an_expression_that_is_none_is_refused(expression: str) -> None:
    with pytest.raises(UsageError):
        choice.holds("a b", expression)


def test_an_expression_is_words_and_never_code() -> None:
    assert not choice.holds("a", "__import__('os').abort()".replace("(", "").replace(")", ""))
    assert choice.holds("a b", "a and not (c or d)") and not choice.holds("a b", "a and not b")


@pytest.mark.parametrize(
    ("shape", "file", "stated"),
    [
        ([1 << 40], "0.npy", 1 << 40),  # the file says so, too, and has 4 bytes
        ([2], "0.npy", 1),
        ([1], "../0.npy", 1),
        ([1], "pipe", 1),
    ],
)
def test_an_answer_with_an_array_that_cannot_be_is_none(
    tmp_path: Path, shape: list[int], file: str, stated: int
) -> None:
    import os

    folder = tmp_path / "answers"
    folder.mkdir()
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({stated},), }}\n"
    array = b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode() + b"\0" * 4
    for path in (tmp_path / "0.npy", folder / "0.npy"):
        path.write_bytes(array)
    os.mkfifo(folder / "pipe")
    tensor = {"role": "result", "place": "result", "dtype": "float32", "shape": shape}
    tensor |= {"strides": [1], "device": "cpu", "alias": "", "file": file}
    written = {"status": "ok", "tree": {}, "emulated": False, "changed": [], "left": 0}
    (folder / "0.json").write_text(json.dumps({**written, "tensors": [tensor]}))
    found = answers.load(folder, 0)
    assert found is not None and found.phase == "crash" and not found.tensors


@pytest.mark.parametrize("name", [name for name in FOUND if name.startswith("a wheel ")])
def test_a_wheel_that_cannot_be_unpacked_is_refused(tmp_path: Path, name: str) -> None:
    wheel = tmp_path / "ops-1.0-py3-none-any.whl"
    wheel.write_bytes(FOUND[name][1])
    with pytest.raises(UsageError, match=r"ops-1\.0-py3-none-any\.whl cannot be read: .+"):
        porter_targets.TARGETS["paddle"].symbols_of_wheel(wheel)
