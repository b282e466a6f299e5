"""What results depend on beside the files of a repository."""

from __future__ import annotations

import hashlib
import inspect
import sys
from importlib.metadata import version
from pathlib import Path

from porter import targets
from porter.host import compiled
from porter.host.home import porter_home


def surroundings(folder: Path, *more: object) -> str:
    """A digest of the code and data of porter, of a pack's folder and of installed targets, of the
    user's surfaces, and of `more`, which is shown by `repr`."""
    own = [porter_home() / "surfaces", folder]  # beside what each digest is also of
    own += [Path(inspect.getfile(type(each))).parent for each in targets.frameworks()]
    parts = (*(compiled.digest(each) for each in dict.fromkeys(own)), sys.version, repr(more))
    return hashlib.sha256("\0".join((*parts, version("libcst"))).encode()).hexdigest()
