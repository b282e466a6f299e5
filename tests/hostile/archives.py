"""Archives and names that reach out of their folder, grow, or end porter with a defect."""

from __future__ import annotations

import io
import os
import random
import stat
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from porter.errors import SourceError
from porter.sources import sdist
from tests.hostile import trial
from tests.hostile.case import Case
from tests.hostile.trial import World, held, world

Member = tuple[tarfile.TarInfo, bytes]
MIB = 1 << 20


def member(name: str, data: bytes = b"", **fields: object) -> Member:
    """One entry of a tar archive."""
    info = tarfile.TarInfo(name)
    info.size = len(data)
    for field, value in fields.items():
        setattr(info, field, value)
    return info, data


def link(name: str, target: str, kind: bytes = tarfile.SYMTYPE) -> Member:
    return member(name, type=kind, linkname=target)


def packed(path: Path, *members: Member, mode: str = "w:gz") -> Path:
    """Write a tar archive."""
    with tarfile.open(path, mode, format=tarfile.PAX_FORMAT) as archive:  # type: ignore[call-overload]
        for info, data in members:
            archive.addfile(info, io.BytesIO(data))
    return path


def zipped(path: Path, *members: tuple[str | zipfile.ZipInfo, bytes]) -> Path:
    """Write a zip archive."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return path


PROJECT = [member(f"ops-1/{name}", data) for name, data in trial.FILES.items()]

# ---------------------------------------------------------------- members

# Names that a member must not have: nothing is unpacked.
OUTSIDE = (
    *("../out.py", "ops-1/../../out.py", "/tmp/porter-out.py", "//tmp/porter-out.py", ".."),
    *("ops-1/a/../../../out.py", "ops-1/..\\..\\out.py", "\\out.py", "C:\\out.py", "ops-1/../../"),
    *("./../out.py", "ops-1//../..//out.py", "ops-1/./.././../out.py"),
)
LINKS = (  # a link's place and target, outside of the archive's folder
    *(("ops-1/l", "/etc/passwd"), ("ops-1/l", "../../x"), ("ops-1/l", "../.."), ("l", "..")),
    *(("ops-1/l", "a/../../../x"), ("ops-1/l", "/"), ("ops-1/a/l", "../../../x")),
    *(("ops-1/l", ".."), ("ops-1/l", "../")),
)
DEVICES = {
    "a pipe": tarfile.FIFOTYPE,
    "a character device": tarfile.CHRTYPE,
    "a block device": tarfile.BLKTYPE,
    "a member of unknown type": b"Z",
}
ODD = {  # taken or refused, and nothing else
    "a newline": "ops-1/a\nb.py",
    "a tab and a bell": "ops-1/a\t\a.py",
    "an escape sequence": "ops-1/\x1b]0;title\x07\x1b[2Jx.py",
    "text turned around": "ops-1/\u202eyp.x\u2066.py",
    "bytes that are no UTF-8": "ops-1/\udcff\udc80.py",
    "a NUL": "ops-1/a\0b.py",
    "a name of 300 characters": f"ops-1/{'n' * 300}.py",
    "a path of 5,000 characters": "ops-1/" + "d" * 99 + ("/" + "d" * 99) * 50 + ".py",
    "3,000 folders deep": "ops-1/" + "d/" * 3000 + "x.py",
    "99 folders deep": "ops-1/" + "d/" * 90 + "x.py",
    "a space": "ops-1/ .py",
    "an option": "ops-1/--upload-pack=x.py",
    "a pathspec": "ops-1/:(exclude)x.py",
    "an asterisk": "ops-1/*.py",
    "a Windows device": "ops-1/CON.py",
    "an alternate stream": "ops-1/x.py::$DATA",
    "an empty part": "ops-1//x.py",
    "only a dot": ".",
    "nothing": "",
    "the archive's own folder as a file": "ops-1",
    "a shell command": "ops-1/$(touch ran);`touch ran`.py",
    "a trailing dot": "ops-1/x.py.",
    "a leading dash for pip": "-r",
    "git's attributes": "ops-1/.GITATTRIBUTES",
}
TOGETHER: dict[str, list[Member]] = {
    "names that differ in case": [member("ops-1/X.py", b"1"), member("ops-1/x.py", b"2")],
    "names that differ in composition": [member("ops-1/\u00e9.py"), member("ops-1/e\u0301.py")],
    "a file twice": [member("ops-1/a.py", b"1"), member("ops-1/a.py", b"2")],
    "a file below a file": [member("ops-1/a", b"1"), member("ops-1/a/b.py", b"2")],
    "a file over a folder": [member("ops-1/a/b.py", b"2"), member("ops-1/a", b"1")],
    "a folder over a file": [member("ops-1/a", b"1"), member("ops-1/a", type=tarfile.DIRTYPE)],
    "a folder over a link": [link("ops-1/a", "ops"), member("ops-1/a", type=tarfile.DIRTYPE)],
    "a file through a link": [link("ops-1/a", "ops"), member("ops-1/a/b.py", b"1")],
    "a file over a link": [link("ops-1/a", "setup.py"), member("ops-1/a", b"1")],
    "a link over a file": [member("ops-1/a", b"1"), link("ops-1/a", "setup.py")],
    "links in a circle": [link("ops-1/a", "b"), link("ops-1/b", "a")],
    "a link to itself": [link("ops-1/a", "a")],
    "a link to nothing": [link("ops-1/a", "nothing")],
    "a link to its folder": [link("ops-1/ops/a", ".")],
    "a hard link to itself": [link("ops-1/a", "ops-1/a", tarfile.LNKTYPE)],
    "a hard link to nothing": [link("ops-1/a", "ops-1/nothing", tarfile.LNKTYPE)],
    "a hard link to a link": [link("ops-1/a", "setup.py"), link("ops-1/b", "ops-1/a", b"1")],
    "a hard link to a folder": [link("ops-1/a", "ops-1/ops", tarfile.LNKTYPE)],
    "two top folders": [member("other/x.py", b"import torch\n")],
    "a hundred links to one file": [
        link(f"ops-1/l{n}", "ops-1/setup.py", tarfile.LNKTYPE) for n in range(100)
    ],
    "the folder it is packed from": [member(".", type=tarfile.DIRTYPE), member("./ops-1/a.py")],
    "a setuid file": [member("ops-1/a", b"1", mode=0o6777)],
    "a folder that cannot be read": [member("ops-1/a", type=tarfile.DIRTYPE, mode=0)],
    "a file of the year 10,000": [member("ops-1/a", b"1", mtime=2**40)],
    "another user's file": [member("ops-1/a", b"1", uid=12345, uname="victim")],
}
THROUGH: dict[str, list[Member]] = {  # together they lead outside: nothing is unpacked
    "a link through links that hide what `..` is": [
        link("ops-1/d/l", "."),
        link("ops-1/x", "d/l/l/l/l/../../../../victim"),
    ],
    "a file through a link to a link": [
        link("ops-1/a", "b"), link("ops-1/b", "ops"), member("ops-1/a/../../x.py", b"1"),
    ],
    "a hard link to the outside": [link("ops-1/a", "/etc/passwd", tarfile.LNKTYPE)],
    "a hard link above": [link("ops-1/a", "../victim/setup.py", tarfile.LNKTYPE)],
    "a hard link through a link": [
        link("ops-1/a", "ops"), link("ops-1/b", "ops-1/a/__init__.py", tarfile.LNKTYPE),
    ],
}  # fmt: skip


def _unpacked(archive: Path, made: World, refused: bool) -> str | None:
    """Unpack; nothing may appear beside the tree, and no link in it may lead outside."""
    place = made.folder / "in"
    place.mkdir()

    def attempt() -> None:
        try:
            sdist.unpack(archive, place / "tree")
        except SourceError:
            return
        if refused:
            raise AssertionError("it was unpacked")

    lost = held(made, attempt)
    top = place / "tree"
    beside = [path.name for path in place.iterdir() if path != top]
    if lost is None and beside:
        lost = f"left beside the tree: {', '.join(beside)}"
    real = os.path.realpath(top)
    outside = [p for p in top.rglob("*") if not Path(os.path.realpath(p)).is_relative_to(real)]
    return lost or (f"a link leads outside: {outside[0]}" if outside else None)


def _tarred(members: list[Member], refused: bool, folder: Path) -> str | None:
    made = world(folder)
    return _unpacked(packed(folder / "ops-1.0.tar.gz", *PROJECT, *members), made, refused)


def _ported(members: list[Member], folder: Path) -> str | None:
    """The whole way: an odd name must not end the import or the patch with a defect, either."""
    made = world(folder)
    archive = packed(folder / "ops-1.0.tar.gz", *PROJECT, *members)
    settings = trial.publish(folder, archive)
    return held(made, lambda: trial.attempt_in(settings, trial.port, "pypi:ops", folder))


# ------------------------------------------------------------------- sizes


def _bomb(kind: str, folder: Path) -> str | None:
    """An archive that grows is refused before much of it is written."""
    made = world(folder)
    archive = BOMBS[kind](folder)
    written = 0

    def count(path: str) -> None:
        nonlocal written
        written = max(written, sum(p.stat().st_size for p in Path(path).rglob("*") if p.is_file()))

    place = folder / "in"
    kept = sdist.shutil.rmtree
    try:
        sdist.shutil.rmtree = lambda path, **named: (count(str(path)), kept(path, **named))  # type: ignore
        lost = _unpacked(archive, made, refused=True)
    finally:
        sdist.shutil.rmtree = kept
    most = max(sdist.ALWAYS_TAKEN, sdist.LARGEST_RATIO * archive.stat().st_size)
    if place.exists() and written > most:
        return f"{written >> 20} MiB were written"
    return lost


def _zeros(folder: Path) -> Path:
    path = folder / "zeros.tar.gz"
    with tarfile.open(path, "w:gz", compresslevel=1) as archive:
        archive.addfile(*_big("ops-1/zeros", sdist.ALWAYS_TAKEN + MIB))
    return path


def _several(folder: Path) -> Path:
    path = folder / "several.tar.gz"
    with tarfile.open(path, "w:gz", compresslevel=1) as archive:
        for number in range(8):
            archive.addfile(*_big(f"ops-1/{number}", 10 * MIB))
    return path


def _big(name: str, size: int) -> tuple[tarfile.TarInfo, io.BytesIO]:
    info = tarfile.TarInfo(name)
    info.size = size
    return info, io.BytesIO(bytes(size))


def _stated(folder: Path) -> Path:
    """A header that states a terabyte, with nothing behind it."""
    path = folder / "stated.tar.gz"
    info = tarfile.TarInfo("ops-1/big")
    info.size = 1 << 40
    with sdist.gzip.open(path, "wb") as file:
        file.write(info.tobuf(tarfile.GNU_FORMAT))
    return path


def _sparse(folder: Path) -> Path:
    """A sparse file of a terabyte in a kilobyte, as GNU tar writes it in PAX headers."""
    info = tarfile.TarInfo("ops-1/big")
    body = b"1\n0\n512\n".ljust(512, b"\0") + bytes(512)
    info.size = len(body)
    info.pax_headers = {
        **{"GNU.sparse.major": "1", "GNU.sparse.minor": "0"},
        **{"GNU.sparse.name": "ops-1/big", "GNU.sparse.realsize": str(1 << 40)},
    }
    return packed(folder / "sparse.tar.gz", (info, body))


def _header(kind: bytes, folder: Path) -> Path:
    """A name of 20 MiB, which a reader takes into memory at once."""
    info = tarfile.TarInfo("x")
    info.type, info.size = kind, 20 * MIB
    path = folder / "header.tar.gz"
    with sdist.gzip.open(path, "wb", compresslevel=1) as file:
        file.write(info.tobuf(tarfile.GNU_FORMAT))
        for _ in range(20):
            file.write(b"n" * MIB)
    return path


def _chain(folder: Path) -> Path:
    """Two thousand headers that each announce the next one's name."""
    info = tarfile.TarInfo("././@LongLink")
    info.type, info.size = tarfile.GNUTYPE_LONGNAME, 4
    path = folder / "chain.tar.gz"
    with sdist.gzip.open(path, "wb") as file:
        for _ in range(2000):
            file.write(info.tobuf(tarfile.GNU_FORMAT) + b"abc\0".ljust(512, b"\0"))
    return path


