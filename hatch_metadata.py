"""The addresses of the repository that porter is released from, as its workflow knows them."""

from __future__ import annotations

import os
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class Addresses(MetadataHookInterface):
    def update(self, metadata: dict[str, Any]) -> None:
        repository = os.environ.get("GITHUB_REPOSITORY")
        if not repository:
            return  # a build of one's own
        home = f"{os.environ.get('GITHUB_SERVER_URL', 'https://github.com')}/{repository}"
        metadata["urls"] = {
            "Homepage": home,
            "Documentation": f"{home}/blob/v{metadata['version']}/docs/index.md",
            "Changelog": f"{home}/blob/v{metadata['version']}/CHANGELOG.md",
            "Issues": f"{home}/issues",
        }
