"""Say as JSON what framework an interpreter has: run by that interpreter, given its probe code."""

from __future__ import annotations

import json
import site
import sys
import sysconfig
from typing import Any


def main() -> None:
    found: dict[str, Any] = {}
    try:
        exec(sys.argv[1], found)
    except Exception as error:
        print(json.dumps({"error": f"{type(error).__name__}: {error}"}))
        return
    sites = [*site.getsitepackages(), site.getusersitepackages()]
    ours = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), *sites}
    paths = [p for p in sys.path if p in ours or p.endswith(("site-packages", "dist-packages"))]
    print(
        json.dumps(
            {
                "version": str(found["version"]),
                "build": found["build"],
                "root": found["root"],
                "proxy": found["proxy"],
                "include": sysconfig.get_path("include"),
                "paths": paths,
            }
        )
    )


if __name__ == "__main__":
    main()
