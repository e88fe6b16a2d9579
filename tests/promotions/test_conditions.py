"""The terms of a promotion: a missing item is named, and what the rules bar is refused."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from pitboss.papers.tables import ConditionsError
from pitboss.promotions import acts as pa
from pitboss.promotions.acts import MANAGER
from pitboss.promotions.allowed import pays_cash, refusals, refuse_conditions, refuse_missing, refuse_promotions
from pitboss.promotions.conditions import INCLUDED, missing, read
from pitboss.promotions.engine import decide
from pitboss.promotions.paper import printed, template
from pitboss.promotions.state import Promotion
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.table.refusals import Refusal
from tests.promotions.making import BOTH, NSW, WITHOUT, Running, at, clause, data_of, prize, terms_of


def lacks(rulebook: str, data: dict[str, Any]) -> list[tuple[str, str]]:
    return [(each.clause, each.key) for each in missing(load(rulebook), read(data, RULEBOOKS))]


def without(data: dict[str, Any], dotted: str) -> dict[str, Any]:
    """The same tables without one key; ``draws.at`` is that of the first draw."""
    found = copy.deepcopy(data)
    *tables, key = dotted.split(".")
    place: Any = found
    for table in tables:
        place = place[table]
        place = place[0] if isinstance(place, list) else place
    del place[key]
    return found


# --- offered or not --------------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "21.1")
@pytest.mark.clause("nsw-blackjack-challenge", "22.1")
@pytest.mark.parametrize("rulebook", BOTH)
def test_a_promotion_may_be_offered_by_whoever_acts_for_the_operator(rulebook: str) -> None:
    running = Running(terms_of(rulebook))
    running.refused(pa.OfferPromotion("dealer", at("02-20 09:00"), running.conditions), "1")
    running.refused(pa.OfferPromotion("inspector", at("02-20 09:00"), running.conditions), "1")
    events = running.does(pa.OfferPromotion(MANAGER, at("02-20 09:00"), running.conditions))
    assert clause(rulebook, "1") in events[0].clauses
    assert running.state.status == "offered"
    running.refused(pa.OfferPromotion(MANAGER, at("02-20 09:00"), running.conditions), "1")


@pytest.mark.parametrize("rulebook", WITHOUT)
def test_adelaide_and_canberra_have_no_promotional_prizes_and_say_so(rulebook: str) -> None:
    book = load(rulebook)
    refused = refuse_promotions(book)
    assert refused is not None and "has no rules for promotional prizes" in refused.text
    said = decide(book, Promotion(), pa.EndPromotion(MANAGER, at("02-20 09:00")))
    assert isinstance(said, Refusal) and said == refused
    conditions = terms_of(NSW, rulebook=rulebook)
    assert refuse_conditions(book, conditions) == refused and refusals(book, conditions) == (refused,)
    assert missing(book, conditions) == ()


# --- what must be there ----------------------------------------------------------------------------------------------


ITEMS = [
    ("award.manner", "7.1"),
    ("draws.at", "7.2"),
    ("draws.place", "7.2"),
    ("entry.eligibility", "7.3"),
    ("entry.minimum_wager", "7.4"),
    ("prizes.nature", "7.5"),
    ("draws.closes", "7.6"),
    ("promotion.begins", "7.7"),
    ("promotion.ends", "7.7"),
    ("promotion.place", "7.7"),
    ("claim.method", "7.8"),
    ("claim.present", "7.8"),
    ("winners.results", "7.10"),
    ("prizes.value", "7.11"),
    ("prizes.details", "7.11"),
    ("award.disbursement", "4"),
    ("available", "6"),
]


@pytest.mark.clause("nsw-pontoon", "21.4", "21.6", "21.7", "21.7.1", "21.7.2", "21.7.3", "21.7.4", "21.7.5", "21.7.6")
@pytest.mark.clause("nsw-pontoon", "21.7.7", "21.7.8", "21.7.10", "21.7.11")
@pytest.mark.clause("nsw-blackjack-challenge", "22.4", "22.6", "22.7", "22.7.1", "22.7.2", "22.7.3", "22.7.4")
@pytest.mark.clause("nsw-blackjack-challenge", "22.7.5", "22.7.6", "22.7.7", "22.7.8", "22.7.10", "22.7.11")
@pytest.mark.parametrize(("key", "below"), ITEMS)
@pytest.mark.parametrize("rulebook", BOTH)
def test_the_terms_have_every_item_and_a_missing_one_is_named(rulebook: str, key: str, below: str) -> None:
    assert lacks(rulebook, data_of(rulebook)) == []
    table, _, name = key.rpartition(".")
    shown = {"draws": f"draws.final.{name}", "prizes": f"prizes.car.{name}"}.get(table, key)
    less = without(data_of(rulebook), key)
    assert lacks(rulebook, less) == [(clause(rulebook, below), shown)]
    conditions = read(less, RULEBOOKS)
    refused = refuse_missing(load(rulebook), conditions)
    assert refused is not None and shown in refused.text
    assert decide(load(rulebook), Promotion(), pa.OfferPromotion(MANAGER, at("02-20 09:00"), conditions)) == refused


@pytest.mark.clause("nsw-pontoon", "21.7.9")
@pytest.mark.clause("nsw-blackjack-challenge", "22.7.9")
@pytest.mark.parametrize("rulebook", BOTH)
def test_the_terms_say_how_winners_are_notified(rulebook: str) -> None:
    said = clause(rulebook, "7.9")
    assert lacks(rulebook, data_of(rulebook, winners__told_by=[])) == [(said, "winners.told_by")]
    none = without(data_of(rulebook, winners__told_by=[]), "winners.notified")
    assert lacks(rulebook, none) == [(said, "winners.notified"), (said, "winners.told_by")]
    there = data_of(rulebook, winners__told_by=[], claim__present=True, winners__notified="called out at the draw")
    assert lacks(rulebook, there) == []


def test_where_no_wager_is_compulsory_none_is_missing() -> None:
    data = without(data_of(NSW, entry__wager_required=False), "entry.minimum_wager")
    assert lacks(NSW, data) == []
    assert "No wager is needed to enter. [21.7.4]" in printed(load(NSW), read(data, RULEBOOKS))


DETAILS = [
    ("machinery", "make", "7.11.1(i)"),
    ("machinery", "model", "7.11.1(ii)"),
    ("machinery", "accessories", "7.11.1(iii)"),
    ("vehicle", "make", "7.11.2(i)"),
    ("vehicle", "model", "7.11.2(ii)"),
    ("vehicle", "accessories", "7.11.2(iii)"),
    ("vehicle", "on_road_costs", "7.11.2(iv)"),
    ("travel", "persons", "7.11.3(i)"),
    ("travel", "restrictions", "7.11.3(iii)"),
    ("travel", "spending_money", "7.11.3(iv)"),
    ("real-estate", "dwelling", "7.11.4(i)"),
    ("real-estate", "plans", "7.11.4(ii)"),
    ("real-estate", "contract", "7.11.4(iii)"),
    ("real-estate", "easements", "7.11.4(iv)"),
    ("real-estate", "address", "7.11.4(v)"),
    *(("travel", f"included.{name}", "7.11.3(ii)") for name in INCLUDED["travel"]),
    *(("real-estate", f"included.{name}", "7.11.4(vi)") for name in INCLUDED["real-estate"]),
]


@pytest.mark.clause("nsw-pontoon", "21.7.11.1", "21.7.11.1(i)", "21.7.11.1(ii)", "21.7.11.1(iii)", "21.7.11.2")
@pytest.mark.clause("nsw-pontoon", "21.7.11.2(i)", "21.7.11.2(ii)", "21.7.11.2(iii)", "21.7.11.2(iv)", "21.7.11.3")
@pytest.mark.clause("nsw-pontoon", "21.7.11.3(i)", "21.7.11.3(ii)", "21.7.11.3(iii)", "21.7.11.3(iv)", "21.7.11.4")
@pytest.mark.clause("nsw-pontoon", "21.7.11.4(i)", "21.7.11.4(ii)", "21.7.11.4(iii)", "21.7.11.4(iv)")
@pytest.mark.clause("nsw-pontoon", "21.7.11.4(v)", "21.7.11.4(vi)")
@pytest.mark.clause("nsw-blackjack-challenge", "22.7.11.1", "22.7.11.1(i)", "22.7.11.1(ii)", "22.7.11.1(iii)")
@pytest.mark.clause("nsw-blackjack-challenge", "22.7.11.2", "22.7.11.2(i)", "22.7.11.2(ii)", "22.7.11.2(iii)")
@pytest.mark.clause("nsw-blackjack-challenge", "22.7.11.2(iv)", "22.7.11.3", "22.7.11.3(i)", "22.7.11.3(ii)")
@pytest.mark.clause("nsw-blackjack-challenge", "22.7.11.3(iii)", "22.7.11.3(iv)", "22.7.11.4", "22.7.11.4(i)")
@pytest.mark.clause("nsw-blackjack-challenge", "22.7.11.4(ii)", "22.7.11.4(iii)", "22.7.11.4(iv)")
@pytest.mark.clause("nsw-blackjack-challenge", "22.7.11.4(v)", "22.7.11.4(vi)")
@pytest.mark.parametrize(("kind", "key", "below"), DETAILS)
@pytest.mark.parametrize("rulebook", BOTH)
def test_each_kind_of_prize_has_its_details(rulebook: str, kind: str, key: str, below: str) -> None:
    whole = data_of(rulebook, prizes=[prize(kind)])
    assert lacks(rulebook, whole) == []
    assert lacks(rulebook, without(whole, f"prizes.{key}")) == [(clause(rulebook, below), f"prizes.{kind}.{key}")]
    other = data_of(rulebook, prizes=[prize("goods")])
    assert lacks(rulebook, other) == [], "another kind of prize needs none of them"
    assert f"[{clause(rulebook, below)}]" in printed(load(rulebook), read(whole, RULEBOOKS))


def test_what_is_missing_everywhere_is_named_everywhere() -> None:
    bare = {"title": "x", "rulebook": NSW, "prizes": [{"name": "trip", "kind": "travel"}], "draws": [{"name": "d"}]}
    keys = [key for _, key in lacks(NSW, bare)]
    assert len(keys) == len(set(keys)) == 26
    refused = refuse_missing(load(NSW), read(bare, RULEBOOKS))
    assert refused is not None and all(key in refused.text for key in keys)
    assert "None" not in printed(load(NSW), read(bare, RULEBOOKS)), "what is not said is not printed"


# --- what may not be there -------------------------------------------------------------------------------------------


def barred(rulebook: str, *prizes: dict[str, Any], **changes: Any) -> list[tuple[str, ...]]:
    conditions = terms_of(rulebook, **changes, **({"prizes": list(prizes)} if prizes else {}))
    found = [each.clauses for each in refusals(load(rulebook), conditions)]
    offered = decide(load(rulebook), Promotion(), pa.OfferPromotion(MANAGER, at("02-20 09:00"), conditions))
    assert isinstance(offered, Refusal) == bool(found)
    return found


@pytest.mark.clause("nsw-pontoon", "21.5", "21.5.1", "21.5.2", "21.5.3", "21.5.5")
@pytest.mark.clause("nsw-blackjack-challenge", "22.5", "22.5.1", "22.5.2", "22.5.3", "22.5.5")
@pytest.mark.parametrize(
    ("kind", "below"), [("tobacco", "5.1"), ("firearm", "5.2"), ("weapon", "5.3"), ("prescribed", "5.5")]
)
@pytest.mark.parametrize("rulebook", BOTH)
def test_no_prize_consists_of_or_includes_what_is_prohibited(rulebook: str, kind: str, below: str) -> None:
    wanted = [(clause(rulebook, below), clause(rulebook, "5"))]
    assert barred(rulebook, prize("goods", kind=kind)) == wanted
    assert barred(rulebook, prize("goods", name="hamper", includes=[kind])) == wanted
    assert barred(rulebook, prize("goods", name="hamper")) == []


@pytest.mark.clause("nsw-pontoon", "21.5.4")
@pytest.mark.clause("nsw-blackjack-challenge", "22.5.4")
@pytest.mark.parametrize("rulebook", BOTH)
def test_a_prize_includes_at_most_twenty_litres_of_liquor(rulebook: str) -> None:
    assert barred(rulebook, prize("liquor", liquor_litres=20)) == []
    assert barred(rulebook, prize("goods", liquor_litres="19.99")) == []
    for litres in (20.01, 21):
        wanted = [(clause(rulebook, "5.4"), clause(rulebook, "5"))]
        assert barred(rulebook, prize("liquor", liquor_litres=litres)) == wanted
        assert barred(rulebook, prize("travel", liquor_litres=litres)) == wanted


@pytest.mark.clause("nsw-pontoon", "21.4")
@pytest.mark.clause("nsw-blackjack-challenge", "22.4")
@pytest.mark.parametrize("rulebook", BOTH)
def test_no_prize_is_cash(rulebook: str) -> None:
    wanted = [(clause(rulebook, "4"),)]
    assert barred(rulebook, prize("cash", kind="cash")) == wanted
    assert barred(rulebook, prize("travel", includes=["cash"])) == wanted
    assert barred(rulebook, award__disbursement="Paid in cash at the cage.") == wanted
    assert barred(rulebook, prize("money"), award__disbursement="By cheque.") == []


@pytest.mark.parametrize(
    ("words", "cash"),
    [("cash", True), ("Cash at the cage", True), ("paid in cash", True), ("cash chips", False), ("cheque", False),
     ("in cash chips", False), ("never in cash", False), ("by cheque, not in cash", False), ("at the cashier", False)],
)  # fmt: skip
def test_cash_is_told_from_cash_chips(words: str, cash: bool) -> None:
    assert pays_cash(words) is cash


@pytest.mark.clause("nsw-pontoon", "21.3")
@pytest.mark.clause("nsw-blackjack-challenge", "22.3")
@pytest.mark.parametrize("rulebook", BOTH)
def test_the_terms_offer_the_value_instead_of_a_prize_but_not_of_casino_dollars(rulebook: str) -> None:
    assert barred(rulebook, prize("travel", alternative=True)) == []
    for kind in ("casino-dollars", "money"):
        (cited,) = barred(rulebook, prize(kind, alternative=True))
        assert clause(rulebook, "3") in cited
        assert barred(rulebook, prize(kind)) == []


@pytest.mark.clause("nsw-pontoon", "21.8")
@pytest.mark.clause("nsw-blackjack-challenge", "22.8")
@pytest.mark.parametrize("rulebook", BOTH)
def test_the_terms_name_listed_methods_only(rulebook: str) -> None:
    assert barred(rulebook, winners__told_by=["mail", "face-to-face", "telephone", "email"]) == []
    assert barred(rulebook, winners__told_by=["telephone", "pigeon"]) == [(clause(rulebook, "8"),)]


@pytest.mark.parametrize("key", ["promotion__begins", "promotion__ends"])
def test_a_time_that_the_clocks_skip_is_refused(key: str) -> None:
    skipped = at("10-03 02:30") if key == "promotion__ends" else at("10-04 02:30").replace(year=2026)
    (cited,) = barred(NSW, **{key: skipped})
    assert cited == ("21.7.7",)


# --- what cannot be read ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"title": ""}, "title: a promotion has a title"),
        ({"rulebook": "whist"}, "rulebook: 'whist' is none; write one of"),
        ({"entry__fee": 5}, "entry.fee: there is no such key; known: eligibility, wager_required, minimum_wager, each"),
        ({"entry__minimum_wager": "much"}, "entry.minimum_wager: 'much' is not an amount"),
        ({"entry__each": -1}, "entry.each: from 0"),
        ({"claim__present": "yes"}, "claim.present: true or false is wanted"),
        ({"promotion__begins": "soon"}, "promotion.begins: "),
        ({"promotion__ends": at("01-01 10:00")}, "before the promotion begins|before it begins"),
        ({"draws": [{"name": "a"}, {"name": "a"}]}, "draws.a: every draw has a name of its own"),
        ({"draws": [{"name": "promotion"}]}, "draws.promotion: every draw has a name"),
        ({"draws": [{"name": "a", "at": at("04-01 10:00"), "closes": at("04-01 11:00")}]}, "entries close before"),
        ({"draws": [{"name": "a", "at": at("01-01 10:00")}]}, "draws.a.at: that is before the promotion begins"),
        ({"draws": [{"name": "a"}, {"name": "b"}]}, "prizes.car.draw: say in which of the draws it is won"),
        ({"prizes": [prize("goods", draw="x")]}, "prizes.goods.draw: there is no draw 'x'"),
        ({"prizes": [prize("goods"), prize("goods")]}, "prizes.goods: every prize has a name of its own"),
        ({"prizes": [prize("goods", count=0)]}, "prizes.goods.count: from 1"),
        ({"prizes": [prize("goods", value=0)]}, "prizes.goods.value: a prize is worth something"),
        ({"prizes": [prize("goods", kind="dreams")]}, "prizes"),
        ({"prizes": [prize("liquor")]}, "prizes.liquor.liquor_litres: say how many litres"),
        ({"prizes": [prize("liquor", liquor_litres="lots")]}, "'lots' is no number of litres"),
        ({"prizes": [prize("goods", includes=["joy"])]}, "prizes.goods.includes: 'joy'; known: tobacco"),
        ({"prizes": [prize("goods", included={"meals": "x"})]}, "prizes.goods.included.meals: there is no such key"),
        ({"prizes": [prize("travel", persons=0)]}, "prizes.travel.persons: at least one"),
        ({"prizes": "many"}, "prizes"),
    ],
)
def test_terms_that_cannot_be_are_told_in_a_sentence(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ConditionsError, match=said):
        terms_of(NSW, **changes)


@pytest.mark.parametrize("rulebook", BOTH)
def test_the_template_is_whole_and_cites_every_item(rulebook: str) -> None:
    terms = load(rulebook).promotions
    text = template(load(rulebook))
    for cited in (*terms.items.value.values(), *terms.prize_kinds.value.values(), clause(rulebook, "2")):
        assert cited in text
    assert refuse_conditions(load(rulebook), terms_of(rulebook)) is None
