"""Players who are absent, sit idle, pause or break a rule, and wagers that may not stand as they lie."""

from __future__ import annotations

from pitboss.adjudicate.model import Notice, Step
from pitboss.adjudicate.situations.parts import (
    BOX,
    PLAYER,
    REASON,
    SUPERVISOR,
    Fact,
    Facts,
    Rule,
    Situation,
    actor,
    box_of,
    player_of,
    reason_of,
    remind,
)
from pitboss.adjudicate.words import who
from pitboss.rulebooks.meanings import (
    BARRED_FOR,
    CONTROL_PASSES_FIRST,
    KNOWS_INVALID_WAGERS,
    LOSS_EXCESS_GOES_BACK,
    MAY_BE_DETAINED,
    SMALL_WAGER_IS_VALID,
)
from pitboss.rulebooks.phrases import first_up
from pitboss.rulebooks.terms import Rulebook
from pitboss.table import acts as a
from pitboss.table.acts import AnyAct
from pitboss.table.conduct import PLAYER_DUTIES, STAFF_DUTIES
from pitboss.table.irregularities.people import DEVICE_DUTY
from pitboss.table.legal import waiting_for
from pitboss.table.state import Table


def _absent(rule: Rule) -> None:
    if CONTROL_PASSES_FIRST[rule.value("irregularities.absent_control")] and rule.facts["others"]:
        text = "Another player with a wager on the box decides in their place."
        rule.say(text, "irregularities.absent_control", kind="choice")
        return
    rule.tell("irregularities.absent_player", kind="cards")
    rule.say("The wager stays in play and is settled as any other.", "irregularities.absent_player", kind="money")


def _others_matter(book: Rulebook, facts: Facts) -> bool:
    return CONTROL_PASSES_FIRST[book.irregularities.absent_control.value]


def _turn_player(table: Table, facts: Facts) -> tuple[str, int]:
    """Who and where: as told, or whose word the table waits for."""
    waiting = waiting_for(table)
    player = facts.get("player") or (waiting.who[0] if waiting.who else "")
    box = facts.get("box") or waiting.box
    return str(player), int(str(box or 0))


def _invalid(rule: Rule) -> None:
    key = "irregularities.invalid_wager"
    if not KNOWS_INVALID_WAGERS[rule.value(key)]:
        rule.say("The rules have no such invalid wager: it counts as any other.", key)
        return
    stage = rule.facts["stage"]
    if stage == "before":
        rule.say("The wager goes back before the hand is dealt.", key, kind="money", on=("Before the hand",))
    elif stage == "during":
        text = "The wager is void: it goes back, and wins and loses nothing."
        rule.say(text, key, kind="money", on=("During the hand",))
        text = "What it has already won or lost in this round is undone."
        rule.say(text, key, kind="money", on=("During the hand",))
    else:
        rule.say("The wagers and results of earlier rounds stand.", key, kind="money", on=("Already settled",))
    rule.say("Before the next wager the person shows a valid card of their own.", "wagers.player_card")
    rule.approve(SUPERVISOR, "determines that the wager is invalid", key, on=("Card required", "proxy"))


def _has_invalid(book: Rulebook, facts: Facts) -> bool:
    return KNOWS_INVALID_WAGERS[book.irregularities.invalid_wager.value]


def _loss(rule: Rule) -> None:
    key = "irregularities.loss_limit_excess"
    if not LOSS_EXCESS_GOES_BACK[rule.value(key)]:
        rule.say("The rules have no loss limit: the wagers count as they lie.", key)
        return
    rule.say("What is above the loss limit goes back, the newest wager first. Earlier rounds stand.", key, kind="money")
    what = "the player is reminded of the duties that go with a loss limit"
    rule.notify("players", what, key, on=("remind the player",))


def _outside(rule: Rule) -> None:
    if rule.facts["side"] == "below":
        key = "limits.found_below_minimum"
        if rule.facts.get("warned") and not SMALL_WAGER_IS_VALID[rule.value(key)]:
            rule.say("The player has been told before: the wager goes back.", key, kind="money")
        else:
            rule.tell(key, kind="money")
        return
    rule.tell("limits.found_above_maximum", kind="money")
    if rule.value("limits.cascade"):
        text = "On a shared box the controlling player's wager counts first, then the others in line."
        rule.say(text, "limits.cascade", kind="money")


def _warned_matters(book: Rulebook, facts: Facts) -> bool:
    return facts.get("side") == "below" and not SMALL_WAGER_IS_VALID[book.limits.found_below_minimum.value]


