"""A what-if as a picture and as a page: a bar for every case, left for the house, right for the player."""

from __future__ import annotations

from html import escape

from pitboss.maths.what_if import Case, Study

LEFT, MIDDLE, RIGHT, LINE, TOP = 24, 300, 190, 26, 84
HALF = 170
FONT = "font-family='DejaVu Sans, Verdana, Arial, sans-serif'"
HOUSE, PLAYER = "#c8553d", "#2f7d6b"
LABEL_MAX = 44


def all_cases(study: Study) -> list[Case]:
    return [*study.cases, *([study.together] if study.together is not None else [])]


def as_svg(study: Study, question: str) -> str:
    cases = all_cases(study)
    most = max((abs(case.difference) for case in cases if case.difference is not None), default=0.0) or 1.0
    width = LEFT + MIDDLE + 2 * HALF + RIGHT
    height = TOP + LINE * len(cases) + 44
    zero = LEFT + MIDDLE + HALF
    title = f"{study.rulebook}, {study.shoe}: {question}"
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' height='{height}'"
        f" role='img' aria-label='{escape(title, quote=True)}' {FONT}>",
        f"<title>{escape(title)}</title>",
        f"<rect width='{width}' height='{height}' fill='#ffffff'/>",
        f"<text x='{LEFT}' y='34' font-size='18' font-weight='bold' fill='#1a1a1a'>{escape(title)}</text>",
        f"<text x='{LEFT}' y='58' font-size='13' fill='#1a1a1a'>As it is: {study.ev:+.4%} of the original wager."
        " Bars: what changes, to the right for the player.</text>",
    ]
    for number, case in enumerate(cases):
        parts += _bar(case, TOP + number * LINE, zero, most)
    foot = TOP + LINE * len(cases)
    parts.append(f"<path d='M{zero} {TOP - 8}V{foot}' stroke='#1a1a1a' stroke-width='1'/>")
    if study.interaction is not None:
        parts.append(
            f"<text x='{LEFT}' y='{foot + 24}' font-size='12' fill='#1a1a1a'>What they do to one another:"
            f" {study.interaction:+.4%}</text>"
        )
    return "\n".join([*parts, "</svg>"]) + "\n"


def _bar(case: Case, y: int, zero: int, most: float) -> list[str]:
    label = case.label if len(case.label) <= LABEL_MAX else case.label[: LABEL_MAX - 1] + "…"
    parts = [f"<text x='{LEFT}' y='{y + 14}' font-size='12' fill='#1a1a1a'>{escape(label)}</text>"]
    if case.ev is None or case.difference is None:
        text = f"cannot be: {case.note}"
        parts.append(f"<text x='{zero + 6}' y='{y + 14}' font-size='12' fill='#666666'>{escape(text)}</text>")
        return parts
    length = abs(case.difference) / most * HALF
    x = zero - length if case.difference < 0 else zero
    colour = HOUSE if case.difference < 0 else PLAYER
    parts.append(f"<rect x='{x:.1f}' y='{y + 2}' width='{length:.1f}' height='{LINE - 10}' fill='{colour}'/>")
    figures = f"{case.difference:+.4%} to {case.ev:+.4%}" if case.difference else f"no change, {case.ev:+.4%}"
    x_text = zero + HALF + 10
    parts.append(f"<text x='{x_text}' y='{y + 14}' font-size='12' fill='#1a1a1a'>{escape(figures)}</text>")
    return parts


STYLE = """
body { font: 15px/1.45 system-ui, "DejaVu Sans", Verdana, sans-serif; color: #1a1a1a; background: #fff;
  max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
svg { max-width: 100%; height: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .8rem .2rem 0; text-align: left; border-bottom: 1px solid #d5d5d5; vertical-align: top; }
td.number { text-align: right; white-space: nowrap; }
"""


def as_html(study: Study, question: str) -> str:
    title = f"{study.rulebook}, {study.shoe}: {question}"
    rows = "".join(_row(case) for case in all_cases(study))
    if study.interaction is not None:
        rows += (
            "<tr><td>what they do to one another</td><td></td>"
            f'<td class="number">{study.interaction:+.4%}</td><td></td></tr>'
        )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{STYLE}</style>
</head>
<body>
<h1>{escape(title)}</h1>
{as_svg(study, question)}
<table><thead><tr><th>case</th><th>value</th><th>changes by</th><th>note</th></tr></thead>
<tbody>{rows}</tbody></table>
</body>
</html>
"""


def _row(case: Case) -> str:
    value = "" if case.ev is None else f"{case.ev:+.6%}"
    difference = "cannot be" if case.difference is None else f"{case.difference:+.6%}"
    return (
        f'<tr><td>{escape(case.label)}</td><td class="number">{value}</td>'
        f'<td class="number">{difference}</td><td>{escape(case.note)}</td></tr>'
    )
