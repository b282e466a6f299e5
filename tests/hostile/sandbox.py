"""Code of a repository that reaches for what is not its own, run as builds and tests are."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from unittest import mock

from porter.host import process, sandbox
from porter.model import Cell, Device, Evidence, Step, StepResult, Tree
from tests.hostile.case import Case
from tests.system import need

SECRET = "porter-secret-5e1f"
SMALL = sandbox.Limits(
    memory=1 << 29, disk=1 << 24, processes=64, output=1 << 20, temporary=1 << 24
)


@dataclass(frozen=True)
class Scene:
    """A user's machine in a folder: a home, porter's data with two runs, a source tree."""

    folder: Path

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def porter(self) -> Path:
        return self.folder / "porter"

    @property
    def source(self) -> Path:
        return self.folder / "source"

    @property
    def own(self) -> Path:
        """The run's folder, and what of it a step may write."""
        return self.porter / "runs" / "own"

    @property
    def cell(self) -> Path:
        return self.own / "cells" / "one"

    @contextlib.contextmanager
    def entered(self, **variables: str) -> Iterator[Scene]:
        for place in (self.home, self.source, self.cell / "logs", self.porter / "runs" / "other"):
            place.mkdir(parents=True, exist_ok=True)
        user = {"HOME": str(self.home), "PORTER_HOME": str(self.porter), **variables}
        with mock.patch.dict(os.environ, user):
            yield self

    def run(self, script: str, limits: sandbox.Limits | None = None, timeout: float = 60) -> str:
        """What a Python script of the repository writes."""
        return Path(self.step(script, limits, timeout).log).read_text(errors="replace")

    def step(
        self, script: str, limits: sandbox.Limits | None = None, timeout: float = 60
    ) -> StepResult:
        need("bwrap")
        step = Step(
            name="hostile",
            argv=(sys.executable, "-c", script),
            cwd=str(self.cell),
            timeout=timeout,
            writable=(str(self.cell),),
        )
        before = process._policy
        # never without: as root some of these acts would harm this machine
        process.confine(sandbox.Policy(limits=limits, mode=sandbox.Mode.REQUIRE))
        try:
            return process.run(step, self.cell / "logs" / "step.log")
        finally:
            process._policy = before


# ----------------------------------------------------------------- what is read

IN_HOME = (
    *(".ssh/id_rsa", ".ssh/id_ed25519", ".ssh/config", ".ssh/known_hosts", ".aws/credentials"),
    *(".aws/config", ".netrc", ".config/pip/pip.conf", ".pypirc", ".docker/config.json"),
    *(".kube/config", ".git-credentials", ".gitconfig", ".npmrc", ".bash_history"),
    *(".gnupg/secring.gpg", ".config/gh/hosts.yml", ".cache/huggingface/token", "work/notes.txt"),
)
READERS = {
    "by its path": "print(open({path!r}).read())",
    "by the root of process 1": "print(open('/proc/1/root' + {path!r}).read())",
    "by a link in its own folder": (
        "import os; os.symlink({path!r}, 'link'); print(open('link').read())"
    ),
    "by a hard link": "import os; os.link({path!r}, 'hard'); print(open('hard').read())",
    "by the shell": "import os; os.system('cat ' + {path!r})",
    "by a walk": (
        "import os\nfor d, _, n in os.walk(os.path.dirname({path!r})):\n"
        "    for f in n: print(open(os.path.join(d, f)).read())"
    ),
}


def reads(name: str, script: str, folder: Path) -> str | None:
    with Scene(folder).entered() as scene:
        path = scene.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(SECRET)
        seen = SECRET in scene.run(script.format(path=str(path)))
        return f"a step read ~/{name}" if seen else None