def _late(rule: Rule) -> None:
    """Wagers are locked: they lie as they lay when betting was closed."""
    key = "wagers.locked"
    rule.tell(key)
    how = rule.facts["how"]
    if how == "placed":
        rule.say("What came too late is no wager: it goes back, and wins and loses nothing.", key, kind="money")
    elif how == "taken":
        text = "What was taken away is put back: the wager is settled as it lay when betting was closed."
        rule.say(text, key, kind="money")
    else:
        text = "It is put back where it lay when betting was closed, and is settled there."
        rule.say(text, key, kind="money")
    by = rule.value("wagers.refused_by")
    if by != "nobody":
        text = f"{who(by)} may refuse further wagers of a player who goes on so."
        rule.say(text, "wagers.refused_by", on=("touch",))
    by = rule.value("irregularities.invalidated_by")
    text = f"Where somebody did it to cheat, {who(by)} decides: see fraud."
    rule.say(text, "irregularities.invalidated_by", on=("fraud",))


def _barred(rule: Rule) -> None:
    """Each measure has its clause, and is for what its clause is about."""
    facts, cause = rule.facts, "irregularities.barred_for"
    if facts["breach"] == "device" and not _bans_devices(rule.book):
        rule.say("The rules ban no device: to have one is no breach of them.", cause)
        return
    by = rule.value("irregularities.barred_by")
    if by == "nobody" or not _is_cause(rule.book, facts):
        rule.say("The rules let nobody void wagers or exclude a person for that.", cause)
        disturbance = "irregularities.invalidated_by"
        rule.say(f"{who(rule.value(disturbance))} may act on a disturbance or a fraud: see there.", disturbance)
        return
    if facts["void"]:
        rule.say(
            f"{who(by)} declares the person's wagers void: they go back.", "irregularities.barred_wagers", kind="money"
        )
    if facts["exclude"]:
        rule.say(f"{who(by)} excludes the person from the game.", "irregularities.barred_excluded")
    if facts["detain"] and _may_detain(rule.book, facts):
        text = f"{who(by)} may have the person detained until an inspector or a police officer takes over."
        rule.say(text, "irregularities.detained_until")
        rule.notify("inspector", "the person who is detained with a prohibited device", "irregularities.detained_until")
    if not rule.steps:
        rule.say(f"{who(by)} may declare the wagers void, exclude the person, or both; nothing else follows.", cause)
    rule.approve(by, "decides on the measures", "irregularities.barred_by")


def _bans_devices(book: Rulebook) -> bool:
    return DEVICE_DUTY in book.irregularities.conduct.value


def _is_cause(book: Rulebook, facts: Facts) -> bool:
    terms = book.irregularities
    known = facts.get("breach") != "device" or _bans_devices(book)
    return terms.barred_by.value != "nobody" and known and facts.get("breach") in BARRED_FOR[terms.barred_for.value]


def _may_detain(book: Rulebook, facts: Facts) -> bool:
    held = MAY_BE_DETAINED[book.irregularities.detained_until.value]
    return held and facts.get("breach") == "device" and _is_cause(book, facts)


def _measures(table: Table, facts: Facts) -> AnyAct | None:
    detain = bool(facts["detain"]) and _may_detain(table.rulebook, facts)
    if not (facts["void"] or facts["exclude"] or detain):
        return None
    return a.BarPlayer(
        actor(table.rulebook.irregularities.barred_by.value), player_of(facts), reason_of(facts), detain,
        bool(facts["void"]), bool(facts["exclude"]), str(facts["breach"]),
    )  # fmt: skip


def _duty(rule: Rule) -> None:
    """A duty of conduct that the rulebook knows; others are nobody's under it."""
    duty = str(rule.facts["duty"])
    known = rule.value("irregularities.conduct")
    if duty not in known:
        rule.say("The rules have no such duty.", "irregularities.conduct")
        return
    words = {**STAFF_DUTIES, **PLAYER_DUTIES}[duty]
    rule.steps.append(Step(f"{first_up(words)}.", (known[duty],)))
    rule.steps.append(Step("The person is reminded of the rule, and play continues.", (known[duty],)))
    by = rule.value("irregularities.barred_by")
    if duty.startswith("device") and by != "nobody":
        rule.say(f"{who(by)} may do more: see prohibited-device.", "irregularities.barred_by")
    rule.notices.append(Notice("staff" if duty in STAFF_DUTIES else "players", words, (known[duty],)))


def _pause(rule: Rule) -> None:
    key = "irregularities.loss_limit_pause_by"
    by = rule.value(key)
    if by == "nobody":
        rule.say("The rules have no loss limit, so nobody has to pause for one.", key)
        return
    rule.say(f"{who(by)} may keep the player from wagering until the new period begins.", key)
    rule.say("What they have on the table is played out and settled.", key, kind="money")
    rule.approve(by, "has the player pause", key)


