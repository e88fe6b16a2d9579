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
)
from pitboss.adjudicate.words import who
from pitboss.rulebooks.meanings import (
    CONTROL_PASSES_FIRST,
    KNOWS_INVALID_WAGERS,
    LOSS_EXCESS_GOES_BACK,
    MAY_BE_DETAINED,
    SMALL_WAGER_IS_VALID,
)
from pitboss.rulebooks.phrases import first_up
from pitboss.rulebooks.terms import Rulebook
from pitboss.table import acts as a
from pitboss.table.conduct import PLAYER_DUTIES, STAFF_DUTIES
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
        rule.say("The rules know no such invalid wager: it counts as any other.", key)
        return
    stage = rule.facts["stage"]
    if stage == "before":
        rule.say("The wager goes back before the hand is dealt.", key, kind="money")
    elif stage == "during":
        rule.say("The wager is void: it goes back, and wins and loses nothing.", key, kind="money")
    else:
        rule.say("The wager has been settled: its result stands.", key, kind="money")
    rule.approve(SUPERVISOR, "determines that the wager is invalid", key)


def _has_invalid(book: Rulebook, facts: Facts) -> bool:
    return KNOWS_INVALID_WAGERS[book.irregularities.invalid_wager.value]


def _loss(rule: Rule) -> None:
    key = "irregularities.loss_limit_excess"
    if not LOSS_EXCESS_GOES_BACK[rule.value(key)]:
        rule.say("The rules know no loss limit: the wagers count as they lie.", key)
        return
    rule.say("What is above the loss limit goes back, the newest wager first. Earlier rounds stand.", key, kind="money")
    rule.notify("players", "the player is reminded of the duties that go with a loss limit", key)


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


def _barred(rule: Rule) -> None:
    key = "irregularities.barred_by"
    by = rule.value(key)
    if by == "nobody":
        rule.say("The rules forbid it, but let nobody void wagers or bar a person for it at the table.", key)
        return
    rule.say(f"{who(by)} may void the person's wagers: they go back.", key, kind="money")
    rule.say(f"{who(by)} may bar the person from the game.", key)
    if rule.facts["detain"] and MAY_BE_DETAINED[rule.value("irregularities.detained_until")]:
        text = f"{who(by)} may have the person detained until an inspector or a police officer takes over."
        rule.say(text, "irregularities.detained_until")
        rule.notify("inspector", "the person who is detained with a prohibited device", "irregularities.detained_until")
    rule.approve(by, "voids the wagers and bars the person", key)


def _may_detain(book: Rulebook, facts: Facts) -> bool:
    return MAY_BE_DETAINED[book.irregularities.detained_until.value]


def _duty(rule: Rule) -> None:
    """A duty of conduct that the rulebook knows; others are nobody's under it."""
    duty = str(rule.facts["duty"])
    known = rule.value("irregularities.conduct")
    if duty not in known:
        rule.say("The rules know no such duty.", "irregularities.conduct")
        return
    words = {**STAFF_DUTIES, **PLAYER_DUTIES}[duty]
    rule.steps.append(Step(f"{first_up(words)}.", (known[duty],)))
    rule.steps.append(Step("Whoever broke that is reminded of it, and play goes on.", (known[duty],)))
    by = rule.value("irregularities.barred_by")
    if duty.startswith("device") and by != "nobody":
        rule.say(f"{who(by)} may do more: see prohibited-device.", "irregularities.barred_by")
    rule.notices.append(Notice("staff" if duty in STAFF_DUTIES else "players", words, (known[duty],)))


def _pause(rule: Rule) -> None:
    key = "irregularities.loss_limit_pause_by"
    by = rule.value(key)
    if by == "nobody":
        rule.say("The rules know no loss limit, so nobody has to pause for one.", key)
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
                    "during": "in the course of the hand",
                    "after": "after it was settled",
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
        "prohibited-device",
        "players",
        "a person uses a prohibited device or breaks the rules",
        _barred,
        (
            Fact("detain", "Is the person to be detained with a prohibited device?", needed=_may_detain, usual=False),
            PLAYER,
            REASON,
        ),
        lambda table, facts: a.BarPlayer(
            actor(table.rulebook.irregularities.barred_by.value),
            player_of(facts),
            reason_of(facts),
            bool(facts["detain"]) and _may_detain(table.rulebook, facts),
        ),
        tells_all=False,
    ),
    Situation(
        "duty-of-conduct",
        "players",
        "staff advise or favour a player, or a player breaks a duty of conduct",
        _duty,
        (
            Fact("duty", "Which duty?", "choice", {**STAFF_DUTIES, **PLAYER_DUTIES}),
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