VARIABLES = (
    *("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "GITHUB_TOKEN"),
    *("GH_TOKEN", "GITLAB_TOKEN", "CI_JOB_TOKEN", "HF_TOKEN", "NPM_TOKEN", "TWINE_PASSWORD"),
    *("PIP_INDEX_URL", "HTTPS_PROXY", "SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS", "LD_PRELOAD"),
    *("PORTER_TOKEN", "CMAKE_API_KEY", "DATABASE_URL", "OPENAI_API_KEY", "GPG_AGENT_INFO"),
    *("XDG_RUNTIME_DIR", "KUBECONFIG", "PYTHONSTARTUP", "GIT_ASKPASS", "CUDA_PRIVATE_KEY"),
)


def variable(name: str, folder: Path) -> str | None:
    with Scene(folder).entered(**{name: f"/{SECRET}"}) as scene:
        script = "import os; print(dict(os.environ), open('/proc/1/environ').read())"
        return f"a step got ${name}" if SECRET in scene.run(script) else None


# -------------------------------------------------------------- what is written

WRITTEN = {
    "a shell's start file": "{home}/.bashrc",
    "authorized keys": "{home}/.ssh/authorized_keys",
    "a start file of Python": "{home}/.local/lib/python3/site-packages/x.pth",
    "the shared object cache": "{porter}/objects/ab/object",
    "an environment": "{porter}/envs/torch/bin/python",
    "CUDA's headers": "{porter}/cuda-headers/13.0/include/cuda.h",
    "an emulated toolkit": "{porter}/emulated/torch/bin/nvcc",
    "another run's record": "{porter}/runs/other/record.json",
    "another run's patch": "{porter}/runs/other/patch/port.patch",
    "its own run's record": "{own}/record.json",
    "its own run's tree, which is applied": "{own}/tree/setup.py",
    "its own run's base": "{own}/base/setup.py",
    "its own run's patch": "{own}/patch/port.patch",
    "another cell": "{own}/cells/two/tree/setup.py",
    "the user's source": "{source}/setup.py",
    "a hook of the user's repository": "{source}/.git/hooks/pre-commit",
    "temporary files": "/tmp/porter-hostile-{pid}",
    "temporary files that stay": "/var/tmp/porter-hostile-{pid}",
    "shared memory": "/dev/shm/porter-hostile-{pid}",
    "a table of cron": "/etc/cron.d/porter-hostile-{pid}",
    "a program of everyone's": "/usr/local/bin/porter-hostile-{pid}",
    "a folder of packages": "/opt/porter-hostile-{pid}",
    "a folder of services": "/var/lib/porter-hostile-{pid}",
    "the root of all": "/porter-hostile-{pid}",
}
WRITER = """
import os, sys
path = {path!r}
for act in (
    lambda: os.makedirs(os.path.dirname(path), exist_ok=True),
    lambda: open(path, "w").write("hostile"),
    lambda: {there} or sys.exit(),
    lambda: (open("other", "w").write("hostile"), os.replace("other", path)),
    lambda: os.chmod(path, 0o777),
    lambda: os.remove(path),
    lambda: {folder!r} in path and os.rename(os.path.dirname(path), path + ".moved"),
):
    try: act()
    except OSError: pass
"""


def writes(place: str, there: bool, folder: Path) -> str | None:
    with Scene(folder).entered() as scene:
        named = {name: getattr(scene, name) for name in ("home", "porter", "own", "source")}
        path = Path(place.format(**named, pid=f"{os.getpid()}-{folder.name}"))
        if there:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("as it was")
        before = _state(path)
        scene.run(WRITER.format(path=str(path), folder=str(folder), there=there))
        lost = f"a step changed {path}" if _state(path) != before else None
        path.unlink(missing_ok=True)
        return lost


def _state(path: Path) -> tuple[str, int, int] | None:
    return (path.read_text(), path.stat().st_mode, path.stat().st_ino) if path.is_file() else None


PLANTED = {
    "a log": "{cell}/logs/step.log",
    "a log's mark": "{cell}/logs/step.log.pid",
}


def plants(place: str, folder: Path) -> str | None:
    """A link where porter, outside of the sandbox, writes next."""
    with Scene(folder).entered() as scene:
        victim = scene.home / ".bashrc"
        victim.write_text("as it was")
        path = place.format(cell=scene.cell)
        again = f"import os; os.path.lexists({path!r}) and os.unlink({path!r}); "
        scene.run(f"{again}os.symlink({str(victim)!r}, {path!r})")
        left = Path(path).is_symlink()
        scene.run("print('hostile')")
        if left or victim.read_text() != "as it was":
            return f"a link to the outside was left at {path}"
    return None


def pipe(folder: Path) -> str | None:
    """A pipe where porter reads what a step answered: it would wait for ever."""
    with Scene(folder).entered() as scene:
        scene.run("import os; os.mkfifo('logs/answer.json'); os.mkfifo('logs/step.log.2')")
        left = [path.name for path in (scene.cell / "logs").iterdir() if path.is_fifo()]
        return f"pipes were left: {left}" if left else None


def swapped(folder: Path) -> str | None:
    """The folder of logs in place of which a link to the user's files is."""
    with Scene(folder).entered() as scene:
        scene.run("import os; os.rename('logs', 'old'); os.symlink(os.environ['HOME'], 'logs')")
        scene.run("print(1)")
        return "logs were written to ~" if (scene.home / "step.log").exists() else None


# --------------------------------------------------------------------- network

CONNECT = """
import socket
with socket.socket({family}, socket.SOCK_STREAM) as s:
    s.settimeout(5); s.connect({address!r}); s.sendall(b"hostile")
"""


def connects(family: str, make: Callable[[Scene], object], folder: Path) -> str | None:
    """To a service of this machine: its ports and sockets, the abstract ones too."""
    with Scene(folder).entered() as scene, socket.socket(getattr(socket, family)) as server:
        server.bind(make(scene))
        server.listen()
        server.settimeout(0.1)
        script = CONNECT.format(family=f"socket.{family}", address=server.getsockname())
        scene.run(script)
        with contextlib.suppress(TimeoutError):
            server.accept()[0].close()
            return f"a step connected to {server.getsockname()!r}"
    return None


SOCKETS: dict[str, tuple[str, Callable[[Scene], object]]] = {
    "a port of 127.0.0.1": ("AF_INET", lambda scene: ("127.0.0.1", 0)),
    "a port of all addresses": ("AF_INET", lambda scene: ("0.0.0.0", 0)),
    "an abstract socket": ("AF_UNIX", lambda scene: f"\0porter-hostile-{os.getpid()}"),
}
OUTSIDE = {
    "an address by number": "socket.create_connection(('1.1.1.1', 443), 3)",
    "a name": "socket.getaddrinfo('pypi.org', 443)",
    "a datagram": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('1.1.1.1', 53))",
    "the metadata of a cloud": "socket.create_connection(('169.254.169.254', 80), 3)",
    "a raw socket": "socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)",
    "a packet socket": "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
    "more than the loopback": "assert len(socket.if_nameindex()) > 1",
}