def _many(folder: Path) -> Path:
    path = folder / "many.tar.gz"
    with tarfile.open(path, "w:gz", compresslevel=1) as archive:
        for number in range(sdist.MOST_MEMBERS // 30):
            archive.addfile(tarfile.TarInfo(f"ops-1/{number}"))
        info = tarfile.TarInfo("ops-1/../../x")
        archive.addfile(info)
    return path


def _zip_zeros(folder: Path) -> Path:
    return zipped(folder / "zeros.zip", *((f"ops-1/{n}", bytes(30 * MIB)) for n in range(3)))


def _zip_lies(folder: Path) -> Path:
    """A member whose directory states one byte where there are 30 MiB."""
    path = zipped(folder / "lies.zip", ("ops-1/x", bytes(30 * MIB)))
    data = path.read_bytes()
    path.write_bytes(data.replace((30 * MIB).to_bytes(4, "little"), (1).to_bytes(4, "little")))
    return path


def _zip_link(folder: Path) -> Path:
    info = zipfile.ZipInfo("ops-1/l")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    return zipped(folder / "link.zip", (info, b"x" * (30 * MIB)))


BOMBS: dict[str, Callable[[Path], Path]] = {
    "zeros": _zeros,
    "zeros in several files": _several,
    "a terabyte that is stated": _stated,
    "a sparse terabyte": _sparse,
    "a name of 20 MiB": partial(_header, tarfile.GNUTYPE_LONGNAME),
    "a link of 20 MiB": partial(_header, tarfile.GNUTYPE_LONGLINK),
    "a PAX header of 20 MiB": partial(_header, tarfile.XHDTYPE),
    "a global PAX header of 20 MiB": partial(_header, tarfile.XGLTYPE),
    "a chain of headers": _chain,
    "ten thousand files and one outside": _many,
    "zeros in a zip": _zip_zeros,
    "a zip that lies about sizes": _zip_lies,
    "a link of 30 MiB in a zip": _zip_link,
}

SLOW = ("ten thousand files and one outside", "zeros in a zip", "zeros in several files")

# ------------------------------------------------------------------- damage


NOISE = member("ops-1/noise", random.Random(1).randbytes(9000))


def _cut(at: float, folder: Path) -> str | None:
    made = world(folder)
    path = packed(folder / "ops-1.0.tar.gz", *PROJECT, NOISE)
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * at)])
    return _unpacked(path, made, refused=True)


