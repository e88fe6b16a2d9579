"""Play lines and acts: the same table of patterns is read in both directions."""

from __future__ import annotations

import re
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.basics.cards import deck
from pitboss.records.lines import (
    CAUSES,
    DUTIES,
    KINDS,
    MEANS,
    RESTRICTIONS,
    STAGES,
    format_act,
    format_line,
    parse,
    parse_line,
    usages,
)
from pitboss.records.model import UNSAID_BOX, RecordError
from pitboss.table import acts as a
from pitboss.table.acts import ORIGINAL, AnyAct
from pitboss.table.declaring import DECLARED
from pitboss.table.irregularities.people import BREACHES
from pitboss.table.irregularities.voids import GROUNDS
from pitboss.table.roles import STAFF
from pitboss.table.session import REMOVED_FOR
from pitboss.table.wagers import is_name

SAYABLE = [kind for kind in get_args(AnyAct) if kind not in (a.Mix, a.BeginSession)]

names = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,31}", fullmatch=True).filter(is_name)
amounts = st.integers(0, 10**11 - 1)
boxes = st.integers(1, 99)
counts = st.integers(0, 99999)
kinds = st.sampled_from((ORIGINAL, *KINDS))
reasons = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=40).filter(
    lambda text: "=>" not in text
)

FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "player": names,
    "by": st.sampled_from(sorted(STAFF)),
    "box": boxes,
    "wrong": boxes,
    "cents": amounts,
    "token_cents": st.just(0),
    "chip_cents": amounts,
    "minimum_cents": amounts,
    "maximum_cents": amounts,
    "cents_each": amounts,
    "from_pool_each": amounts,
    "kind": kinds,
    "rule": st.sampled_from(RESTRICTIONS),
    "grounds": st.sampled_from(("", *GROUNDS)),
    "means": st.sampled_from(MEANS),
    "depth": counts,
    "from_back": counts,
    "notice_minutes": counts,
    "boxes": counts,
    "players": counts,
    "reason": reasons,
    "order": st.just(()),
    "cards": counts,
    "places": st.lists(st.integers(0, 99), min_size=1, max_size=22).map(tuple),
    "noticed": st.sampled_from(STAGES),
    "meant": st.sampled_from(("hit", "double", "split")),
    "what": st.sampled_from(("missing", "foreign")),
    "done": st.sampled_from(("decks", "surveillance", "inspector", "all")),
    "damaged": st.lists(st.sampled_from(deck("A23456789JQK")), max_size=4).map(tuple),
    "course": st.sampled_from(("shuffle", "cutting-card")),
    "cause": st.sampled_from(CAUSES),
    "breach": st.sampled_from(("", *BREACHES)),
    "exchange": st.sampled_from(("", "cash-change", "colour-change")),
    "forfeit": st.lists(names, max_size=3).map(tuple),
    "about": reasons,
    "ruling": reasons,
    "person": st.sampled_from(sorted(STAFF)) | names,
    "duty": st.sampled_from(DUTIES),
    "rounds": counts,
    "rounds_ago": counts,
    "card": counts,
    "decision": counts,
    "line": counts,
    "to": st.integers(0, 99),
    "during": st.sampled_from(("", "initial-deal", "dealers-hand")),
    "loss_limit_cents": amounts,
    "loss_left_cents": amounts,
    "over_cents": amounts,
    "deposit_left_cents": amounts,
    "restriction": st.sampled_from(("none", *RESTRICTIONS)),
    "barred": reasons,
    "cover_splits": st.booleans(),
    "paused": st.booleans(),
    "date": st.dates(),
    "minutes": counts,
    "at_ms": st.integers(1, 4_000_000_000_000),
    "wager": st.sampled_from(("", ORIGINAL, *KINDS)),
    "of": names,
    "ground": st.sampled_from(REMOVED_FOR),
    "why": reasons,
    "seconds": counts,
}
NEED_A_KIND = {a.RestrictSideBet, a.RequireSideBet}
NEED_A_BOX = (a.TakeSeat, a.FindWager, a.RefuseWager, a.FindInvalidWager, a.LeaveOut)
MAY_LEAVE_THE_BOX_OUT = [kind for kind in SAYABLE if "box" in kind.__struct_fields__ and kind not in NEED_A_BOX]


def noticed(draw: st.DrawFn, values: dict[str, Any]) -> dict[str, Any]:
    """What is noticed afterwards, with those fields alone that belong to it."""
    what = draw(st.sampled_from(tuple(a.NOTICED_LATER)))
    line = next(line for line in DECLARED["Notice"].lines if line.said["what"] == what)
    named = {name.removesuffix("...") for name in re.findall(r"<([^>]+)>", line.pattern)}
    return {"what": what, "by": values["by"], **{name: values[name] for name in named}}


