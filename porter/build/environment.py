"""Environments: one shared base per framework version, one thin overlay per run and cell."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import shutil
import sys
from pathlib import Path

from porter.build import compat, pip
from porter.errors import EnvironmentFailed, NetworkError
from porter.host import files, locks, process
from porter.host.home import WORKERS, porter_home
from porter.host.output import OnLine
from porter.model import Device, Step
from porter.targets.protocol import Environment, EnvironmentSpec, Framework

READY = "porter-ready.json"
PUBLIC_INDEX = "https://pypi.org/simple"
# Measured: 1.0 GB for torch 2.13 on a CPU, and the wheel beside it while it is unpacked; builds
# with CUDA packages take several times that.
NEEDED_GB = {Device.CPU: 1.5}
NEEDED_GB_OTHERWISE = 8.0
_PROBE = WORKERS / "probe.py"


def prepare(
    spec: EnvironmentSpec,
    framework: Framework,
    on_line: OnLine = lambda line: None,
    home: Path | None = None,
) -> Environment:
    """The base environment of a spec: the cached one, or made now.

    A half-made one, of a killed run, is made anew; pip's cache keeps what was downloaded.
    Two porters that want the same one wait for each other.
    Raises NetworkError, EnvironmentFailed (no such version, CUDA packages in a CPU plan, disk).
    """
    # Resolved: a virtual environment cannot be moved, nor reached by a name that goes away.
    folder = ((home or porter_home()) / "envs").resolve() / key(spec)
    ready = load(folder)
    if ready is not None:
        return ready
    with locks.lock(folder, on_line):
        return load(folder) or _make(spec, framework, folder, on_line)


def find_cached(spec: EnvironmentSpec, home: Path | None = None) -> Environment | None:
    """The base environment of a spec, if it was made before."""
    return load((home or porter_home()) / "envs" / key(spec))


def key(spec: EnvironmentSpec) -> str:
    """The folder name of a base environment: readable, and different for different content."""
    python = f"py{sys.version_info.major}{sys.version_info.minor}"
    override = os.environ.get(spec.override, "")
    content = "\n".join([*spec.requirements, override, os.path.realpath(sys.executable)])
    digest = hashlib.sha256(content.encode()).hexdigest()[:8]
    return f"{spec.framework}-{spec.version}-{spec.device}-{python}-{digest}"


def load(folder: Path) -> Environment | None:
    """The finished environment in a folder, if there is one."""
    found = files.load(folder / READY, Environment)
    if found is None or not found.python.exists() or not Path(found.root).is_dir():
        return None  # it is to be made
    return found


def use(python: Path, framework: Framework, logs: Path) -> Environment:
    """The user's own interpreter, after a look at what it has.

    Raises EnvironmentFailed when it does not run, or lacks the framework.
    """
    python = Path.cwd() / python.expanduser()  # not resolved: the python of a venv is a link
    if not python.exists():
        raise EnvironmentFailed(f"no interpreter at {python}", hint="give the path of a python")
    data = _probe(python, framework, logs)
    if "error" in data:
        raise EnvironmentFailed(
            f"{python} has no usable {framework.name}: {data['error']}",
            hint=f"install {framework.name} there, or omit the option (porter creates one)",
        )
    return _environment(python, framework, data)


def overlay(base: Environment, folder: Path, compat_wheel: Path | None = None) -> Environment:
    """A virtual environment over a base: what is installed there leaves the base untouched.

    It gets the package of pieces where `compat_wheel` is one. Raises EnvironmentFailed when it
    cannot be made.
    """
    if folder.exists():
        shutil.rmtree(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    # The base's pip does: run by the overlay's python, it installs into the overlay.
    has_pip = any((Path(path) / "pip").is_dir() for path in base.paths)
    _make_venv(base.python, folder, *(["--without-pip"] if has_pip else []))
    downloader = base.python
    if not has_pip:
        downloader = folder.with_name("pip") / "bin" / "python"
        _make_venv(base.python, folder.with_name("pip"), "--clear")
    site = _site_packages(folder)
    # addsitedir, not the bare path: .pth files of the base (editable installs) count as well.
    process.show(map(Path, base.paths))
    lines = [f"import site; site.addsitedir({path!r})\n" for path in base.paths]
    (site / "porter_base.pth").write_text("".join(lines))
    made = dataclasses.replace(open_overlay(base, folder), downloader=downloader)
    if compat_wheel is not None:
        compat.install(made, compat_wheel, folder.parent)
    return made


def open_overlay(base: Environment, folder: Path) -> Environment:
    """The overlay of a base that was made in a folder before."""
    paths = (str(_site_packages(folder)), *base.paths)
    return dataclasses.replace(base, python=folder / "bin" / "python", paths=paths)


def copy_overlay(overlay: Environment, folder: Path) -> Environment:
    """A copy of an overlay, with all that is installed there."""
    if folder.exists():
        shutil.rmtree(folder)
    venv = overlay.python.parent.parent
    shutil.copytree(venv, folder, symlinks=True, copy_function=files.copy)
    process.show(map(Path, overlay.paths[1:]))
    return open_overlay(dataclasses.replace(overlay, paths=overlay.paths[1:]), folder)


def _make_venv(python: Path, folder: Path, *options: str) -> None:
    argv = (str(python), "-m", "venv", *options, str(folder))
    step = Step(name="overlay", argv=argv, cwd=str(folder.parent), timeout=120, foreign=False)
    result = process.run(step, folder.parent / f"{folder.name}.log")
    if not result.ok:
        raise EnvironmentFailed(
            f"cannot make an overlay of {python}: {result.tail.strip()[-200:]}",
            hint="the interpreter needs its venv module (Debian: python3-venv)",
        )


def _site_packages(folder: Path) -> Path:
    found = sorted((folder / "lib").glob("python*/site-packages"))
    if not found:
        raise EnvironmentFailed(f"{folder} has no site-packages", hint="run `porter doctor`")
    return found[0]


def _make(
    spec: EnvironmentSpec, framework: Framework, folder: Path, on_line: OnLine
) -> Environment:
    _check_disk(folder.parent, NEEDED_GB.get(spec.device, NEEDED_GB_OTHERWISE))
    if folder.exists():
        shutil.rmtree(folder)
    logs = folder.parent / f"{folder.name}.logs"
    doing = f"cannot make the environment for {spec.framework} {spec.version}"
    on_line(f"making an environment for {spec.framework} {spec.version} ({spec.device})")
    argv = (sys.executable, "-m", "venv", str(folder))
    result = process.run(
        Step(name="venv", argv=argv, cwd=str(folder.parent), foreign=False),
        logs / "venv.log",
        on_line,
    )
    if not result.ok:
        raise EnvironmentFailed(f"{doing}: {result.tail.strip()[-200:]}", hint="install venv")
    python = folder / "bin" / "python"
    options = _index_options(spec, python, logs, doing, on_line)
    install = ("install", *pip.WHEELS, *options, *spec.requirements)  # nothing is built
    result = process.run(
        pip.step(python, "install", install, cwd=logs, timeout=3600), logs / "install.log", on_line
    )
    if not result.ok:
        raise pip.failure(result, doing)
    data = _probe(python, framework, logs)
    if "error" in data:
        raise EnvironmentFailed(f"{doing}: {data['error']}", hint=f"see {logs}")
    found = _environment(python, framework, data)
    files.save(folder / READY, found)
    return found


def _index_options(
    spec: EnvironmentSpec, python: Path, logs: Path, doing: str, on_line: OnLine
) -> tuple[str, ...]:
    """Index options whose plan fits the device: the user's own settings first, then the vendor's.

    uv and a bare public index both give a CPU machine the CUDA build; so the plan is read first.
    """
    vendor = ("--index-url", spec.index, "--extra-index-url", PUBLIC_INDEX)
    chosen = os.environ.get(spec.override)
    if chosen:
        tried: tuple[tuple[str, ...], ...] = (("--index-url", chosen, *vendor[2:]),)
    else:
        tried = ((), vendor)
    refused: tuple[str, ...] = ()
    error: Exception | None = None
    for number, options in enumerate(tried):
        asked = (*options, *spec.requirements)
        planned, result = pip.plan(python, asked, logs, name=f"resolve{number}", on_line=on_line)
        if not result.ok:
            error = error or pip.failure(result, doing)
            if isinstance(error, NetworkError):
                break  # the vendor's index is no nearer, and pip tries long
            continue
        unwanted = pip.cuda_packages(planned) if spec.device is Device.CPU else ()
        if not unwanted:
            return options
        refused = unwanted
    if refused:
        raise EnvironmentFailed(
            f"{doing}: the plan for a CPU environment holds {', '.join(refused)}",
            hint=f"set {spec.override} to an index with CPU builds, such as {spec.index}",
        )
    assert error is not None
    raise error


def _probe(python: Path, framework: Framework, logs: Path) -> dict[str, object]:
    argv = (str(python), "-W", "ignore", str(_PROBE), framework.probe)
    step = Step(
        name="probe",
        argv=argv,
        cwd=str(python.parent),
        environment=framework.activation,
        timeout=300,
        foreign=False,
    )
    result = process.run(step, logs / f"probe-{framework.name}.log")
    for line in reversed(result.tail.splitlines()):
        if line.startswith("{"):
            with contextlib.suppress(json.JSONDecodeError):
                data = json.loads(line)
                if isinstance(data, dict):
                    return data
    said = "it took too long to start" if result.timed_out else result.tail.strip()[-200:]
    return {"error": said or f"it exited with {result.returncode}"}


def _environment(python: Path, framework: Framework, data: dict[str, object]) -> Environment:
    paths = data["paths"]
    assert isinstance(paths, list)
    return Environment(
        python=python,
        framework=framework.name,
        version=str(data["version"]),
        build=str(data["build"]),
        root=str(data["root"]),
        include=str(data["include"]),
        paths=tuple(str(path) for path in paths),
        proxy=bool(data["proxy"]),
    )


def _check_disk(folder: Path, needed_gb: float) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    free_gb = shutil.disk_usage(folder).free / 1024**3
    if free_gb < needed_gb:
        raise EnvironmentFailed(
            f"{folder} has {free_gb:.1f} GB free, the environment needs about {needed_gb:g} GB",
            hint="free some space, or set PORTER_HOME to a larger disk",
        )
