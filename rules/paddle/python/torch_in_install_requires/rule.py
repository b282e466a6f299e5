"""Requirements on torch in the lists that setup() is given."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts

KEYS = {"install_requires", "setup_requires"}
TORCH = re.compile(r"(?:torch|torchvision|torchaudio|torch-c-dlpack-ext)\s*(?:[<>=!~;\[ ].*)?$")


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for node in module.nodes:
        if isinstance(node, ast.keyword) and node.arg in KEYS and isinstance(node.value, ast.List):
            for item in node.value.elts:
                value = getattr(item, "value", None)
                if isinstance(value, str) and TORCH.match(value):
                    yield Match(module.span(item))
