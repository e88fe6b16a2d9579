"""Whoever rules is named in what came of it, with the reason that was given."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.json import decode, encode

from pitboss import load, open_table, play
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.events import AnyEvent
from pitboss.table.house import DEVICE, default_house
from pitboss.table.state import Table
from pitboss.table.telling import tell

NSW, BY = "nsw-pontoon", "casino-supervisor"


def table_of(cards: str = "Kc 7s 9h 9d 6d 8s", *, deal: bool = True, source: str = "shoe") -> Table:
    house = default_house(load(NSW), source=source)
    table = open_table(NSW, cards=cards, house=house)
    table, _ = play(table, a.PlaceWager("alice", 1, 1000), a.PlaceWager("bob", 2, 1000))
    return play(table, a.Deal())[0] if deal else table


DISPUTED = (a.RaiseDispute("alice", "a payment"),)
RULINGS: dict[str, tuple[bool, tuple[a.Act, ...], a.Act, type[Any], str]] = {
    "void": (True, (), a.VoidRound(BY, "a spill", "misdeal"), e.RoundVoided, "a spill"),
    "invalidate": (True, (), a.InvalidateRound(BY, "disturbance"), e.RoundVoided, "disturbance"),
    "bar": (True, (), a.BarPlayer(BY, "bob", "a calculator"), e.PlayerBarred, "a calculator"),
    "void wagers": (True, (), a.BarPlayer(BY, "bob", "a phone", exclude=False), e.WagersVoided, "a phone"),
    "detain": (
        True, (), a.BarPlayer(BY, "bob", "a camera", True, False, False), e.PersonDetained, "a camera",
    ),
    "restrict": (False, (), a.Restrict("gaming-manager", "bob", "one-box", True), e.PlayerRestricted, "1 box"),
    "mispayment": (
        True, (), a.RecordMispayment(BY, "bob", 500, reason="miscounted"), e.MispaymentRecorded, "miscounted",
    ),
    "refuse": (False, (), a.RefuseWager(BY, "bob", 2, reason="too late"), e.WagerReturned, "too late"),
    "rule": (True, DISPUTED, a.RuleDispute("gaming-supervisor", "alice", "it stands"), e.DisputeRuled, "it stands"),
    "shuffle": (False, (), a.OrderShuffle(BY, "a bent card"), e.ShuffleOrdered, "a bent card"),
    "replace": (False, (), a.ReplaceCards("gaming-manager", "a marked ace"), e.CardsReplaced, "a marked ace"),
    "repair": (
        False, (a.ReportMalfunction("dealer"),), a.RepairDevice(BY, "a new motor"), e.SourceChanged, "a new motor",
    ),
    "stop": (True, (), a.StopTable(BY, "a short float"), e.TableStopped, "a short float"),
}  # fmt: skip


@pytest.mark.clause("nsw-pontoon", "17.8", "19.8", "19.9", "19.16", "19.17", "17.18", "4.1.4")
@pytest.mark.parametrize("name", RULINGS)
def test_a_ruling_names_who_decided_and_why(name: str) -> None:
    deal, first, act, kind, why = RULINGS[name]
    table = table_of(deal=deal, source=DEVICE if name in ("replace", "repair") else "shoe")
    table, _ = play(table, *first)  # type: ignore[arg-type]
    _, events = play(table, act)  # type: ignore[arg-type]
    ruling = next(event for event in events if type(event) is kind)
    assert ruling.by == act.by  # type: ignore[attr-defined]
    said = tell(ruling, table.rulebook)
    assert why in said and act.by.replace("-", " ") in said  # type: ignore[attr-defined]
    assert decode(encode(ruling), type=AnyEvent) == ruling


def test_events_of_an_older_log_name_nobody() -> None:
    old = decode(b'{"event":"RoundVoided","clauses":["17.8"],"reason":"a fire"}', type=AnyEvent)
    assert isinstance(old, e.RoundVoided) and old.by == ""
    assert tell(old, table_of().rulebook) == "the round is void: a fire (NSW pontoon 17.8)"
    barred = decode(b'{"event":"PlayerBarred","clauses":["19.8"],"by":"x","player":"bob","reason":"y"}', type=AnyEvent)
    assert isinstance(barred, e.PlayerBarred) and not barred.wagers_stand
