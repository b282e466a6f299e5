"""setup.py for another route: which compiler an extension's sources go to, and its flags."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterator, Mapping

from porter.ascend.routes.model import Left
from porter.edits import splice
from porter.languages import python
from porter.languages.python import Module
from porter.model import Edit, Span

FLAGS = "NPU_FLAGS"
_NPU = "torch_npu.utils.cpp_extension.NpuExtension"
_FLAGS = f"""\
# What torch_npu's headers need and NpuExtension does not give.
{FLAGS} = [
    "-DCURRENT_VERSION=V{{}}R{{}}".format(*torch.__version__.split(".")[:2]),
    *(
        f"-I{{os.path.dirname(torch_npu.__file__)}}/include/{{folder}}"
        for folder in (
            "third_party/acl/inc",
            "third_party/hccl/inc",
            "third_party/op-plugin",
            "third_party/op-plugin/op_plugin/include",
        )
    ),
]
"""
_BUILD = "KernelBuild"
_CLASS = f'''\
class {_BUILD}({{base}}):
    """Sources in Ascend C go to bisheng, CANN's compiler."""

    def build_extension(self, extension):
        kernels = [source for source in extension.sources if source.endswith(".asc")]
        if not kernels:
            return super().build_extension(extension)
        output = self.get_ext_fullpath(extension.name)
        os.makedirs(os.path.dirname(output), exist_ok=True)
        flags = extension.extra_compile_args
        flags = flags.get("cxx", []) if isinstance(flags, dict) else flags
        others = [source for source in extension.sources if source not in kernels]
        architecture = os.environ.get("NPU_ARCH", "dav-2201")  # Ascend 910B
        command = [
            *("bisheng", f"--npu-arch={{{{architecture}}}}", "-shared", "-fPIC"),
            *("-O2", "-std=c++17"),
            *(f"-I{{{{folder}}}}" for folder in [*include_paths(), *extension.include_dirs]),
            *(flag for flag in flags if flag.startswith(("-D", "-I", "-W"))),
            *others,
            *("-x", "asc", *kernels),
            *(f"-L{{{{folder}}}}" for folder in [*library_paths(), *extension.library_dirs]),
            f"-L{{{{os.path.dirname(torch_npu.__file__)}}}}/lib",
            *("-ltorch_npu", "-ltorch_cpu", "-lc10", "-o", output),
        ]
        return subprocess.run(command, check=True)
