"""The examples of a folder of pieces, called under both frameworks."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.cpp_pieces import building, overlay, toolchain
from tests.cpp_pieces.asking import answers
from tests.cpp_pieces.compare import faults
from tests.cpp_pieces.examples import Example, Examples, read
from tests.cpp_pieces.running import Worker

CASTER = "tensor_caster"


class Bench:
    """Builds and calls the examples of pieces when they are asked for."""

    def __init__(
        self,
        pythons: Mapping[str, Path],
        folder: Path,
        home: Path,
        only: Collection[str] = (),
    ) -> None:
        """With `only`, Paddle gets these pieces and no other."""
        self.only = tuple(only)
        self.folder = folder
        self.cache = home / "cpp-pieces"
        self.pythons = pythons
        self._faults: dict[str, list[list[str]]] = {}
        names = self.only or overlay.pieces(folder)
        self._paddle_home = toolchain.asked(pythons["paddle"], "paddle")[1]
        sound, self.broken = overlay.sound(names, self._header_error, self._suspect)
        tools = [toolchain.torch(pythons["torch"], self.cache), self._paddle(sound)]
        self.workers = [Worker(each) for each in tools]

    def _paddle(self, names: Collection[str]) -> toolchain.Toolchain:
        merged = overlay.merged(self.folder, names, self._paddle_home, self.cache)
        caster = overlay.merged(self.folder, [CASTER], self._paddle_home, self.cache)
        return toolchain.paddle(self.pythons["paddle"], merged, caster, self.cache, not self.only)

    def _header_error(self, names: Collection[str]) -> str:
        try:
            return toolchain.header_error(self._paddle(names))[:3000]
        except (SystemExit, ValueError, IndexError) as error:
            return f"{type(error).__name__}: {error}"

    def _suspect(self, piece: str, error: str) -> bool:
        """Whether a line that the compiler shows with an error, or the script, is of the piece."""
        if piece == CASTER:  # the runner needs it
            return False
        shown = re.findall(r"error:.*\n\s*\d+ \| (.*)", error)
        lines = {line.strip() for line in shown if line.strip()}
        own = overlay.files(self.folder, piece)
        if any(line in data.decode() for line in lines for _, data in own):
            return True
        merging = "error:" not in error
        return merging and any(path.removeprefix("include/") in error for path, _ in own)

    def faults(self, example: Example) -> list[str]:
        """What is wrong with the answers of an example, one text for each point of its grid."""
        if example.piece not in self._faults:
            self._faults[example.piece] = self._all(read(self._file(example.piece)))
        return self._faults[example.piece][example.number]

    def _file(self, piece: str) -> Path:
        return self.folder / piece / "examples.toml"

    def _all(self, piece: Examples) -> list[list[str]]:
        if piece.piece in self.broken:
            error = f"its headers do not compile: {self.broken[piece.piece]}"
            return [[error] for _ in piece.examples]
        wrong: dict[int, list[str]] = {}
        told_by = []
        headers = self._headers(piece.piece)
        with ThreadPoolExecutor() as pool:  # of processes: one framework beside the other
            asked = list(pool.map(lambda worker: answers(worker, piece, headers), self.workers))
        for worker, (found, errors) in zip(self.workers, asked, strict=True):
            told_by.append(found)
            for number, error in errors.items():
                text = f"does not compile with {worker.tools.framework}: {error}"
                wrong.setdefault(number, []).append(text)
        told = []
        for number, example in enumerate(piece.examples):
            points = list(example.points())
            if number not in wrong:
                both = zip(told_by[0][number], told_by[1][number], strict=True)
                wrong[number] = faults(example, dict(zip(points, both, strict=True)))
            told.append(wrong[number])
        return told

    def _headers(self, piece: str) -> list[str]:
        names = [path.removeprefix("include/") for path, _ in overlay.files(self.folder, piece)]
        return building.headers_of(self.workers[0].tools, names)

    def close(self) -> None:
        for worker in self.workers:
            worker.close()