@st.composite
def acts(draw: st.DrawFn, kind: type[AnyAct]) -> AnyAct:
    """Any act of a kind that a line can say."""
    values: dict[str, Any] = {}
    hints = get_type_hints(kind)
    for each in msgspec.structs.fields(kind):
        if hints[each.name] is bool:
            values[each.name] = draw(st.booleans())
        elif kind is a.ReserveBoxes and each.name == "boxes":
            values[each.name] = tuple(draw(st.lists(boxes, max_size=7)))
        elif kind in NEED_A_KIND and each.name == "kind":
            values[each.name] = draw(st.sampled_from(KINDS))
        elif each.default is None:
            values[each.name] = draw(st.none() | FIELDS[each.name])
        else:
            values[each.name] = draw(FIELDS[each.name])
    if kind is a.DisplaySign:
        values["what"] = draw(st.sampled_from(("limits", "closing")))
        if values["what"] == "closing":
            values |= {"minimum_cents": 0, "maximum_cents": 0, "kind": a.ORIGINAL}
    if kind is a.TakeDownSign:
        values["what"] = draw(st.sampled_from(("limits", "closing")))
        if values["what"] == "closing":
            values["kind"] = a.ORIGINAL
    if kind is a.Notice:
        values = noticed(draw, values)
    if kind is a.PlaceWager:
        values["token_cents"] = draw(st.integers(0, values["cents"]))
    if kind is a.BarPlayer:
        values["exclude"] = values["exclude"] or not (values["void"] or values["detained"])
    if kind is a.Cut:
        values["player"] = draw(st.sampled_from(("dealer", "supervisor")) | names)
    if kind in MAY_LEAVE_THE_BOX_OUT:
        values["box"] = draw(st.just(UNSAID_BOX) | boxes)
    return kind(**values)


@pytest.mark.parametrize("kind", SAYABLE, ids=lambda kind: kind.__name__)
@given(data=st.data())
@settings(max_examples=30, deadline=None)
def test_a_line_says_its_act_and_nothing_else(kind: type[AnyAct], data: st.DataObject) -> None:
    act = data.draw(acts(kind))
    line = format_act(act)
    assert parse(line) == act
    assert parse(f"  {line.replace(' ', '  ')}\t") == act or kind is a.OrderShuffle
    for clause in ("*", "12.1.4", "74(a)", "10.5:T1:5-card-21"):
        assert parse_line(format_line(act, clause)) == (act, clause)


@pytest.mark.parametrize("kind", SAYABLE, ids=lambda kind: kind.__name__)
def test_every_act_has_a_line(kind: type[AnyAct]) -> None:
    assert any(word in usage for usage in usages() for word in _verbs(kind))


def _verbs(kind: type[AnyAct]) -> list[str]:
    from pitboss.records.lines import _BY_ACT

    return [pattern.verb for pattern in _BY_ACT[kind]]


def test_a_device_that_mixes_needs_no_line() -> None:
    """A record's cards are in the order in which they leave the device."""
    with pytest.raises(RecordError, match="no play line says Mix"):
        format_act(a.Mix(()))


