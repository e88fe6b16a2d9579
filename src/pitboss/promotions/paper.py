"""Terms as people get them: a commented file to fill in, and the copy that is at hand for patrons."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from pitboss.basics.money import dollars, plain_dollars
from pitboss.promotions.conditions import INCLUDED, LITRE, Conditions, Prize
from pitboss.rulebooks.clauses import cite
from pitboss.rulebooks.terms import Rulebook


def template(rulebook: Rulebook) -> str:
    """A file of terms for a rulebook: every item that it wants, with its clause, to be changed and completed."""
    return "\n".join(_template(rulebook)) + "\n"


def _template(rulebook: Rulebook) -> Iterator[str]:
    terms = rulebook.promotions
    items = {**terms.items.value, **terms.prize_items.value, **terms.prize_kinds.value}
    items |= {f"published.{name}": clause for name, clause in terms.published.value.items()}

    def why(*names: str) -> str:
        return f"  # {cite(items[name] for name in names if name in items)}"

    yield f"# Terms of a promotion under {rulebook.game.name.value}: change what stands here to what you want."
    yield "# Amounts are dollars, times are those of the house's clocks."
    yield "# pitboss promotion check FILE says what is missing."
    yield ""
    yield 'title     = "Autumn draw"'
    yield f'rulebook  = "{rulebook.id}"'
    yield f'available = ["at the customer service desk", "on the website"]{why("published.terms")}'
    above = plain_dollars(terms.scrutineer_above_cents.value)
    cited = cite(terms.scrutineer_above_cents.clauses)
    yield f'scrutineer = ""  # {cited}: who oversees draws for a prize above ${above}; may be nominated later'
    yield ""
    yield "[promotion]"
    yield f"begins = 2027-03-01T10:00:00{why('promotion')}"
    yield "ends   = 2027-04-30T23:00:00"
    yield 'place  = "Main gaming floor"'
    yield ""
    yield "[entry]"
    yield f'eligibility = "Adults who may enter the casino and gamble; no staff of the casino."{why("eligibility")}'
    yield f"wager_required = true{why('wager')}: with true, minimum_wager says how much for each entry"
    yield "minimum_wager  = 50"
    yield "each = 20  # how many entries one person may have; 0 for any number"
    yield ""
    yield "[award]"
    yield f'manner = "Drawn by lot from all entries that were received in time."{why("manner")}'
    yield f'disbursement = "Handed over at the cage against proof of identity."{why("disbursement")}: never cash'
    yield ""
    yield "[claim]"
    yield f'method  = "In person at the cage, within 14 days of the draw."{why("claim")}'
    yield "present = false  # whether entrants must be there at the draw"
    yield ""
    yield "[winners]"
    yield f'notified = "By telephone, else by e-mail."{why("notification")}'
    methods = ", ".join(terms.told_by.value)
    yield f'told_by  = ["telephone", "email"]  # {cite(terms.told_by.clauses)}: {methods}'
    yield f'results  = "On the website and at the customer service desk."{why("results")}'
    yield ""
    yield "[[draws]]"
    yield 'name   = "final"'
    yield f"at     = 2027-04-10T20:00:00{why('award')}"
    yield 'place  = "Main gaming floor"'
    yield f"closes = 2027-04-10T18:00:00{why('closing')}"
    yield ""
    yield "[[prizes]]"
    yield 'name   = "car"'
    yield 'kind   = "vehicle"  # or goods, services, machinery, travel, real-estate, liquor, casino-dollars,'
    yield "                    # promotional-tokens, money"
    yield f"value  = 32000{why('details')}"
    yield 'details = "A new small car in blue, from stock."'
    yield f'nature  = "A motor vehicle."{why("nature")}; reservation = "..." where there is one'
    yield "alternative = true" + f"  # {cite(terms.alternative.clauses)}: the winner may have its value instead"
    yield f'make    = "Kestrel"{why("vehicle.make")}'
    yield f'model   = "Hatch 1.5"{why("vehicle.model")}'
    yield f'accessories   = "Floor mats."{why("vehicle.accessories")}'
    yield f'on_road_costs = "Registration and on-road costs are included."{why("vehicle.on-road-costs")}'
    yield ""
    yield "[[prizes]]"
    yield 'name   = "voucher"'
    yield 'kind   = "promotional-tokens"  # a voucher that a dealer exchanges for tokens'
    yield "count  = 3"
    yield "value  = 100"
    yield 'details = "A voucher for promotional tokens at table games."'
    yield 'nature  = "Promotional tokens."'
    yield ""
    yield "# Other kinds of prizes say besides:"
    for kind, clause in terms.prize_kinds.value.items():
        names = [name for name in terms.prize_items.value if name.startswith(f"{kind}.")]
        keys = ", ".join(name.partition(".")[2].replace("-", "_") for name in names)
        parts = f"; included has {', '.join(INCLUDED[kind])}" if kind in INCLUDED else ""
        yield f"#   {kind} ({cite((clause,))}): {keys}{parts}"


# --- on paper --------------------------------------------------------------------------------------------------------


def printed(rulebook: Rulebook, conditions: Conditions) -> str:
    """The terms for patrons, every line with the clause of its item."""
    return "\n".join(_printed(rulebook, conditions)) + "\n"


def _printed(rulebook: Rulebook, c: Conditions) -> Iterator[str]:
    terms = rulebook.promotions
    items = terms.items.value

    def item(name: str, text: str | None) -> Iterator[str]:
        if text:
            yield f"- {text} [{cite((items[name],))}]"

    yield c.title
    yield "=" * len(c.title)
    yield f"Terms and conditions, under {rulebook.name}."
    yield ""
    if c.promotion.begins is not None and c.promotion.ends is not None:
        begins, ends = c.promotion.begins, c.promotion.ends
        when = f"{begins:%d %B %Y, %H:%M} to {ends:%d %B %Y, %H:%M}"
        yield from item("promotion", f"The promotion runs from {when}: {c.promotion.place or 'place not stated'}.")
    yield from item("eligibility", c.entry.eligibility and f"Eligible: {c.entry.eligibility}")
    if c.entry.minimum_wager_cents:
        yield from item("wager", f"Each entry wants wagers of {dollars(c.entry.minimum_wager_cents)}.")
    else:
        yield from item("wager", "No wager is needed to enter.")
    if c.entry.each:
        yield from item("eligibility", f"One person has at most {c.entry.each} entries.")
    yield from item("manner", c.award.manner)
    for draw in c.draws:
        if draw.at is not None and draw.closes is not None:
            yield from item(
                "award", f"Draw {draw.name}: {draw.at:%d %B %Y at %H:%M}, {draw.place or 'place not stated'}."
            )
            yield from item("closing", f"Entries for {draw.name} close on {draw.closes:%d %B %Y at %H:%M}.")
    there = "Entrants must be there at the draw to win." if c.claim.present else "Entrants need not be there to win."
    yield from item("claim", f"{c.claim.method or ''} {there}".strip())
    notified = c.winners.notified or ", ".join(c.winners.told_by)
    yield from item("notification", notified and f"Winners are notified: {notified}")
    yield from item("results", c.winners.results and f"Results: {c.winners.results}")
    yield from item("disbursement", c.award.disbursement)
    yield ""
    yield "Prizes:"
    for prize in c.prizes:
        yield from _prize(rulebook, prize)
    yield ""
    yield f"- No prize is awarded in cash. [{cite(terms.cash.clauses)}]"
    if any(c.largest(draw.name) > terms.scrutineer_above_cents.value for draw in c.draws):
        who = c.scrutineer or "A scrutineer whom the casino operator nominates"
        yield f"- {who} oversees draws for a prize above {dollars(terms.scrutineer_above_cents.value)}. " + (
            f"[{cite(terms.scrutineer_above_cents.clauses)}]"
        )
    yield (
        "- In a dispute about these terms the decision of the casino operator is final. Whoever is not satisfied may"
        f" lodge a complaint with an inspector. [{cite(terms.disputes.clauses)}]"
    )
    yield f"- These terms are at hand: {', '.join(c.available)}. [{cite((terms.published.value['terms'],))}]"


def _prize(rulebook: Rulebook, prize: Prize) -> Iterator[str]:
    terms = rulebook.promotions
    items = terms.items.value
    many = f"{prize.count} x " if prize.count > 1 else ""
    value = dollars(prize.value_cents) if prize.value_cents is not None else "value not stated"
    where = f", draw {prize.draw}" if prize.draw else ""
    yield f"- {many}{prize.name}, {value}{where}: {prize.details or ''} [{cite((items['details'],))}]"
    reserved = f" {prize.reservation}" if prize.reservation else ""
    yield f"  {prize.nature or ''}{reserved} [{cite((items['nature'],))}]"
    if prize.conditions:
        yield f"  Conditions: {prize.conditions} [{cite((items['details'],))}]"
    for name, clause in terms.prize_items.value.items():
        kind, _, detail = name.partition(".")
        if kind != prize.kind:
            continue
        if detail == "included":
            said = "; ".join(
                f"{key.replace('_', ' ')}: {prize.included.get(key) or 'not stated'}" for key in INCLUDED[kind]
            )
            yield f"  Included: {said} [{cite((clause,))}]"
        else:
            said = getattr(prize, detail.replace("-", "_")) or "not stated"
            yield f"  {detail.replace('-', ' ').capitalize()}: {said} [{cite((clause,))}]"
    if prize.liquor_centilitres:
        litres = f"{prize.liquor_centilitres // LITRE}.{prize.liquor_centilitres % LITRE:02}"
        yield f"  Liquor: {litres} litres [{cite(terms.liquor_litres_max.clauses)}]"
    if prize.alternative:
        yield f"  The winner may have its value instead, not in cash. [{cite(terms.alternative.clauses)}]"


def printed_html(rulebook: Rulebook, conditions: Conditions) -> str:
    """The same as a page that prints well; nothing is loaded from elsewhere."""
    title, _, under, _, *lines = _printed(rulebook, conditions)
    parts = [
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title><style>',
        "body{font:1rem/1.5 system-ui,sans-serif;margin:2rem;max-width:48rem}",
        "@media print{body{margin:0;max-width:none}}</style></head><body>",
        f"<h1>{escape(title)}</h1><p>{escape(under)}</p><ul>",
    ]
    for line in lines:
        if line.startswith("- "):
            parts.append(f"<li>{escape(line[2:])}</li>")
        elif line.startswith("  "):
            parts.append(f"<li>{escape(line.strip())}</li>")
        elif line:
            parts.append(f"</ul><h2>{escape(line.rstrip(':'))}</h2><ul>")
    return "\n".join([*parts, "</ul></body></html>\n"])