def succeeds(script: str, folder: Path) -> str | None:
    """Whether what must be refused works."""
    with Scene(folder).entered() as scene:
        result = scene.step(script)
        return "it was not refused" if result.ok else None


def loopback(folder: Path) -> str | None:
    """Tests that start servers keep working."""
    script = (
        "import socket\nwith socket.create_server(('127.0.0.1', 0)) as s:\n"
        "    socket.create_connection(s.getsockname(), 5)"
    )
    with Scene(folder).entered() as scene:
        result = scene.step(script)
        return None if result.ok else f"the loopback does not work: {result.tail}"


# ------------------------------------------------------------------- processes

CHILD = "import time\nwhile True:\n    open({mark!r}, 'a').write('x'); time.sleep(0.1)\n"
STARTERS = {
    "in a session of its own": "subprocess.Popen(argv, start_new_session=True)",
    "forked twice": (
        "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0: os.execv(argv[0], argv)\n"
        "    os._exit(0)"
    ),
    "that holds the output": "subprocess.Popen(argv, stdout=1, stderr=2, start_new_session=True)",
    "by nohup": "subprocess.Popen(['nohup', *argv], stdin=subprocess.DEVNULL)",
    "that hears no signal": (
        "signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.signal(signal.SIGHUP, "
        "signal.SIG_IGN); subprocess.Popen(argv, start_new_session=True)"
    ),
}


def outlives(start: str, late: bool, mode: sandbox.Mode, folder: Path) -> str | None:
    """A process that a step leaves, when it ends or when its time is up."""
    with Scene(folder).entered() as scene:
        mark = scene.cell / "alive"
        script = "import os, signal, subprocess, sys, time\n"
        script += f"argv = [sys.executable, '-c', {CHILD.format(mark=str(mark))!r}]\n{start}\n"
        script += f"while not os.path.exists({str(mark)!r}): time.sleep(0.05)\n"
        script += "time.sleep(60)" if late else ""
        began = time.monotonic()
        with mock.patch.object(process, "confine", _as(mode)):
            result = scene.step(script, timeout=3 if late else 30)
        took = time.monotonic() - began
        size = mark.stat().st_size
        time.sleep(0.5)
        if mark.stat().st_size > size:
            return "a process outlived its step"
        if took > 20:
            return f"the step took {took:.0f} s"
        return "the step did not end by its timeout" if late and not result.timed_out else None


