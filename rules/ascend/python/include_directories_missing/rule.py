"""`NpuExtension(...)` whose sources need include/third_party/..., which nothing names."""

from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts

CLASS = frozenset(("torch_npu.utils.cpp_extension.NpuExtension",))
NEEDED = (
    "third_party/acl/inc",
    "third_party/op-plugin",
    "third_party/op-plugin/op_plugin/include",
)
SAID = "NpuExtension adds torch_npu/include alone: npu_cpp_extension.h needs {} too"


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    folder = module.path.rpartition("/")[0]
    within = f"{folder}/" if folder else ""
    including = facts.ascend.including if facts.ascend else frozenset[str]()
    if not any(source.startswith(within) for source in including):
        return
    text = module.data.decode("utf-8", "replace").replace('", "', "/").replace("', '", "/")
    missing = [f"include/{path}" for path in NEEDED if path not in text]
    # A path put together from parts is not read here: then all of them seem to be missing.
    if not missing or (len(missing) == len(NEEDED) and "third_party" in text):
        return
    for call in module.calls_to(CLASS):
        yield Match(module.span(call.func), message=SAID.format(", ".join(missing)))
