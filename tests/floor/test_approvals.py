"""Two people: proposing, approving, what expires, who may, and that the act is done once and only then."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from pitboss.floor.approvals import EXPIRES_MS, OPEN_MOST
from pitboss.floor.model import Accepted, Caller, Denied, NotAllowed, Opening, Proposed, Unknown
from pitboss.floor.wire import AskShuffle
from pitboss.rulebooks import load
from pitboss.table import acts as a
from pitboss.table.engine import refusal
from pitboss.table.house import default_house
from tests.floor.peopled import Peopled, caller, run

SUE, SAM, MAX, IDA = (caller(name) for name in ("supervisor-1", "supervisor-2", "manager-1", "inspector-1"))


async def opened(house: Peopled, rulebook: str = "nsw-pontoon") -> None:
    opening = Opening(rulebook, house=default_house(load(rulebook), source="shuffling-device"))
    assert isinstance(await house.floor.open_table(SUE, "open", "t1", opening), Accepted)


async def in_a_round(house: Peopled) -> None:
    await opened(house)
    floor, dealer = house.floor, caller("dealer-1")
    assert isinstance(await floor.act(dealer, "t1", "s", AskShuffle()), Accepted)
    assert isinstance(await floor.act(caller("alice"), "t1", "w", a.PlaceWager("alice", 1, 500)), Accepted)
    while house.floor.hosts["t1"].table.phase == "wagers":
        answer = await floor.act(dealer, "t1", f"d{floor.hosts['t1'].version}", a.Deal())
        assert isinstance(answer, Accepted), answer


async def proposed(house: Peopled, act: Any, who: Caller = SUE, command: str = "p") -> str:
    answer = await house.floor.act(who, "t1", command, act)
    assert isinstance(answer, Proposed), answer
    return answer.proposal


async def word(house: Peopled, who: Caller, proposal: str, approve: bool = True) -> Any:
    return await house.reception.approvals.answer(who, proposal, approve, house.floor.approved)


def state(house: Peopled, proposal: str) -> str:
    return house.reception.approvals.proposals[proposal].state_at(house.clock.now_ms())


def limits(maximum_cents: int = 1_000_000) -> a.SetLimits:
    return a.SetLimits("", 500, maximum_cents)


def test_nothing_happens_before_the_second_person_approves(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        await opened(house)
        host = house.floor.hosts["t1"]
        before = host.version
        proposal = await proposed(house, limits())
        assert host.version == before and host.table.house.maximum_cents == 100_000
        assert isinstance(await word(house, MAX, proposal), Accepted)
        assert host.version == before + 1 and host.table.house.maximum_cents == 1_000_000
        assert state(house, proposal) == "done"
        last = house.entries("table:t1")[-1]
        assert last.by == "supervisor-1" and b"supervisor" in last.body
        kinds = [entry.kind for entry in house.entries("approvals")]
        assert kinds == ["proposed", "answered", "answered"]
        assert any(entry.kind == "approved" for entry in house.entries("audit"))

    run(tmp_path, test, staff=True)


def test_a_small_change_needs_nobody_else(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        await opened(house)
        assert isinstance(await house.floor.act(SUE, "t1", "1", limits(200_000)), Accepted)

    run(tmp_path, test, staff=True)


@pytest.mark.parametrize(
    ("who", "allowed"),
    [("supervisor-1", False), ("supervisor-2", False), ("manager-1", True), ("inspector-1", False), ("dealer-1", False),
     ("alice", False), ("admin-1", False), ("tournament-1", False)],
)  # fmt: skip
def test_who_may_approve_a_large_change(tmp_path: Path, who: str, allowed: bool) -> None:
    async def test(house: Peopled) -> None:
        await opened(house)
        proposal = await proposed(house, limits())
        answer = await word(house, caller(who), proposal)
        assert isinstance(answer, Accepted) == allowed, answer
        if not allowed:
            assert isinstance(answer, Denied)
            assert state(house, proposal) == "waiting"
            assert any(entry.kind == "denied" for entry in house.entries("audit"))

    run(tmp_path, test, staff=True)


def test_a_void_round_takes_two_supervisors(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        await in_a_round(house)
        proposal = await proposed(house, a.VoidRound("", "the cards fell"))
        assert isinstance(await word(house, SUE, proposal), Denied)
        assert isinstance(await word(house, SAM, proposal), Accepted)
        assert house.floor.hosts["t1"].table.phase == "wagers"
        assert house.floor.hosts["t1"].table.net["alice"] == 0

    run(tmp_path, test, staff=True)


def test_cards_are_dealt_face_down_with_an_inspectors_approval(tmp_path: Path) -> None:
    """NSW pontoon 3.6.2: the inspector's word is what `approved` means, whatever the supervisor writes."""

    async def test(house: Peopled) -> None:
        await opened(house)
        proposal = await proposed(house, a.DealFaceDown("", approved=True))
        assert isinstance(await word(house, MAX, proposal), Denied)
        assert isinstance(await word(house, IDA, proposal), Accepted)
        assert house.floor.hosts["t1"].table.house.face_down

    run(tmp_path, test, staff=True)


