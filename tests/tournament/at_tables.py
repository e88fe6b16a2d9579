"""Whole tournaments that are played at their tables by players who choose at random, with all that goes wrong.

Every event is looked at: money and chips balance in the tournament and at each table, and both say the same.
"""

from __future__ import annotations

import random

import msgspec

from pitboss import load
from pitboss.basics.cards import Card, deck
from pitboss.chance import shuffled
from pitboss.ledger import Guard
from pitboss.table import acts as a
from pitboss.table.acts import Act
from pitboss.table.refusals import Refusal
from pitboss.table.run import chips_left
from pitboss.table.state import Table
from pitboss.table.tournament_play.turns import has_wagered, in_order, whose_turn
from pitboss.tournament import acts as ta
from pitboss.tournament.acts import MANAGER, TournamentAct
from pitboss.tournament.conditions import Conditions
from pitboss.tournament.playing import AtTable, Played, Room
from pitboss.tournament.sessions import digest_of, seed_of
from tests.tournament.running import BEFORE, LATE, SECRET, START, balanced

SUPERVISOR, GAMING = "casino-supervisor", "gaming-supervisor"


class Watched(Room):
    """A tournament with its tables, in which everything is looked at as it happens, and written down."""

    def __init__(self, conditions: Conditions, rng: random.Random) -> None:
        super().__init__(load(conditions.rulebook))
        self.conditions = conditions
        self.rng = rng
        self.guards: dict[str, Guard] = {}
        self.log: list[TournamentAct | tuple[str, Act | tuple[Card, ...]]] = []
        """What was asked for and allowed, and the cards that came, as a log keeps it."""
        self.bytes: list[bytes] = []
        """What came of each of them."""

    # --- looking ---

    def _decide(self, act: TournamentAct) -> Refusal | None:
        refused = super()._decide(act)
        if refused is None:
            balanced(self.state)
        return refused

    def _play(self, name: str, act: Act) -> Refusal | None:
        before = self.tables[name]
        seen = len(self._happened)
        refused = super()._play(name, act)
        if refused is None:
            done = next(each for each in self._happened[seen:] if isinstance(each, AtTable) and each.table == name)
            after = engine_after(before, done)
            guard = self.guards.setdefault(name, Guard())
            breach = guard.check(before, after, done.events, act)
            assert breach is None, f"{act}: {breach}"
            self.same_chips(name)
        return refused

    def same_chips(self, name: str) -> None:
        """Between rounds the table and the tournament agree on who is in and what lies in front of them."""
        table, on = self.tables[name], self.state.session(name)
        if table.session is None or on is None or table.phase != "wagers" or table.boxes or table.session.passing:
            return
        assert set(table.session.seats.values()) == set(on[1].playing), (table.session.seats, on[1].playing)
        for player in table.session.seats.values():
            assert chips_left(table, player) == on[1].chips[player], player
        assert table.session.number == on[1].number

    # --- doing ---

    def must(self, act: TournamentAct) -> Played:
        played = self.do(act)
        assert played.refusal is None, f"{act}: {played.refusal}"
        self.log.append(act)
        self.kept(played)
        return played

    def kept(self, played: Played) -> None:
        told = [[each.table, each.act, each.events] if isinstance(each, AtTable) else each for each in played.happened]
        self.bytes.append(msgspec.json.encode(told))

    def cards(self, table: str, cards: tuple[Card, ...]) -> None:
        refused = self.lay(table, cards)
        assert refused is None, refused
        self.log.append((table, cards))

    def deals(self, table: str, act: Act, *, may_fail: bool = False) -> bool:
        played = self.at(table, act)
        if played.refusal is not None:
            assert may_fail, f"{table} {act}: {played.refusal}"
            assert played.refusal.clauses
            return False
        self.log.append((table, act))
        self.kept(played)
        return True


def engine_after(before: Table, done: AtTable) -> Table:
    from pitboss.table.apply import evolve

    return evolve(before, done.events)