def _as(mode: sandbox.Mode) -> Callable[[sandbox.Policy], bool]:
    real = process.confine
    return lambda policy: real(replace(policy, mode=mode))


AT_PORTER = {
    "ends porter": "import os; os.kill({pid}, 9)",
    "stops porter": "import os; os.kill({pid}, 19)",
    "reads porter's variables": "print(open('/proc/{pid}/environ').read())",
    "reads porter's memory": "print(open('/proc/{pid}/mem', 'rb').read(1))",
    "goes to porter's folder": "import os; print(os.listdir('/proc/{pid}/root/root'))",
    "traces porter": "import ctypes; assert ctypes.CDLL(None).ptrace(16, {pid}, 0, 0) == 0",
    "lists processes": "import os; assert len([n for n in os.listdir('/proc') if n.isdigit()]) > 5",
    "changes porter's limits": "import resource; resource.prlimit({pid}, 7, (1, 1))",
}


def at_porter(script: str, folder: Path) -> str | None:
    with Scene(folder).entered(AWS_SECRET_ACCESS_KEY=SECRET) as scene:
        result = scene.step(script.format(pid=os.getpid()) + "\nprint('done')")
        text = Path(result.log).read_text(errors="replace")
        return "it was not refused" if result.ok or SECRET in text else None


KERNEL = {
    "mounts": "import ctypes; assert ctypes.CDLL(None).mount(b'x', b'logs', b'tmpfs', 0, 0) == 0",
    "unmounts what hides": "import ctypes; assert ctypes.CDLL(None).umount2({home!r}, 2) == 0",
    "makes a user namespace": "import ctypes; assert ctypes.CDLL(None).unshare(0x10000000) == 0",
    "makes a mount namespace": "import ctypes; assert ctypes.CDLL(None).unshare(0x20000) == 0",
    "opens the pattern of core files": "open('/proc/sys/kernel/core_pattern', 'r+')",
    "opens the number of processes": "open('/proc/sys/kernel/pid_max', 'r+')",
    "opens the path of modprobe": "open('/proc/sys/kernel/modprobe', 'r+')",
    "opens the system requests": "open('/proc/sysrq-trigger', 'w')",
    "opens memory": "open('/dev/mem', 'rb')",
    "opens the kernel's memory": "open('/proc/kcore', 'rb')",
    "opens the kernel's log": "open('/dev/kmsg', 'r')",
    "opens a disk": (
        "import glob, os; os.open((glob.glob('/dev/vd*') + glob.glob('/dev/sd*'))[0], os.O_RDONLY)"
    ),
    "sees a GPU or NPU": (
        "import glob; assert glob.glob('/dev/nvidia*') + glob.glob('/dev/davinci*')"
    ),
    "makes a device": "import os; os.mknod('node', 0o20666, os.makedev(1, 1)); open('node', 'rb')",
    "writes below /sys": "import os; os.open('/sys/kernel/uevent_helper', os.O_WRONLY)",
    "writes a control group": "import os; os.mkdir('/sys/fs/cgroup/hostile')",
    "changes its root": "import os; os.chroot('/')",
    "names the machine": "import socket; socket.sethostname(socket.gethostname())",
    "sets the clock": "import time; time.clock_settime(time.CLOCK_REALTIME, time.time())",
    "loads a module": "import ctypes; assert ctypes.CDLL(None).syscall(175, 0, 0, b'') == 0",
    "becomes another user": "import os; os.setuid(1)",
    "makes itself important": "import os; os.nice(-5)",
    "raises its limits": (
        "import resource; resource.setrlimit(resource.RLIMIT_CORE, (1 << 20, 1 << 20))"
    ),
    "survives a full memory": (
        "import os; os.write(os.open('/proc/self/oom_score_adj', os.O_WRONLY), b'-1000')"
    ),
    "reads passwords": "assert open('/etc/shadow').read()",
    "talks to services": "import os; assert os.listdir('/run')",
}


