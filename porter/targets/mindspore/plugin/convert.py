"""The operators of a tree in C++ for torch -> a plugin for MindSpore in a folder of its own."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Iterator, Mapping

from porter.ascend.cpp_pieces import pieces
from porter.model import Ascend, AscendRoute
from porter.targets.conversion import Conversion, Left
from porter.targets.mindspore.names import FOLDER
from porter.targets.mindspore.plugin import launches, project, streams
from porter.targets.mindspore.plugin.bindings import (
    BLOCKS,
    Bound,
    find_binding_blocks,
    find_bound,
)
from porter.targets.mindspore.plugin.declarations import (
    find_declarations,
    find_unused_names,
    require_defined,
)
from porter.targets.mindspore.plugin.entries import write_out
from porter.targets.mindspore.plugin.functions import Host, helper, host
from porter.targets.mindspore.plugin.gradients import gradient_of
from porter.targets.mindspore.plugin.streams import OnStream
from porter.targets.mindspore.plugin.words import Rewriter
from porter.targets.torch_npu.routes.kernels import split
from porter.targets.torch_npu.routes.syntax import Files, Parameter, Reader, Refused

_SOURCES = (".cpp", ".cc", ".cxx", ".asc", ".cce")
_OF_TORCH = ("torch/", "ATen/", "c10/", "torch_npu/", "op_plugin/", "npu_cpp_extension.h", "acl/")
_KERNELS = f"{FOLDER}/csrc/ascendc"
_HARMLESS = re.compile(r"\s*#\s*(?:include|pragma\s+once)\b")
_TORCH = re.compile(rb"\b(?:at|torch|c10)::\w*Tensor\b")
_ELSEWHERE = (
    "no function in C++ for a CPU, or that calls ACLNN or launches a kernel, is bound to it"
)
_CHIP = (
    f"the plugin's kernels are compiled for {launches.DEFAULT_ARCHITECTURE} (Ascend 910B), as the "
    "tree names no chip: NPU_ARCH, an environment variable of the build, names another"
)
_CALL = """\
auto call_{name}({parameters}) {{
    return ms::pynative::PyboostRunner::Call<{results}>({function}{given});
}}
"""


def convert(
    tree: Mapping[str, bytes], look: Callable[[Mapping[str, bytes]], Ascend | None], route: str
) -> Conversion:
    """All files whose functions are bound to torch or Python, each as a whole or not at all."""
    done, ascend = Conversion(), look(tree)
    entries = write_out(tree, ascend, done.left)
    tree = {**tree, **entries.sources}
    files = Files(tree)
    wrappers: list[project.Wrapper] = []
    gradients: list[str] = []
    sources = [p for p in sorted(tree) if p.endswith(_SOURCES) and not p.startswith(FOLDER)]
    readers = [files.reader(path) for path in sources if _TORCH.search(tree[path])]
    launchers = launches.find_launchers(files, (p for p in sources if not _TORCH.search(tree[p])))
    elsewhere = {name: place for name, (_, place) in launchers.items()}
    refused: set[str] = set()
    binding = [files.reader(p) for p in sources if any(b.encode() in tree[p] for b in BLOCKS)]
    exposed = find_bound(readers, binding)
    for reader in readers:
        path = reader.unit.path
        bound = exposed.get(path, [])
        if not bound:
            continue
        name = f"{FOLDER}/csrc/module/{posixpath.splitext(posixpath.basename(path))[0]}.cpp"
        try:
            _require_new(name in done.files, bound, {one.name for one in wrappers})
            on_stream = streams.find(files, path, {o.function for o in bound}, elsewhere)
            hosts = {o.function: host(reader, o.function, on_stream) for o in bound}
            text = _source(files, reader, bound, hosts, on_stream, done.left, gradients)
            kernels = launches.sources(files, path, on_stream)
            for called in on_stream.called(reader) & {*launchers}:
                kernels |= launches.whole_sources(files, launchers[called][0])
            _require_beside(done.files, kernels, bound)
            named = [project.Wrapper.of(one, hosts[one.function]) for one in bound]
        except Refused as error:
            place = (path, error.line) if error.line else (bound[0].path, bound[0].line)
            if path in entries.origins:
                place = entries.origins[path], 1
            done.left.append(Left(*place, posixpath.basename(path), error.reason))
            refused |= {one.name for one in bound}
            continue
        done.files[name] = text.encode()
        done.files |= {f"{_KERNELS}/{one}": data for one, data in kernels.items()}
        done.left += [
            Left(one.path, one.line, one.name, "default arguments are omitted")
            for one in bound
            if one.lacks_defaults([p.name for p in hosts[one.function].parameters])
        ]
        wrappers += named
    done.operators = [one.name for one in wrappers]
    if wrappers:
        launching = any(path.startswith(_KERNELS) for path in done.files)
        if launching and not launches.architecture(tree):
            done.notes.append(_CHIP)
        for_npus = launching or any(b"AclnnOpRunner" in (d or b"") for d in done.files.values())
        made = project.files(
            tree, wrappers, gradients, done.left, for_npus=for_npus, launches=launching
        )
        done.files |= {f"{FOLDER}/{path}": data for path, data in made.items()}
    done.left += _find_others(binding, ascend if readers else None, refused.union(done.operators))
    return done


def _find_others(
    readers: list[Reader], ascend: Ascend | None, known: Collection[str]
) -> Iterator[Left]:
    """The operators of torch that no source was converted of, and none was refused of."""
    found: dict[str, Left] = {}
    for operator in ascend.operators if ascend else ():
        if operator.routes != (AscendRoute.NONE,):
            path, line = next(((p.path, p.line) for p in operator.pieces), ("", 0))
            name = operator.name.rpartition("::")[2]
            found[name] = Left(path, line, name, _ELSEWHERE)
    for reader in readers:
        for schema in pieces(reader.unit).schemas:
            found.setdefault(
                schema.name, Left(reader.unit.path, schema.line, schema.name, _ELSEWHERE)
            )
    yield from (left for name, left in found.items() if name not in known)


def _require_new(taken: bool, bound: list[Bound], others: Collection[str]) -> None:
    """Raise Refused where another file has given the plugin a source or operator of this name."""
    double = [one for one in bound if one.name in others]
    if taken or double:
        what = f"an operator {double[0].name}" if double else "a source with this name"
        raise Refused(f"the plugin already has {what}, from another file", bound[0].line)


def _require_beside(
    files: Mapping[str, bytes | None], kernels: Mapping[str, bytes], bound: list[Bound]
) -> None:
    """Raise Refused where another file has brought another header or kernel of such a name."""
    for name, data in kernels.items():
        if files.get(f"{_KERNELS}/{name}", data) != data:
            raise Refused(f"the plugin already has another {name}", bound[0].line)


def _source(
    files: Files,
    reader: Reader,
    bound: list[Bound],
    hosts: Mapping[str, Host],
    on_stream: OnStream,
    left: list[Left],
    gradients: list[str],
) -> str:
    """The file as one of the plugin. Raises Refused."""
    path = reader.unit.path
    outside = {
        header
        for header, _ in reader.unit.includes
        if header.startswith(_OF_TORCH)
        or (on_stream.launches and launches.is_for_kernels(files, path, header))
    }
    outside |= find_declarations(files, reader, outside)
    tokens, at, before = reader.code.tokens, 0, 0
    parts: list[str] = []
    backward: list[Left] = []
    skipped = {**dict(find_binding_blocks(reader)), **find_unused_names(reader)}
    skipped |= _find_device_code(reader) if on_stream.launches else {}
    for first, last, name in _backwards(reader):
        skipped[first] = last
        if gradient := gradient_of(reader, first, last):
            gradients.append(gradient)
            continue
        reason = "its backward is omitted: call it from the bprop of a mindspore.nn.Cell"
        backward.append(Left(reader.unit.path, reader.line(first), name, reason))
    named = launches.reachable_functions(reader, hosts)
    require_defined(files, reader, named, on_stream.given)
    functions = {f.head: f for f in reader.code.functions}
    while at < len(tokens):
        gap = reader.unit.data[before : tokens[at].start].decode("utf-8", "replace")
        end = skipped.get(at, at)
        text = ""
        if at not in skipped and (function := functions.get(at)) is not None:
            end = function.closing
            if function.name in named:
                one = hosts.get(function.name) or helper(reader, function, on_stream)
                text = one if isinstance(one, str) else one.text()
        elif at not in skipped:
            text, following = Rewriter(reader).one(at)
            end = following - 1
        gap = _strip_directives(gap)
        parts += [gap, text] if text else ["\n"]  # what is left out takes its comments along
        before, at = tokens[end].end, end + 1
    left += backward
    head = _write_head(reader, outside, launches=on_stream.launches)
    calls = "\n".join(_call(hosts[name]) for name in dict.fromkeys(b.function for b in bound))
    body = re.sub(r"\n{3,}", "\n\n", "".join(parts)).strip("\n")
    return f"{head}\n{body}\n\n{calls}\n{_write_registration(bound, hosts)}"


def _write_head(reader: Reader, outside: Collection[str], *, launches: bool) -> str:
    includes = [f"#include <{h}>" for h, _ in reader.unit.includes if h not in outside]
    own = [f'#include "module/{name}.h"' for name in ("launch", "module")]
    if launches:
        stem = posixpath.splitext(posixpath.basename(reader.unit.path))[0]
        own.insert(0, f'#include "ascendc/{stem}_launches.h"')
    return "\n".join([*includes, *([""] if includes else []), *own, ""])


def _find_device_code(reader: Reader) -> dict[int, int]:
    """First token -> last of each declaration that is for the device."""
    starts = {token.start: at for at, token in enumerate(reader.code.tokens)}
    ends = {token.end: at for at, token in enumerate(reader.code.tokens)}
    return {starts[first]: ends[last] for first, last in split(reader)[0]}


def _backwards(reader: Reader) -> Iterator[tuple[int, int, str]]:
    """(first, last token, name) of each class of torch::autograd::Function."""
    for at in reader.code.places("class", "struct"):
        brace = next(k for k in range(at, len(reader.code.tokens)) if reader.word(k) in ("{", ";"))
        words = reader.words(at, brace)
        if "autograd" in words and words[-1] == "{":
            yield at, reader.code.pairs.get(brace, brace) + 1, reader.word(at + 1)


def _strip_directives(gap: str) -> str:
    """What is between two tokens, comments among it, without includes. Raises Refused for other
    directives, whose other branch nobody looked at."""
    lines = gap.split("\n")
    for line in lines:
        if line.lstrip().startswith("#") and not _HARMLESS.match(line):
            raise Refused(f"`{line.strip()}`")
    return "\n".join(line for line in lines if not line.lstrip().startswith("#"))


def _call(one: Host) -> str:
    parameters = ", ".join(f"{_type(p)}{p.name}" for p in one.parameters)
    given = "".join(f", {p.name}" for p in one.parameters)
    return _CALL.format(
        name=one.function.name,
        parameters=parameters,
        results=one.results,
        function=one.function.full_name,
        given=given,
    )


def _type(parameter: Parameter) -> str:
    if "Tensor" not in parameter.type:
        return f"{parameter.type} "
    optional = "optional" in parameter.type
    return f"const {'std::optional<ms::Tensor>' if optional else 'ms::Tensor'} &"


def _write_registration(bound: list[Bound], hosts: Mapping[str, Host]) -> str:
    lines = []
    for one in bound:
        names = (f', pybind11::arg("{p.name}")' for p in hosts[one.function].parameters)
        lines.append(f'    m.def("{one.name}", &call_{one.function}{"".join(names)});')
    return "\n".join(["PLUGIN_EXTENSION_MODULE(m) {", *lines, "}", ""])