# --- a whole tournament ----------------------------------------------------------------------------------------------


def play_out(conditions: Conditions, entrants: int, tables: int, rng: random.Random, *, wild: float = 0.1) -> Watched:
    """From the entries to the prizes; `wild`: how often something goes wrong."""
    room = Watched(conditions, rng)
    names = [f"p{number:03}" for number in range(1, entrants + 1)]
    sign_up(room, names, tables)
    for stage in conditions.stages:
        play_stage(room, stage.name, wild)
    room.must(ta.AwardPrizes(MANAGER))
    return room


def enter(room: Watched, names: tuple[str, ...]) -> None:
    """Everybody has entered and sits at the tables of the first stage."""
    sign_up(room, list(names), 1)
    stage = room.conditions.stages[0].name
    secret = SECRET.format(stage)
    room.must(ta.DrawSeats(MANAGER, stage, secret, shuffled(names, seed_of(secret, stage, names))))
    for name in names:
        room.must(ta.ComeToSeat("player", name))
        if room.conditions.chips.bought:
            room.must(ta.BuyIn("dealer", name, room.conditions.chips.price_cents))


def sign_up(room: Watched, names: list[str], tables: int) -> None:
    conditions = room.conditions
    room.must(ta.OpenEntries(MANAGER, conditions))
    for name in names:
        room.must(ta.GiveCopy("dealer", name))
        if conditions.entry.agreement:
            room.must(ta.SignAgreement("player", name))
        room.must(ta.Apply("player", name, BEFORE))
        room.must(ta.PayFee("dealer", name, conditions.entry.fee_cents or 0, BEFORE))
    stages = conditions.stages
    room.must(ta.CommitDraws(MANAGER, {each.name: digest_of(SECRET.format(each.name)) for each in stages}))
    room.must(ta.DesignateTables(MANAGER, tuple(ta.Designated(f"T{n}") for n in range(1, tables + 1))))
    room.must(ta.CloseEntries(MANAGER, LATE))


def play_stage(room: Watched, stage: str, wild: float) -> None:
    rng, state = room.rng, room.state
    first = room.conditions.stages[0].name == stage
    people = (
        [each.name for each in state.entered()]
        if first
        else [n for n in state.qualified.get(stage, ()) if state.entrants[n].status == "entered"]
    )
    if not people:
        return
    secret = SECRET.format(stage)
    room.must(ta.DrawSeats(MANAGER, stage, secret, shuffled(people, seed_of(secret, stage, people))))
    for each in people:
        if rng.random() > wild / 4 or len(people) < 3:
            room.must(ta.ComeToSeat("player", each))
        if room.conditions.chips.bought:
            room.must(ta.BuyIn("dealer", each, room.conditions.chips.price_cents))
    room.must(ta.StartSession(MANAGER, stage, START))
    for _ in range(20):
        for key in list(room.state.sessions):
            if room.state.sessions[key].stage == stage and room.state.sessions[key].status == "drawn":
                room.must(ta.StartSession(MANAGER, stage, START))
            if room.state.sessions[key].stage == stage and room.state.sessions[key].status == "playing":
                play_session(room, room.state.sessions[key].table, wild)
        room.must(ta.Announce(MANAGER, stage))
        if room.state.stage != stage:
            return
    raise AssertionError(f"{stage} does not end")


def play_session(room: Watched, table: str, wild: float) -> None:
    """Round after round, until the session is over."""
    rng = room.rng
    for number in range(60):
        on = room.state.session(table)
        assert on is not None
        session, stage = on[1], room.conditions.stage(on[1].stage)
        over = bool(session.decided) if session.play_off else stage is not None and session.number >= stage.rounds
        if over or len(session.playing) < 2:
            break
        play_round(room, table, wild if number < 40 else 0.0)
    if not room.must(ta.ConcludeSession(SUPERVISOR, table)).happened:
        raise AssertionError
    on = room.state.session(table)
    assert on is not None
    if on[1].status == "over":  # nobody has played here
        room.must(ta.CountChips("dealer", table, {name: on[1].chips[name] for name in on[1].playing}))
    chip = min(room.conditions.chips.denominations_cents)
    missing = {chip: 1} if rng.random() < wild / 4 else {}
    room.must(ta.ReturnChips("dealer", table, missing))


