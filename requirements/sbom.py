"""What is installed with Pitboss, as a bill of materials: CycloneDX 1.6 in JSON, from the pinned requirements.

    python requirements/sbom.py [run|dev] > pitboss.cdx.json

Each component has its name, its version, every hash that the installation accepts, and who wants it. Where packages
come from is no part of it: the hashes say which they are.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)(?:\s*;\s*([^\\\n]+?))?\s*\\?$")
VERSION = re.compile(r'^version = "([^"]+)"$', re.MULTILINE)


def components(text: str) -> list[dict[str, Any]]:
    """Every pinned package, in the order of its name."""
    found: list[dict[str, Any]] = []
    for line in text.splitlines():
        if pinned := PINNED.match(line):
            name, version, where = pinned.groups()
            found.append(
                {
                    "type": "library",
                    "bom-ref": f"pkg:pypi/{name}@{version}",
                    "name": name,
                    "version": version,
                    "purl": f"pkg:pypi/{name}@{version}",
                    "hashes": [],
                    **({"properties": [{"name": "pitboss:only-where", "value": where}]} if where else {}),
                }
            )
        elif hashed := re.search(r"--hash=sha256:([0-9a-f]{64})", line):
            found[-1]["hashes"].append({"alg": "SHA-256", "content": hashed[1]})
    return found


def bill(name: str = "run") -> dict[str, Any]:
    """The whole document; the same pins give the same bytes."""
    version = VERSION.search((HERE.parent / "pyproject.toml").read_text("utf-8"))
    own = version[1] if version else "0"
    listed = components((HERE / f"{name}.txt").read_text("utf-8"))
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {"type": "application", "bom-ref": "pitboss", "name": "pitboss", "version": own},
        },
        "components": listed,
        "dependencies": [{"ref": "pitboss", "dependsOn": [each["bom-ref"] for each in listed]}],
    }


if __name__ == "__main__":
    print(json.dumps(bill(*sys.argv[1:2]), indent=2))
