"""What supervisors and managers do at a table: limits, restrictions, reserved boxes, approvals."""

from __future__ import annotations

from pitboss.basics.money import dollars
from pitboss.rulebooks.meanings import ALWAYS_FACE_UP, INSPECTOR_APPROVES_FACE_DOWN, handles
from pitboss.rulebooks.terms import Restriction, Term
from pitboss.rulebooks.vocabulary import the_role
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import ORIGINAL
from pitboss.table.authority import in_charge, names_who
from pitboss.table.chapters import carries_out
from pitboss.table.house import BLAZING, SHOE
from pitboss.table.patrons_book import LIMITS, limits_told
from pitboss.table.refusals import Broken, Refusal
from pitboss.table.roles import may_act
from pitboss.table.run import Run, both, heads, no, refuse_box, refuse_role
from pitboss.table.shuffle_and_cut import refuse_between_rounds
from pitboss.table.state import PlayerState, Table
from pitboss.table.tournament_play.turns import cite
from pitboss.table.wagers import give_back, refuse_betting, refuse_name, wager_before_deal

# --- limits ----------------------------------------------------------------------------------------------------------


def refuse_set_limits(table: Table, act: a.SetLimits) -> Refusal | None:
    terms = table.rulebook.limits
    refused = refuse_role(table, act.by, terms.changed_by, "alter the limits")
    if refused is None and table.session is not None:
        clauses = cite(table, "limits-change") + table.rulebook.tournament.items.clauses
        refused = no(table, clauses, "in a session the limits change as the conditions say, and not otherwise.")
    if refused:
        return refused
    if not 0 < act.minimum_cents <= act.maximum_cents:
        return no(table, terms.sign.clauses, "the minimum is above zero and not above the maximum.")
    if act.notice_minutes < 0:
        return no(table, terms.raise_notice_minutes.clauses, "say for how many minutes the sign has been on display.")
    if act.kind != ORIGINAL:
        if act.kind not in table.house.side_bets or act.kind == BLAZING:
            return no(table, terms.sign.clauses, f"this table has no limits for {act.kind!r} to alter.")
        return None
    if terms.change_told_first.value and act.notice_minutes == 0 and not _is_announced(table, act):
        return no(table, heads(terms.change_told_first), "players are at the table: a sign tells them first.")
    rises = act.minimum_cents > table.house.minimum_cents
    if rises and act.notice_minutes < terms.raise_notice_minutes.value:
        keeps = terms.raise_keeps_old_minimum
        if not (keeps.value and act.keep_old_minimum):
            minutes = terms.raise_notice_minutes.value
            text = f"a higher minimum needs a sign for {minutes} minutes, or those playing keep the old one."
            return no(table, both(terms.raise_notice_minutes) + heads(keeps), text)
    return None


def _is_announced(table: Table, act: a.SetLimits) -> bool:
    """Whether those at the table know of new limits: a sign says so, nobody is there, or they are what holds."""
    new = (act.minimum_cents, act.maximum_cents)
    if new == (table.house.minimum_cents, table.house.maximum_cents):
        return True
    told = [sign for sign in table.signs if (sign.what, sign.kind) == (LIMITS, ORIGINAL)]
    announced = new in [(sign.minimum_cents, sign.maximum_cents) for sign in told]
    return announced or not any(state.present for state in table.players.values())


@carries_out(a.SetLimits, refuse_set_limits)
def set_limits(run: Run, act: a.SetLimits) -> None:
    table = run.table
    terms = table.rulebook.limits
    clauses = both(terms.changed_by, terms.sign)
    kept: tuple[str, ...] = ()
    if act.kind == ORIGINAL:
        rises = act.minimum_cents > table.house.minimum_cents
        if act.notice_minutes < terms.raise_notice_minutes.value:
            kept = tuple(name for name, s in table.players.items() if s.minimum_cents or (rises and s.present))
        if kept:
            clauses = both(terms.raise_keeps_old_minimum, terms.changed_by)
        elif rises or any(s.minimum_cents and not s.maximum_cents for s in table.players.values()):
            clauses = both(terms.raise_notice_minutes, terms.changed_by)
    run.emit(e.LimitsSet(clauses, act.by, act.minimum_cents, act.maximum_cents, act.kind, kept))
    run.emit(e.NoticeGiven(terms.sign.clauses, "players", limits_told(act.kind, act.minimum_cents, act.maximum_cents)))


