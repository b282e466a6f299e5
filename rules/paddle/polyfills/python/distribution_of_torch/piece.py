import importlib.metadata
import pathlib
import sys

import paddle

from .scope import _NOTHING, _OWN, _for_asker, _given


class _TorchDistribution(importlib.metadata.Distribution):
    def read_text(self, filename):
        if filename == "METADATA":
            return f"Metadata-Version: 2.1\nName: torch\nVersion: {paddle.__version__}\n"

    def locate_file(self, path):
        return pathlib.Path(paddle.__file__).parent.parent / path


class _Distributions(importlib.metadata.DistributionFinder):
    homes = {_OWN: _TorchDistribution()}

    def find_spec(self, name, path=None, target=None):
        return None

    def find_distributions(self, context=importlib.metadata.DistributionFinder.Context()):
        frame = sys._getframe(1)
        while frame and frame.f_globals.get("__name__", "").startswith("importlib."):
            frame = frame.f_back
        found = _for_asker(self.homes, frame) if context.name == "torch" and frame else _NOTHING
        return iter(() if found is _NOTHING else (found,))


sys.meta_path.append(_Distributions())
_given.append(sys.meta_path[-1])
