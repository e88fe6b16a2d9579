"""A chart as a page that stands by itself: no script, nothing loaded, and fit to be printed."""

from __future__ import annotations

from html import escape

from pitboss.strategy.book import LETTERS, TITLES, UPS, StrategyBook
from pitboss.strategy.drawing import COLOURS, shown_sections, used_letters

SHOWN_MAX = 60
STYLE = """
:root { color-scheme: light; }
body { font: 15px/1.45 system-ui, "DejaVu Sans", Verdana, sans-serif; color: #1a1a1a; background: #fff;
  max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin: 0 0 .3rem; } h2 { font-size: 1.1rem; margin: 1.6rem 0 .4rem; }
.charts { columns: 31rem 2; column-gap: 2rem; }
section { break-inside: avoid; overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .12rem .35rem; }
.chart td { border: 1px solid #8a8a8a; text-align: center; min-width: 1.3rem; }
.chart th:first-child { text-align: left; font-weight: normal; white-space: nowrap; min-width: 10rem; }
.charts section:first-child h2 { margin-top: 0; }
.list th, .list td { text-align: left; border-bottom: 1px solid #d5d5d5; } .list td.number { text-align: right; }
.legend span { display: inline-block; min-width: 1.4rem; text-align: center; border: 1px solid #8a8a8a;
  margin-right: .3rem; }
.legend li { display: inline-block; margin-right: 1.2rem; } .legend { padding: 0; }
@media print { body { font-size: 10px; margin: 0; max-width: none; } .charts { columns: 2; }
  h2 { margin: .6rem 0 .2rem; }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; } }
"""


def as_html(book: StrategyBook) -> str:
    colours = "".join(
        f".c{letter} {{ background: {colour}; }}\n" for letter, colour in COLOURS.items() if letter.isupper()
    )
    colours += "".join(
        f".l{letter} {{ background: {colour}; }}\n" for letter, colour in COLOURS.items() if letter.islower()
    )
    title = f"{book.rulebook}, {book.shoe}: how to play"
    charts = "\n".join(_chart(name, rows) for name, rows in shown_sections(book))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{STYLE}{colours}</style>
</head>
<body>
<h1>{escape(title)}</h1>
<p>By {escape(book.level)}. Followed to the letter, the chart brings {book.ev:+.4%} of the original wager; best play by
all cards brings {book.cost:.4%} more. {escape(book.insurance)}</p>
{_legend(book)}
<div class="charts">
{charts}
</div>
{_exceptions(book)}
</body>
</html>
"""


def _class(letter: str) -> str:
    return f"l{letter}" if letter.islower() else f"c{letter}"


def _chart(name: str, rows: list[tuple[str, str]]) -> str:
    head = "".join(f'<th scope="col">{up}</th>' for up in UPS)
    body = []
    for label, letters in rows:
        cells = "".join(f'<td class="{_class(letter)}">{letter}</td>' for letter in letters)
        body.append(f'<tr><th scope="row">{escape(label)}</th>{cells}</tr>')
    return (
        f"<section><h2>{escape(TITLES[name])}</h2>\n"
        f'<table class="chart"><thead><tr><th>dealer</th>{head}</tr></thead>\n'
        f"<tbody>{''.join(body)}</tbody></table></section>"
    )


def _legend(book: StrategyBook) -> str:
    items = "".join(
        f'<li><span class="{_class(letter)}">{letter}</span>{LETTERS[letter]}</li>' for letter in used_letters(book)
    )
    return f'<ul class="legend">{items}</ul>'


def _exceptions(book: StrategyBook) -> str:
    if not book.exceptions:
        return ""
    rows = "".join(
        f"<tr><td>{escape(each.cards)}</td><td>{each.dealer}</td><td>{each.act}</td><td>{each.instead_of}</td>"
        f'<td class="number">{each.gain:.4f}</td><td class="number">1 in {1 / each.chance:,.0f}</td></tr>'
        for each in book.exceptions[:SHOWN_MAX]
    )
    number = len(book.exceptions)
    more = f" The {SHOWN_MAX} that are worth most of {number}." if number > SHOWN_MAX else ""
    return (
        f"<section><h2>Exceptions</h2><p>Hands that are better played otherwise.{more}</p>\n"
        '<table class="list"><thead><tr><th>hand</th><th>dealer</th><th>best</th><th>chart</th><th>brings more</th>'
        f"<th>comes</th></tr></thead><tbody>{rows}</tbody></table></section>"
    )