def refuse_grant(table: Table, act: a.GrantMaximum) -> Refusal | None:
    terms = table.rulebook.limits
    refused = refuse_role(table, act.by, terms.personal_maximum_by, "let a player exceed the maximum")
    refused = refused or refuse_name(table, act.player)
    if refused:
        return refused
    if act.maximum_cents <= table.house.maximum_cents:
        most = dollars(table.house.maximum_cents)
        return no(table, terms.personal_maximum_by.clauses, f"a maximum of one's own is above the sign's {most}.")
    if act.minimum_cents is not None and not 0 < act.minimum_cents <= act.maximum_cents:
        return no(table, terms.personal_maximum_by.clauses, "the minimum is above zero and not above the maximum.")
    return None


@carries_out(a.GrantMaximum, refuse_grant)
def grant(run: Run, act: a.GrantMaximum) -> None:
    clauses = run.table.rulebook.limits.personal_maximum_by.clauses
    minimum = act.minimum_cents or 0
    run.emit(e.MaximumGranted(clauses, act.by, act.player, act.maximum_cents, minimum))
    run.emit(e.NoticeGiven(clauses, "players", f"{act.player}: maximum {dollars(act.maximum_cents)}"))


# --- restrictions ----------------------------------------------------------------------------------------------------


def _rule(table: Table, name: str, player: str) -> Restriction | None:
    """The restriction of that name for which the player has given occasion; else the first of that name."""
    rules = [rule for rule in table.rulebook.limits.restrictions.value if rule.name == name]
    rules.sort(key=lambda rule: rule.condition == "none")
    return next((rule for rule in rules if applies(table, rule, player)), rules[0] if rules else None)


@names_who(a.Restrict, a.LiftRestriction)
def restrictor(table: Table, act: a.Restrict | a.LiftRestriction) -> Term[str]:
    """Whom the restriction names that the act speaks of, or that the player is under."""
    state = table.players.get(act.player)
    name = act.rule if isinstance(act, a.Restrict) else state.restriction if state is not None else ""
    rule = _rule(table, name, act.player)
    if rule is None:
        return Term("casino-supervisor", table.rulebook.limits.restrictions.clauses)
    return Term(rule.by, rule.clauses)


handles(
    "limits.restrictions:condition",
    "missed-a-round missed-first-two skipped-after-two recognised restricted-before none",
)
handles("limits.restrictions:source", (SHOE, "any"))


def applies(table: Table, rule: Restriction, player: str) -> bool:
    """Whether the player has given the occasion that the clause wants."""
    state = table.players.get(player) or PlayerState()
    played = table.played.get(player, 0)
    rounds = table.shoe_round
    first_two, later = played & 3, played >> 2
    match rule.condition:
        case "missed-a-round":
            return rounds > 0 and played != (1 << rounds) - 1
        case "missed-first-two":
            return rounds >= 2 and not first_two
        case "skipped-after-two":
            return rounds > 2 and bool(first_two) and later != (1 << (rounds - 2)) - 1
        case "recognised":
            return state.recognised
        case "restricted-before":
            return state.restricted_before
        case "none":
            return True
        case unknown:
            raise Broken(f"a restriction for an unknown occasion: {unknown}")


def refuse_restrict(table: Table, act: a.Restrict) -> Refusal | None:
    """Why this player may not be restricted so, or None if they may."""
    rule = _rule(table, act.rule, act.player)
    if rule is None:
        known = ", ".join(dict.fromkeys(rule.name for rule in table.rulebook.limits.restrictions.value)) or "none"
        clauses = heads(table.rulebook.limits.restrictions)
        return no(table, clauses, f"there is no restriction {act.rule!r} here; the rulebook has {known}.")
    refused = refuse_name(table, act.player)
    if refused:
        return refused
    term = table.rulebook.limits.restrictions
    if not may_act(act.by, rule.by):
        return no(table, rule.clauses, f"{the_role(rule.by)} may do this, not {the_role(act.by)}.")
    if rule.source == SHOE and table.house.source != SHOE:
        clauses = rule.clauses[:1] + table.rulebook.shuffle.sources.clauses
        return no(table, clauses, "this restriction goes with a card shoe, and the table has a shuffling device.")
    if not applies(table, rule, act.player):
        return no(table, rule.clauses or term.clauses, f"{act.player} has given no occasion for {act.rule}.")
    if rule.notice != "nobody" and rule.notice_first and not act.notified:
        return no(table, rule.clauses, f"the {rule.notice.replace('-', ' ')} is told or consulted first.")
    return None


@carries_out(a.Restrict, refuse_restrict)
def restrict(run: Run, act: a.Restrict) -> None:
    table = run.table
    rule = _rule(table, act.rule, act.player)
    if rule is None:
        raise Broken(f"a restriction that was not refused is none of the rulebook's: {act.rule}")
    if rule.notice != "nobody":
        text = f"{act.player} is restricted: {act.rule}"
        run.emit(e.NoticeGiven(rule.clauses, rule.notice, text, concerns=act.player))
    run.emit(
        e.PlayerRestricted(rule.clauses, act.by, act.player, rule.name, rule.minimum_only, rule.boxes_max, rule.until)
    )


