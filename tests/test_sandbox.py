"""The sandbox: what a step gets is decided without running it; then as a build would meet it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from porter.errors import EnvironmentFailed
from porter.host import process, sandbox, usage
from porter.host.endings import describe_ending
from porter.host.sandbox import Limits, Mode, Policy, View
from porter.model import UNSET, Device, Step
from porter.stages import isolation
from porter.stages.options import Options
from tests.conftest import ROOT
from tests.system import need

LIMITS = Limits(memory=1 << 30, disk=1 << 20, processes=77, output=1 << 20, temporary=1 << 10)


def step(*argv: str, writable: tuple[Path, ...] = (), **more: object) -> Step:
    return Step(name="x", argv=argv, cwd="/", writable=tuple(map(str, writable)), **more)  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    before = process._policy
    yield
    process._policy = before
    process.why_no_sandbox.cache_clear()


# ------------------------------------------------------------------- variables


@pytest.mark.parametrize(
    "name", ["PATH", "LC_ALL", "CXX", "CFLAGS", "CUDA_HOME", "MAX_JOBS", "CMAKE_PREFIX_PATH"]
)
def test_variables_that_builds_go_by_pass(name: str) -> None:
    assert sandbox.passes(name)


@pytest.mark.parametrize("name", ["MY_TOKEN", "CMAKE_SECRET", "PYTHONPATH", "PIP_INDEX_URL", "X"])
def test_others_pass_by_name_only(name: str) -> None:
    assert not sandbox.passes(name)
    assert sandbox.passes(name, [name])


def test_porters_own_programs_get_all_variables() -> None:
    given = {"PIP_INDEX_URL": "u", "PATH": "/bin"}
    own = sandbox.environment(step("pip", foreign=False), given, Policy())
    foreign = sandbox.environment(step("setup.py", environment={"A": "1"}), given, Policy())
    assert own == given
    assert foreign == {"PATH": "/bin", "A": "1"}


def test_a_variable_can_be_taken_out() -> None:
    taken = step("x", environment={"CUDA_HOME": UNSET})
    assert sandbox.environment(taken, {"CUDA_HOME": "/c"}, Policy()) == {}


# ------------------------------------------------------------------------ view


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    for name in (".ssh", "venv/bin", "tools/bin", ".cache/porter/envs"):
        (home / name).mkdir(parents=True)
    monkeypatch.setenv("PORTER_HOME", str(home / ".cache" / "porter"))
    return home


def seen(step: Step, home: Path, policy: Policy | None = None, **given: str) -> View:
    return sandbox.view(step, {"HOME": str(home), **given}, policy or Policy())


def test_the_users_home_is_hidden_and_what_porter_needs_of_it_is_there(home: Path) -> None:
    view = seen(step("/bin/true"), home)
    places = [place for _, place in view.readable]
    assert str(home.resolve()) in view.hidden
    assert str(home / ".cache" / "porter") in places
    assert not any(".ssh" in place or place == str(home) for place in places)


def test_an_interpreter_in_the_home_comes_with_what_it_stands_on(home: Path) -> None:
    base, python = home / "tools" / "bin" / "python3", home / "venv" / "bin" / "python"
    base.write_text("")
    base.chmod(0o755)
    python.symlink_to(base)
    (home / "venv" / "pyvenv.cfg").write_text(f"home = {base.parent}\n")
    places = {place for _, place in seen(step(str(python)), home).readable}
    assert {str(home / "venv"), str(home / "tools")} <= places


def test_folders_on_the_path_are_there_but_never_the_home_itself(home: Path) -> None:
    path = os.pathsep.join([str(home), str(home / "tools" / "bin"), str(home.parent), "bin", "/"])
    places = {place for _, place in seen(step("/bin/true"), home, PATH=path).readable}
    assert str(home / "tools" / "bin") in places
    assert not places & {str(home), str(home.parent), "/"}


def test_nodes_of_an_accelerator_are_there_where_it_is_asked_for(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nodes = {"nvidia*": ["nvidia0", "nvidiactl"], "davinci*": ["davinci0"], "hisi*": ["hisi_hdc"]}
    monkeypatch.setattr(Path, "glob", lambda self, p: [self / n for n in nodes.get(p, [])])
    for device, there in ((Device.CUDA, "/dev/nvidiactl"), (Device.NPU, "/dev/hisi_hdc")):
        assert seen(step("/bin/true"), home).nodes == ()
        view = seen(step("/bin/true"), home, Policy(devices=(device,)))
        assert there in view.nodes and len(view.nodes) == 2


def test_the_command_line() -> None:
    view = View(
        hidden=("/home",),
        masked=("/etc/shadow",),
        readable=(("/home/u/env", "/home/u/env"),),
        writable=(("/home/u/run/cell", "/home/u/run/cell"),),
        nodes=("/dev/nvidia0",),
    )
    argv = sandbox.command("bwrap", step("make", "all"), view, LIMITS)
    words = " ".join(argv)
    assert argv[-2:] == ("make", "all")
    assert words.startswith("bwrap --ro-bind / / ")
    for expected in (
        "--size 1024 --tmpfs /home --ro-bind /dev/null /etc/shadow "
        "--ro-bind /home/u/env /home/u/env --bind /home/u/run/cell /home/u/run/cell "
        "--dev-bind /dev/nvidia0 /dev/nvidia0",
        "--unshare-net",
        "--unshare-pid",
        "--cap-drop ALL",
        "--die-with-parent",
        "ulimit -p 77 || ulimit -u 77",
        "ulimit -f 2048",
    ):
        assert expected in words


def test_without_a_namespace_the_users_processes_are_not_counted() -> None:
    assert "77" not in " ".join(sandbox.limit(("x",), LIMITS, alone=False))


def test_links_below_what_is_shown_are_left_to_the_file_system(home: Path) -> None:
    cells = home / ".cache" / "porter" / "runs" / "r" / "cells"
    (cells / "one").mkdir(parents=True)
    (cells / "two").symlink_to(cells / "one")
    (home / "outside").symlink_to(cells)
    inside = seen(step("/bin/true", writable=(cells / "two",)), home).writable
    outside = seen(step("/bin/true", writable=(home / "outside" / "one",)), home).writable
    one = str(cells / "one")
    assert inside == ((one, one),)
    assert outside == ((one, one), (one, str(home / "outside" / "one")))


# ----------------------------------------------------------------------- modes


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that has no bubblewrap."""
    real = shutil.which
    monkeypatch.setattr(
        shutil, "which", lambda name, **more: None if name == "bwrap" else real(name, **more)
    )
    process.why_no_sandbox.cache_clear()
    process._policy = None


