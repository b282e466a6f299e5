"""The files of a plugin around its sources: registry, build script, Python package."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from porter.targets.conversion import Left
from porter.targets.mindspore.plugin import suite_files, templates
from porter.targets.mindspore.plugin.bindings import Bound
from porter.targets.mindspore.plugin.counterparts import HELPER
from porter.targets.mindspore.plugin.functions import Host
from porter.targets.mindspore.plugin.launches import DEFAULT_ARCHITECTURE, architecture
from porter.targets.mindspore.plugin.python import Ported, port_package
from porter.targets.mindspore.plugin.source import Plugin
from porter.targets.mindspore.plugin.suite import convert_tests

_TESTING = Path(__file__).resolve().parents[1] / "workers" / "testing_by_numpy.py"


@dataclass(frozen=True, slots=True)
class Wrapper:
    """What Python calls an operator by."""

    name: str
    parameters: tuple[str, ...]  # with their defaults
    waited: str  # of which it waits, on a CPU

    @classmethod
    def of(cls, bound: Bound, host: Host) -> Wrapper:
        """Raises Refused where nothing could be waited for."""
        own = [p.name for p in host.parameters]
        parameters = bound.parameters(own)
        waited = "result" if host.results == 1 else "result[0]"
        if not host.results:
            written = parameters[own.index(host.tensor_parameter)]
            waited = written.partition("=")[0]
        return cls(bound.name, tuple(parameters), waited)

    def text(self, package: str, template: str) -> str:
        return template.format(
            name=self.name,
            parameters=", ".join(self.parameters),
            given=", ".join(each.partition("=")[0] for each in self.parameters),
            package=package,
            waited=self.waited,
        )


def files(
    tree: Mapping[str, bytes],
    wrappers: list[Wrapper],
    gradients: list[str],
    left: list[Left],
    *,
    for_npus: bool,
    launches: bool,
) -> dict[str, bytes]:
    """By their paths in the plugin. What Python of the tree the plugin cannot have is added to
    `left`; `for_npus` says that its sources call ACLNN or launch kernels, `launches` that there are
    kernels to build."""
    source = _package(tree)
    package = f"{source}_ms"
    backend = "Ascend" if for_npus else "CPU"
    template = templates.WAITING_WRAPPER if backend == "CPU" else templates.WRAPPER
    functions = [one.text(package, template) for one in wrappers]
    operators = sorted({one.name for one in wrappers})
    modules = port_package(tree, source, operators, left)
    own = modules.pop("__init__.py", None)
    init = _init(package, operators, modules, gradients, own)
    texts = {
        "csrc/module/module.h": templates.REGISTRY,
        "csrc/module/launch.h": templates.LAUNCH,
        "csrc/module/module.cpp": templates.MODULE,
        "setup.py": _build_script(tree, package, backend, launches=launches),
        f"{package}/__init__.py": init,
        f"{package}/_custom_ops.py": "\n\n".join([templates.OPERATORS, *functions]),
        **{f"{package}/{name}": module.text() for name, module in modules.items()},
    }
    plugin = _plugin(tree, source, operators, modules, own)
    tests = {path: data.decode() for path, data in convert_tests(tree, plugin, left).items()}
    texts |= tests
    if tests and (settings := suite_files.configuration(tree)):
        texts["pytest.ini"] = settings
    if any(f"{HELPER}." in text for text in tests.values()):
        texts[f"{package}/{HELPER}.py"] = _TESTING.read_text(encoding="utf-8")
    if any("_autograd." in text for text in texts.values()):
        texts[f"{package}/_autograd.py"] = templates.AUTOGRAD.format(package=package)
    made = {path: text.encode() for path, text in texts.items()}
    return {**suite_files.find_read(tree, tests), **made}


def _build_script(tree: Mapping[str, bytes], package: str, backend: str, *, launches: bool) -> str:
    chip = architecture(tree) or DEFAULT_ARCHITECTURE
    return templates.BUILD.format(
        backend=backend,
        distribution=package.replace("_", "-"),
        package=package,
        imports=templates.IMPORTS if launches else "import shutil\n",
        kernels=templates.KERNELS.format(architecture=chip, package=package) if launches else "",
        ldflags=templates.LDFLAGS.format(package=package) if launches else "",
    )


def _plugin(
    tree: Mapping[str, bytes],
    package: str,
    operators: list[str],
    modules: Mapping[str, Ported],
    own: Ported | None,
) -> Plugin:
    """What tests may use of it."""
    names = {
        f"{package}.{name.removesuffix('.py')}": module.names for name, module in modules.items()
    }
    inside = {name.removesuffix(".py") for name in modules}
    names[package] = frozenset({*operators, *inside, *(own.names if own else ())})
    paths = (path.removesuffix(".py").removesuffix("/__init__") for path in tree)
    return Plugin(
        package=package,
        operators=frozenset(operators),
        names=names,
        modules=frozenset(path.replace("/", ".") for path in paths if path.startswith(package)),
    )


def _init(
    package: str,
    operators: list[str],
    modules: Mapping[str, Ported],
    gradients: list[str],
    own: Ported | None,
) -> str:
    """Of the package: gradients first, as they change what names of operators mean."""
    lines = {f"import {package}.{name.removesuffix('.py')}  # noqa: F401" for name in modules}
    if gradients:
        lines.add(f"from {package} import _autograd, _custom_ops")
    if own is not None:
        lines |= {line.strip() for line in own.imports if not gradients or "_ops" not in line}
    body = own.body if own is not None else ""
    names = [name for name in operators if own is None or name not in own.names]
    late = f"from {package}._custom_ops import {', '.join(names)}  # noqa: E402, F401"
    parts = ["\n".join(sorted(lines)), *gradients, body, late if names else ""]
    return "\n\n".join(part.strip("\n") for part in parts if part) + "\n"


def _package(tree: Mapping[str, bytes]) -> str:
    """The package of the tree that the plugin is called after."""
    found = sorted(
        path.partition("/")[0]
        for path in tree
        if path.count("/") == 1 and path.endswith("/__init__.py") and not path.startswith("test")
    )
    return found[0] if found else "ops"
