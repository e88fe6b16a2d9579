"""A shuffling device that fails, jams or works again, and jackpot equipment that fails."""

from __future__ import annotations

from pitboss.adjudicate.situations.parts import SUPERVISOR, Fact, Facts, Rule, Situation
from pitboss.basics.cards import parse_cards
from pitboss.rulebooks.meanings import (
    CARDS_MOVED_TO_SPARE,
    DAMAGED_CARDS_REPLACED,
    DEALT_ON_TO_CUTTING_CARD,
    FAULT_MAY_BE_RECTIFIED,
    JAM_IS_CLEARED,
    NEW_CARDS_ARE_ANNOUNCED,
)
from pitboss.rulebooks.terms import Rulebook
from pitboss.table import acts as a
from pitboss.table.acts import AnyAct
from pitboss.table.state import Table


def _malfunction(rule: Rule) -> None:
    """Void or offer first, then what becomes of the cards: the order in which the engine goes."""
    facts = rule.facts
    if facts.get("rectifiable") and _may_be_rectified(rule.book, facts):
        text = "A fault that can be put right first time is put right, and the round goes on from the device."
        rule.say(text, "device.failure", kind="cards", on=("cannot be fixed",))
        return
    moved = facts.get("spare") and facts.get("transferable") and CARDS_MOVED_TO_SPARE[rule.value("device.undamaged")]
    ended = facts.get("disadvantage") and facts.get("in_round", True)
    case = HARM if ended else NOT_MOVED if not moved else DAMAGED if facts.get("damage") else MOVED
    rule.say("The game stops while the device is seen to.", "device.failure", on=case)
    if ended:
        if not rule.tell("device.disadvantage", kind="money", on=HARM):
            return
        rule.tell("irregularities.void_interim", kind="money")
    elif not moved and facts.get("in_round", True) and rule.value("device.refund_offered"):
        rule.say("Each player may first take back their wagers, or play on.", "device.refund_offered", kind="choice")
    if facts.get("damage") and DAMAGED_CARDS_REPLACED[rule.value("device.damaged")]:
        text = "The damaged cards are replaced by the same cards of a new deck."
        rule.say(text, "device.damaged", kind="cards", on=INTO_SPARE if moved else FROM_NEW_DECK)
    if moved and ended:
        text = "The rules say no more of the cards once the round was ended: the next is dealt from the other device."
        rule.say(text, "device.disadvantage", kind="cards", on=HARM)
        return
    if moved:
        text = "The cards go into the other device, and play continues from it."
        keys, on = (("device.damaged",), SOUND_CARDS) if facts.get("damage") else (("device.undamaged",), MOVED)
        rule.say(text, *keys, kind="cards", on=on)
        return
    if DEALT_ON_TO_CUTTING_CARD[rule.value("device.finish")] and facts.get("course") == "cutting-card":
        text = "A cutting card is put into the cards that are left, and dealing goes on by hand until it comes."
        rule.say(text, "device.finish", "device.cutting_card_decks", kind="cards")
    elif ended or not facts.get("in_round", True):
        text = "No round is being finished: the cards are shuffled and cut, and the next is dealt from a shoe."
        rule.say(text, "device.finish", kind="cards", on=SHUFFLED)
    else:
        rule.tell("device.finish", kind="cards")
    if facts.get("repairable") and _may_be_repaired(rule.book, facts):
        rule.say("The device is used again after the round, once it is repaired.", "device.after", kind="cards")
        return
    rule.tell("device.after", kind="cards")
    if NEW_CARDS_ARE_ANNOUNCED[rule.value("device.after")]:
        rule.notify("players", "once this shoe is played out, new cards are shuffled by hand", "device.after")


HARM, MOVED, NOT_MOVED = ("hurting anyone",), ("No card damage",), ("No spare",)
INTO_SPARE, FROM_NEW_DECK, SOUND_CARDS = ("Take damaged", "into the spare"), ("from a fresh deck.",), ("Move sound",)
DAMAGED, SHUFFLED = ("Cards damaged",), ("Shuffle",)
"""Of what the paragraph speaks that a step rests on."""


def _may_be_rectified(book: Rulebook, facts: Facts) -> bool:
    return FAULT_MAY_BE_RECTIFIED[book.device.failure.value] and facts.get("in_round") is not False