def _idle(rule: Rule) -> None:
    key = "irregularities.idle_rounds"
    if rule.facts["full"]:
        text = f"Who has let {rule.value(key)} rounds in a row pass may be required to give up the seat."
        rule.say(text, key)
    else:
        rule.say("Seats or boxes are free, so nobody has to give up a seat.", key)


OF_THEIR_OWN = ("cards", "wagers", "total")
"""Duties that have a situation of their own."""
DUTIES = {name: words for name, words in (STAFF_DUTIES | PLAYER_DUTIES).items() if name not in OF_THEIR_OWN}

PLAYERS: tuple[Situation, ...] = (
    Situation(
        "player-absent",
        "players",
        "a player is absent or does not decide",
        _absent,
        (
            Fact("others", "Has another player a wager on the box?", needed=_others_matter),
            Fact("player", "Which player?", "name", at_table=True, usual=""),
            Fact("box", "On which box?", "number", at_table=True, usual=0),
        ),
        lambda table, facts: a.PassOver(*_turn_player(table, facts)),
        tells_all=False,
    ),
    Situation(
        "invalid-wager",
        "players",
        "a wager without a valid card of one's own, or for another",
        _invalid,
        (
            Fact(
                "stage",
                "When is it noticed?",
                "choice",
                {
                    "before": "before the hand is dealt",
                    "during": "in the course of the round, whether it was settled or not",
                    "after": "after its round was over",
                },
                _has_invalid,
            ),
            PLAYER,
            BOX,
        ),
        lambda table, facts: a.FindInvalidWager(SUPERVISOR, player_of(facts), box_of(facts)),
        tells_all=False,
    ),
    Situation(
        "over-loss-limit",
        "players",
        "a player's wagers exceed their loss limit",
        _loss,
        (PLAYER,),
        lambda table, facts: a.FindLossExcess(SUPERVISOR, player_of(facts)),
        tells_all=False,
    ),
    Situation(
        "wager-outside-limits",
        "players",
        "a wager below the minimum or above the maximum is noticed after the first card",
        _outside,
        (
            Fact(
                "side",
                "What is wrong with it?",
                "choice",
                {"below": "it is below the minimum", "above": "it is above the maximum"},
            ),
            Fact("warned", "Was the player told before that further ones go back?", needed=_warned_matters),
            PLAYER,
            BOX,
        ),
        lambda table, facts: a.FindWager("dealer", player_of(facts), box_of(facts)),
        tells_all=False,
    ),
    Situation(
        "late-wager",
        "players",
        "a wager was placed, changed, moved or taken away after betting was closed",
        _late,
        (
            Fact(
                "how",
                "What was done?",
                "choice",
                {
                    "placed": "a wager was placed or made higher",
                    "taken": "a wager was taken away or made smaller",
                    "moved": "a wager was moved or touched",
                },
                usual="moved",
            ),
            PLAYER,
        ),
        lambda table, facts: remind(table, facts, "wagers"),
        tells_all=False,
    ),
    Situation(
        "prohibited-device",
        "players",
        "a person uses a prohibited device, breaks another rule or behaves badly",
        _barred,
        (
            Fact(
                "breach",
                "What did they do?",
                "choice",
                {"device": "used a prohibited device", "rules": "broke another rule", "conduct": "behaved badly"},
            ),
            Fact("void", "Are their wagers to be declared void?", needed=_is_cause, usual=True),
            Fact("exclude", "Are they to be excluded from the game?", needed=_is_cause, usual=True),
            Fact("detain", "Are they to be detained with a prohibited device?", needed=_may_detain, usual=False),
            PLAYER,
            REASON,
        ),
        _measures,
        tells_all=False,
    ),
    Situation(
        "duty-of-conduct",
        "players",
        "staff advise or favour a player, or a player breaks a duty of conduct",
        _duty,
        (
            Fact(
                "duty",
                "Which duty?",
                "choice",
                DUTIES,
                known=lambda book, duty: duty in book.irregularities.conduct.value,
            ),
            Fact("person", "Who? A player, or the role of a member of staff", "name", at_table=True),
        ),
        lambda table, facts: a.Remind(SUPERVISOR, str(facts["person"]), str(facts["duty"])),
        tells_all=False,
    ),
    Situation(
        "loss-limit-reset",
        "players",
        "the period of a player's loss limit is about to be reset",
        _pause,
        (PLAYER,),
        lambda table, facts: a.PausePlayer(SUPERVISOR, player_of(facts)),
        tells_all=False,
    ),
    Situation(
        "seat-not-used",
        "players",
        "a seated player lets rounds pass without a wager",
        _idle,
        (Fact("full", "Are all other seats and boxes in use?"), PLAYER),
        lambda table, facts: a.VacateSeat("dealer", player_of(facts)),
        tells_all=False,
    ),
)
