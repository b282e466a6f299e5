"""A CUDA toolkit's compiler, and the library headers that a bare toolkit lacks."""

from __future__ import annotations

import io
import os
import re
import shutil
import ssl
import urllib.error
import urllib.request
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from porter.build import pip
from porter.errors import EnvironmentFailed, NetworkError
from porter.host import files, process
from porter.host.home import porter_home
from porter.host.output import OnLine
from porter.model import Step

# Header that tells whether a library's headers are there -> package that has them.
LIBRARIES = {
    "cublas_v2.h": "nvidia-cublas",
    "cudnn.h": "nvidia-cudnn",
    "cufft.h": "nvidia-cufft",
    "curand.h": "nvidia-curand",
    "cusparse.h": "nvidia-cusparse",
    "cusolverDn.h": "nvidia-cusolver",
    "nvrtc.h": "nvidia-cuda-nvrtc",
    "nvtx3/nvToolsExt.h": "nvidia-nvtx",
}
_BLOCK = 1 << 18


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolkit:
    """A CUDA toolkit: `version` is (major, minor)."""

    nvcc: Path
    home: Path
    version: tuple[int, int]

    @property
    def includes(self) -> tuple[str, ...]:
        """Its include folders, for a host compiler: nvcc adds them itself."""
        folder = self.home / "include"
        return tuple(str(f) for f in (folder, folder / "cccl") if f.is_dir())


def toolkit(logs: Path) -> Toolkit | None:
    """The toolkit of CUDA_HOME, of the nvcc on PATH, or of the usual place; None without nvcc."""
    chosen = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH")
    on_path = shutil.which("nvcc")
    homes = [Path(chosen)] if chosen else []
    if on_path:
        homes += [Path(on_path).resolve().parent.parent, *_ask_nvcc_home(on_path, logs)]
    for home in (*homes, Path("/usr/local/cuda")):
        nvcc, version = home / "bin" / "nvcc", _version(home / "include" / "cuda.h")
        if nvcc.is_file() and version is not None:
            return Toolkit(nvcc=nvcc, home=home, version=version)
    return None


def library_headers(
    found: Toolkit,
    python: Path,
    on_line: OnLine = lambda line: None,
    home: Path | None = None,
) -> tuple[str, ...]:
    """Include folders with the CUDA library headers, fetched where the toolkit lacks them.

    Only the `include/` members of the vendor's wheels are read, a few megabytes of hundreds.
    Raises NetworkError or EnvironmentFailed when they cannot be had.
    """
    lacking = {h: p for h, p in LIBRARIES.items() if not (found.home / "include" / h).is_file()}
    if not lacking:
        return ()
    major, minor = found.version
    folder = (home or porter_home()) / "cuda-headers" / f"{major}.{minor}"
    include = folder / "include"
    wanted = [_package(p, major) for h, p in lacking.items() if not (include / h).is_file()]
    if wanted:
        on_line(f"fetching CUDA library headers: {', '.join(wanted)}")
        _fetch(wanted, python, folder)
    missing = [header for header in lacking if not (include / header).is_file()]
    if missing:
        raise EnvironmentFailed(
            f"CUDA library headers not found in the vendor's wheels: {', '.join(missing)}",
            hint="install the full CUDA toolkit, or set CUDA_HOME to one",
        )
    return (str(include),)


def _package(name: str, major: int) -> str:
    """The wheel's name: with CUDA 13 only cuDNN still carries the version in it."""
    return name if major >= 13 and name != "nvidia-cudnn" else f"{name}-cu{major}"


def _fetch(wanted: list[str], python: Path, folder: Path) -> None:
    # One by one: each library has a numbering of its own, so there is no joint pin to ask for.
    options = ("--no-deps", "--ignore-installed")
    planned, result = pip.plan(python, (*options, *wanted), folder / "logs")
    if not result.ok:
        raise pip.failure(result, "cannot find the CUDA library headers")
    for item in planned:
        try:
            _extract(item.url, folder / "include")
        except (OSError, zipfile.BadZipFile) as error:  # URLError is an OSError
            raise NetworkError(
                f"cannot read the headers of {item.name} {item.version}: {error}",
                hint="check the network; or install the full CUDA toolkit and set CUDA_HOME",
            ) from error


def _extract(url: str, include: Path) -> None:
    """Write the headers of a wheel; each is complete or absent."""
    with zipfile.ZipFile(_open(url)) as wheel:
        for name in wheel.namelist():
            parts = PurePosixPath(name).parts
            if "include" not in parts or name.endswith(("/", ".py")) or ".." in parts:
                continue
            below = Path(*parts[parts.index("include") + 1 :])
            destination = include / below
            destination.parent.mkdir(parents=True, exist_ok=True)
            files.replace(destination, wheel.read(name))


def _open(url: str) -> io.BufferedIOBase:
    if url.startswith("file:"):
        return Path(urllib.request.url2pathname(url.removeprefix("file://"))).open("rb")
    return io.BufferedReader(Ranges(url), _BLOCK)


class Ranges(io.RawIOBase):
    """A remote file read by HTTP ranges; raises OSError when the server has none."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._context = ssl.create_default_context(cafile=os.environ.get("PIP_CERT") or None)
        self._at = 0
        request = urllib.request.Request(url, method="HEAD")
        with urllib.request.urlopen(request, timeout=60, context=self._context) as response:
            if response.headers.get("Accept-Ranges", "") != "bytes":
                raise OSError("the server does not support partial downloads of its large files")
            self._size = int(response.headers["Content-Length"])

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        self._at = start + offset
        return self._at

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer).cast("B")  # type: ignore[arg-type]
        end = min(self._at + len(view), self._size)
        if end <= self._at:
            return 0
        wanted = {"Range": f"bytes={self._at}-{end - 1}"}
        request = urllib.request.Request(self._url, headers=wanted)
        with urllib.request.urlopen(request, timeout=60, context=self._context) as response:
            data = response.read(end - self._at)
        view[: len(data)] = data
        self._at += len(data)
        return len(data)


def _version(header: Path) -> tuple[int, int] | None:
    try:
        found = re.search(r"#define CUDA_VERSION (\d+)", header.read_text(errors="replace"))
    except OSError:
        return None
    return divmod(int(found[1]) // 10, 100) if found else None


def _ask_nvcc_home(nvcc: str, logs: Path) -> list[Path]:
    """Where an nvcc that is a script or wrapper really lives, as its own dry run says."""
    unit = logs / "empty.cu"
    logs.mkdir(parents=True, exist_ok=True)
    unit.write_text("")
    argv = (nvcc, "--dryrun", "-c", str(unit), "-o", str(logs / "empty.o"))
    step = Step(name="nvcc", argv=argv, cwd=str(logs), timeout=60, foreign=False)
    result = process.run(step, logs / "nvcc.log")
    found = re.search(r"_HERE_=(\S+)", Path(result.log).read_text(errors="replace"))
    return [Path(found[1]).parent] if found else []