def _may_be_repaired(book: Rulebook, facts: Facts) -> bool:
    return NEW_CARDS_ARE_ANNOUNCED[book.device.after.value]


def _may_transfer(book: Rulebook, facts: Facts) -> bool:
    return CARDS_MOVED_TO_SPARE[book.device.undamaged.value]


def _malfunction_act(table: Table, facts: Facts) -> AnyAct | None:
    if facts.get("rectifiable") and _may_be_rectified(table.rulebook, facts):
        return None
    damaged = facts.get("damaged")
    cards = parse_cards(damaged) if isinstance(damaged, str) else ()
    return a.ReportMalfunction(
        "dealer",
        cards,
        bool(facts.get("disadvantage")) and table.phase != "wagers",
        bool(facts.get("spare")),
        bool(facts.get("transferable")),
        str(facts.get("course", "shuffle")),
        repairable=bool(facts.get("repairable")),
    )


def _jam(rule: Rule) -> None:
    if not JAM_IS_CLEARED[rule.value("device.jam")]:
        rule.say("The rules treat a jam as any other malfunction: see shuffling-device-malfunction.", "device.jam")
        return
    rule.say("The jammed cards are taken out, riffled once with the rest and put back.", "device.jam", kind="cards")
    count = rule.value("device.jam_burn")
    rule.say(f"{count} cards are then drawn face down and put aside.", "device.jam_burn", kind="cards")


def _repaired(rule: Rule) -> None:
    rule.say("The round is finished first.", "device.after")
    rule.say("Then the device is brought back, with new cards shuffled into it.", "device.after", kind="cards")
    rule.approve(SUPERVISOR, "has the device brought back", "device.after")


def _jackpot(rule: Rule) -> None:
    if not rule.book.blazing_7s.offered.value:
        rule.say("This game has no jackpot, so no such equipment can fail.", "blazing_7s.offered")
        return
    rule.tell("blazing_7s.fault", kind="money")
    rule.say("Until the equipment is restored no jackpot wagers are taken.", "blazing_7s.fault_approval")
    role = rule.value("blazing_7s.fault_approval")
    rule.approve(role, "approves that the game continues", "blazing_7s.fault_approval")


DEVICE: tuple[Situation, ...] = (
    Situation(
        "shuffling-device-malfunction",
        "device",
        "the shuffling device no longer works as it should",
        _malfunction,
        (
            Fact("in_round", "Is a round being played?"),
            Fact("rectifiable", "Can the fault be put right first time?", needed=_may_be_rectified, usual=False),
            Fact(
                "disadvantage",
                "Has it put a player or the house at a disadvantage?",
                needed=lambda book, facts: (
                    facts.get("in_round") is not False
                    and not (facts.get("rectifiable") and _may_be_rectified(book, facts))
                ),
            ),
            Fact(
                "damage",
                "Are cards damaged?",
                needed=lambda book, facts: DAMAGED_CARDS_REPLACED[book.device.damaged.value],
            ),
            Fact("spare", "Is another device readily available?", needed=_may_transfer),
            Fact(
                "transferable",
                "Is it practicable to move the cards?",
                needed=lambda book, facts: _may_transfer(book, facts) and bool(facts.get("spare")),
            ),
            Fact(
                "course",
                "Which course is taken?",
                "choice",
                {"shuffle": "shuffle the cards", "cutting-card": "deal on to a cutting card"},
                lambda book, facts: DEALT_ON_TO_CUTTING_CARD[book.device.finish.value],
            ),
            Fact("repairable", "Can the failure readily be repaired?", needed=_may_be_repaired),
            Fact("damaged", "Which cards are damaged?", "cards", at_table=True, usual=""),
        ),
        _malfunction_act,
        tells_all=False,
    ),
    Situation("jam", "device", "cards jammed in the shuffling device", _jam, tells_all=False),
    Situation(
        "device-repaired",
        "device",
        "the shuffling device works again",
        _repaired,
        act=lambda table, facts: a.RepairDevice(SUPERVISOR),
        tells_all=False,
    ),
    Situation(
        "jackpot-fault",
        "device",
        "the jackpot equipment failed",
        _jackpot,
        act=lambda table, facts: a.ReportJackpotFault("dealer"),
        tells_all=False,
    ),
)