def play_round(room: Watched, table: str, wild: float) -> None:
    rng = room.rng
    cards = list(deck(room.rulebook.cards.ranks.value)) * 6
    rng.shuffle(cards)
    room.cards(table, tuple(cards[:80]))
    if rng.random() < wild:
        go_wrong(room, table)
    if room.tables[table].session is None or not room.tables[table].session.seats:  # type: ignore[union-attr]
        return
    for _ in range(200):
        now = room.tables[table]
        assert now.session is not None
        todo = [name for name in in_order(now) if not has_wagered(now, name)]
        unread = [name for name, form in now.session.forms.items() if not form.examined]
        if unread:
            if not room.deals(table, a.ExamineForm(GAMING, unread[0], rng.random() < 0.3), may_fail=True):
                again = rng.random() < 0.5
                act: Act = a.ReturnForm(GAMING, unread[0]) if again else a.ExamineForm(GAMING, unread[0], True)
                room.deals(table, act)
            continue
        if not todo:
            break
        wager(room, table, whose_turn(now) or rng.choice(todo), wild)
        if not room.tables[table].session.seats:  # type: ignore[union-attr]
            return
    room.deals(table, a.Deal())
    for _ in range(400):
        now = room.tables[table]
        if now.phase == "wagers":
            return
        decide_hand(room, table, wild)
    raise AssertionError("a round does not end")


