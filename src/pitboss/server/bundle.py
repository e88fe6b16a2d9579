"""The pages in two files: all modules one after the other, and all styles.

Each module stays a file of its own, and nothing is built before: the server puts them together when it is first asked,
so that a browser far away fetches two files and not fifty. A module becomes a function that is called once, after
those which it imports; what it exports is what it returns.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import msgspec

from pitboss.server.acts import acts_told

SCRIPT, STYLE = "pages.js", "pages.css"
MAIN = "js/main.js"
DECLARED = "js/declared.js"
"""Asks for the acts of the floor; here they are in it, and nobody has to ask."""

_IMPORT = re.compile(r'^import\s*\{([^}]*)\}\s*from\s*"(\.[^"]+)";?[^\S\n]*$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|const|class) (\w+))", re.MULTILINE)
_PASSED_ON = re.compile(r'^export \* from "(\.[^"]+)";?[^\S\n]*$', re.MULTILINE)
_EXPORTS = re.compile(r"\bexport\s*\{([^}]*)\};?\s*$")
_SHEETS = re.compile(r'(\s*)(?:<link rel="stylesheet" href="([^"]+)" />\s*)+')
_SHEET = re.compile(r'<link rel="stylesheet" href="([^"]+)" />')
_MAIN = re.compile(r'<script type="module" src="[^"]+"></script>')


class Module:
    """One module, read."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.imports: list[tuple[list[tuple[str, str]], str]] = []
        """The names in the other module and here, and the other module."""
        self.passed_on: list[str] = []
        """Modules whose exports it exports too, but what it has itself under the same name."""
        text = _IMPORT.sub(self._imported, text)
        text = _PASSED_ON.sub(self._passes_on, text)
        self.exports: dict[str, str] = {found.group(1): found.group(1) for found in _EXPORT.finditer(text)}
        """What it exports, by the name under which it is known outside; inside it may be called otherwise."""
        text = _EXPORT.sub("", text)
        last = _EXPORTS.search(text)
        if last is not None:
            self.exports |= {outside: inside for inside, outside in _names(last.group(1))}
            text = text[: last.start()]
        self.text = text

    def _imported(self, found: re.Match[str]) -> str:
        self.imports.append((_names(found.group(1)), _beside(self.name, found.group(2))))
        return ""

    def _passes_on(self, found: re.Match[str]) -> str:
        self.passed_on.append(_beside(self.name, found.group(1)))
        return ""

    @property
    def needs(self) -> list[str]:
        return [*(other for _, other in self.imports), *self.passed_on]

    @property
    def variable(self) -> str:
        return "$" + re.sub(r"\W", "_", self.name.removeprefix("js/").removesuffix(".js"))

    def as_function(self, others: dict[str, Module]) -> str:
        taken = [
            f"const {{ {', '.join(f'{there}: {here}' for there, here in names)} }} = {others[other].variable};"
            for names, other in self.imports
        ]
        passed = [f"...{others[other].variable}" for other in self.passed_on]
        given = ", ".join([*passed, *(f"{outside}: {inside}" for outside, inside in self.exports.items())])
        body = "\n".join([*taken, self.text.strip()])
        return f"const {self.variable} = await (async () => {{\n{body}\nreturn {{ {given} }};\n}})();\n"


def _names(text: str) -> list[tuple[str, str]]:
    """`a, b as c` as pairs of what stands before and after `as`."""
    found = []
    for each in filter(None, (part.strip() for part in text.split(","))):
        first, _, second = each.partition(" as ")
        found.append((first.strip(), (second or first).strip()))
    return found


def _beside(name: str, path: str) -> str:
    parts = name.split("/")[:-1]
    for part in path.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


class Bundle:
    """All pages as they are now, under one digest."""

    def __init__(self, root: Path) -> None:
        page = (root / "index.html").read_text("utf-8")
        self._modules: dict[str, Module] = {}
        self._read(root, MAIN)
        sheets = _SHEET.findall(page)
        self.style = "\n".join((root / sheet).read_text("utf-8") for sheet in sheets).encode()
        self.script = self._script().encode()
        self.digest = hashlib.sha256(self.script + b"\0" + self.style).hexdigest()[:20]
        where = f"v/{self.digest}"
        links = (
            f'<link rel="modulepreload" href="{where}/{SCRIPT}" />\\1<link rel="stylesheet" href="{where}/{STYLE}" />'
        )
        page = _SHEETS.sub(rf"\1{links}\1", page)
        self.page = _MAIN.sub(f'<script type="module" src="{where}/{SCRIPT}"></script>', page).encode()

    def _read(self, root: Path, name: str) -> None:
        """A module after those which it imports."""
        text = (root / name).read_text("utf-8")
        if name == DECLARED:
            text = f"export const declared = {msgspec.json.encode(acts_told()).decode()};"
        module = Module(name, text)
        for other in module.needs:
            if other not in self._modules:
                self._read(root, other)
        self._modules[name] = module

    def _script(self) -> str:
        parts = [module.as_function(self._modules) for module in self._modules.values()]
        names = ", ".join(f'"{name}": {module.variable}' for name, module in self._modules.items())
        return f"{''.join(parts)}export const modules = {{ {names} }};\n"

    def module(self, name: str) -> bytes | None:
        """A module that is asked for by itself: the same that the page has, not another of its kind."""
        module = self._modules.get(name)
        if module is None:
            return None
        lines = [f'import {{ modules }} from "/v/{self.digest}/{SCRIPT}";', f'const its = modules["{name}"];']
        names = dict.fromkeys(
            [*module.exports, *(each for other in module.passed_on for each in self._modules[other].exports)]
        )
        lines += [f"export const {each} = its.{each};" for each in names]
        return "\n".join([*lines, ""]).encode()
