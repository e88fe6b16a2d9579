"""Conditions as people get them: a commented file to fill in, and the copy that every player is given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pitboss.basics.money import dollars, plain_dollars
from pitboss.rulebooks.clauses import cite
from pitboss.rulebooks.terms import Rulebook
from pitboss.tournament.conditions import BuyBack, Conditions, Stage, left_open

STATED = {
    "eligibility": "Only persons who are entitled to enter the casino and to gamble may enter.",
    "refusal": "The casino operator may refuse any application.",
    "conducted": (
        "The {who} conducts the tournament by these conditions and by the rules of the game;"
        " where they differ, the rules prevail."
    ),
}


def template(rulebook: Rulebook) -> str:
    """A file of conditions for a rulebook: every item that it wants, with its clause, to be changed and completed."""
    return "\n".join(_template(rulebook)) + "\n"


def _template(rulebook: Rulebook) -> Iterator[str]:
    items = rulebook.tournament.items.value
    steps = rulebook.tournament.steps.value

    def why(*names: str) -> str:
        cited = [items.get(name) or steps.get(name, "") for name in names]
        return f"  # {cite(each for each in cited if each)}" if any(cited) else ""

    yield f"# Conditions of a tournament under {rulebook.game.name.value}: change what stands here to what you want."
    yield "# Amounts are dollars, tournament chips too. pitboss tournament check FILE says what is still missing."
    yield ""
    yield 'title    = "Spring cup"'
    yield f'rulebook = "{rulebook.id}"'
    yield f'manager  = ""  # who conducts it{why("conducted-by", "nominate").replace("  #", ":")}'
    if "conducted-by" in items:
        who = rulebook.game.tournaments_by.value.replace("-", " ")
        yield f'conducted = "{STATED["conducted"].format(who=who)}"{why("conducted-by")}'
    if rulebook.tournament.approved.value:
        yield f'approved = ""  # by whom and when{why("approve").replace("  #", ":")}'
    yield f"start    = 2027-03-05T19:00:00{why('start')}"
    yield ""
    yield "[entry]"
    yield f"fee     = 100{why('entry-fee')}"
    if "commission" in steps:
        yield f"commission = 10{why('commission')}: what the house keeps of each fee"
    yield f"minimum = 12{why('entry-terms', 'numbers')}"
    yield f"maximum = 84{why('entry-terms', 'numbers')}"
    yield "closes  = 2027-03-04T18:00:00"
    if "entry-terms" in items:
        yield f"withdraw_until = 2027-03-01T18:00:00{why('entry-terms')}: until then the whole fee goes back"
        yield "refund_percent_after = 0"
        yield f'form = "The entry form is had at the gaming desk."{why("entry-terms")}'
    if "eligibility" in items:
        yield f'eligibility = "{STATED["eligibility"]}"{why("eligibility")}'
        yield f"may_refuse  = true{why('right-to-refuse')}: then refusal says so"
        yield f'refusal     = "{STATED["refusal"]}"'
        yield f'selects     = false{why("criteria")}: with true, write criteria = "..."'
    if "groups" in items:
        yield f'groups = "none"{why("groups")}'
    if "agree" in steps:
        yield f"agreement = false{why('agree')}: whether players sign the conditions before they are accepted"
    if "reserve" in steps:
        yield f"reserves  = 6{why('reserve')}: how many may wait for a seat that nobody takes"
        yield f"substitutes = true{why('substitute')}"
    yield ""
    yield "[chips]"
    yield f"amount = 1000{why('chips')}: what everybody begins a session with"
    yield f"bought = false{why('chips')}" + (": with true, write price = ..." if "buy-in" in steps else "")
    if "redeem" in steps:
        yield f"cash_value = false{why('redeem')}: with true they are redeemed at the ratio of price to amount"
    yield "denominations = [5, 25, 100, 500]"
    yield ""
    yield "[wagers]"
    yield f"compulsory = true{why('compulsory-wager', 'every-round')}"
    yield f"minimum = 10{why('limits')}"
    yield f"maximum = 500{why('limits')}"
    yield f'raises  = []{why("limits")}: as in [{{ stage = "final", round = 11, minimum = 20, maximum = 1000 }}]'
    if "perfect-pairs" in items:
        yield f'perfect_pairs = "not offered"{why("perfect-pairs")}'
    if "time-limit" in steps:
        yield f"seconds = 30{why('time-limit')}: how long somebody has to wager; 0 for no limit"
    yield ""
    yield "[conduct]"
    yield f'seats = "ballot"{why("conduct", "allocate")}'
    yield "players_at_table = 7"
    yield f"order = true{why('conduct', 'order')}: whether players wager in turn, by the marker"
    if "pass-card" in steps:
        yield f"deal_from_marker = false{why('deal-from-marker')}"
        yield f"pass_cards  = 1{why('conduct', 'pass-card')}: how many each has in a session"
        yield f"undisclosed = 1{why('conduct', 'undisclosed')}: how many each may make in a session"
    yield ""
    if "buy-back" in items:
        yield "[buy_back]"
        yield f"offered = false{why('buy-back')}: with true, write fee, times, until (a stage) and method"
        yield ""
    for name, kind, tables, rounds, advance in (
        ("heats", "heat", 12, 20, 1),
        ("semi-finals", "semi-final", 2, 20, 3),
        ("final", "final", 1, 25, 0),
    ):
        yield "[[stages]]"
        yield f'name    = "{name}"{why("structure")}'
        yield f'kind    = "{kind}"  # heat, repechage, semi-final or final'
        yield f"tables  = {tables}"
        yield f"rounds  = {rounds}  # or shoes, or minutes"
        yield f"advance = {advance}  # of each table"
        yield ""
    yield "[prizes]"
    yield f"shares  = [50, 30, 20]{why('prizes')}: the pool place by place, in any parts"
    yield f'payment = "In cash chips, when the places have been announced."{why("prizes")}'
    if "guarantee" in steps:
        yield f"guarantee = 0{why('guarantee')}: what the pool has at least, with the least number of entries"
    if "add-value" in steps:
        yield f'added = []{why("add-value")}: as in [{{ what = "cash", worth = 500, cash = true }}]'


# --- on paper --------------------------------------------------------------------------------------------------------


def asks_for(rulebook: Rulebook, item: str) -> bool:
    """Whether the rulebook's list of conditions has an item."""
    return item in rulebook.tournament.items.value


