"""The texts of the pages, taken out of their modules: `python -m tests.web.texts` writes the catalogue anew.

A text is what stands between two tags of a template (with `{0}`, `{1}` for values), what an attribute says that
people read, or a string of the modules that reads like words.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pitboss

WEB = Path(pitboss.__file__).parent / "web"
CATALOGUE = WEB / "texts" / "catalogue.json"
SHOWN = ("alt", "aria-description", "aria-label", "hint", "label", "placeholder", "text", "title")
CLASS = re.compile(r"(?:class|transform|d|from|import)\s?=?\s?(?:\$\{)?$")
CHOSEN = re.compile(r"[?:|]\s*$")
"""Where one of two words is shown."""
IGNORED = re.compile(
    r"^(?:Enter|Escape|Delete|Backspace|Home|End|Kh)$|^(?:input|button), |max-width|prefers-|translate\(|rotate\("
    r"|^(?:bar|chip|chip-text|primary|result|side|sides|spot|stacks|total) [a-z{]|Path=/|^; Secure|^title = "
)
"""Names of keys, styles, selectors and the like."""
INLINE = re.compile(r"</?(?:b|i|em|strong|kbd|code)>")
BEFORE_A_PATTERN = re.compile(r"(?:[=(,:!&|?{};+\[>]|return|^)\s*$")


def templates_and_strings(source: str) -> Iterator[tuple[str, list[str]]]:
    """Each with its kind: `html` (the parts of a template of nodes), `template`, `string`, or `class` (not read)."""
    yield from _scan(source, 0, None)[0]


def _scan(source: str, at: int, end: str | None, in_text: bool = False) -> tuple[list[tuple[str, list[str]]], int]:
    found: list[tuple[str, list[str]]] = []
    depth, size = 0, len(source)
    while at < size:
        char = source[at]
        if source.startswith("//", at):
            at = source.find("\n", at) if "\n" in source[at:] else size
        elif source.startswith("/*", at):
            at = source.index("*/", at) + 2
        elif char in "\"'":
            close = at + 1
            while source[close] != char:
                close += 2 if source[close] == "\\" else 1
            shape = "class" if CLASS.search(source[max(0, at - 20) : at]) else "string"
            shape = "word" if in_text and CHOSEN.search(source[max(0, at - 20) : at]) else shape
            found.append((shape, [_unescaped(source[at + 1 : close])]))
            at = close + 1
        elif char == "`":
            start, tagged = at, re.search(r"(\w*)$", source[max(0, at - 20) : at])
            statics, inner, at = _template(source, at + 1, bool(tagged and tagged[1] == "html"))
            found += inner
            shape = "class" if CLASS.search(source[max(0, start - 20) : start]) else "template"
            found.append(("html" if tagged and tagged[1] == "html" else shape, statics))
        elif char == "/" and BEFORE_A_PATTERN.search(source[max(0, at - 40) : at]):
            close, group = at + 1, False
            while group or source[close] != "/":
                group = {"[": True, "]": False}.get(source[close], group)
                close += 2 if source[close] == "\\" else 1
            at = close + 1
        elif char == end and depth == 0:
            return found, at + 1
        else:
            depth += {"{": 1, "}": -1}.get(char, 0)
            at += 1
    return found, at


def _template(source: str, at: int, nodes: bool) -> tuple[list[str], list[tuple[str, list[str]]], int]:
    statics, inner, part = [], [], ""
    while source[at] != "`":
        if source.startswith("${", at):
            statics.append(part)
            part = ""
            so_far = "".join(statics)
            in_text = nodes and so_far.rfind(">") >= so_far.rfind("<")
            found, at = _scan(source, at + 2, "}", in_text)
            inner += found
        elif source[at] == "\\":
            part += _unescaped(source[at : at + 2])
            at += 2
        else:
            part += source[at]
            at += 1
    return [*statics, part], inner, at + 1


def _unescaped(text: str) -> str:
    text = re.sub(r"\\u\{?([0-9a-fA-F]{4,6})\}?", lambda found: chr(int(found[1], 16)), text)
    return re.sub(r"\\(.)", lambda found: {"n": "\n", "t": "\t"}.get(found[1], found[1]), text)


def texts_of_template(statics: list[str]) -> Iterator[str]:
    """What people read of a template of nodes: between its tags, and in its attributes."""
    last = len(statics) - 1
    whole = "".join(static + (f"\x00{number}\x00" if number < last else "") for number, static in enumerate(statics))
    kept = INLINE.sub(lambda found: found[0].replace("<", "\x01").replace(">", "\x02"), whole)
    for piece in re.split(r"(<!--.*?-->|<(?:[^<>\"]|\"[^\"]*\")*>)", kept, flags=re.DOTALL):
        if piece.startswith("<"):
            for name, value in re.findall(r'([\w-]+)="([^"]*)"', piece):
                if name in SHOWN:
                    yield from _keyed(value)
        else:
            yield from _keyed(piece)


def _keyed(piece: str) -> Iterator[str]:
    text = re.sub(r"\s*\n\s*", " ", piece).strip() if "\n" in piece else piece.strip()
    text = text.replace("\x01", "<").replace("\x02", ">")
    numbers: dict[str, int] = {}
    text = re.sub("\x00(\\d+)\x00", lambda found: f"{{{numbers.setdefault(found[1], len(numbers))}}}", text)
    if re.search(r"[A-Za-z]", re.sub(r"\{\d+\}|<[^>]*>", "", text)):
        yield text


def reads_like_words(text: str) -> bool:
    """A string of the modules that people may read, as far as its look tells."""
    said = re.sub(r"\{\d+\}", "", text).strip()
    if IGNORED.search(text) or not re.search(r"[A-Za-z]{2}", said):
        return False
    return bool(re.match(r"^[A-Z][a-z]+$", said)) or (" " in text.strip() and bool(re.search(r"[A-Za-z]{2}", said)))


def texts_of(source: str) -> Iterator[str]:
    """Every text of one module."""
    for kind, parts in templates_and_strings(source):
        if kind == "html":
            yield from texts_of_template(parts)
        elif kind == "word" and re.fullmatch(r"[a-z]{2,}", parts[0]):
            yield parts[0]
        elif kind != "class":
            text = "".join(part + (f"{{{at}}}" if at < len(parts) - 1 else "") for at, part in enumerate(parts))
            if reads_like_words(text):
                yield text.strip()


def texts() -> list[str]:
    """Every text of the pages, sorted."""
    found = {text for path in (WEB / "js").glob("*.js") for text in texts_of(path.read_text("utf-8"))}
    page = (WEB / "index.html").read_text("utf-8")
    return sorted(found | set(re.findall(r'class="skip"[^>]*>([^<]+)<', page)))


def main() -> None:
    CATALOGUE.write_text(json.dumps(texts(), ensure_ascii=False, indent=0) + "\n", "utf-8")


if __name__ == "__main__":
    main()
