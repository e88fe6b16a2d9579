"""``pitboss tournament enter`` and ``pitboss tournament draw``: the usual course of an entry, and of a draw."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from pathlib import Path

import msgspec

from pitboss.basics.money import dollars
from pitboss.chance import secret_token, shuffled
from pitboss.commands import Unread
from pitboss.commands.case_files import FINE, add_act, tables_in
from pitboss.commands.options import AsJson
from pitboss.commands.tournament import replay_file
from pitboss.papers.lines import PaperError, signed_cents
from pitboss.rulebooks.terms import Rulebook
from pitboss.store.files import write_new as write_whole
from pitboss.tournament import acts as ta
from pitboss.tournament.deciding import Case
from pitboss.tournament.engine import play
from pitboss.tournament.events import TournamentEvent
from pitboss.tournament.records import Result, tell, whole, write_act
from pitboss.tournament.sessions import digest_of
from pitboss.tournament.state import APPLIED, RESERVE, Tournament


def enter(
    file: str, *names: str, at: datetime.datetime | None = None, fee: str | None = None, json: AsJson = False
) -> int:
    """Enter people in a tournament: the form handed in, a copy of the conditions given, the fee paid.

    Each step follows the rulebook and is added to the record. Where the conditions require an agreement, it is signed;
    reserves pay nothing yet. If any step is refused, nothing is recorded.

    Parameters
    ----------
    file
        A record, NAME.tournament, that `pitboss tournament begin` has begun.
    names
        Who enters; people who have handed in the form continue from there.
    at
        When, as in 2027-02-01T12:00:00; by default now.
    fee
        What each person pays, in dollars; by default the fee in the conditions.
    """
    if not names:
        raise Unread("Say who enters: pitboss tournament enter FILE NAME [NAME ...].")
    if at is not None and at.tzinfo is not None:
        raise Unread("--at: write the casino's own time without a zone, as in 2027-02-01T12:00:00.")
    result = _holding(file)
    moment = at or datetime.datetime.now().replace(microsecond=0)
    try:
        cents = (result.record.conditions.entry.fee_cents or 0) if fee is None else signed_cents(fee, "--fee")
    except PaperError as error:
        raise Unread(f"{error}.") from None
    state, acts, events = result.state, list[ta.TournamentAct](), list[TournamentEvent]()
    for name in names:
        steps = _papers(result.rulebook, state, name, moment)
        state, happened = play(result.rulebook, state, *steps)
        if state.entrants[name].status == APPLIED:
            steps.append(ta.PayFee(ta.MANAGER, name, cents, moment))
            state, paid = play(result.rulebook, state, steps[-1])
            happened += paid
        acts += steps
        events += happened
    _write(file, result.rulebook, acts, events, json=json)
    if not json:
        waiting = sum(each.status == RESERVE for each in state.entrants.values())
        reserved = f", {waiting} in reserve" if waiting else ""
        print(
            f"{file}: {len(state.entered())} entered{reserved}; the pool is {dollars(state.accounts.get('pool', 0))}."
        )
    return FINE


def _papers(rulebook: Rulebook, state: Tournament, name: str, at: datetime.datetime) -> list[ta.TournamentAct]:
    """What comes before the fee, as far as it is still to be done."""
    who, found = state.entrants.get(name), list[ta.TournamentAct]()
    if who is None or who.status != APPLIED:
        found.append(ta.Apply(ta.PLAYER, name, at))
    if name not in state.copies and Case(rulebook, state).knows("copy"):
        found.append(ta.GiveCopy(ta.MANAGER, name))
    if name not in state.agreed and state.conditions is not None and state.conditions.entry.agreement:
        found.append(ta.SignAgreement(ta.PLAYER, name))
    return found


def draw(
    file: str, stage: str | None = None, *, commit: bool = False, secret: str | None = None, json: AsJson = False
) -> int:
    """Draw the seats of a stage from a secret committed before entries closed.

    With --commit a secret is made for each stage: they are kept in FILE.secrets, which only you can read, and their
    digests are written in the record. After a draw its secret is in the record: anyone with the record can check the
    draw.

    Parameters
    ----------
    file
        A record, NAME.tournament.
    stage
        The stage; by default the next one.
    commit
        Commit to the draws of all stages, before entries close.
    secret
        The secret of this draw, if it is not in FILE.secrets.
    """
    result = _holding(file)
    if commit:
        if stage is not None or secret is not None:
            raise Unread("--commit lays down the draws of all stages, with secrets of its own: leave the rest out.")
        return _commit(file, result, json=json)
    conditions, state = result.record.conditions, result.state
    if stage is None:
        left = (each.name for each in conditions.stages if each.name not in state.done)
        stage = next(left, conditions.stages[-1].name)
    if secret is None and stage in state.digests:
        secret = _kept(file, stage)
    wanted = whole(result.rulebook, state, ta.DrawSeats(ta.MANAGER, stage, secret or "", ()), shuffled)
    _, happened = play(result.rulebook, state, wanted)
    _write(file, result.rulebook, [wanted], happened, json=json)
    if not json:
        print(f"proof     the SHA-256 of its secret, {digest_of(secret or '')},")
        print(
            "          was laid down before entries closed; the secret is now in the record, and from it and the names"
        )
        print(f"          of who plays pitboss tournament run {file} draws the same seats again.")
    return FINE


def _commit(file: str, result: Result, *, json: bool) -> int:
    """Secrets beside the file first, then their digests in it: no digest is without its secret."""
    secrets = {stage.name: secret_token() for stage in result.record.conditions.stages}
    laid = ta.CommitDraws(ta.MANAGER, {stage: digest_of(each) for stage, each in secrets.items()})
    _, happened = play(result.rulebook, result.state, laid)
    path = _beside(file)
    if path.exists():
        raise Unread(f"{path}: there is such a file already; take it away, so that its secrets are not lost.")
    write_whole(path, "".join(f"{_quoted(stage)} = {_quoted(each)}\n" for stage, each in secrets.items()), 0o600)
    if tables_in(str(path)) != secrets:
        raise Unread(f"{path}: somebody else has just laid down these draws.")
    _write(file, result.rulebook, [laid], happened, json=json)
    if not json:
        print(f"{path}: the secrets; nobody else sees them before the draw, and without them nothing can be drawn.")
    return FINE


def _kept(file: str, stage: str) -> str:
    """The secret that is kept for a stage beside the record."""
    path = _beside(file)
    if not path.exists():
        raise Unread(f"{path}: not there; give the secret that was laid down for {stage} with --secret.")
    secret = tables_in(str(path)).get(stage)
    if not isinstance(secret, str):
        raise Unread(f"{path}: has no secret for {stage}; give it with --secret.")
    return secret


def _beside(file: str) -> Path:
    return Path(f"{file}.secrets")


def _quoted(text: str) -> str:
    return msgspec.json.encode(text).decode()


def _holding(file: str) -> Result:
    """A record that holds as far as it goes, and can be written on."""
    result = replay_file(file)
    if result.failures:
        raise Unread(f"{file}: {result.failures[0]}; nothing is added to a record that does not hold.")
    return result


def _write(
    file: str, rulebook: Rulebook, acts: Sequence[ta.TournamentAct], events: Sequence[TournamentEvent], *, json: bool
) -> None:
    """All acts at once at the end of the record, and what they led to."""
    add_act(file, ",\n  ".join(write_act(act) for act in acts))
    if json:
        print(msgspec.json.encode({"file": file, "events": events}).decode())
    else:
        for event in events:
            print(tell(event, rulebook))