def _flipped(seed: int, kind: str, folder: Path) -> str | None:
    """Damage in eight bytes: refused or taken, never a defect."""
    made = world(folder)
    chance = random.Random(seed)
    if kind == "zip":
        path = zipped(folder / "ops-1.0.zip", *(("ops-1/" + n, d) for n, d in trial.FILES.items()))
    else:
        path = packed(folder / "ops-1.0.tar.gz", *PROJECT, mode="w" if kind == "tar" else "w:gz")
    data = bytearray(path.read_bytes())
    for _ in range(8):
        data[chance.randrange(len(data))] = chance.randrange(256)
    path.write_bytes(sdist.gzip.compress(data, 1) if kind == "tar" else data)
    return _unpacked(path, made, refused=False)


def _as_archive(data: bytes, suffix: str, folder: Path) -> str | None:
    made = world(folder)
    path = folder / f"ops-1.0.{suffix}"
    path.write_bytes(data)
    return _unpacked(path, made, refused=True)


def _encrypted(folder: Path) -> str | None:
    made = world(folder)
    path = zipped(folder / "ops-1.0.zip", ("ops-1/setup.py", b"x"))
    data = bytearray(path.read_bytes())
    data[6] |= 1  # the local header's flag, then the directory's
    data[data.index(b"PK\1\2") + 8] |= 1
    path.write_bytes(data)
    return _unpacked(path, made, refused=True)