def kernel(script: str, folder: Path) -> str | None:
    return succeeds(script.replace("{home!r}", "os.environb[b'HOME']"), folder)


# ---------------------------------------------------------------------- limits

TOO_MUCH = {
    "processes": ("import os, time\nwhile True:\n    os.fork(); time.sleep(0.02)", "processes"),
    "output": ("import sys\nwhile True: print('x' * 999)", "output"),
    "output without lines": ("import sys\nwhile True: sys.stdout.write('x' * 9999)", "output"),
    "files": (
        "import os, time\nfor n in range(60):\n"
        "    open(f'f{n}', 'wb').write(os.urandom(1 << 20)); time.sleep(0.05)\ntime.sleep(30)",
        "folder",
    ),
    "memory": (
        "import os, time\nfor n in range(20):\n    os.fork() or (bytearray(os.urandom(1 << 26)), "
        "time.sleep(30))\ntime.sleep(30)",
        "memory",
    ),
}
TOO_LARGE = {
    "one file": "open('big', 'wb').truncate(1 << 30); f = open('f', 'wb')\n"
    "while True: f.write(bytes(1 << 20)); f.flush()",
    "temporary files": "f = open('/tmp/f', 'wb')\nwhile True: f.write(bytes(1 << 20)); f.flush()",
    "files in its home": (
        "import os; f = open(os.environ['HOME'] + '/f', 'wb')\nwhile True: f.write(bytes(1 << 20))"
    ),
    "shared memory": "f = open('/dev/shm/f', 'wb')\nwhile True: f.write(bytes(1 << 20))",
    "memory at once": "bytearray(1 << 30)",
    "a core file": "import os, time; os.abort()",
}


def too_much(script: str, what: str, folder: Path) -> str | None:
    with Scene(folder).entered() as scene:
        began = time.monotonic()
        result = scene.step(script, SMALL, timeout=50)
        if result.ok or not (result.marked or "").startswith(process.STOPPED):
            return f"it was not ended by its limit: {result.tail[-200:]}"
        if what not in (result.marked or ""):
            return f"it is not said why: {result.marked}"
        return "it took too long" if time.monotonic() - began > 40 else None


def too_large(script: str, folder: Path) -> str | None:
    with Scene(folder).entered() as scene:
        result = scene.step(script, SMALL, timeout=40)
        left = sum(p.stat().st_blocks * 512 for p in scene.cell.rglob("*") if p.is_file())
        if result.ok or result.timed_out or left > 2 * SMALL.disk:
            return f"it was not refused; {left} bytes are left"
    return None


# ------------------------------------------------------------------- whole builds

BACKEND = """
import os, socket, zipfile
def build_wheel(folder, config=None, metadata=None):
    {hostile}
    info = "pkg-1.dist-info"
    with zipfile.ZipFile(os.path.join(folder, "pkg-1-py3-none-any.whl"), "w") as wheel:
        wheel.writestr("pkg.py", {module!r})
        wheel.writestr(info + "/METADATA", "Metadata-Version: 2.1\\nName: pkg\\nVersion: 1\\n")
        wheel.writestr(info + "/WHEEL",
                       "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(info + "/RECORD", "")
    return "pkg-1-py3-none-any.whl"
"""
TO_TRY = {
    "reads a key": "print(open(os.environ['HOME'] + '/.ssh/id_rsa').read())",
    "prints its variables": "print(dict(os.environ))",
    "writes to ~": "open(os.environ['HOME'] + '/.bashrc', 'w').write('hostile')",
    "poisons the object cache": "print(os.listdir({porter!r})); "
    "os.makedirs({porter!r} + '/objects/x'); open({porter!r} + '/objects/x/object', 'w')",
    "changes the user's tree": "open({source!r} + '/pyproject.toml', 'w').write('hostile')",
}


