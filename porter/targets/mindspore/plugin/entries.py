"""Entries for OpPlugin -> the C++ that is generated of them, from which the plugin's is made."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field

from porter.model import Ascend, AscendRoute
from porter.targets.conversion import Left
from porter.targets.torch_npu.routes import from_opplugin
from porter.targets.torch_npu.routes.convert import find_paths
from porter.targets.torch_npu.routes.syntax import Files, Refused


@dataclass(frozen=True, slots=True)
class Written:
    """Sources in C++ that a tree has not, or has without their registrations, and the entries'
    file that each is from."""

    sources: dict[str, bytes] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)


def write_out(tree: Mapping[str, bytes], ascend: Ascend | None, left: list[Left]) -> Written:
    """A binding for each entry. What cannot be written is added to `left`."""
    done = Written()
    for path in find_paths(ascend, AscendRoute.OPPLUGIN, tree):
        try:
            result = from_opplugin.convert(Files({**tree, **done.sources}), path)
        except Refused as error:
            left.append(Left(path, error.line or 1, posixpath.basename(path), error.reason))
            continue
        # but for what is said of the build for torch, which stays
        left += (each for each in result.left if each.name != posixpath.dirname(path))
        sources = {p: data for p, data in result.files.items() if data is not None and p != path}
        done.sources.update(sources)
        done.origins.update(dict.fromkeys(sources.keys() - tree.keys(), path))
    return done
