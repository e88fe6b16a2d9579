"""The table at a terminal: the felt, what the dealer says below it, and a question with the letters that answer it."""

from __future__ import annotations

import re
import sys
import textwrap
import time
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from rich.console import Console
from rich.text import Text

from pitboss.basics.cards import SUIT_SIGNS, format_cards
from pitboss.basics.money import MoneyError, dollars, parse_cents, plain_dollars
from pitboss.records.model import RecordError, printable, quoted
from pitboss.records.saving import saved_text
from pitboss.rulebooks.clauses import cite
from pitboss.rulebooks.phrases import first_up
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import AnyAct
from pitboss.table.apply import evolve
from pitboss.table.engine import refusal
from pitboss.table.events import Event
from pitboss.table.legal import Waiting
from pitboss.table.positions import Position, positions, said_of
from pitboss.table.refusals import Refused
from pitboss.table.run import chips_left
from pitboss.table.telling import sentence
from pitboss.table.views import Viewer, cards_seen_by
from pitboss.terminal.felt import Felt, draw, money_line
from pitboss.terminal.keys import Keyboard, Keys
from pitboss.terminal.menu import chosen, games
from pitboss.terminal.opening import ChoiceError
from pitboss.terminal.painting import console_for, painted
from pitboss.terminal.protocol import speaks_unicode, write_record
from pitboss.terminal.session import Happening, RoundTold, Session
from pitboss.terminal.why import about, reasons
from pitboss.terminal.words import SIDE_CODES, Said, optional_wagers, understand, wagers_wanted

FINE = 0
TOLD_LINES = 5
"""Lines of what the dealer says; a high terminal shows more of them."""
TOLD_MOST = 40
REVIEWED_MAX = 100
"""Decisions of a session that the coach lists at its end; the costliest are listed before them, whenever they were."""
USUAL_HEIGHT = 30
UNSPOKEN = (e.StackArranged, e.CardsCleared, e.TurnCame, e.RoundBegan, e.HandHit, e.SideBetRestricted)
"""Events that the picture or the question says already."""
SLOW = (e.CardDealt, e.CardBurned, e.WagerPaid, e.WagerCollected, e.WagerStoodOff, e.DealerFinished, e.HandBust,
        e.CardsShuffled, e.SideBetPaid, e.SuperBonusPaid)  # fmt: skip
"""Events that one wants to see happen."""

ALWAYS = "? why  l legal  y history  w save  : type a line (:help)  q leave"


class Coach(Protocol):
    """Whoever knows what a choice is worth; the table itself does not."""

    def advise(self, position: Position) -> Any: ...

    def judge(self, position: Position, chosen: str, number: int = 0) -> Any: ...


def sit_down(session: Session, *, save: Path | None = None, pace: float = 0.2, coach: Coach | None = None) -> int:
    """Play until the player leaves; returns the exit code. However it ends, the session is saved."""
    keys = Keys()
    screen = TableScreen(session, keys, console_for(), save=save, pace=pace, coach=coach)
    try:
        with keys:
            try:
                screen.play()
            except KeyboardInterrupt:
                screen.console.print()
    finally:
        screen.goodbye()
    return FINE


def choose_game() -> str | None:
    """The menu of the five; None where nobody chooses."""
    console = console_for()
    console.print(Text("Which game?", style="bold"))
    for number, _, game, text in games():
        console.print(Text.assemble((f" {number} ", "bold reverse"), (f"  {game}", "bold green")))
        console.print(Text(f"     {text}", style="dim"))
    with Keys() as keys:
        while True:
            console.print(Text("1 to 5, q to leave: ", style="bold"), end="")
            try:
                said = keys.key()
            except KeyboardInterrupt:
                said = None
            if said is None or said.strip().lower() in ("q", "quit"):
                console.print()
                return None
            console.print(printable(said))
            if not said.strip():
                continue
            try:
                return chosen(said)
            except ChoiceError as error:
                console.print(Text(str(error), style="yellow"))


