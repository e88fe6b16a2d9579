"""The project's own files, as the tests of the project read them."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "pitboss"
PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
NOT_OURS = {".git", ".venv", "__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", "dist"}


@cache
def project_files() -> tuple[Path, ...]:
    """Every file of the project that git tracks or would track; without git, all but the caches."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT, capture_output=True, check=True, text=True,
        ).stdout.split("\0")  # fmt: skip
        found = [ROOT / name for name in listed if name]
    except (OSError, subprocess.CalledProcessError):
        found = [path for path in ROOT.rglob("*") if not NOT_OURS & set(path.relative_to(ROOT).parts)]
    return tuple(sorted(path for path in found if path.is_file()))


@cache
def text_of(path: Path) -> str:
    """The text of a file; a picture has none."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


@cache
def modules() -> dict[str, ast.Module]:
    """Every module of the package by its dotted name."""
    return {_dotted(path): ast.parse(text_of(path), str(path)) for path in sorted(PACKAGE.rglob("*.py"))}


def _dotted(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module: str) -> str:
    """The room a module is in: `pitboss.table.engine` is in `table`, `pitboss.chance` is a room of its own."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "front door"


def imports_of(module: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and full name of everything a module imports, inside functions and for typing too."""
    package = (
        module if (PACKAGE.parent / Path(*module.split(".")) / "__init__.py").exists() else module.rpartition(".")[0]
    )
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, base]) if base else ".".join(above)
            for alias in node.names:
                yield node.lineno, f"{base}.{alias.name}"