@pytest.mark.parametrize(
    ("line", "act"),
    [
        ("alice bets 25 on 1", a.PlaceWager("alice", 1, 2500)),
        ("alice bets 25.5 on 1", a.PlaceWager("alice", 1, 2550)),
        ("alice bets $25 on 1", a.PlaceWager("alice", 1, 2500)),
        ("alice bets 5 on 1 perfect-pairs", a.PlaceWager("alice", 1, 500, "perfect-pairs")),
        ("alice bets 5 perfect-pairs", a.PlaceWager("alice", UNSAID_BOX, 500, "perfect-pairs")),
        ("alice bets 25 on 1 with 10 in tokens", a.PlaceWager("alice", 1, 2500, token_cents=1000)),
        ("alice bets 2 on 1 unnoticed", a.PlaceWager("alice", 1, 200, unnoticed=True)),
        ("alice insures 12.50 on 1", a.Insure("alice", 1, 1250)),
        ("alice doubles", a.Double("alice", UNSAID_BOX)),
        ("alice doubles 25", a.Double("alice", UNSAID_BOX, 2500)),
        ("alice doubles on 1", a.Double("alice", 1)),
        ("bob doubles 10 on 1", a.Double("bob", 1, 1000)),
        ("bob declines on 1", a.Decline("bob", 1)),
        ("bob declines control on 1", a.DeclineControl("bob", 1)),
        ("bob declines the cut", a.DeclineCut("bob")),
        ("dealer closes insurance", a.CloseInsurance()),
        ("dealer closes surrender", a.CloseSurrender()),
        ("dealer shuffles", a.Shuffle(())),
        ("dealer shuffles by multishuffler", a.Shuffle((), "multishuffler")),
        ("supervisor cuts 96", a.Cut("supervisor", 96)),
        ("dealer finds alice on 1", a.FindWager("dealer", "alice", 1)),
        ("link pays 47500 each with 40000 from the pool", a.PayJackpot(4_750_000, 4_000_000)),
        ("casino-supervisor reserves 1 2 3 for alice", a.ReserveBoxes("casino-supervisor", "alice", (1, 2, 3))),
        ("casino-supervisor reserves none for alice", a.ReserveBoxes("casino-supervisor", "alice", ())),
        (
            "casino-supervisor sets limits 25 500 after 20 minutes",
            a.SetLimits("casino-supervisor", 2500, 50000, ORIGINAL, 20),
        ),
        (
            "casino-supervisor sets limits 25 500 binding-all",
            a.SetLimits("casino-supervisor", 2500, 50000, keep_old_minimum=False),
        ),
        (
            "casino-supervisor grants alice 2000 with minimum 100",
            a.GrantMaximum("casino-supervisor", "alice", 200_000, 10_000),
        ),
        (
            "gaming-manager opens perfect-pairs to others",
            a.RestrictSideBet("gaming-manager", "perfect-pairs", lift=True),
        ),
        (
            "casino-supervisor orders a shuffle because two cards stick",
            a.OrderShuffle("casino-supervisor", "two cards stick"),
        ),
    ],
)
def test_lines_that_people_write(line: str, act: AnyAct) -> None:
    assert parse(line) == act


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("alice dubbles on 1", '"alice dubbles on 1": no such act. Known: bets, withdraws, hits, stands, doubles, '),
        ("dealer dels", '"dealer dels": no such act. Known: cuts, deals, calls, '),
        ("gaming-manager dels", '"gaming-manager dels": no such act. Known: sets, grants, restricts, '),
        ("link dels", '"link dels": no such act. Known: sets, pays'),
        ("supervisor dels", '"supervisor dels": no such act. Known: cuts'),
        ("dealer hits on 1", '"dealer hits on 1": hits is not for dealer, but for a player. Known: '),
        ("alice deals", '"alice deals": deals is not for alice, but for the dealer. Known: '),
        ("alice", '"alice": a line says who does what, as in alice hits on 1'),
        ("", '"": a line says who does what'),
        ("alice bets", "AMOUNT is missing. Write: NAME bets AMOUNT [on BOX]"),
        ("alice bets twelve on 1", '"twelve" is not an amount: write dollars with at most two decimals'),
        ("alice bets 1e3 on 1", '"1e3" is not an amount'),
        ("alice bets -5 on 1", '"-5" is not an amount'),
        ("alice bets 1.005 on 1", '"1.005" is not an amount'),
        ("alice bets nan on 1", '"nan" is not an amount'),
        ("alice bets 99999999999 on 1", '"99999999999" is not an amount'),
        ("alice bets ٥ on 1", '"٥" is not an amount'),
        ("alice bets 5 on 0", '"0" is not a box: boxes are numbered from 1'),
        ("alice bets 5 on 100", '"100" is not a box'),
        ("alice bets 5 on", "BOX is missing"),
        (
            "alice bets 5 on 1 perfect-pears",
            '"perfect-pears" is none of perfect-pairs, any-pairs, star-pairs, blazing-7s',
        ),
        ("alice bets 5 on 1 with 6 in tokens", "more in tokens than the whole wager"),
        ("alice hits now", '"now" is left over. Write: NAME hits [on BOX]'),
        ("alice sits on 1", 'expected "at" and found "on". Write: NAME sits at BOX'),
        ("dealer closes", 'expected "insurance" and found the end of the line'),
        (
            "dealer closes perfect-pairs",
            'expected "to" and found the end of the line. Write: STAFF closes KIND to others',
        ),
        ("dealer places the cutting card many", '"many" is not a whole number of at most five digits'),
        ("gaming-manager restricts alice by zeal", '"zeal" is none of late-entry, '),
        ("gaming-manager restricts dealer by one-box", '"dealer" cannot be a player\'s name'),
        ("casino-supervisor reserves for alice", '"for" is not a box'),
        ("casino-supervisor orders a shuffle because", "REASON is missing"),
        ("9lives hits", '"9lives" is not a name: write 1 to 32 letters, digits, _ or -, beginning with a letter'),
        ("a" * 33 + " hits", "is not a name"),
        ("inspector bets 5 on 1", '"inspector" cannot be a player\'s name: the word has another meaning'),
        ("alice hits on 1 => refused", "after => write refused and a clause, as in => refused 12.1"),
        ("alice hits on 1 => allowed 12.1", "after => write refused and a clause"),
        ("alice hits =>", "after => write refused and a clause"),
        ("alice \x1b[31mhits", '"alice \\x1b[31mhits": no such act'),
        ("alice hits " + "x" * 600, "longer than 600 characters, no play line is"),
    ],
)
def test_a_line_that_cannot_be_read_is_answered_with_what_would_be_right(line: str, complaint: str) -> None:
    with pytest.raises(RecordError) as raised:
        parse_line(line)
    assert complaint in str(raised.value)
    assert str(raised.value).isprintable()
    assert len(str(raised.value)) < 600