class TableScreen:
    """One player at one table."""

    def __init__(
        self,
        session: Session,
        keys: Keyboard,
        console: Console,
        *,
        save: Path | None = None,
        pace: float = 0.2,
        coach: Coach | None = None,
    ) -> None:
        self.session = session
        self.keys = keys
        self.console = console
        self.save_to = save
        self.pace = pace
        self.coach = coach
        self.judged: list[Any] = []
        """What the player decided, each with what it cost."""
        self.felt = Felt(session.rulebook, session.table.house, session.name, (*session.boxes, *session.bots.values()))
        self.unicode = speaks_unicode(sys.stdout)
        self.moves = console.is_terminal and not console.is_dumb_terminal
        """Whether the picture can be drawn over the last one."""
        self.told: deque[Text] = deque(maxlen=TOLD_MOST)
        self.message: list[Text] = []
        self.passed: set[tuple[str, int]] = set()
        """Offers of this moment that the player has passed over: what, and the box."""
        self.enter_repeats = False
        """Whether Enter alone wagers as in the last round: only where no Enter typed earlier can be meant."""
        self.cleared = False
        self.leaving = False
        self.told_rounds = 0
        self.drawn = ""

    # --- the round ---

    def play(self) -> None:
        session = self.session
        self.happen(session.run())
        while self.turn():
            self.happen(session.run())

    def turn(self) -> bool:
        """Ask for what the table waits for; False where the player leaves."""
        if self.session.over:
            return self.hear(self.ask_line("The arranged cards are used up: q to leave: "))
        waiting = self.session.waiting()
        if waiting.what not in ("insurance", "surrender"):
            self.passed.clear()
        if waiting.what == "wagers":
            text = self.ask_line(self.wager_question())
        elif waiting.what == "cut":
            least, most = self.session.cut_range()
            who = "you" if waiting.who[0] == self.session.name else waiting.who[0]
            question = f"The cut is offered to {who}, {least} to {most} cards deep (Enter anywhere, n no): "
            text = self.ask_line(question)
            text = "cut" if text is not None and not text.strip() else text
            digits = text is not None and text.strip().isascii() and text.strip().isdigit()
            text = f"cut {(text or '').strip()}" if digits else text
        elif waiting.what in ("insurance", "surrender"):
            return self.offer(waiting)
        elif waiting.what == "refund":
            text = self.ask_key(self.keyed(f"{waiting.who[0]}: ", [("t", "take the wagers back"), ("o", "play on")]))
            text = {"t": f"{waiting.who[0]} takes back", "o": f"{waiting.who[0]} plays on"}.get(text or "", text)
        elif waiting.what in ("decision", "forfeit", "answer", "expose", "short-hand"):
            text = self.ask_key(self.decision_question(waiting))
            text = self.completed(text, waiting)
        else:
            text = self.ask_line(f"The table waits for {waiting.who[0]} ({waiting.what}): ")
        return self.hear(text)

    def hear(self, text: str | None) -> bool:
        """Do what was typed; False where it says goodbye."""
        if text is None:
            return False
        self.message = []
        if self.coach is not None and text.strip() == "c" and self.advised():
            return True
        try:
            said = understand(text, self.session)
            if said.question == "quit":
                return self.stay()
            self.leaving = False
            if said.question:
                self.answer(said)
            elif self.are_wagers(said.acts):
                self.happen(self.session.do(*said.acts, a.Deal()))
            else:
                self.happen(self.session.do(*said.acts))
        except Refused as refused:
            self.refuse(str(refused.refusal))
        except MoneyError as error:
            self.say(first_up(str(error)), "yellow")
        except RecordError as error:
            known = len(text.strip()) > 1 or self.session.over or self.session.waiting().what in ("wagers", "cut")
            self.say(first_up(str(error)) if known else f"{quoted(text)} is none of the keys below.", "yellow")
        return True

    def are_wagers(self, acts: Iterable[AnyAct]) -> bool:
        """Wagers of one's own: nothing more is to be said before the deal."""
        found = list(acts)
        return bool(found) and all(isinstance(act, a.PlaceWager) and act.player == self.session.name for act in found)

    def stay(self) -> bool:
        """In the middle of a round one leaves only by saying so twice."""
        if not self.session.in_round or self.leaving:
            return False
        self.leaving = True
        wagered = dollars(self.session.on_table_cents())
        self.say(f"The round is not finished, and you have {wagered} on the table. Press q again to leave.", "yellow")
        return True

    # --- questions ---

    def wager_question(self) -> str:
        session = self.session
        table = session.table
        minimum = table.house.minimum_cents
        if any(session.name in box.wagers for box in table.boxes.values()):
            return "Your wagers are placed. Enter to deal, or add more: "
        if session.chips_cents() < minimum:
            left = dollars(session.chips_cents())
            self.say(f"You have {left} left, and the minimum is {dollars(minimum)}: buy 100 buys chips.", "yellow")
        last = session.last_wagers
        if last:
            placed = " ".join(in_short(act) for act in last)
            self.enter_repeats = self.keys.drop() and self.moves
            return f"Wagers, please ({'Enter' if self.enter_repeats else 'b'} for {placed}): "
        beside = optional_wagers(session)
        more = f" Optional, as in 25 {beside.split()[0]}=5: {beside}." if beside else ""
        return f"Wagers, please: 25 on every box, or 1=25 3=50.{more} Your wagers (:help explains): "

    def decision_question(self, waiting: Waiting) -> Text:
        table = self.session.table
        hand = table.boxes[waiting.box].hands[waiting.hand]
        mine = waiting.who[0] == self.session.name
        number = f" hand {waiting.hand + 1}" if len(table.boxes[waiting.box].hands) > 1 else ""
        total = f"{'soft ' if hand.soft and hand.total < 21 else ''}{hand.total}"
        dealer = self.signs(format_cards(table.dealer_cards))
        head = f"{'' if mine else waiting.who[0] + ', '}box {waiting.box}{number}, {total} against {dealer}: "
        return self.keyed(head[0].upper() + head[1:], self.choices(waiting))

    def choices(self, waiting: Waiting) -> list[tuple[str, str]]:
        """The letters that count now and what they do: nothing that would be refused."""
        table, who, box = self.session.table, waiting.who[0], waiting.box
        cents = table.boxes[box].hands[waiting.hand].wagers[who].cents
        found: list[tuple[str, str]] = []
        for key, label, act in (
            ("h", "hit", a.Hit(who, box)),
            ("s", "stand", a.Stand(who, box)),
            ("d", f"double {self.amount(cents)}", a.Double(who, box)),
            ("D", "less", a.Double(who, box, self.smallest_double(who, cents))),
            ("p", f"split {self.amount(cents)}", a.Split(who, box)),
            ("f", f"forfeit, lose {self.amount(cents)}", a.Forfeit(who, box)),
            ("k", "keep, play on", a.Keep(who, box)),
            ("e", "turn up", a.Expose(who, box)),
            ("n", "no", a.Decline(who, box)),
            ("t", "take the wager back", a.TakeBack(who)),
        ):
            if refusal(table, act) is None:
                found.append((key, label))
        return [*found, *self.asks_coach(found)]

    def asks_coach(self, found: list[tuple[str, str]]) -> list[tuple[str, str]]:
        return [("c", "coach")] if self.coach is not None and found else []

    def smallest_double(self, who: str, cents: int) -> int:
        chips = chips_left(self.session.table, who)
        return min(self.session.table.house.smallest_chip_cents, cents if chips is None else min(cents, chips))

    def amount(self, cents: int) -> str:
        return dollars(cents).removesuffix(".00")

    def completed(self, text: str | None, waiting: Waiting) -> str | None:
        """``D`` asks for how much."""
        if text == "t":
            return f"{waiting.who[0]} takes back"
        if text != "D":
            return text
        cents = self.session.table.boxes[waiting.box].hands[waiting.hand].wagers[waiting.who[0]].cents
        return self.how_much(f"Double for how much, up to {dollars(cents)} (Enter to cancel)? ", "double {}")

    def how_much(self, question: str, command: str) -> str | None:
        said = self.ask_line(question)
        if said is None:
            return None
        if not said.strip():
            return "legal"
        try:
            parse_cents(said.strip())
        except MoneyError:
            return said
        return command.format(said.strip())

    def offer(self, waiting: Waiting) -> bool:
        """Insurance and surrender, box by box; when all are asked the dealer closes the offer."""
        kind = a.Insure if waiting.what == "insurance" else a.Surrender
        open_offers = [
            act for act in self.session.offers(kind) if (waiting.what, act.box, act.player) not in self.asked_already()
        ]
        if not open_offers:
            return self.hear("no")
        act = open_offers[0]
        hand = self.session.table.boxes[act.box].hands[0]
        whose = "" if act.player == self.session.name else f"{act.player}, "
        head = f"{whose}box {act.box}, {hand.total}: ".capitalize()
        if kind is a.Insure:
            letters = [("i", f"insure {self.amount(act.cents)}"), ("I", "less"), ("n", "no insurance")]
        else:
            letters = [("r", "surrender half"), ("n", "play on")]
        letters += self.asks_coach(letters)
        text = self.ask_key(self.keyed(head, letters))
        if text is not None and text.strip() in ("n", "no"):
            self.passed.add((waiting.what, act.box))
            self.message = []
            return True
        if text == "I":
            text = self.how_much(
                f"Insure for how much, up to {dollars(act.cents)} (Enter to cancel)? ",
                f"{act.player} insures {{}} on {act.box}",
            )
        elif text in ("i", "insure"):
            text = f"{act.player} insures {dollars(act.cents)[1:].replace(',', '')} on {act.box}"
        elif text in ("r", "surrender"):
            text = f"{act.player} surrenders on {act.box}"
        return self.hear(text)

    def asked_already(self) -> set[tuple[str, int, str]]:
        table = self.session.table
        return {(what, box, name) for what, box in self.passed for name in table.boxes[box].line}

    def keyed(self, head: str, letters: Iterable[tuple[str, str]]) -> Text:
        text, used = Text(head, style="bold"), len(head)
        for key, label in letters:
            wide = len(key) + len(label) + 4
            if used + wide > self.console.width + 1:  # a key stays with what it does; the last space may stand over
                text.append("\n")
                used = 0
            text.append(f" {key} ", "bold reverse").append(f" {label} ", "not bold")
            used += wide
        return text

    # --- answers ---

    def answer(self, said: Said) -> None:
        session = self.session
        if said.question == "nothing":
            if session.waiting().what == "wagers":
                own = any(session.name in box.wagers for box in session.table.boxes.values())
                acts: tuple[AnyAct, ...] = (a.Deal(),) if own else (*session.again(), a.Deal())
                if own or (session.again() and self.enter_repeats):
                    self.happen(session.do(*acts))
                else:
                    self.say(first_up(wagers_wanted(session)) + ".", "yellow")
        elif said.question == "why":
            self.explain(said.rest)
        elif said.question == "legal":
            self.legal()
        elif said.question == "history":
            self.tell_history()
        elif said.question == "save":
            self.save(said.rest)
        elif said.question == "help":
            self.help()

    def explain(self, clause: str) -> None:
        rulebook = self.session.rulebook
        if clause:
            found = about(clause, rulebook)
            if not found:
                raise RecordError(f"{quoted(clause, 40)}: {rulebook.name} has no such clause")
            for _, number, gist in found[:12]:
                self.cited(number, gist)
            return
        for reason in reasons(self.session.last, rulebook, last=4):
            self.say(self.signs(reason.text[:300]), "italic")
            for _, number, gist in reason.clauses[:4]:
                self.cited(number, gist)

    def cited(self, number: str, gist: str) -> None:
        width = max(40, self.console.width - 1)
        for place, line in enumerate(textwrap.wrap(f"{number}  {gist}", width - 4, break_long_words=False)):
            indent = "  " if place == 0 else "      "
            cut = len(number) if place == 0 else 0
            self.message.append(Text.assemble(indent, (line[:cut], "bold cyan"), line[cut:]))

    def legal(self) -> None:
        session = self.session
        waiting = session.waiting()
        if waiting.what != "decision":
            for line in session.legal_lines():
                self.say(f"  {line}")
            return
        who, box = waiting.who[0], waiting.box
        acts: tuple[AnyAct, ...] = (a.Hit(who, box), a.Stand(who, box), a.Double(who, box), a.Split(who, box))
        for act in acts:
            refused = refusal(session.table, act)
            name = type(act).__name__.lower()
            if refused is None:
                self.message.append(Text.assemble((f"  {name:<7}", "bold green"), "yes"))
            else:
                self.message.append(
                    Text.assemble((f"  {name:<7}", "bold yellow"), f"no: {refused.text} ({cite(refused.clauses)})")
                )

    def tell_history(self) -> None:
        if not self.session.history:
            self.say("No round is finished yet.")
        for told in self.session.history[-8:]:
            self.say(self.round_line(told))

    def round_line(self, told: RoundTold) -> str:
        own = told.net_cents.get(self.session.name, 0)
        boxes = "  ".join(
            f"box {box} {' + '.join(format_cards(cards) for cards in hands)}"
            for box, hands in told.boxes.items()
            if box in self.session.boxes
        )
        dealer = f"dealer {format_cards(told.dealer)} ({told.dealer_total})"
        return self.signs(f"  {told.number:>3}  {'+' if own > 0 else ''}{dollars(own):<10} {dealer}  {boxes}")

    def save(self, target: str) -> None:
        target = target or (self.ask_line("Save the session as (Enter to cancel): ") or "").strip()
        if not target:
            return
        record = self.session.session_record()
        if record is None:
            raise RecordError("no round is finished yet: there is nothing to save")
        write_record(target, saved_text(record))
        self.say(f"Saved as {printable(target)}; pitboss replay {printable(target)} replays it.")

    def help(self) -> None:
        for line in (
            "25            $25 on each of your boxes, and the dealer deals",
            "1=25 3=50     on single boxes",
            "25 pp=5       adds Perfect Pairs (3pp=5 on box 3 only); ap, sp, b7 likewise",
            "b             the same wagers again, and the dealer deals",
            "? or ? 12.1   why: explains what just happened, or a clause",
            "l  y  w FILE  what is allowed now, past rounds, save the session",
            "buy 100       buys chips; so does any line of a record: bob bets 10 on 1",
        ):
            self.say("  " + line)

    def say(self, text: str, style: str = "") -> None:
        self.message.append(Text(text, style=style))

    def refuse(self, text: str) -> None:
        self.message.append(Text.assemble(("Refused. ", "bold yellow"), text))

    # --- what happens ---

    def happen(self, happenings: Iterable[Happening]) -> None:
        viewer = Viewer("player", self.session.name)
        for happening in happenings:
            table = happening.before
            for event in happening.events:
                table = evolve(table, (event,))
                self.felt.follow(event, table)
                seen = cards_seen_by(viewer, event, table)
                if seen is not None and not isinstance(seen, UNSPOKEN):
                    self.tell(seen)
                if isinstance(event, SLOW):
                    self.linger()
            self.judge(happening)
        self.told_rounds = min(self.told_rounds, self.session.rounds)  # one that is laid again is told again
        for told in self.session.history:
            if told.number > self.told_rounds:
                self.told_rounds = told.number
                own = told.net_cents.get(self.session.name, 0)
                sign = "+" if own > 0 else ""
                style = "bold green" if own > 0 else "bold red" if own < 0 else "bold"
                self.message = [Text(f"Round {told.number}: {sign}{dollars(own)}", style=style)]
                self.message += self.reviewed(told.number)

    # --- the coach ---

    def advised(self) -> bool:
        """Say what every choice is worth; False where nothing is to be decided."""
        found = positions(self.session.table, self.session.name)
        for position in found:
            try:
                advice = self.coach.advise(position) if self.coach is not None else None
            except ValueError as error:
                self.say(first_up(str(error)), "yellow")
                continue
            if advice is not None:
                worth = ", ".join(f"{each.act} {_worth(each.ev, position.wager_cents)}" for each in advice.options)
                self.say(f"Coach, box {position.box}: {worth}.", "green")
                self.say(advice.reason, "dim")
        return bool(found)

    def judge(self, happening: Happening) -> None:
        """Remember what a decision of the player cost."""
        if self.coach is None:
            return
        for position, word in said_of(happening.before, happening.act):
            if position.player == self.session.name:
                with suppress(ValueError):
                    self.judged.append(self.coach.judge(position, word, self.session.rounds + self.session.in_round))

    def reviewed(self, number: int) -> list[Text]:
        """What the decisions of a round cost."""
        found = [each for each in self.judged if each.round == number]
        if self.coach is None or not found:
            return []
        mistakes = [each for each in found if each.cost > 0]
        if not mistakes:
            return [Text(f"Coach: {_counted(len(found), 'decision')}, all best.", style="green")]
        told = [
            Text(f"Coach: {_counted(len(mistakes), 'mistake')} in {_counted(len(found), 'decision')}.", style="yellow")
        ]
        return told + [Text(f"  {self.mistake(each)}", style="yellow") for each in mistakes[:3]]

    def mistake(self, each: Any) -> str:
        cards = self.signs(format_cards(each.cards))
        dealer = self.signs(format_cards((each.dealer,)))
        cost = dollars(each.cost_cents)
        return f"{cards} against {dealer}: {each.best}, not {each.chosen}, which costs {cost} on average"

    def tell_review(self) -> None:
        """The session as the coach saw it, the costliest mistakes first."""
        if not self.judged:
            return
        right = sum(each.cost == 0 for each in self.judged)
        cost = sum(each.cost_cents for each in self.judged)
        share = f"{right / len(self.judged):.0%}"
        told = f"Coach: {right} of {_counted(len(self.judged), 'decision')} best ({share})"
        self.console.print(Text(f"{told}; mistakes cost {dollars(cost)} on average."))
        for each in sorted(self.judged, key=lambda one: -one.cost_cents)[:5]:
            if each.cost > 0:
                self.console.print(Text(f"  round {each.round}: {self.mistake(each)}"), soft_wrap=True)
        shown = self.judged[-REVIEWED_MAX:]
        left = f" (the last {REVIEWED_MAX} of {len(self.judged)})" if len(shown) < len(self.judged) else ""
        self.console.print(Text(f"Move by move{left}, with the value of every choice:"))
        for each in shown:
            self.console.print(Text(f"  round {each.round}: {self.move(each)}"), soft_wrap=True)

    def move(self, each: Any) -> str:
        """A decision with what every choice is worth, the best first, and what was chosen."""
        cards = self.signs(format_cards(each.cards))
        dealer = self.signs(format_cards((each.dealer,)))
        worth = ", ".join(f"{one.act} {_worth(one.ev, each.wager_cents)}" for one in each.options)
        chosen = f"you chose {each.chosen}" if each.cost > 0 else f"you chose {each.chosen}, the best"
        return f"{cards} against {dealer}: {worth}; {chosen}"

    def tell(self, event: Event) -> None:
        """What the dealer says and does, with the clause."""
        words = sentence(event, self.session.rulebook)
        if isinstance(event, (e.CardDealt, e.HandExposed)):
            words = self.signs(words)
        clauses = cite(event.clauses[:1]) + (" ..." if len(event.clauses) > 1 else "")
        line = Text.assemble((words, "bold" if isinstance(event, (e.BettingClosed, e.CutOffered)) else ""))
        line.append(f"  {clauses}", "cyan")
        self.told.append(line)
        if not self.moves:
            self.console.print(line)

    def signs(self, text: str) -> str:
        """Cards with their suits as signs."""
        if not self.unicode:
            return text
        return CARD_CODE.sub(lambda match: match[1] + SUIT_SIGNS[match[2]], text)

    def linger(self) -> None:
        """Draw, and give the eye a moment; whoever types ahead is not kept waiting."""
        if self.moves and self.pace and not self.keys.pending():
            self.show()
            time.sleep(self.pace)

    # --- the screen ---

    def ask_line(self, question: str) -> str | None:
        self.show(Text(question, style="bold"))
        return self.keys.line()

    def ask_key(self, question: Text) -> str | None:
        self.show(question)
        said = self.keys.key()
        if not self.cleared:  # the picture is not drawn over: what comes next stands below
            self.console.print(printable(said or ""))
        if said == ":":
            self.show(Text(": ", style="bold"))
            return self.keys.line()
        return said

    def frame(self, question: Text | None = None, told: int = TOLD_LINES, *, compact: bool = False) -> list[Text]:
        """The felt, what was told last, the message and the question; `compact` where there is little room."""
        session = self.session
        net = session.table.net[session.name] + session.on_table_cents()
        self.felt.money = money_line(session.name, session.chips_cents(), session.on_table_cents(), net)
        felt = painted(draw(self.felt, self.console.width, ascii_only=not self.unicode, compact=compact))
        tail = [] if question is None else [Text(ALWAYS, style="dim"), question]
        return [felt, *list(self.told)[len(self.told) - min(told, len(self.told)) :], *self.message, *tail]

    def show(self, question: Text | None = None) -> None:
        """Draw over the last picture where that can be done, else below it."""
        if not self.moves:
            felt, *rest = self.frame(question, told=0)
            if felt.plain != self.drawn:
                self.console.print(felt)
            self.drawn = felt.plain
            self.write(self.rendered(rest), question)
            return
        height = self.console.height
        lines: list[str] = []
        for compact in (False, True):
            told = TOLD_LINES + max(0, height - USUAL_HEIGHT)
            lines = self.rendered(self.frame(question, told, compact=compact))
            while len(lines) > height - 1 and told:
                told -= max(1, min(told, len(lines) - height + 1)) if told > TOLD_LINES else 1
                lines = self.rendered(self.frame(question, told, compact=compact))
            if len(lines) <= height - 1:
                break
        if len(lines) > height - 1:
            self.write(["", *lines] if self.cleared else lines, question)
            self.cleared = False
            return
        start = "\x1b[H" if self.cleared else "\x1b[2J\x1b[H"
        self.cleared = True
        self.console.file.write(start + "\x1b[K\n".join(lines) + "\x1b[J" + ("\n" if question is None else ""))
        self.console.file.flush()

    def write(self, lines: list[str], question: Text | None) -> None:
        """Lines below the last ones; after a question the answer is typed on its line."""
        self.console.file.write("\n".join(lines) + ("\n" if question is None and lines else ""))
        self.console.file.flush()

    def rendered(self, parts: Iterable[Text]) -> list[str]:
        """The lines of the screen, colours included, wrapped to its width."""
        with self.console.capture() as captured:
            for part in parts:
                self.console.print(part, soft_wrap=False)
        text = captured.get().rstrip("\n")
        return text.split("\n") if text else []

    def goodbye(self) -> None:
        """What the player leaves with, and how to play the same cards again; who arranged them knows.

        The session is saved before anything is printed: the terminal may have been closed.
        """
        session, console = self.session, self.console
        saved = None if self.save_to is None else self.save_last()
        console.print()
        if session.in_round:
            wagered = dollars(session.on_table_cents())
            console.print(f"The round is not finished: {wagered} stay on the table as they are.")
        if saved is not None:
            console.print(saved)
        self.tell_review()
        net = session.table.net[session.name] + session.on_table_cents()
        rounds = f"{session.rounds} round{'s' * (session.rounds != 1)}"
        sign = "+" if net > 0 else ""
        console.print(
            Text(f"{session.name} leaves with {dollars(session.chips_cents())} after {rounds} ({sign}{dollars(net)}).")
        )
        if not session.arranged:
            console.print(Text(f"The same cards again: --seed {session.seed}"), soft_wrap=True)

    def save_last(self) -> Text:
        """Save the session, and give what is to be said of it."""
        record = self.session.session_record()
        if record is None:
            return Text("No round was finished: nothing is saved.")
        try:
            write_record(str(self.save_to), saved_text(record))
        except RecordError as error:
            return Text(str(error), style="yellow")
        return Text(f"Saved as {printable(str(self.save_to))}.")


def _worth(ev: float, wager_cents: int) -> str:
    cents = round(ev * wager_cents)
    return f"{'+' if cents > 0 else ''}{dollars(cents)}"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def in_short(act: a.PlaceWager) -> str:
    """A wager as it is typed: ``3=50``, or ``3pp=5`` for an optional one."""
    code = next((code for code, kind in SIDE_CODES.items() if kind == act.kind), "")
    return f"{act.box}{code}={plain_dollars(act.cents)}"


CARD_CODE = re.compile(r"\b([A2-9TJQK])([shdc])\b")
