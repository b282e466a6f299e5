"""The examples of a folder of pieces, called under both frameworks."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from tests.cpp_pieces import building, overlay
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
        self._faults: dict[str, dict[str, list[str]]] = {}
        names = self.only or overlay.pieces(folder)
        self._paddle_home = building.asked(pythons["paddle"], "paddle")[1]
        sound, self.broken = overlay.sound(names, self._header_error)
        tools = [building.torch(pythons["torch"], self.cache), self._paddle(sound)]
        self.workers = [Worker(each) for each in tools]

    def _paddle(self, names: Collection[str]) -> building.Toolchain:
        merged = overlay.merged(self.folder, names, self._paddle_home, self.cache)
        caster = overlay.merged(self.folder, [CASTER], self._paddle_home, self.cache)
        return building.paddle(self.pythons["paddle"], merged, caster, self.cache, not self.only)

    def _header_error(self, names: Collection[str]) -> str:
        try:
            return building.header_error(self._paddle(names))[:3000]
        except (SystemExit, ValueError, IndexError) as error:
            return f"{type(error).__name__}: {error}"

    def faults(self, example: Example) -> list[str]:
        """What is wrong with the answers of an example, one text for each point of its grid."""
        if example.piece not in self._faults:
            self._faults[example.piece] = self._all(read(self._file(example.piece)))
        return self._faults[example.piece][example.code]

    def _file(self, piece: str) -> Path:
        return self.folder / piece / "examples.toml"

    def _all(self, piece: Examples) -> dict[str, list[str]]:
        if piece.piece in self.broken:
            error = f"its headers do not compile: {self.broken[piece.piece]}"
            return {example.code: [error] for example in piece.examples}
        wrong: dict[int, list[str]] = {}
        answers = []
        for worker in self.workers:
            found, errors = self._answers(worker, piece)
            answers.append(found)
            for number, error in errors.items():
                text = f"does not compile with {worker.tools.framework}: {error}"
                wrong.setdefault(number, []).append(text)
        told = {}
        for number, example in enumerate(piece.examples):
            points = list(example.points())
            if number not in wrong:
                both = zip(answers[0][number], answers[1][number], strict=True)
                wrong[number] = faults(example, dict(zip(points, both, strict=True)))
            told[example.code] = wrong[number]
        return told

    def _answers(
        self, worker: Worker, piece: Examples
    ) -> tuple[dict[int, list[Any]], dict[int, str]]:
        """The answers of each example at its points, and the errors of those not built."""
        paths = [
            path.removeprefix("include/") for path, _ in overlay.files(self.folder, piece.piece)
        ]
        headers = building.headers_of(self.workers[0].tools, paths)
        modules, errors = building.build(worker.tools, piece, range(len(piece.examples)), headers)
        found: dict[int, list[Any]] = {}
        for module in modules:
            jobs = [
                (number, {**piece.examples[number].given(point), "index": index})
                for index, number in enumerate(module.numbers)
                for point in piece.examples[number].points()
            ]
            told = worker.answers(module.path, [point for _, point in jobs])
            for (number, _), answer in zip(jobs, told, strict=True):
                found.setdefault(number, []).append(answer)
        return found, errors

    def close(self) -> None:
        for worker in self.workers:
            worker.close()