def _compressed_otherwise(folder: Path) -> str | None:
    made = world(folder)
    path = zipped(folder / "ops-1.0.zip", ("ops-1/setup.py", b"x"))
    data = bytearray(path.read_bytes())
    data[8] = data[data.index(b"PK\1\2") + 10] = 97
    path.write_bytes(data)
    return _unpacked(path, made, refused=True)


def _zip_member(name: str, mode: int, data: bytes, folder: Path) -> str | None:
    made = world(folder)
    info = zipfile.ZipInfo("placeholder")
    info.filename = name
    info.external_attr = mode << 16
    path = zipped(folder / "ops-1.0.zip", ("ops-1/setup.py", b"x"), (info, data))
    return _unpacked(path, made, refused=True)


def _wrong_hash(folder: Path) -> str | None:
    made = world(folder)
    settings = trial.publish(folder, packed(folder / "a.tar.gz", *PROJECT), "0" * 64)

    def attempt() -> None:
        try:
            trial.attempt_in(settings, trial.port, "pypi:ops", folder)
        except SourceError:
            return
        raise AssertionError("it was taken")

    return held(made, attempt)


def _long_source(form: str, folder: Path) -> str | None:
    """A name that no file system takes is a wrong use."""
    made = world(folder)

    def attempt() -> None:
        try:
            trial.port(form, folder)
        except SourceError:
            return
        raise AssertionError("it was taken")

    return held(made, attempt)