def builds(hostile: str, at_import: bool, folder: Path) -> str | None:
    """A build backend, or a module that is imported, in a build as `porter build` makes it."""
    import sysconfig

    from porter.build import driver
    from porter.targets import SOURCE, Environment

    need("bwrap")
    with Scene(folder).entered(GITHUB_TOKEN=SECRET) as scene:
        for path in (scene.home / ".ssh" / "id_rsa", scene.home / ".bashrc"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(SECRET)
        text = hostile.format(porter=str(scene.porter), source=str(scene.source))
        tried = f"import os\ntry: {text}\nexcept OSError: pass\n"
        backend = BACKEND.format(
            hostile="" if at_import else f"exec({tried!r})", module=tried if at_import else ""
        )
        (scene.source / "backend.py").write_text(backend)
        table = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
        (scene.source / "pyproject.toml").write_text(f'{table}[project]\nname = "pkg"\n')
        before = sorted((p, p.read_bytes()) for p in scene.source.rglob("*") if p.is_file())
        site = sysconfig.get_path("purelib")
        base = Environment(
            python=Path(sys.executable), framework="torch", version="1", build="cpu", paths=(site,)
        )
        cell = Cell(Tree.PATCHED, "torch", Device.CPU, Evidence.NATIVE)
        result = driver.build(scene.source, cell, base, SOURCE, scene.cell)
        logs = "".join(path.read_text(errors="replace") for path in scene.cell.rglob("*.log"))
        after = sorted((p, p.read_bytes()) for p in scene.source.rglob("*") if p.is_file())
        if "wheel" not in logs.lower():
            return f"nothing was built: {result.reason}"
        if SECRET in logs or (scene.home / ".bashrc").read_text() != SECRET or after != before:
            return "a secret is in the logs, or a file of the user's was changed"
        return "the cache was written" if (scene.porter / "objects" / "x").exists() else None


def requires(hostile: str, folder: Path) -> str | None:
    """A requirement that only an sdist is of: nothing of it runs while it is looked for, and its
    build has no more than any other."""
    import io
    import sysconfig
    import tarfile

    from porter.build import environment, packages
    from porter.targets import Environment

    need("bwrap")
    links = folder / "links"
    links.mkdir()
    found = {"PIP_FIND_LINKS": str(links), "PIP_NO_INDEX": "1", "GITHUB_TOKEN": SECRET}
    with Scene(folder).entered(**found) as scene:
        text = hostile.format(porter=str(scene.porter), source=str(scene.source))
        tried = f"import os\ntry: {text}\nexcept OSError: pass\n"
        table = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
        files = {
            "backend.py": BACKEND.format(hostile=f"exec({tried!r})", module=""),
            "pyproject.toml": table,
            "PKG-INFO": "Metadata-Version: 2.1\nName: pkg\nVersion: 1\n",
        }
        with tarfile.open(links / "pkg-1.tar.gz", "w:gz") as archive:
            for name, content in files.items():
                member = tarfile.TarInfo(f"pkg-1/{name}")
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content.encode()))
        site = sysconfig.get_path("purelib")
        base = Environment(
            python=Path(sys.executable), framework="torch", version="1", build="cpu", paths=(site,)
        )
        own = environment.overlay(base, scene.cell / "venv")
        done = packages.install(own, ["pkg"], scene.cell / "logs", "requirements")
        logs = "".join(path.read_text(errors="replace") for path in scene.cell.rglob("*.log"))
        if not (Path(own.paths[0]) / "pkg.py").is_file():
            return f"it was not installed: {done.refused}"
        if SECRET in logs or (scene.home / ".bashrc").exists() or list(scene.source.iterdir()):
            return "a secret is in the logs, or a file of the user's was changed"
        return "the cache was written" if (scene.porter / "objects" / "x").exists() else None


def poisoned(folder: Path) -> str | None:
    """An object that a build leaves under a key that another source's unit has."""
    from porter.build import objects

    with Scene(folder).entered() as scene:
        one, two = folder / "one", folder / "two"
        for tree, text in ((one, "hostile"), (two, "benign")):
            tree.mkdir()
            (tree / "setup.py").write_text(text)
        key = "ab" + "0" * 62
        staging = scene.cell / "objects"
        cache = objects.Cache(staging, objects.stores("one", [one]))
        scene.run(
            f"import os; os.makedirs('objects/ab/{key}')\n"
            f"for n in ('object', 'said'): open('objects/ab/{key}/' + n, 'w').write('hostile')"
        )
        cache.take_over()
        read = [store / "ab" / key for store in objects.stores("two", [two])]
        own = [store / "ab" / key / "object" for store in cache.stores]
        if any(path.exists() for path in read):
            return "another source's builds read what a hostile one left"
        return None if all(path.is_file() for path in own) else "its own builds do not reuse it"