def printed(rulebook: Rulebook, conditions: Conditions) -> str:
    """The copy of the conditions for players, every line with the clause of its item."""
    return "\n".join(_printed(rulebook, conditions)) + "\n"


def _printed(rulebook: Rulebook, c: Conditions) -> Iterator[str]:
    items = rulebook.tournament.items.value
    steps = rulebook.tournament.steps.value

    def item(name: str, text: str, step: str = "") -> Iterator[str]:
        """A line with the clause of its item, or where the list has none of the step that it is about."""
        clause = items.get(name) or steps.get(step)
        if text:
            yield f"- {text}" + (f" [{cite((clause,))}]" if clause else "")

    yield c.title
    yield "=" * len(c.title)
    yield f"Conditions of entry and of play, under {rulebook.name}."
    yield ""
    entry = c.entry
    if c.start is not None:
        yield from item("start", f"It starts on {c.start:%d %B %Y at %H:%M}.")
    if entry.fee_cents is not None:
        kept = f", of which {dollars(entry.commission_cents)} is commission" if entry.commission_cents else ""
        yield from item("entry-fee", f"The entry fee is {dollars(entry.fee_cents)}{kept}.")
    yield from item("eligibility", entry.eligibility or "")
    if entry.may_refuse:
        yield from item("right-to-refuse", entry.refusal or "")
    if entry.selects:
        yield from item("criteria", entry.criteria or "")
    if entry.groups:
        yield from item("groups", f"Restrictions on groups of players: {entry.groups}.")
    if entry.minimum is not None and entry.maximum is not None:
        name = "entry-terms" if "entry-terms" in items else "numbers"
        yield from item(name, f"{entry.minimum} to {entry.maximum} players take part.")
    if entry.withdraw_until is not None:
        until = f"{entry.withdraw_until:%d %B %Y, %H:%M}"
        later = f"{entry.refund_percent_after} percent of it" if entry.refund_percent_after else "nothing"
        text = f"Who withdraws until {until} has the whole fee back, and {later} after that."
        yield from item("entry-terms", text)
    yield from item("entry-terms", entry.form or "")
    terms = "entry-terms" if "entry-terms" in items else "numbers"
    if entry.opens is not None:
        yield from item(terms, f"Entries open on {entry.opens:%d %B %Y at %H:%M}.")
    if entry.closes is not None:
        yield from item(terms, f"Entries close on {entry.closes:%d %B %Y at %H:%M}.")
    if entry.agreement:
        text = "Players agree in writing with these conditions and the rules before they are accepted."
        yield from item("", text, "agree")
    if entry.reserves:
        yield from item("", f"{entry.reserves} more may wait in reserve for a seat that nobody takes.", "reserve")
    if entry.substitutes is not None:
        text = "Substitutes may play." if entry.substitutes else "Nobody plays for another."
        yield from item("", text, "substitute")
    if c.chips.amount_cents is not None:
        priced = c.chips.price_cents > 0
        bought = f"which they buy for {dollars(c.chips.price_cents)}" if priced else "which they buy"
        how = bought if c.chips.bought else "which they are allotted"
        text = f"Everybody begins a session with {plain_dollars(c.chips.amount_cents)} in tournament chips, {how}."
        yield from item("chips", text)
        worth = "They have no cash value."
        if c.chips.cash_value:
            ratio = f"{dollars(c.chips.price_cents)} for {plain_dollars(c.chips.amount_cents)}"
            worth = f"They are issued and redeemed at {ratio}." if priced else "They have a cash value."
        yield from item("chips", worth)
    if c.wagers.compulsory is not None:
        text = "A wager on each round is compulsory." if c.wagers.compulsory else "No wager is compulsory."
        yield from item("compulsory-wager", text, "every-round")
    if c.wagers.minimum_cents is not None and c.wagers.maximum_cents is not None:
        least, most = plain_dollars(c.wagers.minimum_cents), plain_dollars(c.wagers.maximum_cents)
        yield from item("limits", f"Wagers are from {least} to {most}.")
    for each in c.wagers.raises:
        limits = f"{plain_dollars(each.minimum_cents)} to {plain_dollars(each.maximum_cents)}"
        yield from item("limits", f"From round {each.round} of {each.stage}: {limits}.")
    if c.wagers.perfect_pairs:
        yield from item("perfect-pairs", f"Perfect Pairs: {c.wagers.perfect_pairs}.")
    for each_stage in c.stages:
        if each_stage.limits is not None:
            limits = " to ".join(plain_dollars(cents) for cents in each_stage.limits)
            yield from item("limits", f"In {each_stage.name} wagers are from {limits}.")
    if c.wagers.side_bets:
        kinds = ", ".join(kind.replace("-", " ") for kind in c.wagers.side_bets)
        yield from item("limits", f"Optional wagers that are offered: {kinds}.")
    if c.wagers.seconds:
        yield from item(
            "", f"A wager is made within {c.wagers.seconds} seconds.", "time-limit" if "time-limit" in steps else "pace"
        )
    for stage in c.stages:
        yield from item("structure", _stage(c, stage))
    conduct = c.conduct
    if conduct.seats is not None:
        how = "by ballot" if conduct.seats == "ballot" else f"by the {_who(rulebook)}"
        yield from item("conduct", f"Tables and seats are allotted {how}.", "allocate")
    if conduct.order is not None:
        text = "Players wager in turn, by the marker." if conduct.order else "There is no order of wagering."
        yield from item("conduct", text, "order")
    if conduct.deal_from_marker:
        yield from item("conduct", "Cards are dealt from the marker on.")
    for count, name in ((conduct.pass_cards, "pass card"), (conduct.undisclosed, "undisclosed wager")):
        if count is not None:
            yield from item("conduct", f"{count or 'No'} {name}{'s' * (count != 1)} in a session.")
    if c.buy_back.offered is not None:
        yield from item("buy-back", _buy_back(c.buy_back))
    if c.prizes.shares:
        whole = sum(c.prizes.shares)
        each_part = "percent" if whole == 100 else f"of {whole} parts"
        parts = "; ".join(f"place {place}, {share} {each_part}" for place, share in enumerate(c.prizes.shares, start=1))
        yield from item("prizes", f"The prize pool: {parts}.")
    if c.prizes.payment:
        yield from item("prizes", f"How prizes are paid: {c.prizes.payment}")
    if c.prizes.guarantee_cents:
        text = f"With {entry.minimum} entries the pool is {dollars(c.prizes.guarantee_cents)} at least."
        yield from item("prizes", text)
    for added in c.prizes.added:
        where = "in the pool" if added.cash else f"for place {added.place}"
        yield from item("prizes", f"Added by the house: {added.what}, {dollars(added.worth_cents)}, {where}.")
    yield from item("prizes", c.prizes.reservation)
    yield from item("conducted-by", c.conducted or "")
    if c.manager:
        yield from item("conducted-by", f"The {_who(rulebook)} is {c.manager}.", "nominate")
    for key, said in c.overrides.items():
        value = said.get("is", said) if isinstance(said, Mapping) else said
        prevails = cite((rulebook.tournament.steps.value.get("override", ""),))
        yield f"- In place of the ordinary rules: {key} is {value}. [{prevails}]"
    if c.approved:
        yield f"- Approved: {c.approved}. [{cite((rulebook.tournament.steps.value['approve'],))}]"
    open_items = left_open(rulebook, c)
    if open_items:
        yield ""
        yield "Not said:"
        yield from (f"- {each}" for each in open_items)


