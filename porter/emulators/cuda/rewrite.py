"""CUDA source as C++ that g++ takes: launches, shared memory and a few words, by tokens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from porter.emulators.cuda.launches import Launches, Refusal, Source, quote
from porter.languages.cpp import Kind, Unit
from porter.languages.edits import splice
from porter.model import Edit, Span

_ASM = {"asm", "__asm__", "__asm"}
_DEVICE = {"__global__", "__device__", "__shared__"}
_ALIGNED = {"__align__", "__builtin_align__", "alignas", "__attribute__"}
# What a kernel cannot do here: the beginning of a name, and what it stands for.
_UNKNOWN = {
    "tex1D": "textures",
    "tex2D": "textures",
    "tex3D": "textures",
    "surf2D": "surfaces",
    "wmma": "tensor core matrices",
    "__pipeline_memcpy_async": "asynchronous copies",
    "memcpy_async": "asynchronous copies",
    "this_cluster": "clusters",
    "__cluster_dims__": "clusters",
    "cudaLaunchCooperativeKernel": "grid-wide barriers",
}


@dataclass(frozen=True, slots=True)
class Rewritten:
    data: bytes
    refused: tuple[Refusal, ...]


def rewrite(unit: Unit) -> Rewritten:
    """A file for g++ with every line where it was; compilers name `unit.path` and its lines."""
    source = _Source(unit)
    edits = [*Launches(source).edits(), *source.register_shared(), *source.words()]
    return _apply_edits(unit, edits, source.refusals)


def rewrite_launches(unit: Unit, unknown: Mapping[str, str]) -> Rewritten:
    """The same, but launches only; names that stand for what cannot be emulated are refused."""
    source = _Source(unit)
    edits = list(Launches(source).edits())
    for token in unit.tokens:
        if token.kind is Kind.NAME and token.text in unknown:
            source.refuse(token, unknown[token.text])
    return _apply_edits(unit, edits, source.refusals)


def _apply_edits(unit: Unit, edits: list[Edit], refusals: set[Refusal]) -> Rewritten:
    marker = f'#line 1 "{quote(unit.path)}"\n'.encode()
    # A byte order mark is one only where a file begins.
    data = splice(unit.data, edits).removeprefix(b"\xef\xbb\xbf")
    return Rewritten(marker + data, tuple(sorted(refusals)))


class _Source(Source):
    """One file while it is rewritten."""

    # Shared memory

    def register_shared(self) -> Iterator[Edit]:
        """Shared variables of functions become known to the runtime, with room behind them."""
        for index in self.unit.places("__shared__"):
            first = index
            directive = self.directives[index]
            while (
                first
                and self.tokens[first - 1].kind is Kind.NAME
                and self.directives[first - 1] == directive
            ):
                first -= 1
            if first and self.tokens[first - 1].kind is Kind.DIRECTIVE:
                first += 1  # the name of a macro, whose text begins behind it
            words = [t.text for t in self.tokens[first:index]]
            last = self._declaration_end(index)
            if last is None:
                continue
            if "extern" in words or "extern" in (t.text for t in self.tokens[index:last]):
                yield from self._dynamic(first, index, last)
            elif self._is_in_function(index) or self.directives[index]:
                yield from self._static(first, index, last)
            elif "static" in words:
                yield Edit(self.tokens[index].span, b"")

    def _declaration_end(self, index: int) -> int | None:
        """The `;` that ends a declaration, in the same directive if it is in one."""
        for k in self.level(index):
            if self.directives[k] != self.directives[index]:
                return None
            if self.tokens[k].text == ";":
                return k
        return None

    def _declarators(self, index: int, last: int) -> list[int]:
        """The tokens that name the variables of a declaration up to its `;`."""
        names: list[int] = []
        angle = 0
        candidate: int | None = None
        done = False  # the name of this declarator is known
        for k in self.level(index + 1):
            text = self.tokens[k].text
            if angle == 0 and text in ("[", ",", ";", "="):
                if not done and candidate is not None:
                    names.append(candidate)
                    done = True
                if text == ",":
                    candidate, done = None, False
            if text == "<":
                angle += 1
            elif text in (">", ">>>"):
                angle -= len(text)
            elif angle == 0 and self.tokens[k].kind is Kind.NAME and not done:
                candidate = k
            if k >= last:
                break
        return names

    def _static(self, first: int, index: int, last: int) -> Iterator[Edit]:
        names = [self.tokens[k].text for k in self._declarators(index, last)]
        if not names:
            return
        parameters = self.parameters(index)
        holder = f"{names[0]}{'##' if names[0] in parameters else ''}_emulated"
        start = self.tokens[first].start
        yield Edit(Span(start, start), b"static struct alignas(16) { ")
        for k in range(first, index):
            if self.tokens[k].text == "static":
                yield Edit(self.tokens[k].span, b"")
        yield Edit(self.tokens[index].span, b"")
        after = "; unsigned char emulated_after[64];"
        after += f" unsigned emulated_seen[{len(names)}]; }} {holder};"
        for k, name in enumerate(names):
            # Only the last has the room directly behind it.
            room = f"sizeof {holder}.emulated_after" if k == len(names) - 1 else "0"
            said = f"#{name}" if name in parameters else f'"{name}"'
            after += (
                f" static auto &{name} = {holder}.{name};"
                f" ::emulated::shared({name}, {holder}.emulated_seen[{k}],"
                f" {room}, {said}, __FILE__, __LINE__);"
            )
        yield Edit(self.tokens[last].span, after.encode())

    def _dynamic(self, first: int, index: int, last: int) -> Iterator[Edit]:
        """`extern __shared__ T name[];` names the one array that a launch gives the size of."""
        names = self._declarators(index, last)
        if len(names) != 1 or self.tokens[names[0] + 1].text != "[":
            self.refuse(self.tokens[index], "dynamic shared memory in this form")
            return
        name = names[0]
        words: list[str] = []
        k = first
        while k < name:
            text = self.tokens[k].text
            if text in _ALIGNED and self.tokens[k + 1].text == "(":
                closed = self.unit.arguments(k + 1)
                if closed is None:
                    return
                k = closed[1]
            elif text not in ("extern", "static", "__shared__"):
                words.append(text)
            k += 1
        lines = self.unit.data[self.tokens[first].start : self.tokens[last].start]
        size = self.unit.text(name + 1, last - 1).replace("\n", " ")
        scope = "" if self._is_in_function(index) or self.directives[index] else "static "
        text = (
            f"{scope}auto &{self.tokens[name].text} = "
            f"reinterpret_cast<{' '.join(words)} (&){size}>(*::emulated::dynamic_shared)"
        )
        ends = b"\\\n" if self.directives[index] else b"\n"
        whole = Span(self.tokens[first].start, self.tokens[last].start)
        yield Edit(whole, text.encode() + ends * lines.count(b"\n"))

    def _is_in_function(self, index: int) -> bool:
        return self._scopes[index]

    @cached_property
    def _scopes(self) -> list[bool]:
        """For each token whether it is within a function's body."""
        found: list[bool] = []
        stack: list[bool] = []
        head = 0  # where the text before a brace begins
        for k, token in enumerate(self.tokens):
            found.append(bool(stack and stack[-1]))
            if token.kind is not Kind.PUNCTUATION:
                continue
            if token.text == "{":
                # A function's braces follow its parameters; a namespace's or a class's do not.
                inside = bool(stack and stack[-1])
                stack.append(inside or any(t.text == "(" for t in self.tokens[head:k]))
                head = k + 1
            elif token.text == "}":
                if stack:
                    stack.pop()
                head = k + 1
            elif token.text == ";":
                head = k + 1
        return found

    # Words

    def words(self) -> Iterator[Edit]:
        """What g++ does not take, or would take for something else."""
        device = any(self.unit.places(word) for word in _DEVICE)
        for index in self.unit.places("__CUDA_ARCH__"):
            yield Edit(self.tokens[index].span, b"EMULATED_CUDA_ARCH")
        for index in self.unit.places("__noinline__"):
            if self.tokens[index - 1].text != "(":
                yield Edit(self.tokens[index].span, b"__attribute__((noinline))")
        for index in self.unit.places(*_ASM) if device else ():
            last = index
            while last + 1 < len(self.tokens) and self.tokens[last + 1].kind is Kind.NAME:
                last += 1
            if last + 1 < len(self.tokens) and self.tokens[last + 1].text == "(":
                self.refuse(self.tokens[index], "inline PTX")
                yield Edit(Span(self.tokens[index].start, self.tokens[last].end), b"EMULATED_ASM")
        for token in self.tokens if device else ():
            if token.kind is Kind.NAME:
                for name, reason in _UNKNOWN.items():
                    if token.text.startswith(name):
                        self.refuse(token, reason)
