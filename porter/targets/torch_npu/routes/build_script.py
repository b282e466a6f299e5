"""setup.py for another route: which compiler an extension's sources go to, and its flags."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence

from porter.languages import python
from porter.languages.edits import splice
from porter.languages.python import Module
from porter.model import Edit, Span
from porter.targets.conversion import Left
from porter.targets.torch_npu.routes.opplugin_files import BUILD, CLASS, UNIT

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
_GENERATOR = re.compile(r"""["'](?:[\w./-]*/)?gen\w*\.(?:py|sh)["']""")
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
            *(f"-I{{{{folder}}}}" for folder in self.include_dirs or []),
            *(flag for flag in flags if flag.startswith(("-D", "-I", "-W"))),
            *others,
            *("-x", "asc", *kernels),
            *(f"-L{{{{folder}}}}" for folder in [*library_paths(), *extension.library_dirs]),
            f"-L{{{{os.path.dirname(torch_npu.__file__)}}}}/lib",
            f"-L{{{{os.environ['ASCEND_HOME_PATH']}}}}/lib64",
            *(f"-l{{{{name}}}}" for name in [*extension.libraries, "tiling_api", "platform"]),
            *("-ltorch_npu", "-ltorch_cpu", "-lc10", "-o", output),
        ]
        return subprocess.run(command, check=True)
'''


def rewrite(
    path: str, data: bytes, sources: Mapping[str, Sequence[str]], left: list[Left]
) -> bytes:
    """A build script for sources that others take the place of; the file as it is, with a word,
    where it is none of those that are understood."""
    try:
        module = python.parse(data, path)
    except python.Unreadable:
        return data
    folder = posixpath.dirname(path)
    edits: list[Edit] = []
    kernels = False
    for call in module.nodes_of(ast.Call):
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
            quote = module.text(node)[-1:]
            shown = (f"{quote}{posixpath.relpath(one, folder or '.')}{quote}" for one in new)
            edits.append(module.replace(node, ", ".join(shown)))
        news = [one for new in named.values() for one in new]
        if any(new.endswith(UNIT) for new in news):
            generated = posixpath.dirname(next(new for new in news if new.endswith(UNIT)))
            edits += [*_flags(module, call), *_include(module, call, generated, folder)]
        elif all(new.endswith(".asc") for new in news):
            kernels = True
            edits += _flags(module, call)
        else:
            edits += _use_npu_extension(module, call)
    if not edits:
        return data
    every = [one for new in sources.values() for one in new]
    edits += _drop_generator(module, every)
    if any(new.endswith(UNIT) for new in every) and BUILD.encode() not in module.data:
        edits += replace_command(
            module, BUILD, CLASS.replace("{script}", "opplugin/generate.py"), left
        )
    if kernels:
        edits += _add_bisheng(module, left)
    edits += _definitions(module, edits)
    return splice(data, set(edits))


def _use_npu_extension(module: Module, call: ast.Call) -> Iterator[Edit]:
    name = _local_name(module, _NPU) or "NpuExtension"
    if module.resolve(call.func) != _NPU:
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
    known = _find_flags(module)
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


def _drop_generator(module: Module, sources: Sequence[str]) -> Iterator[Edit]:
    """A build without the run of a generator, whose entries are none any more."""
    if any(source.endswith((UNIT, ".asc")) for source in sources):
        return
    for function in module.nodes_of(ast.FunctionDef):
        if function.name != "run" or not isinstance(module.parents[function], ast.ClassDef):
            continue
        gone = [s for s in function.body if _GENERATOR.search(module.text(s))]
        if not gone:
            continue
        own = {t.id for s in gone if isinstance(s, ast.Assign) for t in s.targets
               if isinstance(t, ast.Name)}  # fmt: skip
        gone += [
            s
            for s in function.body
            if s not in gone and own & {n.id for n in ast.walk(s) if isinstance(n, ast.Name)}
        ]
        rest = [s for s in function.body if s not in gone]
        if [module.text(s) for s in rest] == ["super().run()"]:
            gone = [function]
        for statement in gone:
            start, end = module.line_start(statement).start, module.span(statement).end
            newline = module.data.find(b"\n", end) + 1
            if statement is function:
                while module.data[newline : newline + 1] == b"\n":
                    newline += 1
            yield Edit(Span(start, newline or len(module.data)), b"")


def _include(module: Module, call: ast.Call, generated: str, folder: str) -> Iterator[Edit]:
    """The folder of what is generated, among an extension's."""
    shown = posixpath.relpath(generated, folder or ".")
    for keyword in call.keywords:
        if keyword.arg == "include_dirs" and isinstance(keyword.value, ast.List):
            start = module.span(keyword.value).start + 1
            more = ", " if keyword.value.elts else ""
            yield Edit(Span(start, start), f'"{shown}"{more}'.encode())
            return
    last = [*call.args, *(k.value for k in call.keywords)][-1]
    end = module.span(last).end
    yield Edit(Span(end, end), f', include_dirs=["{shown}"]'.encode())


def _find_flags(module: Module) -> str:
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


def _add_bisheng(module: Module, left: list[Left]) -> Iterator[Edit]:
    """A build_ext that gives sources in Ascend C to bisheng, on top of the script's own."""
    if _BUILD.encode() in module.data:
        return
    yield from replace_command(module, _BUILD, _CLASS, left)


def replace_command(module: Module, name: str, text: str, left: list[Left]) -> Iterator[Edit]:
    """setup()'s build_ext as a class of this name, that goes on from the one it had."""
    for call in module.nodes_of(ast.Call):
        if module.resolve(call.func) not in ("setuptools.setup", "distutils.core.setup"):
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
        Left(module.path, 1, "build_ext", "the Ascend C sources have to be compiled with bisheng")
    )