'''


def rewrite(path: str, data: bytes, sources: Mapping[str, str], left: list[Left]) -> bytes:
    """A build script for sources that others take the place of; the file as it is, with a word,
    where it is none of those that are understood."""
    try:
        module = python.parse(data, path)
    except python.Unreadable:
        return data
    folder = posixpath.dirname(path)
    edits: list[Edit] = []
    kernels = False
    for call in module.of(ast.Call):
        named = {
            node: sources[full]
            for argument in [*call.args, *(k.value for k in call.keywords)]
            if isinstance(argument, ast.List | ast.Tuple)
            for node in argument.elts
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
            if (full := posixpath.normpath(posixpath.join(folder, node.value))) in sources
        }
        if not named:
            continue
        for node, new in named.items():
            shown = posixpath.relpath(new, folder or ".")
            quote = module.text(node)[-1:]
            edits.append(module.replace(node, f"{quote}{shown}{quote}"))
        if all(new.endswith(".asc") for new in named.values()):
            kernels = True
            edits += _flags(module, call)
        else:
            edits += _by_npu_extension(module, call)
    if not edits:
        return data
    if kernels:
        edits += _with_bisheng(module, left)
    edits += _definitions(module, edits)
    return splice(data, set(edits))


def _by_npu_extension(module: Module, call: ast.Call) -> Iterator[Edit]:
    name = _local_name(module, _NPU) or "NpuExtension"
    if module.qualified(call.func) != _NPU:
        yield module.replace(call.func, name)
    for number, keyword in enumerate(call.keywords):
        if keyword.arg == "language":
            before = [*call.args, *(k.value for k in call.keywords[:number])]
            start = module.span(before[-1]).end if before else module.span(keyword.value).start
            yield Edit(Span(start, module.span(keyword.value).end), b"")
    yield from _flags(module, call)


def _local_name(module: Module, qualified: str) -> str:
    return next((a.asname or a.name for name, a, _ in module.imports if name == qualified), "")


def _flags(module: Module, call: ast.Call) -> Iterator[Edit]:
    """The flags that the headers of torch_npu need, where the call does not give them."""
    known = _known_flags(module)
    for keyword in call.keywords:
        if keyword.arg == "extra_compile_args":
            text = module.text(keyword.value)
            if "CURRENT_VERSION" in text or (known and known in text):
                return
            if isinstance(keyword.value, ast.List):
                start = module.span(keyword.value).start + 1
                more = ", " if keyword.value.elts else ""
                yield Edit(Span(start, start), f"*{known or FLAGS}{more}".encode())
            return
        if keyword.arg in ("include_dirs", None) and "CURRENT_VERSION" in module.text(call):
            return
    last = [*call.args, *(k.value for k in call.keywords if k.arg != "language")][-1]
    end = module.span(last).end
    yield Edit(Span(end, end), f", extra_compile_args={known or FLAGS}".encode())


def _known_flags(module: Module) -> str:
    """The script's own list that has the version."""
    for statement in module.tree.body:
        if isinstance(statement, ast.Assign) and "CURRENT_VERSION" in module.text(statement.value):
            target = statement.targets[0]
            if isinstance(target, ast.Name) and isinstance(statement.value, ast.List):
                return target.id
    return ""


def _definitions(module: Module, edits: list[Edit]) -> Iterator[Edit]:
    """The imports that the edits need, and the flags, after the script's own imports."""
    text = b" ".join(edit.text for edit in edits).decode()
    needs_flags = FLAGS in text and FLAGS not in module.data.decode("utf-8", "replace")
    text += _FLAGS if needs_flags else ""
    lines = []
    for name in ("os", "subprocess", "sys", "torch", "torch_npu"):
        if f"{name}." in text and not _imports(module, name):
            lines.append(f"import {name}\n")
    for origin, name in (
        ("torch.utils.cpp_extension", "BuildExtension"),
        ("torch.utils.cpp_extension", "include_paths"),
        ("torch.utils.cpp_extension", "library_paths"),
        ("torch_npu.utils.cpp_extension", "NpuExtension"),
    ):
        if name in text and not _local_name(module, f"{origin}.{name}"):
            lines.append(f"from {origin} import {name}\n")
    if needs_flags:
        lines.append(f"\n{_FLAGS}")
    if lines:
        last = [s for s in module.tree.body if isinstance(s, ast.Import | ast.ImportFrom)][-1]
        end = module.data.find(b"\n", module.span(last).end) + 1
        yield Edit(Span(end, end), module.encode("".join(lines)))


def _imports(module: Module, name: str) -> bool:
    return any(
        alias.name == name and alias.asname is None
        for statement in module.tree.body
        if isinstance(statement, ast.Import)
        for alias in statement.names
    )


def _with_bisheng(module: Module, left: list[Left]) -> Iterator[Edit]:
    """A build_ext that gives sources in Ascend C to bisheng, on top of the script's own."""
    if _BUILD.encode() in module.data:
        return
    yield from with_command(module, _BUILD, _CLASS, left)


def with_command(module: Module, name: str, text: str, left: list[Left]) -> Iterator[Edit]:
    """setup()'s build_ext as a class of this name, that goes on from the one it had."""
    for call in module.of(ast.Call):
        if module.qualified(call.func) not in ("setuptools.setup", "distutils.core.setup"):
            continue
        statement = next((s for s in module.tree.body if call in ast.walk(s)), None)
        commands = next((k.value for k in call.keywords if k.arg == "cmdclass"), None)
        if statement is None or not (commands is None or isinstance(commands, ast.Dict)):
            break
        base, start = "BuildExtension", module.line_start(statement)
        if commands is None:
            end = module.span(call).end - 1
            edit = Edit(Span(end, end), f', cmdclass={{"build_ext": {name}}}'.encode())
        else:
            assert isinstance(commands, ast.Dict)
            value = next(
                (
                    v
                    for k, v in zip(commands.keys, commands.values, strict=True)
                    if isinstance(k, ast.Constant) and k.value == "build_ext"
                ),
                None,
            )
            if value is None:
                break
            base = module.text(value)
            edit = module.replace(value, name)
        yield edit
        yield Edit(start, module.encode(text.format(base=base) + "\n\n"))
        return
    left.append(
        Left(module.path, 1, "build_ext", "the sources in Ascend C have to be given to bisheng")
    )