class Heard:
    """Progress that keeps what it is told."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        self.notes.append(text)


@pytest.mark.usefixtures("without")
def test_without_a_sandbox_one_line_says_what_is_not_isolated() -> None:
    heard = Heard()
    for _ in range(2):
        said = isolation.enforce(Options(), heard)  # type: ignore[arg-type]
    assert said == "none: bubblewrap is not installed"
    assert len(heard.notes) == 1 and sandbox.NOT_ISOLATED in heard.notes[0]


@pytest.mark.usefixtures("without")
def test_off_says_nothing_and_is_recorded() -> None:
    heard = Heard()
    assert isolation.enforce(Options(sandbox=Mode.OFF), heard) == "off"  # type: ignore[arg-type]
    assert heard.notes == []


@pytest.mark.usefixtures("without")
def test_a_sandbox_that_is_required_and_not_there_ends_the_command() -> None:
    with pytest.raises(EnvironmentFailed, match="bubblewrap is not installed"):
        isolation.enforce(Options(sandbox=Mode.REQUIRE), Heard())  # type: ignore[arg-type]


@pytest.mark.usefixtures("without")
def test_without_a_sandbox_steps_run_all_the_same(tmp_path: Path) -> None:
    result = process.run(step("sh", "-c", "echo $0; exit 3"), tmp_path / "log")
    assert (result.returncode, result.tail) == (3, "sh")


def test_a_bubblewrap_that_does_not_work_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho 'bwrap: No permissions to create namespace' >&2; exit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    process.why_no_sandbox.cache_clear()
    assert "No permissions to create namespace" in process.why_no_sandbox()


# ----------------------------------------------------------------------- steps


@pytest.fixture(params=[Mode.REQUIRE, Mode.OFF])
def mode(request: pytest.FixtureRequest) -> Mode:
    """With the sandbox and without."""
    chosen: Mode = request.param
    if chosen is Mode.REQUIRE:
        need("bwrap")
    process.confine(Policy(mode=chosen))
    return chosen


def test_a_step_writes_its_folder(mode: Mode, tmp_path: Path) -> None:
    result = process.run(
        step("sh", "-c", f"echo 1 > {tmp_path}/made", writable=(tmp_path,)), tmp_path / "log"
    )
    assert result.ok and (tmp_path / "made").is_file()


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGKILL, signal.SIGABRT])
def test_a_signal_that_ends_a_program_is_told(mode: Mode, number: int, tmp_path: Path) -> None:
    result = process.run(step("sh", "-c", f"kill -{number} $$"), tmp_path / "log")
    assert result.returncode == -number


def test_a_program_that_is_not_there_is_told(mode: Mode, tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFailed, match="cannot run no-such-program"):
        process.run(step("no-such-program"), tmp_path / "log")


def test_output_without_lines_is_read_in_linear_time(mode: Mode, tmp_path: Path) -> None:
    script = "import sys\nfor _ in range(60): sys.stdout.write('x' * (1 << 20))"
    began = time.monotonic()
    result = process.run(step(sys.executable, "-c", script), tmp_path / "log")
    assert result.ok and time.monotonic() - began < 20
    assert (tmp_path / "log").read_bytes().replace(b"\n", b"") == b"x" * (60 << 20)


def test_a_killed_porter_leaves_no_process_of_a_step(mode: Mode, tmp_path: Path) -> None:
    mark = tmp_path / "alive"
    script = f"setsid sh -c 'while :; do echo x >> {mark}; sleep 0.1; done' & sleep 99"
    text = (
        "from pathlib import Path\nfrom porter.host import process\nfrom porter.model import Step\n"
        "from porter.host.sandbox import Mode, Policy\n"
        f"process.confine(Policy(mode=Mode.{mode.name}))\n"
        f"process.run(Step(name='x', argv=('sh', '-c', {script!r}), cwd='/', "
        f"writable=({str(tmp_path)!r},)), Path({str(tmp_path)!r}, 'log'))"
    )
    porter = subprocess.Popen([sys.executable, "-c", text], cwd=ROOT)
    until = time.monotonic() + 20
    while not mark.exists() and time.monotonic() < until:
        time.sleep(0.05)
    porter.kill()
    porter.wait()
    time.sleep(1)
    size = mark.stat().st_size
    time.sleep(0.5)
    assert mark.stat().st_size == size


def test_a_step_that_is_stopped_says_why(mode: Mode, tmp_path: Path) -> None:
    process.confine(Policy(mode=mode, limits=LIMITS))
    result = process.run(step("sh", "-c", "while :; do echo xxxxxxxx; done"), tmp_path / "log")
    assert not result.ok and "of output" in describe_ending(result)
    assert "of output" in (tmp_path / "log").read_text()[-200:]


def test_a_named_variable_passes(
    mode: Mode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_SWITCH", "on")
    process.confine(Policy(mode=mode, passed=("MY_SWITCH",)))
    assert process.run(step("sh", "-c", "echo $MY_SWITCH"), tmp_path / "log").tail == "on"


def test_what_processes_use_is_counted(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(os.urandom(1 << 20))
    assert 1 << 20 <= usage.disk([str(tmp_path)]) < 2 << 20
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(30)"])
    try:
        assert child.pid in usage.descendants(os.getpid())
        assert usage.memory([child.pid]) > 0
    finally:
        child.kill()
        child.wait()