def refuse_lift(table: Table, act: a.LiftRestriction) -> Refusal | None:
    state = table.players.get(act.player)
    clauses = heads(table.rulebook.limits.restrictions)
    if state is None or not (state.restriction or state.boxes_limit or state.cover_splits):
        return no(table, clauses, f"{act.player} is not restricted.")
    term = restrictor(table, act)
    if not may_act(act.by, term.value):
        return no(table, term.clauses, f"{the_role(term.value)} may lift it, not {the_role(act.by)}.")
    return None


@carries_out(a.LiftRestriction, refuse_lift)
def lift(run: Run, act: a.LiftRestriction) -> None:
    run.emit(e.RestrictionLifted(restrictor(run.table, act).clauses, act.by, act.player))


def refuse_limit_boxes(table: Table, act: a.LimitBoxes) -> Refusal | None:
    terms = table.rulebook.boxes
    refused = refuse_role(table, act.by, terms.several_limited_by, "hold a player to fewer boxes")
    refused = refused or refuse_name(table, act.player)
    if refused:
        return refused
    if not 1 <= act.boxes <= table.house.boxes:
        return no(table, terms.several.clauses, f"a player is held to 1 to {table.house.boxes} boxes.")
    return None


@carries_out(a.LimitBoxes, refuse_limit_boxes)
def limit_boxes(run: Run, act: a.LimitBoxes) -> None:
    terms = run.table.rulebook.boxes
    run.emit(e.BoxesLimited(both(terms.several, terms.several_limited_by), act.by, act.player, act.boxes))


def refuse_reserve(table: Table, act: a.ReserveBoxes) -> Refusal | None:
    term = in_charge(table, act)
    refused = refuse_role(table, act.by, term, "reserve boxes") or refuse_name(table, act.player)
    for number in act.boxes:
        refused = refused or refuse_box(table, number)
    if refused:
        return refused
    refused = refuse_between_rounds(table, term.clauses)
    if refused:
        return refused
    for number in act.boxes:
        owner = table.reserved.get(number)
        if owner not in (None, act.player):
            return no(table, term.clauses, f"box {number} is reserved for {owner} already.")
        box = table.boxes.get(number)
        if box is not None and any(name != act.player for name in box.wagers):
            return no(table, term.clauses, f"others have wagers on box {number}.")
    return None


@carries_out(a.ReserveBoxes, refuse_reserve)
def reserve(run: Run, act: a.ReserveBoxes) -> None:
    clauses = in_charge(run.table, act).clauses
    run.emit(e.BoxesReserved(clauses, act.by, act.player, tuple(sorted(set(act.boxes)))))


def refuse_cap_players(table: Table, act: a.CapPlayers) -> Refusal | None:
    term = in_charge(table, act)
    refused = refuse_role(table, act.by, term, "cap the players at the table")
    if refused:
        return refused
    if act.players < 0:
        return no(table, term.clauses, "a cap is a number of players, or 0 for none.")
    return None


@carries_out(a.CapPlayers, refuse_cap_players)
def cap_players(run: Run, act: a.CapPlayers) -> None:
    run.emit(e.PlayersCapped(in_charge(run.table, act).clauses, act.by, act.players))


def refuse_cap_box(table: Table, act: a.CapBox) -> Refusal | None:
    terms = table.rulebook.boxes
    refused = refuse_role(table, act.by, terms.box_players_capped_by, "allow fewer players on a box")
    if refused:
        return refused
    if not 1 <= act.players <= terms.players_max.value:
        return no(table, terms.players_max.clauses, f"a box takes 1 to {terms.players_max.value} players.")
    return None


@carries_out(a.CapBox, refuse_cap_box)
def cap_box(run: Run, act: a.CapBox) -> None:
    run.emit(e.BoxesCapped(run.table.rulebook.boxes.box_players_capped_by.clauses, act.by, act.players))


def refuse_refuse_wager(table: Table, act: a.RefuseWager) -> Refusal | None:
    term = table.rulebook.wagers.refused_by
    refused = refuse_role(table, act.by, term, "refuse a wager")
    if refused:
        return refused
    if table.phase != "wagers":
        return no(table, term.clauses, "a wager is refused before the first card of the round.")
    if not wager_before_deal(table, act.player, act.box, act.kind):
        return no(table, term.clauses, f"{act.player} has no such wager on box {act.box}.")
    return None


@carries_out(a.RefuseWager, refuse_refuse_wager)
def refuse_wager(run: Run, act: a.RefuseWager) -> None:
    clauses = run.table.rulebook.wagers.refused_by.clauses
    give_back(run, act.player, act.box, act.kind, "refused", clauses, act.by, act.reason)


