"""Make the environments that tests need, while tests that need none run: `make test` calls this.

A test that comes to one first makes it itself; the other waits for the lock.
"""

from __future__ import annotations

from porter import targets
from porter.build import environment
from porter.model import Device
from tests.conftest import CACHE

NAMES = ("torch", "paddle", "torch_npu")


def main() -> None:
    for name in NAMES:
        framework = targets.framework(name)
        spec = framework.environment(framework.default_version, Device.CPU)
        environment.prepare(spec, framework, home=CACHE)


if __name__ == "__main__":
    main()