def _who(rulebook: Rulebook) -> str:
    return rulebook.game.tournaments_by.value.replace("-", " ")


def _stage(c: Conditions, stage: Stage) -> str:
    length = next((f"{n} {word}{'s' * (n != 1)}" for n, word in _lengths(stage) if n), "no length stated")
    tables = "" if stage.tables is None else f" at {stage.tables} table{'s' * (stage.tables != 1)}"
    onward = c.follows(stage)
    goes = ""
    if stage.advance and onward is not None:
        goes = f"; {stage.advance} of each table go{'es' if stage.advance == 1 else ''} on to {onward.name}"
    again = c.repechage_of(stage)
    second = f"; the others play in {again.name}" if again is not None else ""
    starts = "" if stage.start is None else f", from {stage.start:%d %B %Y, %H:%M}"
    return f"{stage.name}: {length}{tables}{starts}{goes}{second}."


def _lengths(stage: Stage) -> tuple[tuple[int, str], ...]:
    return ((stage.rounds, "round"), (stage.shoes, "shoe"), (stage.minutes, "minute"))


def _buy_back(terms: BuyBack) -> str:
    if not terms.offered:
        return "Who is eliminated cannot buy back."
    times = "once" if terms.times == 1 else f"{terms.times} times"
    fee = dollars(terms.fee_cents or 0)
    return f"Who is eliminated may buy back {times} for {fee}, until {terms.until} begins: {terms.method}"