def wager(room: Watched, table: str, player: str, wild: float) -> None:
    """One player's wager: in chips, in writing, by a card, late, absent, out of turn or not at all."""
    rng, now = room.rng, room.tables[table]
    session = now.session
    assert session is not None
    least, most = now.house.minimum_cents, now.house.maximum_cents
    chips = chips_left(now, player) or 0
    box = session.box_of(player)
    roll = rng.random()
    if roll < wild:
        choice = rng.randrange(6)
        if choice == 0 and room.deals(table, a.PlayPassCard(player), may_fail=True):
            return
        if choice == 1:
            cents = rng.choice([0, least, least // 2, most * 2, chips * 2, least + 1, chips])
            kind = rng.choice(["original", "original", ""])
            if room.deals(table, a.HandInForm(player, kind, max(0, cents)), may_fail=True):
                return
        if choice == 2 and room.deals(table, a.DeductMinimum("dealer", player), may_fail=True):
            return
        if choice == 3:
            room.deals(table, a.HoldToMinimum("dealer", player), may_fail=True)
        if choice == 4:  # somebody else comes first
            other = rng.choice(list(session.seats.values()))
            room.deals(table, a.PlaceWager(other, session.box_of(other), least), may_fail=True)
            if has_wagered(room.tables[table], player):
                return
        if choice == 5 and len(session.seats) > 2 and rng.random() < 0.3:
            room.deals(table, a.RemovePlayer(SUPERVISOR, player, "every-round"))
            return
    elif roll < 0.2 and room.deals(table, a.HandInForm(player, "original", least * rng.randint(1, 4)), may_fail=True):
        return
    now = room.tables[table]
    units = min(most, chips) // least
    cents = least if player in now.session.held else least * rng.choice([1, 1, 2, units, max(1, units // 2)])  # type: ignore[union-attr]
    small = a.PlaceWager(player, box, least - 500, unnoticed=True)
    if rng.random() < wild / 3 and least > 500 and room.deals(table, small, may_fail=True):
        if rng.random() < 0.7:
            room.deals(table, a.FindWager("dealer", player, box), may_fail=True)
        return
    if not room.deals(table, a.PlaceWager(player, box, min(cents, most)), may_fail=True):
        room.deals(table, a.PlaceWager(player, box, least))


def decide_hand(room: Watched, table: str, wild: float) -> None:
    rng, now = room.rng, room.tables[table]
    if now.halted:
        assert now.session is not None and now.session.disputed, "the table waits for something else"
        room.deals(table, a.RuleDispute(SUPERVISOR, now.session.disputed[0], "it stands"))
        return
    if now.phase == "insurance":
        for area in now.boxes.values():
            for player, bet in area.hands[0].wagers.items() if area.hands else ():
                if rng.random() < 0.2:
                    room.deals(table, a.Insure(player, area.number, bet.cents // 2), may_fail=True)
        room.deals(table, a.CloseInsurance())
        return
    if now.phase == "surrender":
        for area in now.boxes.values():
            if rng.random() < 0.2 and area.controller:
                room.deals(table, a.Surrender(area.controller, area.number), may_fail=True)
        if room.tables[table].phase == "surrender":
            room.deals(table, a.CloseSurrender())
        return
    if rng.random() < wild / 30:
        room.deals(table, a.VoidRound("gaming-manager", "a card fell from the table"), may_fail=True)
        if room.tables[table].phase == "wagers":
            return
    if rng.random() < wild / 20:
        room.deals(table, a.RaiseDispute(now.boxes[now.turn_box].controller, "the count"), may_fail=True)
        return
    player, box = now.boxes[now.turn_box].controller, now.turn_box
    hand = now.hand_to_act()
    after_card: list[Act] = [a.Forfeit(player, box), a.Keep(player, box)]
    for act in after_card:
        if hand.doubled and rng.random() < 0.5 and room.deals(table, act, may_fail=True):
            return
    options: list[Act] = [a.Double(player, box), a.Split(player, box)]
    if rng.random() < 0.3 and room.deals(table, rng.choice(options), may_fail=True):
        return
    first: list[Act] = [a.Hit(player, box), a.Stand(player, box)]
    for act in first if hand.total < 15 else first[::-1]:
        if room.deals(table, act, may_fail=True):
            return
    for act in [*after_card[::-1], a.Expose(player, box)]:
        if room.deals(table, act, may_fail=True):
            return
    raise AssertionError(f"{player} can do nothing with {hand}")


def go_wrong(room: Watched, table: str) -> None:
    """Between two rounds: chips, counts, disputes, people who are removed."""
    rng, now = room.rng, room.tables[table]
    session = now.session
    if session is None or not session.seats:
        return
    player = rng.choice(list(session.seats.values()))
    choice = rng.randrange(7)
    if choice == 0:
        room.deals(table, a.CountStacks(SUPERVISOR))
    elif choice == 1:
        assert not room.deals(table, a.BuyChips(player, 500), may_fail=True)
        assert not room.deals(table, a.TakeChips(player, 500), may_fail=True)
    elif choice == 2:
        if room.deals(table, a.RaiseDispute(player, "the marker"), may_fail=True):
            if room.tables[table].halted:
                assert not room.deals(table, a.Deal(), may_fail=True)
                assert room.tables[table].session.disputed == (player,)  # type: ignore[union-attr]
            room.deals(table, a.RuleDispute(SUPERVISOR, player, "it lies right"))
    elif choice == 3 and len(session.seats) > 2:
        room.must(ta.Disqualify(MANAGER, player, "hid chips", "conceal"))
        assert not room.tables[table].session.has(player)  # type: ignore[union-attr]
    elif choice == 4:
        room.deals(table, a.SetWagerTime(SUPERVISOR, 20, True), may_fail=True)
    elif choice == 5:
        for name in session.seats.values():
            room.deals(table, a.InspectForm(player, name), may_fail=True)
    elif choice == 6:
        room.deals(table, a.WithdrawWager(player, session.box_of(player)), may_fail=True)