FORGED = {
    "a link for an object": "os.symlink('/etc/passwd', entry + '/object')",
    "a pipe for an object": "os.mkfifo(entry + '/object')",
    "a folder for an object": "os.mkdir(entry + '/object')",
    "more than an object": "[open(f'{entry}/{n}', 'w') for n in ('object', 'more')]",
    "a name that is no key": "os.rename(entry, os.path.dirname(entry) + '/..x')",
    "a link for an entry": "os.rename(entry, 'real'); os.symlink('../../real', entry)",
}


def forged(act: str, folder: Path) -> str | None:
    """What is no object of a wrapper is not taken over."""
    from porter.build import objects

    with Scene(folder).entered() as scene:
        key = "ab" + "0" * 62
        store = scene.porter / "objects" / "own"
        scene.run(
            f"import os\nentry = 'objects/ab/{key}'\nos.makedirs(entry)\n"
            f"open(entry + '/said', 'w').close()\n{act}"
        )
        objects.Cache(scene.cell / "objects", (store,)).take_over()
        taken = [str(path) for path in store.rglob("*") if not path.is_dir() or path.is_symlink()]
        return f"taken over: {taken}" if taken else None


LATE, ONE_STARTER = "by its timeout", "in a session of its own"


def cases() -> Iterable[Case]:
    """Every hostile act, in the order of this file."""

    def of(group: str, named: Mapping[str, Callable[[Path], str | None]]) -> Iterator[Case]:
        for name, run in named.items():
            waits = name.endswith(LATE) and not name.startswith(ONE_STARTER)
            yield Case(group=f"sandbox: {group}", name=name, run=run, quick=not waits)

    plain = READERS["by its path"]
    yield from of("reads in ~", {name: partial(reads, name, plain) for name in IN_HOME})
    yield from of(
        "reads a key", {how: partial(reads, ".ssh/id_rsa", text) for how, text in READERS.items()}
    )
    yield from of("reads variables", {name: partial(variable, name) for name in VARIABLES})
    yield from of(
        "writes elsewhere",
        {
            f"{name}, {'there' if there else 'new'}": partial(writes, place, there)
            for name, place in WRITTEN.items()
            for there in (True, False)
        },
    )
    yield from of("leaves links", {n: partial(plants, place) for n, place in PLANTED.items()})
    yield from of("leaves links", {"pipes": pipe, "the folder of logs": swapped})
    yield from of(
        "connects to this machine", {n: partial(connects, *how) for n, how in SOCKETS.items()}
    )
    tried = {name: partial(succeeds, f"import socket; {act}") for name, act in OUTSIDE.items()}
    yield from of("connects to others", tried | {"the loopback works": loopback})
    for mode in (sandbox.Mode.AUTO, sandbox.Mode.OFF):
        where = "" if mode is sandbox.Mode.AUTO else ", without a sandbox"
        yield from of(
            f"leaves a process{where}",
            {
                f"{name}, {LATE if late else 'at its end'}": partial(outlives, start, late, mode)
                for name, start in STARTERS.items()
                for late in (False, True)
            },
        )
    yield from of("turns on porter", {n: partial(at_porter, act) for n, act in AT_PORTER.items()})
    yield from of("asks the kernel", {n: partial(kernel, act) for n, act in KERNEL.items()})
    yield from of("uses too much", {n: partial(too_much, *how) for n, how in TOO_MUCH.items()})
    yield from of("uses too much", {n: partial(too_large, act) for n, act in TOO_LARGE.items()})
    for name, act in TO_TRY.items():
        for late in (False, True):
            yield Case(
                group="sandbox: builds",
                name=f"{name}, {'when imported' if late else 'in the backend'}",
                run=partial(builds, act, late),
                quick=name == "reads a key" and not late,
            )
    for name, act in TO_TRY.items():
        yield Case(
            group="sandbox: builds as a requirement",
            name=name,
            run=partial(requires, act),
            quick=name == "prints its variables",
        )
    yield from of(
        "leaves objects",
        {"for another source": poisoned, **{n: partial(forged, act) for n, act in FORGED.items()}},
    )
