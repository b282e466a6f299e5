import operator
import re

import paddle


def _release(version):
    """What versions are ordered by: their numbers, and whether they are more than a preview."""
    if not isinstance(version, str):
        version = ".".join(map(str, version))
    found = re.match(r"v?(\d+(?:\.\d+)*)[-_.]?(a|b|c|rc|pre|dev)?", version.strip())
    if not found:
        raise ValueError(f"Invalid version: {version!r}")
    numbers = [int(number) for number in found[1].split(".")]
    while numbers and not numbers[-1]:
        numbers.pop()
    return numbers, not found[2]


def _by_release(compare):
    def method(self, other):
        try:
            return compare(_release(self), _release(other))
        except ValueError:
            return compare(str(self), other)

    return method


class TorchVersion(str):
    """A version as text, compared by its numbers."""

    __eq__ = _by_release(operator.eq)
    __ne__ = _by_release(operator.ne)
    __lt__ = _by_release(operator.lt)
    __le__ = _by_release(operator.le)
    __gt__ = _by_release(operator.gt)
    __ge__ = _by_release(operator.ge)
    __hash__ = str.__hash__


__version__ = TorchVersion(paddle.__version__)