# --- optional wagers and approvals -----------------------------------------------------------------------------------


def refuse_restrict_side_bet(table: Table, act: a.RestrictSideBet) -> Refusal | None:
    bet = table.rulebook.side_bets.get(act.kind)
    if bet is None or act.kind not in table.house.side_bets:
        clauses = bet.offered.clauses if bet else table.rulebook.wagers.before_first_card.clauses
        return no(table, clauses, f"this table offers no {act.kind!r} that could be limited.")
    refused = refuse_role(table, act.by, bet.restricted_by, f"limit {act.kind} to players with an original wager")
    if refused:
        return refused
    if not act.lift and not (act.notified and act.sign):
        text = "Surveillance and an inspector are told first, and a sign is displayed."
        return no(table, bet.restricted_by.clauses, text)
    return None


@carries_out(a.RestrictSideBet, refuse_restrict_side_bet)
def restrict_side_bet(run: Run, act: a.RestrictSideBet) -> None:
    clauses = run.table.rulebook.side_bets[act.kind].restricted_by.clauses
    if not act.lift:
        text = f"{act.kind} limited to players with an original wager"
        run.emit(e.NoticeGiven(clauses, "surveillance and inspector", text))
        run.emit(e.NoticeGiven(clauses, "players", text))
    run.emit(e.SideBetRestricted(clauses, act.by, act.kind, not act.lift))


def refuse_require_side_bet(table: Table, act: a.RequireSideBet) -> Refusal | None:
    bet = table.rulebook.side_bets.get(act.kind)
    if bet is None or act.kind not in table.house.side_bets or not bet.compulsory.value:
        clauses = bet.compulsory.clauses if bet else table.rulebook.wagers.before_first_card.clauses
        return no(table, clauses, f"{act.kind} cannot be made a condition of play at this table.")
    if not may_act(act.by, "casino-supervisor"):
        return no(table, bet.compulsory.clauses, "a casino supervisor has the notice displayed.")
    return refuse_betting(table)


@carries_out(a.RequireSideBet, refuse_require_side_bet)
def require_side_bet(run: Run, act: a.RequireSideBet) -> None:
    clauses = run.table.rulebook.side_bets[act.kind].compulsory.clauses
    run.emit(e.SideBetRequired(clauses, act.by, act.kind, act.required))
    run.emit(
        e.NoticeGiven(clauses, "players", f"{act.kind} is {'' if act.required else 'no longer '}a condition of play")
    )


def refuse_resplit(table: Table, act: a.AllowResplit) -> Refusal | None:
    terms = table.rulebook.splitting
    refused = refuse_role(table, act.by, terms.resplit_by, "allow players to split again")
    refused = refused or refuse_between_rounds(table, terms.resplit_by.clauses)
    if refused:
        return refused
    if act.allowed and not act.advised:
        return no(table, terms.resplit_by.clauses, "all players are advised of the option before play begins.")
    return None


@carries_out(a.AllowResplit, refuse_resplit)
def allow_resplit(run: Run, act: a.AllowResplit) -> None:
    run.emit(e.ResplitAllowed(run.table.rulebook.splitting.resplit_by.clauses, act.by, act.allowed))


def refuse_defer(table: Table, act: a.DeferInterim) -> Refusal | None:
    return refuse_role(table, act.by, table.rulebook.interim.deferrable_by, "approve payment at the final settlement")


@carries_out(a.DeferInterim, refuse_defer)
def defer(run: Run, act: a.DeferInterim) -> None:
    run.emit(e.InterimDeferred(run.table.rulebook.interim.deferrable_by.clauses, act.by, act.deferred))


def refuse_face_down_order(table: Table, act: a.DealFaceDown) -> Refusal | None:
    term = table.rulebook.cards.face_down
    if ALWAYS_FACE_UP[term.value]:
        return no(table, term.clauses, "all cards are dealt face up.")
    refused = refuse_between_rounds(table, term.clauses)
    if refused:
        return refused
    if act.face_down and not act.approved:
        wanted = (
            "an inspector approves it first" if INSPECTOR_APPROVES_FACE_DOWN[term.value] else "the players ask for it"
        )
        return no(table, term.clauses, f"{wanted}.")
    if not may_act(act.by, "casino-supervisor"):
        return no(table, term.clauses, "a casino supervisor orders it, with that approval.")
    return None


@carries_out(a.DealFaceDown, refuse_face_down_order)
def order_face_down(run: Run, act: a.DealFaceDown) -> None:
    run.emit(e.FaceDownOrdered(run.table.rulebook.cards.face_down.clauses, act.by, act.face_down))