def test_proposals_expire(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        await opened(house)
        proposal = await proposed(house, limits())
        house.clock.pass_ms(EXPIRES_MS - 1)
        assert state(house, proposal) == "waiting"
        house.clock.pass_ms(1)
        assert state(house, proposal) == "expired"
        answer = await word(house, MAX, proposal)
        assert isinstance(answer, Denied) and "expired" in answer.text
        assert house.floor.hosts["t1"].table.house.maximum_cents == 100_000

    run(tmp_path, test, staff=True)


def test_a_proposal_is_rejected_or_taken_back_once(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        await opened(house)
        one, two = await proposed(house, limits(), command="1"), await proposed(house, limits(), command="2")
        assert isinstance(await word(house, MAX, one, approve=False), Proposed)
        assert state(house, one) == "rejected"
        assert isinstance(await word(house, MAX, one), Denied)
        assert isinstance(await word(house, SUE, two, approve=False), Proposed), "one's own may be taken back"
        assert isinstance(await word(house, MAX, two), Denied)
        assert house.floor.hosts["t1"].table.house.maximum_cents == 100_000

    run(tmp_path, test, staff=True)


def test_approving_twice_at_the_same_time_acts_once(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        await opened(house)
        before = house.floor.hosts["t1"].version
        proposal = await proposed(house, limits())
        other = Caller("manager-2", "gaming-manager")
        answers = await asyncio.gather(*(word(house, who, proposal) for who in (MAX, MAX, other, other)))
        assert sum(isinstance(answer, Accepted) for answer in answers) in (1, 2)
        assert house.floor.hosts["t1"].version == before + 1

    run(tmp_path, test, staff=True)


def test_the_same_command_is_the_same_proposal(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        await opened(house)
        assert await proposed(house, limits()) == await proposed(house, limits())
        assert len(house.reception.approvals.proposals) == 1

    run(tmp_path, test, staff=True)


def test_what_the_rules_refuse_is_no_proposal(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        await opened(house)
        answer = await house.floor.act(SUE, "t1", "v", a.VoidRound("", "there is no round"))
        assert isinstance(answer, NotAllowed) and "no round" in answer.refusal.text
        assert not house.reception.approvals.proposals

    run(tmp_path, test, staff=True)


def test_what_the_rules_refuse_after_all_is_refused(tmp_path: Path) -> None:
    """NSW pontoon 3.6.2: between rounds only, and a round has begun meanwhile."""

    async def test(house: Peopled) -> None:
        await opened(house)
        proposal = await proposed(house, a.DealFaceDown(""))
        await another_round(house)
        answer = await word(house, IDA, proposal)
        assert isinstance(answer, NotAllowed)
        assert state(house, proposal) == "refused"
        assert answer.refusal.text in house.reception.approvals.proposals[proposal].text

    run(tmp_path, test, staff=True)


async def stood(house: Peopled) -> None:
    answer = await house.floor.act(caller("alice"), "t1", f"st{house.floor.hosts['t1'].version}", a.Stand("alice", 1))
    assert isinstance(answer, Accepted), answer


async def soft_turn(house: Peopled) -> None:
    """Rounds until alice may decide, and may stand."""
    for _ in range(60):
        await in_a_round(house) if "t1" not in house.floor.hosts else await another_round(house)
        table = house.floor.hosts["t1"].table
        if table.phase == "play" and table.hand_to_act().total >= table.compiled.must_draw_below:
            return
        await finished(house)
    raise AssertionError("no such hand in sixty rounds")


async def another_round(house: Peopled) -> None:
    floor, dealer = house.floor, caller("dealer-1")
    host = floor.hosts["t1"]
    if host.table.preparation == "shuffle":
        assert isinstance(await floor.act(dealer, "t1", f"s{host.version}", AskShuffle()), Accepted)
    await floor.act(caller("alice"), "t1", f"w{host.version}", a.PlaceWager("alice", 1, 500))
    while host.table.phase == "wagers":
        assert isinstance(await floor.act(dealer, "t1", f"d{host.version}", a.Deal()), Accepted)


async def finished(house: Peopled) -> None:
    """The round is played to its end."""
    host = house.floor.hosts["t1"]
    while host.table.phase != "wagers":
        for who, act in (
            ("alice", a.Stand("alice", 1)),
            ("alice", a.Hit("alice", 1)),
            ("dealer-1", a.CloseInsurance()),
            ("dealer-1", a.CloseSurrender()),
        ):
            if refusal(host.table, act) is None:
                assert isinstance(await house.floor.act(caller(who), "t1", f"f{host.version}", act), Accepted)
                break


def test_a_void_round_is_the_one_that_was_meant(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        await soft_turn(house)
        proposal = await proposed(house, a.VoidRound("", "the cards fell"))
        await finished(house)
        rounds = house.floor.hosts["t1"].rounds
        await soft_turn(house)
        answer = await word(house, SAM, proposal)
        assert isinstance(answer, Denied) and "ask again" in answer.text
        assert state(house, proposal) == "refused"
        assert house.floor.hosts["t1"].table.phase == "play" and house.floor.hosts["t1"].rounds >= rounds

    run(tmp_path, test, staff=True)


@pytest.mark.parametrize("moved_on", [False, True])
def test_what_a_player_had_called_for_is_said_by_two(tmp_path: Path, moved_on: bool) -> None:
    """NSW pontoon 17.8: the hand gets its card; nobody alone has a player's money decided."""

    async def test(house: Peopled) -> None:
        await soft_turn(house)
        host = house.floor.hosts["t1"]

        def cards() -> int:
            return len(host.table.boxes[1].hands[0].cards)

        proposal = await proposed(house, a.LeaveOut(1), caller("dealer-1"))
        assert cards() == 2
        if moved_on:
            await stood(house)
            await soft_turn(house)
            answer = await word(house, SUE, proposal)
            assert isinstance(answer, Denied) and cards() == 2
        else:
            assert isinstance(await word(house, SUE, proposal), Accepted)
            said = b"".join(entry.body for entry in house.entries("table:t1") if b'"LeaveOut"' in entry.body)
            assert b"HandHit" in said and b"hand-left-out" in said
            assert isinstance(await word(house, SUE, proposal), Denied), "it is done, once"

    run(tmp_path, test, staff=True)


def test_whoever_proposed_and_was_disabled_meanwhile_acts_no_more(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        await opened(house)
        proposal = await proposed(house, limits())
        await house.people.disable(caller("admin-1"), "supervisor-1", house.clock.now_ms())
        assert isinstance(await word(house, MAX, proposal), Denied)
        assert house.floor.hosts["t1"].table.house.maximum_cents == 100_000

    run(tmp_path, test, staff=True)


def test_a_second_person_posted_elsewhere_does_not_approve(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        await opened(house)
        proposal = await proposed(house, limits())
        assert isinstance(await word(house, Caller("manager-1", "gaming-manager", "", ("t2",)), proposal), Denied)

    run(tmp_path, test, staff=True)


def test_one_person_has_so_many_proposals_waiting(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        await opened(house)
        for number in range(OPEN_MOST):
            await proposed(house, limits(), command=str(number))
        assert isinstance(await house.floor.act(SUE, "t1", "more", limits()), Denied)

    run(tmp_path, test, staff=True)


def test_who_may_see_what_waits(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        await opened(house)
        proposal = await proposed(house, limits())
        approvals = house.reception.approvals
        listed = approvals.listed(MAX)
        assert isinstance(listed, list)
        assert (listed[0]["id"], listed[0]["yours"], listed[0]["act"]["act"]) == (proposal, True, "SetLimits")
        assert listed[0]["clauses"]
        mine = approvals.listed(SUE)
        assert isinstance(mine, list) and mine[0]["yours"] is False
        assert isinstance(approvals.listed(caller("alice")), Denied)
        assert isinstance(approvals.listed(caller("dealer-1")), Denied)
        assert isinstance(await word(house, MAX, "no-such-proposal"), Unknown)

    run(tmp_path, test, staff=True)


def test_proposals_survive_a_restart(tmp_path: Path) -> None:
    async def before(house: Peopled) -> str:
        await opened(house)
        return await proposed(house, limits())

    proposal = run(tmp_path, before, staff=True)

    async def after(house: Peopled) -> None:
        assert state(house, proposal) == "waiting"
        assert isinstance(await word(house, MAX, proposal), Accepted)

    run(tmp_path, after)


def test_players_and_dealers_are_denied_before_anybody_is_asked(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        await in_a_round(house)
        for name in ("alice", "dealer-1", "admin-1", "inspector-1"):
            answer = await house.floor.act(caller(name), "t1", f"v-{name}", a.VoidRound("", "no"))
            assert isinstance(answer, Denied), (name, answer)
        assert not house.reception.approvals.proposals

    run(tmp_path, test, staff=True)


def test_a_command_said_again_is_its_proposal_whatever_has_changed(tmp_path: Path) -> None:
    """The maximum is no longer large beside what stands on the sign now: it is not set a second time."""

    async def test(house: Peopled) -> None:
        await opened(house)
        proposal = await proposed(house, limits())
        assert isinstance(await word(house, MAX, proposal), Accepted)
        version = house.floor.hosts["t1"].version
        assert await proposed(house, limits()) == proposal
        assert house.floor.hosts["t1"].version == version

    run(tmp_path, test, staff=True)


def test_what_was_done_before_the_server_died_is_told_as_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def before(house: Peopled) -> tuple[str, str]:
        await opened(house)
        found = []
        for name, cents in (("done", 1_000_000), ("not-done", 10_000_000)):
            proposal = await proposed(house, limits(cents), command=name)

            async def dies(*_: Any) -> Any:
                raise KeyboardInterrupt

            with monkeypatch.context() as killed:
                if name == "done":
                    killed.setattr(house.reception.approvals, "_carried_out", dies)
                else:
                    killed.setattr(house.floor, "approved", dies)
                with pytest.raises(KeyboardInterrupt):
                    await word(house, MAX, proposal)
            found.append(proposal)
        return found[0], found[1]

    done, not_done = run(tmp_path, before, staff=True)

    async def after(house: Peopled) -> None:
        approvals = house.reception.approvals
        assert state(house, done) == state(house, not_done) == "approved"
        await approvals.look_back()
        assert state(house, done) == "done" and state(house, not_done) == "approved"
        assert sum(entry.kind == "approved" for entry in house.entries("audit")) == 1
        listed = approvals.listed(MAX)
        assert isinstance(listed, list)
        assert {each["id"]: each["yours"] for each in listed} == {done: False, not_done: True}
        assert isinstance(await word(house, MAX, not_done), Accepted), "he says it once more"
        assert state(house, not_done) == "done"

    run(tmp_path, after)


def test_what_waits_is_not_pushed_out_by_what_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.floor.approvals.KEPT", 5)

    async def test(house: Peopled) -> None:
        await opened(house)
        waits = await proposed(house, limits())
        for number in range(8):
            other = await proposed(house, limits(), MAX, f"x{number}")
            await word(house, MAX, other, approve=False)
        assert state(house, waits) == "waiting" and len(house.reception.approvals.proposals) == 5

    run(tmp_path, test, staff=True)


def test_every_denial_of_a_proposal_is_in_the_audit(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        await opened(house)
        for number in range(OPEN_MOST):
            proposal = await proposed(house, limits(), command=str(number))
        assert isinstance(await house.floor.act(SUE, "t1", "more", limits()), Denied)
        await house.people.disable(caller("admin-1"), "supervisor-1", house.clock.now_ms())
        assert isinstance(await word(house, MAX, proposal), Denied)
        assert state(house, proposal) == "refused"
        texts = b"".join(entry.body for entry in house.entries("audit") if entry.kind == "denied")
        assert b"requests of yours are waiting" in texts and b"may no longer ask for this" in texts

    run(tmp_path, test, staff=True)


# --- one id, one thing -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("restarted", [False, True])
def test_what_was_accepted_under_an_id_is_no_proposal_when_said_again(tmp_path: Path, restarted: bool) -> None:
    """The maximum has been lowered since, so that now it would want a second person."""

    async def before(house: Peopled) -> Any:
        await opened(house)
        first = await house.floor.act(SUE, "t1", "x", limits(490_000))
        assert isinstance(first, Accepted)
        assert isinstance(await house.floor.act(MAX, "t1", "y", limits(50_000)), Accepted)
        if not restarted:
            await again(house, first)
        return first

    async def again(house: Peopled, first: Any) -> None:
        for act in (limits(490_000), a.BarPlayer("", "bob", "a device")):
            assert await house.floor.act(SUE, "t1", "x", act) == first
        assert not house.reception.approvals.proposals
        assert house.floor.hosts["t1"].table.house.maximum_cents == 50_000

    first = run(tmp_path, before, staff=True)
    if restarted:
        run(tmp_path, lambda house: again(house, first))


def test_what_was_refused_under_an_id_is_refused_when_said_again(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        await opened(house)
        act = a.VoidRound("", "the order is not known")
        first = await house.floor.act(SUE, "t1", "v", act)
        assert isinstance(first, NotAllowed)
        await another_round(house)
        assert await house.floor.act(SUE, "t1", "v", act) == first
        assert isinstance(await house.floor.act(SUE, "t1", "w", act), Proposed)

    run(tmp_path, test, staff=True)


def test_a_proposal_that_is_no_longer_listed_is_still_what_its_id_means(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitboss.floor.approvals.KEPT", 3)

    async def test(house: Peopled) -> None:
        await opened(house)
        first = await house.floor.act(SUE, "t1", "p", limits())
        assert isinstance(first, Proposed)
        await word(house, MAX, first.proposal, approve=False)
        for number in range(4):
            await word(house, MAX, await proposed(house, limits(), command=f"o{number}"), approve=False)
        assert first.proposal not in house.reception.approvals.proposals
        assert await house.floor.act(SUE, "t1", "p", limits()) == first
        assert await house.floor.act(SUE, "t1", "p", limits(110_000)) == first, "which one person could set"

    run(tmp_path, test, staff=True)


# --- small steps -----------------------------------------------------------------------------------------------------


def side_limits(maximum_cents: int) -> a.SetLimits:
    return a.SetLimits("", 500, maximum_cents, "perfect-pairs")


@pytest.mark.parametrize("set_to", [limits, side_limits])
def test_a_large_change_in_small_steps_is_a_large_change(tmp_path: Path, set_to: Any) -> None:
    """NSW pontoon 6.5: measured from what two people, or the opening, have agreed on."""

    async def test(house: Peopled) -> None:
        opening = Opening("nsw-pontoon", house=default_house(load("nsw-pontoon")))
        assert isinstance(await house.floor.open_table(SUE, "open", "t1", opening), Accepted)
        assert isinstance(await house.floor.act(SUE, "t1", "1", set_to(490_000)), Accepted)
        proposal = await proposed(house, set_to(990_000), command="2")
        assert isinstance(await house.floor.act(SUE, "t1", "3", set_to(100_000)), Accepted)
        assert isinstance(await house.floor.act(SUE, "t1", "4", set_to(450_000)), Accepted)
        assert isinstance(await word(house, MAX, proposal), Accepted)
        assert isinstance(await house.floor.act(SUE, "t1", "5", set_to(400_000)), Accepted)
        assert isinstance(await house.floor.act(SUE, "t1", "6", set_to(990_000)), Accepted), "as was agreed on"
        if set_to is limits:
            assert isinstance(await house.floor.act(SUE, "t1", "7", limits(200_000)), Accepted)
            await proposed(house, a.GrantMaximum("", "alice", 1_000_000), command="8")

    run(tmp_path, test, staff=True)


def test_a_maximum_for_one_player_is_measured_by_what_was_agreed_on(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        await opened(house)
        assert isinstance(await house.floor.act(SUE, "t1", "1", limits(490_000)), Accepted)
        await proposed(house, a.GrantMaximum("", "alice", 990_000), command="2")

    run(tmp_path, test, staff=True)


@pytest.mark.parametrize("every", [3, 256])
def test_what_was_agreed_on_is_known_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, every: int
) -> None:
    """From the acts, and from a checkpoint."""
    monkeypatch.setattr("pitboss.floor.host.CHECKPOINT_EVERY", every)

    async def before(house: Peopled) -> None:
        await opened(house)
        assert isinstance(await word(house, MAX, await proposed(house, limits(800_000))), Accepted)
        for number, cents in enumerate((100_000, 110_000, 120_000, 130_000, 140_000, 400_000)):
            assert isinstance(await house.floor.act(SUE, "t1", f"s{number}", limits(cents)), Accepted)

    async def after(house: Peopled) -> None:
        assert house.floor.hosts["t1"].agreed["original"] == 800_000
        assert isinstance(await house.floor.act(SUE, "t1", "z", limits(990_000)), Accepted)

    run(tmp_path, before, staff=True)
    run(tmp_path, after)