SOURCES = (
    *("x" * 5000, "./" + "x" * 300, "/" + "x/" * 2500, "pypi:" + "x" * 5000, "~" + "x" * 300),
    *("https://example.invalid/" + "x" * 5000, "x" * 300 + "@" + "y" * 300, "file:///" + "x" * 300),
    *("./x#" + "y" * 5000, "git@example.invalid:" + "x" * 5000, "\udcff" * 200, "x\0y"),
)


# --------------------------------------------------------------------- cases


def cases() -> Iterator[Case]:
    """Members, sizes, damage, and sources by name."""
    for name in OUTSIDE:
        yield Case(
            group="members outside of an archive's folder",
            name=name,
            run=partial(_tarred, [member(name, b"x")], True),
            quick=True,
        )
    for name, target in LINKS:
        yield Case(
            group="links out of an archive's folder",
            name=f"{name} -> {target}",
            run=partial(_tarred, [link(name, target)], True),
            quick=True,
        )
    for name, members in THROUGH.items():
        yield Case(
            group="links out of an archive's folder",
            name=name,
            run=partial(_tarred, members, True),
            quick=True,
        )
    for name, kind in DEVICES.items():
        refused = kind != b"Z"  # tarfile takes what it does not know for a file
        yield Case(
            group="devices in an archive",
            name=name,
            run=partial(_tarred, [member("ops-1/d", type=kind)], refused),
            quick=True,
        )
    for name, path in ODD.items():
        yield Case(
            group="odd names in an archive",
            name=name,
            run=partial(_ported, [member(path, b"import torch\n")]),
        )
    for name, members in TOGETHER.items():
        run = partial(_tarred, members, False)
        yield Case(group="members that collide", name=name, run=run, quick=True)
        yield Case(group="members that collide, ported", name=name, run=partial(_ported, members))
    for name in BOMBS:
        quick = name not in SLOW
        yield Case(group="archives that grow", name=name, run=partial(_bomb, name), quick=quick)
    yield from _damaged()
    for form in SOURCES:
        yield Case(
            group="sources with long or odd names",
            name=f"{ascii(form)[:20]}, {len(form)} characters",
            run=partial(_long_source, form),
            quick=True,
        )


def _damaged() -> Iterator[Case]:
    group = "damaged archives"
    for at in (0.0, 0.1, 0.5, 0.9, 0.99):
        run: Callable[[Path], str | None] = partial(_cut, at)
        yield Case(group=group, name=f"cut at {at:.0%}", run=run, quick=True)
    for kind in ("tar", "tar.gz", "zip"):
        for seed in range(40):
            run = partial(_flipped, seed, kind)
            yield Case(group=group, name=f"{kind}, eight bytes, {seed}", run=run, quick=seed < 4)
    contents = {"nothing": b"", "zeros": bytes(10_000), "text": b"<html>404</html>"}
    for name, data in contents.items():
        for suffix in ("tar.gz", "zip"):
            run = partial(_as_archive, data, suffix)
            yield Case(group=group, name=f"{name} as {suffix}", run=run, quick=True)
    members = {
        "a zip member outside": ("../x", stat.S_IFREG | 0o644, b"x"),
        "a zip member at the root": ("/x", stat.S_IFREG | 0o644, b"x"),
        "a zip link outside": ("ops-1/l", stat.S_IFLNK | 0o777, b"/etc/passwd"),
        "a zip link above": ("ops-1/l", stat.S_IFLNK | 0o777, b"../../x"),
        "a zip link with a NUL": ("ops-1/l", stat.S_IFLNK | 0o777, b"a\0b"),
        "a zip pipe": ("ops-1/p", stat.S_IFIFO | 0o644, b""),
        "a zip device": ("ops-1/p", stat.S_IFCHR | 0o644, b""),
    }
    for name, (path, mode, data) in members.items():
        run = partial(_zip_member, path, mode, data)
        yield Case(group=group, name=name, run=run, quick=True)
    for name, run in {
        "an encrypted zip": _encrypted,
        "a zip with an unknown compression": _compressed_otherwise,
        "a hash that is not the index's": _wrong_hash,
    }.items():
        yield Case(group=group, name=name, run=run, quick=True)
