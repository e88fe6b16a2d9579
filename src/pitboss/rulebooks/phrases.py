"""Every term of a rulebook as a sentence: what each value means to whoever plays, in our own words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from pitboss.basics.money import dollars
from pitboss.rulebooks.clauses import cite
from pitboss.rulebooks.meanings import handles, meaning, vocabularies
from pitboss.rulebooks.terms import FixedRow, PayRow, Restriction, Rulebook
from pitboss.rulebooks.vocabulary import the_role

Say: TypeAlias = "Callable[[Any, Rulebook], str] | Mapping[Any, str] | str"

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
RANK_WORDS = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "ten"}
TOLD = {
    "inspector": "an inspector",
    "government-inspectorate": "the government inspectorate",
    "commission": "the commission",
}


MEANS = meaning(
    "shuffle.means",
    {
        "hand": "by hand",
        "multishuffler": "by a multishuffler",
        "shuffling-device": "by a shuffling device",
        "pre-shuffled": "in advance, as pre-shuffled cards",
    },
)


PROHIBITED = meaning(
    "promotions.prohibited",
    {
        "tobacco": "tobacco",
        "firearm": "firearms, ammunition or imitations",
        "weapon": "prohibited weapons",
        "liquor": "more liquor than is allowed",
        "prescribed": "what the regulations prescribe",
    },
)


def number(count: int) -> str:
    return NUMBERS[count] if 0 <= count < len(NUMBERS) else str(count)


def listed(words: Iterable[str], last: str = "and") -> str:
    found = list(words)
    return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} {last} {found[-1]}" if found else "none"


def money(cents: int) -> str:
    return dollars(cents).removesuffix(".00")


def decks(numbers: tuple[int, ...]) -> str:
    if len(numbers) > 2 and list(numbers) == list(range(numbers[0], numbers[-1] + 1)):
        return f"{number(numbers[0])} to {number(numbers[-1])} decks"
    return f"{listed((number(each) for each in numbers), 'or')} decks"


def ranks(text: str) -> str:
    words = [RANK_WORDS.get(rank, rank) for rank in text]
    return listed([f"{'an' if word == 'ace' else 'a'} {word}" for word in words], "or")


def first_up(text: str) -> str:
    return text[:1].upper() + text[1:]


def by(text: str, nobody: str) -> Callable[[Any, Rulebook], str]:
    """A sentence about who may do something; another where nobody may."""
    return lambda value, book: nobody if value == "nobody" else first_up(text.format(the_role(value)))


def yes(true: str, false: str) -> dict[bool, str]:
    return {True: true, False: false}


def natural(book: Rulebook) -> str:
    return book.game.natural.value


ROWS = {
    "other": "any other 21",
    "five-card-trick": "five cards, not over 21",
    "7-plus-card-21": "21 with seven or more cards",
    "mixed": "mixed pair, one red and one black",
    "coloured": "coloured pair, one colour and two suits",
    "perfect": "perfect pair, one suit",
    "any": "any pair",
    "same-colour": "pair of one colour and two suits",
    "suited": "pair of one suit",
    "aces": "two aces",
    "higher": "higher than the dealer's",
    "same": "equal to the dealer's",
    "lower": "lower than the dealer's",
    "three-sevens-diamonds": "three sevens of diamonds",
    "three-suited-sevens": "three sevens of one other suit",
    "three-same-colour-sevens": "three sevens of one colour",
    "three-sevens": "three sevens",
    "two-player-sevens": "two sevens, the dealer none",
    "one-player-one-dealer-seven": "one seven each",
}


def row_name(name: str) -> str:
    """A row of a pay table as people call it."""
    if name in ROWS:
        return ROWS[name]
    if name.startswith(("678-", "777-")):
        kind = {"mixed": "mixed suits", "suited": "one suit", "spades": "spades"}[name[4:]]
        return f"{'-'.join(name[:3])}, {kind}"
    if name.endswith("-card-21"):
        return f"21 with {number(int(name[0]))} cards"
    return name.replace("-", " ")


def prize(row: FixedRow) -> str:
    if row.share_percent == 100:
        return "the whole jackpot"
    if row.share_percent:
        return f"{row.share_percent}% of the jackpot"
    return ", ".join(f"{money(paid)} for {money(wager)}" for wager, paid in row.cents_by_wager.items())


def _pay_table(rows: tuple[PayRow, ...], book: Rulebook) -> str:
    return "; ".join(f"{row_name(row.name)} {row.odds}" for row in rows) + "." if rows else "There is no such table."


CONTROLS = meaning(
    "boxes.control",
    {
        "seated": "the player seated at it",
        "highest": "the highest wager",
        "nearest": "the wager nearest the dealer",
    },
)


def _control(order: tuple[str, ...], book: Rulebook) -> str:
    return f"On a shared box decisions are called by {', else by '.join(CONTROLS[step] for step in order)}."


class _clauses_of:  # noqa: N801 - it reads as the sentence that it makes
    """A table of clauses, each for one case; where a document has none of them, a sentence that says so."""

    def __init__(self, words: Mapping[str, str], without: str = "") -> None:
        self.words = words
        self.without = without

    def __call__(self, value: Any, book: Rulebook) -> str:
        if not value:
            return self.without
        cases = (f"{self.words[name]} ({cite([clause])})" for name, clause in value.items())
        return first_up("; ".join(cases)) + "."


class _marked(_clauses_of):  # noqa: N801 - as above
    """The same for what is found at a table; nothing where the document names nothing."""

    def __init__(self, where: str, words: Mapping[str, str]) -> None:
        super().__init__(words)
        self.where = where

    def __call__(self, value: Any, book: Rulebook) -> str:
        return f"{first_up(self.where)}: {super().__call__(value, book)}" if value else f"Nothing is {self.where}."


def _restrictions(rows: tuple[Restriction, ...], book: Rulebook) -> str:
    return " ".join(restriction(row) for row in rows) or "Players are not restricted."


CONDITIONS = meaning(
    "limits.restrictions:condition",
    {
        "missed-a-round": "who let a round of the shoe pass",
        "missed-first-two": "who wagered on neither of a shoe's first two rounds",
        "skipped-after-two": "who wagered on one of a shoe's first two rounds and let a later one pass",
        "recognised": "who was declared a recognised player",
        "restricted-before": "who was restricted before",
        "none": "",
    },
)


UNTIL = meaning("limits.restrictions:until", {"reshuffle": "until the next shuffle", "lifted": "until it is lifted"})
SOURCES = meaning("limits.restrictions:source", {"shoe": " (from a shoe only)", "any": ""})


def restriction(row: Restriction) -> str:
    """One way to restrict a player, in one sentence."""
    limits = ["the minimum"] if row.minimum_only else []
    limits += [f"{number(row.boxes_max)} box{'es' if row.boxes_max > 1 else ''}"] if row.boxes_max else []
    held = f"be held to {listed(limits)}" if limits else "be made to cover every split"
    who = CONDITIONS[row.condition]
    until = UNTIL[row.until]
    shoe = SOURCES[row.source]
    told = ""
    if row.notice != "nobody":
        when = "after notice to" if row.notice_first else "with notice to"
        told = f", {when} {TOLD[row.notice]}"
    player = f"a player {who}".rstrip()
    return f"{first_up(row.name.replace('-', ' '))}: by {the_role(row.by)} {player} may {held} {until}{shoe}{told}."


PHRASES: dict[str, Say] = {
    # --- the game
    "game.name": lambda v, b: f"The game is called {v}.",
    "game.natural": lambda v, b: f"An ace and a ten-value card as the first two cards are {v}.",
    "game.document": lambda v, b: f"The rules are set out in: {v}.",
    "game.edition": lambda v, b: f"Edition: {v}.",
    "game.tournaments_by": {
        "tournament-manager": "Tournaments are run by a tournament manager.",
        "tournament-director": "Tournaments are run by a tournament director.",
        "nobody": "The rules have no tournaments.",
    },
    # --- cards
    "cards.decks": lambda v, b: f"{first_up(decks(v))} may be used.",
    "cards.decks_default": lambda v, b: f"A table opens with {number(v)} decks unless the house chooses otherwise.",
    "cards.ranks": lambda v, b: (
        f"A deck has {4 * len(v)} cards" + ("." if "T" in v else ": the four tens are taken out.")
    ),
    "cards.jokers": yes(
        "Jokers may be put in for a promotion; a joker counts nothing, and the next card takes its place.",
        "There are no jokers.",
    ),
    "cards.ace": "An ace counts 11, or 1 where 11 would take the hand past 21.",
    "cards.numbers": "Number cards count at face value.",
    "cards.pictures": lambda v, b: f"Jack, queen and king count {v} each.",
    "cards.natural_rank": lambda v, b: (
        f"Where {natural(b)}s are compared, the ten-value card decides: {', '.join(v)}, from the highest down."
        if v
        else f"Two hands of {natural(b)} are not compared with each other."
    ),
    "cards.face_down": {
        "never": "All cards are dealt face up.",
        "inspector-approval": "Cards are dealt face up; the first two to a box may come face down if an inspector has "
        "approved it first.",
        "vip-request": "Cards are dealt face up; in a VIP area the first two come face down if the players ask.",
    },
    "cards.new_cards_shoe": {
        "after-cutting-card-round": "Cards in a shoe are replaced after the round in which the cutting card comes out.",
        "any-round": "Cards in a shoe may be replaced after any round.",
    },
    "cards.new_cards_device": {"any-round": "Cards in a shuffling device may be replaced after any round."},
    "cards.new_cards_by": by("{} has the cards replaced.", "Nobody may have the cards replaced."),
    # --- shuffle, cut, burn
    "shuffle.means": lambda v, b: "Cards are shuffled " + listed((MEANS[each] for each in v), "or") + ".",
    "shuffle.sources": lambda v, b: f"Cards are dealt from a {' or a '.join(each.replace('-', ' ') for each in v)}.",
    "shuffle.at_start": yes("They are shuffled before play starts.", "They need no shuffle before play starts."),
    "shuffle.cutting_card_first": {
        "shuffle": "If the cutting card comes out first in a round, the cards are shuffled before the round is dealt."
    },
    "shuffle.cutting_card_mid_round": {
        "finish-then-shuffle": "If it comes out during a round, the round is finished and the cards are then shuffled."
    },
    "shuffle.ordered_by": by("{} may order a shuffle for a reason.", "Nobody may order a shuffle."),
    "shuffle.ordered_notice": lambda v, b: (
        "No notice of an ordered shuffle is required."
        if v == "nobody"
        else f"{first_up(TOLD[v])} is told of an ordered shuffle."
    ),
    "shuffle.cutter_new_game": {
        "first-to-table": "In a new game the cut is offered first to the first player who came to the table.",
        "farthest-left": "In a new game the cut is offered first to the player farthest to the dealer's left.",
    },
    "shuffle.cutter_on_box": {"that-box": "If the cutting card came out on a box, the cut is offered to that box."},
    "shuffle.cutter_on_dealer": {
        "farthest-right": "If it came out on the dealer's hand, the cut is offered to the player farthest to the right."
    },
    "shuffle.cutter_first_card": {
        "farthest-right": "If it came out first in a round, the cut is offered to the player farthest to the right."
    },
    "shuffle.cutter_new_cards": {
        "farthest-right": "New cards are offered for the cut to the player farthest to the right."
    },
    "shuffle.cut_refused": {"clockwise": "If a player declines the cut, it is offered to the next player clockwise."},
    "shuffle.cut_refused_by_all": by("If no player cuts, {} does.", "If no player cuts, nobody does."),
    "shuffle.cut_depth_decks": lambda v, b: (
        f"A cut is made at least {number(v)} deck{'s' * (v > 1)} from either end."
        if v
        else "A cut may be made anywhere."
    ),
    "shuffle.cutting_card_decks_min": lambda v, b: (
        f"The dealer puts the cutting card at least {number(v)} deck{'s' * (v > 1)} in from the back."
        if v
        else "No minimum distance from the back is set for the dealer's cutting card."
    ),
    "shuffle.cutting_card_share_max": {"half": "It goes in no deeper than halfway from the back."},
    "shuffle.cutting_card_tolerance_decks": lambda v, b: (
        "That limit is exact." if v == "0" else f"That limit may be out by {'half a' if v == '1/2' else v} deck."
    ),
    "shuffle.device_cut": yes("Cards in a shuffling device are cut.", "Cards in a shuffling device are not cut."),
    "shuffle.burn_shoe": lambda v, b: (
        f"After the shuffle and cut of a shoe {number(v)} card{'s are' if v > 1 else ' is'} burned face down."
        if v
        else "No card of a shoe is burned."
    ),
    "shuffle.burn_device": lambda v, b: (
        f"When a shuffling device is loaded {number(v)} card{'s go' if v > 1 else ' goes'} face down to the rack."
        if v
        else "No card of a shuffling device is burned."
    ),
    "shuffle.device_return": {
        "after-initial-deal": "Discards go back into a shuffling device after each initial deal.",
        "end-of-round": "Discards go back into a shuffling device at the end of each round.",
    },
    "shuffle.final_rounds": lambda v, b: (
        f"In the last {number(v)} rounds before closing, once announced, the cutting card does not stop the deal."
        if v
        else "No last rounds are dealt past the cutting card."
    ),
    "shuffle.when_deserted": yes(
        "The cards are shuffled when all players have left.", "No shuffle is due when all players have left."
    ),
    "shuffle.insufficient": {
        "shuffle-and-cut-discards": (
            "If the cards run out, the discards are shuffled and cut, and the round is finished from them."
        ),
    },
    "shuffle.insufficient_device": {
        "as-from-a-shoe": "The same applies when a shuffling device runs out.",
        "lapses": "That does not apply to a shuffling device.",
    },
    # --- boxes
    "boxes.number": lambda v, b: (
        f"The layout has {number(v[0])} to {number(v[-1])} boxes."
        if len(v) > 1
        else f"The layout has {number(v[0])} boxes."
    ),
    "boxes.players_max": lambda v, b: (
        f"Up to {number(v)} players may wager on a box." if v > 1 else "One player may wager on a box."
    ),
    "boxes.wagers_per_player": lambda v, b: f"A player has {number(v)} original wager on a box.",
    "boxes.control": _control,
    "shuffle.means_clauses": _clauses_of(
        {
            "hand": "by hand",
            "multishuffler": "by a multishuffler",
            "shuffling-device": "by a shuffling device",
            "pre-shuffled": "as pre-shuffled cards",
        }
    ),
    "deal.steps": _clauses_of(
        {"first": "one card to each box", "dealer": "one to the dealer", "second": "another to each box"}
    ),
    "interim.natural_clauses": _clauses_of(
        {"paid": "a natural is paid", "held": "or waits", "final": "at the final settlement it is paid too"}
    ),
    "drawing.choice_clauses": _clauses_of({"stand": "a player stands", "hit": "or takes a card"}),
    "doubling.hand_clauses": _clauses_of(
        {"two": "two cards are doubled", "split": "two cards after a split", "more": "more cards"}
    ),
    "limits.above_clauses": _clauses_of(
        {"alone": "this applies to one player on a box", "shared": "and, on a shared box, to each in order"}
    ),
    "super_bonus.moment_clauses": _clauses_of(
        {
            "bonus": "the bonus is paid in the round",
            "others": "the other players get theirs",
            "final": "at the final settlement it is paid too",
        }
    ),
    "device.failure_clauses": _clauses_of(
        {
            "undamaged": "undamaged cards are moved to a spare device",
            "damaged": "with damaged ones replaced",
            "disadvantage": "a player is disadvantaged",
            "no-spare": "cards are not moved to a spare device",
            "replaced": "and damaged ones are replaced there too",
        }
    ),
    "irregularities.void_for": _clauses_of(
        {
            "misdeal": "a round may be declared void for an error in the dealing that cannot be put right",
            "impractical": "where it is impractical to go on",
            "fraud": "for a fraud that affects its result",
            "disturbance": "for a disturbance",
        },
        "A round may be declared void for any reason.",
    ),
    "irregularities.invalidated_clauses": _clauses_of(
        {"disturbance": "a disturbance lets a round be invalidated", "fraud": "and so does fraud"}
    ),
    "irregularities.invalid_clauses": _clauses_of(
        {
            "before": "an invalid wager is returned before the hand",
            "within": "during the hand, without winnings",
            "card": "everybody plays with a card of their own",
            "settled": "what was settled in earlier hands stands",
        },
        "No clause speaks of invalid wagers.",
    ),
    "irregularities.misdeal_clauses": _clauses_of(
        {
            "initial": "a misdeal is put right in the initial deal",
            "rebuilt": "and rebuilt in full after it",
        },
        "A misdeal is put right by one rule, whenever it is noticed.",
    ),
    "irregularities.short_hand_clauses": _clauses_of(
        {"in-turn": "a hand lacks a card in its turn", "passed": "or was passed"},
        "A hand that lacks a card goes by the rule on misdeals.",
    ),
    "irregularities.dealer_short_clauses": _clauses_of(
        {
            "noticed": "it is noticed that the dealer lacks a first card",
            "told": "the next card is announced as the dealer's first",
            "offered": "all players may then take their wagers back",
            "finished": "the dealer's hand is completed",
        },
        "A dealer without a first card goes by the rule on misdeals.",
    ),
    "irregularities.mispayment_clauses": _clauses_of(
        {
            "mistaken": "a mistake is put right",
            "intended": "and what was intended",
            "person": "whose it was is traced",
            "over": "too much is asked back",
            "under": "too little is made good",
        },
        "No clause speaks of wrong payments.",
    ),
    "splitting.split_clauses": _clauses_of({"first": "a pair is split", "again": "and split again"}),
    "side_bets.*.settled_clauses": _clauses_of({"won": "a winner is paid", "lost": "a loser is collected"}),
    "boxes.control_clauses": _clauses_of(
        {"seated": "the seated player", "highest": "then the highest wager", "nearest": "then the place in line"}
    ),
    "boxes.control_declinable": yes(
        "Control may be declined and passes down the line; a box that nobody will call is void.",
        "Control cannot be declined.",
    ),
    "boxes.several": {
        "allowed-until-demand": "A player may play several boxes, but gives some up when others want to play.",
        "control-until-demand": "A player may call several boxes, but gives some up when others want to call; they may "
        "still wager where another calls.",
        "own-place-only": "Each player wagers only from the place allotted to them.",
    },
    "boxes.several_limited_by": by("{} decides how many boxes they keep.", "Nobody may take a box from them."),
    "boxes.reserved_by": by("{} may reserve boxes for one player.", "No box is reserved."),
    "boxes.players_capped_by": by("{} may cap the players at the table.", "The players at the table are not capped."),
    "boxes.box_players_capped_by": by(
        "{} may allow fewer players on a box.", "Nobody may lower the number of players on a box."
    ),
    # --- limits
    "limits.maximum_scope": {
        "box": "The maximum is for all original wagers on a box together.",
        "player-box": "The maximum is for each player's original wager on a box.",
    },
    "limits.cascade": lambda v, b: (
        f"On a shared box the controlling player may use up the maximum; the others share what is left ({cite(v)})."
        if v
        else "No order among the players on a box decides who may use the maximum."
    ),
    "limits.sign": {
        "box": "A sign shows the minimum and maximum for a box.",
        "player-box": "A sign shows the minimum and maximum for a player on a box.",
        "player-box-and-bet-type": "A sign shows the minimum and maximum by player, box and kind of wager.",
    },
    "limits.multiples": {
        "if-signed": "Wagers are in multiples of the minimum only where the sign says so.",
        "always": "Wagers are in multiples of the minimum.",
    },
    "limits.unit_above_minimum": yes(
        "The sign may name a unit for amounts above the minimum.",
        "The sign names no unit for amounts above the minimum.",
    ),
    "limits.changed_by": by("{} may alter the limits.", "Nobody may alter the limits."),
    "limits.change_told_first": yes(
        "Players at the table are told before the limits change.",
        "Limits may change without being announced, but for what is said of a higher minimum.",
    ),
    "limits.raise_notice_minutes": lambda v, b: (
        f"A higher minimum applies to everybody once a sign has been up for {v} minutes."
        if v
        else "No length of notice is stated for a higher minimum."
    ),
    "limits.raise_keeps_old_minimum": yes(
        "Until then, players already at the table may keep wagering at the old minimum.",
        "The old minimum is not kept for anybody.",
    ),
    "limits.personal_maximum_by": by(
        "{} may let one player wager above the maximum.", "Nobody may wager above the maximum."
    ),
    "limits.beside_personal_maximum": lambda v, b: (
        "Other wagers on that box must fit within the maximum on the sign, all wagers together."
        if v == "within-stated-maximum"
        else "Nobody has a maximum of their own beside whom others could wager."
    ),
    "limits.found_below_minimum": {
        "made-up": (
            "A wager found too small is made up to the minimum; a player who cannot do that has no hand and is out "
            "of the session."
        ),
        "valid": "A wager found too small after the first card stands as it is and is settled.",
        "settled-then-returned": (
            "A wager found too small after the first card is settled this once; the player is told that any more "
            "will be returned."
        ),
    },
    "limits.found_above_maximum": {
        "settled-to-maximum": (
            "A wager found too large after the first card counts up to the maximum; the excess is returned."
        ),
    },
    "limits.low_limit_device_only": yes(
        "A low-limit table deals from a shuffling device only.", "There are no special rules for low limits."
    ),
    "limits.low_limit_no_tournament": yes(
        "No tournament is played at a low-limit table.", "Low limits do not keep a table from tournaments."
    ),
    "limits.restrictions": _restrictions,
    # --- wagers
    "wagers.means": lambda v, b: "Wagers are made in " + listed(each.replace("-", " ") for each in v) + ".",
    "wagers.player_card": yes("A player needs a valid player card of their own.", "No player card is needed."),
    "wagers.loss_limit": yes(
        "A wager that could take a player past their loss limit is refused.", "The game has no loss limits."
    ),
    "wagers.deposit_limit": yes(
        "Chips bought past a player's deposit limit are refused.", "The game has no deposit limits."
    ),
    "wagers.before_first_card": {"before-first-card": "Wagers are placed before the first card of the round."},
    "wagers.locked": {
        "first-card": "Once the first card is out, no wager may be placed, altered or withdrawn.",
        "no-more-bets": 'After the call "no more bets", no wager may be placed, altered or withdrawn.',
    },
    "wagers.changed_by": by("{} changes cash and colours at the table.", "Nobody changes cash or colours here."),
    "wagers.float_by": by("{} has the float filled and credited.", "Nobody fills or credits the float."),
    "wagers.tokens_by": by("{} changes vouchers into tokens.", "There are no promotional tokens."),
    "wagers.refused_by": by(
        "{} may refuse a wager before the first card.", "Nobody may refuse a wager within the limits."
    ),
    "wagers.rounding": {
        "up": "A payment that the chips cannot make is rounded up to the next amount that they can.",
        "down-if-multiples-signed": "A payment that the chips cannot make is rounded up; it is rounded down where the "
        "sign asks for multiples and the wager is not one.",
    },
    # --- the deal
    "deal.order": {
        "each-box-dealer-each-box": "One card to each box with a wager from the dealer's left, one to the dealer, "
        "and a second to each box."
    },
    "deal.call": {
        "may-call": 'The dealer may call "no more bets".',
        "shall-call": 'The dealer calls "no more bets".',
    },
    "deal.no_wagers": {"refused": "No round is dealt without a wager."},
    # --- insurance
    "insurance.offered": yes("Players may insure.", "There is no insurance."),
    "insurance.dealer_ranks": lambda v, b: f"It is offered when the dealer's first card is {ranks(v)}.",
    "insurance.share_max": {"half": "It is at most half of the original wager."},
    "insurance.unit": {
        "any": "Any amount up to that is accepted.",
        "half-smallest-chip": "It is in multiples of half the smallest chip in the float.",
    },
    "insurance.natural_excluded": lambda v, b: (
        f"A player with {natural(b)} may not insure." if v else f"A player with {natural(b)} may insure too."
    ),
    "insurance.closes": {"before-subsequent-deal": "It is placed before the subsequent deal."},
    "insurance.odds": lambda v, b: f"It wins {v} when the dealer has {natural(b)}.",
    "insurance.collected": {"at-second-card": "A losing insurance wager is collected at the dealer's second card."},
    "insurance.paid": {
        "at-second-card": "A winning insurance wager is paid at the dealer's second card.",
        "after-settlement": "A winning insurance wager is paid at the final settlement.",
    },
    "insurance.each_player": yes(
        "Each player on a shared box decides on insurance for themselves.",
        "Only the controlling player of a box insures.",
    ),
    # --- surrender
    "surrender.offered": yes("Players may surrender.", "There is no surrender."),
    "surrender.dealer_ranks": lambda v, b: f"It is offered when the dealer's first card is {ranks(v)}.",
    "surrender.loses": {"half": "A player who surrenders loses half of the original wager."},
    "surrender.opens": {
        "after-interim-settlement": "It is called after the first payments and before the subsequent deal."
    },
    "surrender.others": {
        "may-follow": "Once the controlling player surrenders, each other player on the box may too.",
        "each-own": "Each player surrenders their own wager; control then passes down the line.",
        "bound": "The controlling player's surrender binds everybody on the box.",
    },
    "surrender.others_if_controller_declines": {
        "may-not": "If the controlling player does not surrender, nobody on the box may.",
        "each-own": "Others may surrender even if the controlling player does not.",
    },
    "surrender.freezes": {
        "controller-surrendered": "The hand gets no more cards once its controlling player has surrendered.",
        "all-surrendered": "The hand gets no more cards once everybody on it has surrendered.",
    },
    "surrender.dealer_natural": lambda v, b: f"The whole wager is lost when the dealer makes {natural(b)}.",
    "surrender.settled": {"final-settlement": "It is settled at the final settlement."},
    "surrender.remainder": {"stand-off": "The other half is returned."},
    # --- interim settlement
    "interim.natural_odds": lambda v, b: f"{first_up(natural(b))} wins {v}.",
    "interim.natural_when": lambda v, b: (
        "It is paid before the subsequent deal."
        if v == "at-once"
        else "It is paid before the subsequent deal, unless the dealer's first card is a ten-value card or an ace."
    ),
    "interim.natural_after_split": lambda v, b: (
        f"Ace and ten-value card after a split are {natural(b)}."
        if v
        else f"Ace and ten-value card after a split are 21, not {natural(b)}."
    ),
    "interim.twenty_one": {"at-once": "Any other 21 is paid at once."},
    "interim.five_card_trick": yes(
        "Five cards that are not over 21 are paid at once.", "Five cards below 21 play on like any hand."
    ),
    "interim.deferrable_by": by(
        "{} may approve holding payment until the final settlement.", "Payment may not be held back."
    ),
    "interim.pay_table": _pay_table,
    "interim.doubled_odds": lambda v, b: f"A winning wager on a doubled hand is paid {v}, whatever its cards.",
    # --- Super Bonus
    "super_bonus.offered": yes(
        "Three sevens of one suit can earn a Super Bonus on top of the pay table.", "There is no Super Bonus."
    ),
    "super_bonus.dealer_rank": lambda v, b: f"It needs a {v} as the dealer's first card.",
    "super_bonus.small_from_cents": lambda v, b: (
        f"The small bonus needs a wager of at least {money(v)}." if v else "The small bonus has no minimum wager."
    ),
    "super_bonus.small_cents": lambda v, b: f"The small bonus is {money(v)}.",
    "super_bonus.large_from_cents": lambda v, b: f"The large bonus is paid on a wager of {money(v)} or more.",
    "super_bonus.large_cents": lambda v, b: f"The large bonus is {money(v)}.",
    "super_bonus.others": {
        "each-player": "Every other player in the round gets a consolation, once.",
        "each-original-wager": "Every other original wager in the round gets a consolation.",
    },
    "super_bonus.others_cents": lambda v, b: f"The consolation is {money(v)}.",
    "super_bonus.others_side_bets": yes(
        "A player with only an optional wager counts as another player.",
        "Optional wagers earn no consolation.",
    ),
    "super_bonus.not_on": lambda v, b: (
        f"A hand that was {listed(v, 'or')} earns none." if v else "Split and doubled hands earn it too."
    ),
    "super_bonus.when": {
        "at-once": "It is paid at once.",
        "before-cards-collected": "It is paid before the round's cards are gathered.",
    },
    # --- drawing
    "drawing.order": {"from-dealers-left": "Boxes are played in turn from the dealer's left."},
    "drawing.choices": {"double-split-stand-draw": "A player may double, split, stand or draw."},
    "drawing.stand": {
        "any-total": "A hand may stand on any total.",
        "not-below-12": "A hand may stand on 12 or more.",
    },
    "drawing.must_draw_below": lambda v, b: (
        f"A hand below {v} must take a card." if v else "A player never has to take a card."
    ),
    "drawing.may_draw_below": lambda v, b: f"Cards are drawn below {v} only.",
    "drawing.bust": {"collected-at-once": "A bust hand is collected at once."},
    # --- doubling
    "doubling.hands": {
        "any-below-21": "Any hand below 21 may be doubled, with two cards or more.",
        "two-cards-hard-9-10-11": "Only two cards with a hard total of 9, 10 or 11 may be doubled.",
        "two-or-three-cards": "A hand of two or three cards may be doubled.",
    },
    "doubling.after_split": yes("Split hands may be doubled.", "Split hands may not be doubled."),
    "doubling.amount": {"up-to-original-wager": "A player may double for any amount up to the original wager."},
    "doubling.cards": lambda v, b: f"A doubled hand gets {number(v)} card and no more.",
    "doubling.aces": {
        "held-count-one": "Aces held when doubling count 1; one that comes as the double card counts as usual.",
        "first-two-count-one": "Aces among the first two cards count 1 when doubling; later ones count as usual.",
        "as-usual": "Aces count as usual.",
    },
    "doubling.others": {"may-follow": "Once the controlling player doubles, each other player on the hand may too."},
    "doubling.others_if_controller_declines": {"may-not": "If the controlling player does not double, nobody may."},
    "doubling.others_odds": {"even-money": "Wagers on a doubled hand that were not doubled win even money."},
    "doubling.forfeit": yes(
        "After the double card a player may forfeit: the doubled portion is returned and the original wager is lost.",
        "A doubled wager cannot be taken back.",
    ),
    "doubling.forfeit_each": yes(
        "Each player with a doubled wager decides for themselves.", "There is no such choice."
    ),
    "doubling.forfeit_clears": lambda v, b: (
        "The cards are taken up when everybody on the hand has forfeited."
        if v == "cards-when-all-forfeit"
        else "No cards are taken up for a forfeit."
    ),
    # --- splitting
    "splitting.cards": {"equal-value": "Two first cards of equal value may be split."},
    "splitting.wager": {"equal-to-original": "Each new hand carries a wager equal to the original."},
    "splitting.hands_max": lambda v, b: f"Up to {number(v)} hands may be formed on a box.",
    "splitting.resplit_hands_max": lambda v, b: (
        f"Where splitting again is allowed, up to {number(v)} hands may be formed."
        if v != b.splitting.hands_max.value
        else "Nobody may allow more hands than that."
    ),
    "splitting.resplit_by": by("{} may allow players to split again.", "Splitting again needs no approval."),
    "splitting.resplit_needs": {
        "equal-to-split-value": "A hand is split again when its second card equals the split cards in value."
    },
    "splitting.aces_resplit": lambda v, b: (
        ("Aces may be split again." if b.splitting.resplit_by.value == "nobody" else "Aces too, where that is allowed.")
        if v
        else "Aces are split once only."
    ),
    "splitting.aces_cards": lambda v, b: (
        f"A split ace gets {number(v)} card and no more." if v else "Split aces play on like any hand."
    ),
    "splitting.declined_ends": yes(
        "A player who declines a second split may not split on that box again in the round.",
        "A player who declines a second split may still split another hand on the box.",
    ),
    "splitting.declined_first": {"no-later-split": "A player who does not split the first two cards cannot later."},
    "splitting.order": {"each-hand-finished-first": "Each hand is finished before the next gets its second card."},
    "splitting.others": {
        "match-or-first-hand": "Other players on the box match the split, or leave their wager on the first hand."
    },
    "splitting.others_if_controller_declines": {"may-not": "If the controlling player does not split, nobody may."},
    "splitting.natural": lambda v, b: (
        f"A split hand can be {natural(b)}." if v else f"A split hand is never {natural(b)}."
    ),
    "splitting.cover_required_by": by(
        "{} may require a player to cover every split hand.", "Nobody can be made to cover every split hand."
    ),
    # --- dealer
    "dealer.after_players": {"after-all-hands": "The dealer draws when all hands are finished."},
    "dealer.hard_stand": lambda v, b: f"The dealer draws below hard {v} and stands on it.",
    "dealer.soft_stand": lambda v, b: (
        f"The dealer draws on soft {v - 1} and stands on soft {v}."
        if v > b.dealer.hard_stand.value
        else f"The dealer stands on soft {v} too."
    ),
    "dealer.no_needless_card": yes(
        "The dealer does not take a card that cannot change anything.",
        "The dealer draws whether or not it can change anything.",
    ),
    # --- settlement
    "settlement.wins_higher": {"wins": "A hand higher than the dealer's wins."},
    "settlement.wins_dealer_bust": {"wins": "If the dealer busts, every hand still standing wins."},
    "settlement.twenty_one_wins": {"wins": "A player's 21 always wins."},
    "settlement.loses_lower": {"loses": "A hand lower than the dealer's loses."},
    "settlement.ties": {"stand-off": "Equal totals stand off.", "lose": "Equal totals lose."},
    "settlement.even_money": lambda v, b: f"An ordinary win is paid {v}.",
    "settlement.dealer_natural": lambda v, b: (
        f"The dealer's {natural(b)} takes one amount equal to the original wager from all of a player's hands on a box."
        if v == "one-original"
        else f"The dealer's {natural(b)} takes every wager on hands still standing."
    ),
    "settlement.dealer_natural_doubled": {
        "stand-off": "The doubled portion then stands off.",
        "lose": "The doubled portion is lost with it.",
    },
    "settlement.dealer_natural_split": {
        "stand-off": "Split wagers beyond one original amount stand off.",
        "lose": "Split wagers are all lost.",
    },
    "settlement.natural_against_natural": lambda v, b: (
        f"{first_up(natural(b))} against the dealer's: {_pay_table(v, b)}"
        if v
        else f"A player's {natural(b)} is paid even if the dealer has one too."
    ),
    "settlement.natural_against_other": lambda v, b: (
        f"A {natural(b)} that was held back wins {v} when the dealer has none."
    ),
    "settlement.collected": {"to-float": "Lost wagers go to the float."},
    "settlement.cards": {
        "rack": "The cards go to the discard rack.",
        "rack-or-device": "The cards go to the discard rack, or into the shuffling device.",
    },
    # --- optional wagers on a pair
    "side_bets.*.offered": yes("It may be offered.", "There is no such wager."),
    "side_bets.*.decks": lambda v, b: f"It is offered with {decks(v)}." if v else "It is offered with no decks.",
    "side_bets.*.access": {
        "box-has-original": "Anyone may place it on a box that has an original wager.",
        "own-original": "Only a player with an original wager on the box may place it.",
    },
    "side_bets.*.without_original": {
        "refused": "Without one it is refused.",
        "void": "Without one it is void and is returned.",
    },
    "side_bets.*.restricted_by": by(
        "{} may keep it for players with an original wager.", "Nobody may keep it for players with an original wager."
    ),
    "side_bets.*.per_box": lambda v, b: f"Up to {number(v)} such wagers are allowed on a box.",
    "side_bets.*.preference": {"original-wager-first": "Players on the box have preference."},
    "side_bets.*.pair": {"same-rank": "It wins when the first two cards are of the same rank."},
    "side_bets.*.amount": {"on-sign": "The sign says what it takes."},
    "side_bets.*.pays": _pay_table,
    "side_bets.*.highest_only": yes("Only the highest row is paid.", "Every row that fits is paid."),
    "side_bets.*.settled": {"after-initial-deal": "It is settled right after the initial deal."},
    "side_bets.*.compulsory": yes("A notice may make it a condition of play.", "It is never a condition of play."),
    # --- Blazing 7s
    "blazing_7s.offered": yes("A jackpot wager on sevens may be offered.", "There is no jackpot."),
    "blazing_7s.decks": lambda v, b: f"It is offered with {decks(v)}.",
    "blazing_7s.source": lambda v, b: f"It needs a {v.replace('-', ' ')}.",
    "blazing_7s.amounts_cents": lambda v, b: f"The wager is {listed((money(each) for each in v), 'or')}.",
    "blazing_7s.per_box": lambda v, b: f"There is {number(v)} jackpot wager on a box.",
    "blazing_7s.access": {"own-original": "Only a player with an original wager on the box may place it."},
    "blazing_7s.priority": _clauses_of(
        {
            "seated": "if several want it, the seated player comes first",
            "highest": "then the highest wager",
            "nearest": "then the wager nearest the dealer",
        }
    ),
    "blazing_7s.collected": {"before-initial-deal": "It is collected before the initial deal."},
    "blazing_7s.cards": {
        "player-first-two-dealer-first": "The player's first two cards and the dealer's first decide."
    },
    "blazing_7s.pays": lambda v, b: "; ".join(f"{row_name(row.name)}: {prize(row)}" for row in v) + ".",
    "blazing_7s.highest_only": yes("Only the highest prize is paid.", "Every prize that fits is paid."),
    "blazing_7s.loses": {"when-nothing-matches": "It loses otherwise."},
    "blazing_7s.in_addition": yes(
        "A prize is paid on top of whatever the hand wins.", "A prize is instead of what the hand wins."
    ),
    "blazing_7s.linked": _clauses_of(
        {
            "pay-table": "linked tables share the pay table",
            "rate": "the rate at which the jackpot grows",
            "seed": "what it begins with",
            "wager": "the size of the wager",
        }
    ),
    "blazing_7s.several": _clauses_of(
        {
            "top": "several winners of the jackpot share it, each at least the amount that it resets to",
            "tenth": "several winners of a tenth share tenths drawn one after the other",
            "fixed-first": "fixed prizes are paid first",
            "same-time": "at one time means in one round, or at one moment at linked tables",
        }
    ),
    "blazing_7s.minimums_cents": lambda v, b: f"The jackpot begins at {listed((money(each) for each in v), 'or')}.",
    "blazing_7s.resets": {"to-minimum": "Once won, it resets to that amount."},
    "blazing_7s.fault": {
        "wagers-returned": (
            "When the equipment fails, the jackpot wagers of the round are returned; the game itself may continue."
        ),
    },
    "blazing_7s.fault_approval": by(
        "{} approves that the game goes on without the jackpot.", "The game then goes on without the jackpot."
    ),
    # --- when things go wrong
    "irregularities.face_up_card": {
        "burned": "A card found face up in the source is burned, and play goes on with the next one.",
    },
    "irregularities.face_up_check_by": by(
        "{} may have the rest of the source checked after the round.", "Nobody may have the rest of the source checked."
    ),
    "irregularities.face_up_check_sources": lambda v, b: (
        f"It is checked in a {' or a '.join(each.replace('-', ' ') for each in v)}." if v else "No source is checked."
    ),
    "irregularities.drawn_in_error": {
        "next-card": "A card drawn in error is the next card: the next hand that draws gets it.",
    },
    "irregularities.drawn_in_error_refused": {
        "any": "A player may refuse it, exposed or not.",
        "exposed": "A player may refuse it if it is exposed.",
        "none": "Nobody may refuse it.",
    },
    "irregularities.refuser": {
        "no-more-cards": (
            "A player who refuses the card gets no more cards in the round on any box they call; a hand of one card "
            "still gets its second."
        ),
        "no-more-cards-from-12": (
            "A player who refuses the card gets no more cards in the round, on any box they call, except to reach 12: "
            "a hand below 12 may refuse it too, and then draws from the shoe until it has 12 or more."
        ),
        "none": "So nobody loses anything by refusing it.",
    },
    "irregularities.refused_by_all": {
        "dealers-next": "If every player refuses the card, it is the dealer's next card.",
        "none": "It never comes to the dealer by refusal.",
    },
    "irregularities.dealer_extra_exposed": {
        "burned": "An exposed card beyond the dealer's finished hand is burned.",
        "burned-at-any-time": "An exposed card that the dealer's hand should not have had is burned.",
    },
    "irregularities.dealer_extra_unexposed": {
        "first-of-next-round": "An unexposed card counts as never drawn: it is the first card of the next round.",
        "next-card": "An unexposed card is the next card, of the next round if this one is over.",
        "burned": "An unexposed card beyond the dealer's finished hand is burned.",
        "burned-at-any-time": "An unexposed card that the dealer's hand should not have had is burned.",
    },
    "irregularities.burned_in_error": {
        "stays-burned": "A card burned in error stays burned, and play goes on with the next one.",
        "stays-burned-at-start": (
            "A card burned in error at the start of a round stays burned; later it is the next card to be dealt."
        ),
        "next-card": "A card burned in error is taken back: it is the next card.",
    },
    "irregularities.burn_forgotten": {
        "card-stays-in-play": "A card that should have been burned and was not stays in play, and the round goes on.",
        "undecided": "The document does not say what happens to a card that was not burned.",
    },
    "irregularities.no_wagers_round": {
        "void-and-burn": "A round begun without a wager is void, and its exposed cards are burned.",
        "undecided": "The document does not say what happens to a round begun without a wager.",
    },
    "irregularities.misdeal": {
        "reconstruct": "A misdealt round is rebuilt as it should have been dealt.",
        "by-stage": "A misdealt round is rebuilt during the initial deal; later each hand has a remedy of its own.",
    },
    "irregularities.misdeal_by": by("{} rebuilds it, or sees that it is done.", "Nobody needs to look on."),
    "irregularities.misdeal_full_by": by("After the initial deal it needs {}.", "Nobody further is needed later."),
    "irregularities.misdeal_impossible": {"void": "If it cannot be rebuilt, the round is void."},
    "irregularities.misdeal_after_round": {
        "rebuild-or-void": (
            "A round whose error is reported before the next begins is laid out again as it should "
            "have been dealt, and "
            "played and settled again; if that cannot be done, it is void."
        ),
        "undecided": "The document does not say what happens to an error reported between two rounds.",
    },
    "irregularities.misdeal_later": {
        "stands": "Once the next round has begun, a misdealt round stands as it was settled.",
        "void": (
            "Once the next round has begun, only the faulty round is void: what it paid is taken "
            "back and what it took is "
            "returned."
        ),
        "undecided": "The document does not say what happens to an error noticed in the next round.",
    },
    "irregularities.void_by": by("{} declares a round void.", "Nobody declares a round void."),
    "irregularities.void_interim": {
        "stand": "What was already paid in a void round stays paid; only open wagers are returned.",
        "returned": "In a void round wagers are returned, and what was already paid or taken is reversed.",
    },
    "irregularities.short_hand": {
        "reconstruct": "A hand that lacks a card is rebuilt with the round.",
        "draw-or-withdraw": "A hand that lacks a card after the initial deal draws it, or its wager is withdrawn.",
    },
    "irregularities.short_hand_dealer_bust": {
        "wins": "Noticed after the dealer's second card, it wins even money when the dealer is bust.",
        "none": "So it does not wait to see whether the dealer busts.",
    },
    "irregularities.short_hand_dealer_stands": {
        "draw-or-withdraw": "When the dealer stands, it draws or its wager is withdrawn.",
        "none": "So it does not wait for the dealer to stand.",
    },
    "irregularities.short_hand_dealer_natural": {
        "stand-off": "When the dealer has a natural, it stands off.",
        "none": "So the dealer's first two cards do not matter to it.",
    },
    "irregularities.short_hand_no_double_or_split": yes(
        "Such a hand may no longer be doubled or split.", "A rebuilt hand may be doubled and split as any other."
    ),
    "irregularities.short_hand_others": {
        "accept-or-withdraw": "Others on it accept what the controlling player does, or withdraw.",
        "none": "Others on it have no choice of their own.",
    },
    "irregularities.dealer_short": {
        "reconstruct": "If the dealer is missing the first card, the round is rebuilt.",
        "next-card-and-offer": (
            "If the dealer is missing the first card, the next card is used, players may withdraw, and "
            "the dealer cannot have a natural."
        ),
    },
    "irregularities.superfluous_hand": {
        "reconstruct": "Cards dealt to a box without a wager go where they belong when the round is rebuilt.",
        "by-stage": "Cards on a box without a wager are rebuilt during the initial deal, and burned later.",
    },
    "irregularities.cut_missed": {
        "finish-then-shuffle": (
            "If the cut was missed, the round is finished as dealt; then the cards are shuffled and cut. Earlier "
            "rounds stand."
        ),
        "undecided": "The document does not say what follows a missed cut.",
    },
    "irregularities.shuffle_missed": {
        "finish-then-shuffle": (
            "If a shuffle was missed, the round is finished as dealt; then the cards are shuffled. Earlier rounds "
            "stand."
        ),
        "undecided": "The document does not say what follows a missed shuffle.",
    },
    "irregularities.discards_not_returned": {
        "wait-for-next-initial-deal": (
            "Discards not put back in time stay in the rack until the next initial deal is complete, and go back "
            "then."
        ),
        "undecided": "The document does not say what happens to discards not put back in time.",
    },
    "irregularities.wrong_cards": {
        "void-and-retire": (
            "With a missing or foreign card the round is void, and earlier rounds stand. The remaining cards are "
            "retired and checked card by card."
        ),
        "undecided": "The document does not say what a missing or foreign card does to a round.",
    },
    "irregularities.wrong_cards_notice": lambda v, b: (
        first_up(listed(TOLD.get(each, each) for each in v)) + (" is told." if len(v) == 1 else " are told.")
        if v
        else "Nobody outside has to be notified."
    ),
    "irregularities.wrong_cards_check": {
        "before-next-deal": "No card is dealt from the decks until somebody has confirmed that they were checked.",
        "none": "No check of the decks is asked for because of a foreign card.",
    },
    "irregularities.dropped_cards": {
        "verified-by-supervisor": (
            "If cards are dropped, a casino supervisor verifies that all were picked up; then play continues."
        ),
        "undecided": "The document does not say what follows dropped cards.",
    },
    "irregularities.insurance_missed": {
        "until-dealers-second-card": (
            "Insurance that was not offered may still be placed until the dealer's second card is drawn."
        ),
        "undecided": "The document does not say whether insurance that was not offered may be placed late.",
        "none": "The game has no insurance, so it cannot be missed.",
    },
    "irregularities.wrong_total": {
        "stands": (
            "An announced total is not binding: a hand counts what its cards make, and decisions made on it stand."
        ),
        "undecided": "The document does not say what follows when a wrong total was announced.",
    },
    "irregularities.touched_cards": {
        "reminded": (
            "A person who touches cards they may not handle is reminded of the rule; the cards go back "
            "as they were."
        ),
        "undecided": "The document does not say what follows when somebody touches cards.",
    },
    "irregularities.absent_player": {
        "no-more-cards": "The hand of an absent player gets no more cards and is settled as it stands.",
        "draw-to-12": "The hand of an absent player is drawn until it has 12 or more, and then gets no more cards.",
        "fewest-cards": (
            "The hand of an absent player gets only the cards that it must have: none from 12 up, below that as few as "
            "reach it."
        ),
    },
    "irregularities.absent_control": {
        "passes-first": "Another player on the box decides first, if there is one.",
        "none": "Control does not pass to another because of an absence.",
    },
    "irregularities.invalidated_paid": {
        "stand": "What was already paid in an invalidated round stays paid.",
        "returned": "What was already paid in an invalidated round is reversed too.",
        "undecided": "The document does not say what happens to payments already made in an invalidated round.",
    },
    "irregularities.invalidated_by": by(
        "{} may invalidate a round for a disturbance or for fraud.", "Nobody may invalidate a round."
    ),
    "irregularities.invalidated_wagers": {
        "may-be-refunded": "The person who invalidates a round decides whether its wagers are returned.",
        "refunded": "The wagers of an invalidated round are returned.",
    },
    "irregularities.fraud_forfeit": yes(
        "The wager of a person who committed fraud may be forfeited.", "No forfeit for fraud is named."
    ),
    "irregularities.barred_by": by(
        "{} may take measures against a person.", "The document lets nobody take measures against a person."
    ),
    "irregularities.barred_for": {
        "prohibited-device": "The cause is a prohibited device.",
        "any-breach": "The cause is any breach of the rules.",
        "none": "The document names no cause for that.",
    },
    "irregularities.barred_wagers": yes("That person's wagers may be declared void.", "Wagers are not void for it."),
    "irregularities.barred_excluded": yes(
        "That person may be excluded from the game.", "They are not excluded from the game for it."
    ),
    "irregularities.invalid_wager": {
        "by-stage": "A wager without a valid card of one's own is void; what follows depends on when that is noticed.",
        "none": "The document knows no invalid wagers of that kind.",
    },
    "irregularities.loss_limit_excess": {
        "returned-newest-first": "Any excess over a loss limit is returned, the newest wagers first.",
        "none": "There is no loss limit that could be exceeded.",
    },
    "irregularities.detained_until": {
        "inspector-or-police": (
            "A person with a prohibited device may be detained until an inspector or the police take "
            "over."
        ),
        "none": "Nobody is detained.",
    },
    "irregularities.conduct": _clauses_of(
        {
            "advice": "staff do not advise players",
            "advantage": "give no advantage",
            "procedures": "keep to the procedures",
            "device": "devices are banned",
            "device-records": "those that record",
            "device-changes": "that change the odds",
            "device-linked": "and that are linked to them",
            "loss-limit": "a player with a loss limit declares their chips",
            "directions": "and follows directions",
            "cards": "nobody but the dealer handles cards",
            "wagers": "wagers stay where they are until they are settled",
            "total": "each player counts their own hand",
        }
    ),
    "irregularities.loss_limit_pause_by": by(
        "{} may have a player pause until the loss limit is reset.", "Nobody is made to pause for a loss limit."
    ),
    "irregularities.idle_rounds": lambda v, b: (
        f"A player who lets {number(v)} rounds pass while all other seats are taken may lose the seat."
        if v
        else "Nobody loses a seat for letting rounds pass."
    ),
    "irregularities.dispute_by": by("{} decides a dispute.", "Nobody decides a dispute."),
    "irregularities.dispute_review": by("{} reviews that on request.", "Nobody reviews that."),
    "irregularities.dispute_advice": by(
        "A player who is not satisfied is told that {} takes complaints.", "Nobody has to be told where to complain."
    ),
    "irregularities.mispayment": {
        "rectify-and-record": (
            "A payment of too much or too little is put right, or an attempt is made; the error and the "
            "attempt are recorded."
        ),
        "undecided": "The document does not say what follows a wrong payment.",
    },
    "irregularities.mispayment_report_cents": lambda v, b: (
        f"Wrong payments above {money(v)} are reported every month." if v else "No monthly report of them is required."
    ),
    "irregularities.approval": by(
        "{} approves before the game continues after an irregularity.", "The game continues without approval."
    ),
    "irregularities.notice": by("{} is told of every irregularity.", "No notice of an irregularity is required."),
    # --- the shuffling device fails
    "device.failure": {
        "transfer-or-shoe": (
            "When a shuffling device fails, another takes the cards, or the round is finished from a shoe."
        ),
        "shoe-for-the-round": (
            "When a shuffling device fails, the cards are taken out, and the round is finished from a shoe."
        ),
        "cutting-card-or-shuffle": (
            "When a shuffling device fails, the house deals on to a cutting card, or shuffles the cards and finishes "
            "by hand."
        ),
        "hand-shuffle": (
            "When a shuffling device fails, the cards are taken out and shuffled by hand, and the game goes on from a"
            " shoe."
        ),
    },
    "device.undamaged": {
        "transfer": "Undamaged cards go into a spare device, where there is one.",
        "none": "Cards do not move to a spare device during a round.",
    },
    "device.damaged": {
        "replaced": "Damaged cards are replaced by the same cards of a new deck.",
        "none": "Single damaged cards are not replaced.",
    },
    "device.disadvantage": {
        "round-ended-and-refunded": (
            "If a player was disadvantaged, the round ends and the wagers still on the table are returned."
        ),
        "undecided": "The document does not say what follows if a player was disadvantaged.",
    },
    "device.no_spare": {
        "offer-refund-then-shoe": "Without a spare, players may take their wagers back, and a shoe finishes the round.",
        "shoe": "A shoe finishes the round.",
        "none": "Nothing depends on a spare device.",
    },
    "device.refund_offered": yes(
        "Each player may first take back what they wagered.", "Nobody may take a wager back because of it."
    ),
    "device.finish": {
        "shuffle-cut-and-shoe": "The cards that are left are shuffled and cut, and go into a shoe for the round.",
        "cutting-card-or-shuffle": (
            "The cards that are left are shuffled and cut, unless they are dealt to a cutting card; the round is "
            "finished by hand."
        ),
        "hand-shuffle": "The cards that are left are shuffled by hand and cut, and dealt from a shoe.",
    },
    "device.cutting_card_decks": lambda v, b: (
        f"The cutting card then goes in {number(v[0])} to {number(v[-1])} decks from the back."
        if v
        else "The cutting card then goes in within the usual limits."
    ),
    "device.cutting_card_tolerance_decks": {
        "0": "That is exact.",
        "1/2": "Approximately means up to half a deck less.",
    },
    "device.cutter": {
        "farthest-right": "The cut is then offered to the player farthest to the right.",
        "as-usual": "The cut is then offered as usual.",
    },
    "device.after": {
        "device-again": "After the round the device is used again.",
        "new-cards": "After the round new cards are used.",
        "new-cards-after-shoe": "Once that shoe is played out, new cards are used.",
        "new-cards-after-notice": "The players are told, and once that shoe is played out new cards are used.",
        "shoe-until-available": "The shoe is used until a shuffling device is available again.",
    },
    "device.jam": {
        "riffle-reload-burn": "Jammed cards are riffled and put back, and cards are drawn face down.",
        "malfunction": "A jam is a failure like any other.",
    },
    "device.jam_burn": lambda v, b: (
        f"After a jam {number(v)} card{'s are' if v > 1 else ' is'} drawn face down."
        if v
        else "No card is drawn after a jam."
    ),
    # --- patrons and the gaming day
    "patrons.identified_by": by("{} writes down who a patron is.", "Nobody writes down who a patron is."),
    "patrons.card_by": by("{} issues and withdraws player cards.", "There are no player cards."),
    "patrons.limits_by": {
        "player": "A loss limit or deposit limit is set by the player.",
        "nobody": "There are no limits of a player's own.",
    },
    "patrons.loss_periods": lambda v, b: (
        f"A loss limit runs for a {listed(v, 'or')}." if v else "There are no periods of loss limits."
    ),
    "patrons.deposit_period": {
        "calendar-day": "Deposits count by the calendar day.",
        "none": "Deposits are not counted.",
    },
    "patrons.declarations": lambda v, b: (
        f"A player on a loss limit declares chips {listed(v)} to the dealer." if v else "Chips need not be declared."
    ),
    "patrons.recognised_by": by("{} declares who is a recognised player.", "There are no recognised players."),
    "patrons.excluded_by": by("{} may exclude a person from the casino.", "Nobody is excluded from the casino."),
    "patrons.helper": {
        "present-and-unpaid": (
            "Nobody wagers for another player; a player at the table may be physically assisted, free of "
            "charge."
        ),
        "none": "Nothing is said of helping another to wager.",
    },
    "patrons.looked_up_by": by("{} may look up a patron's file.", "Nobody may look up a patron."),
    "patrons.close_notice_minutes": lambda v, b: (
        f"A table with players closes after a sign for at least {v} minutes."
        if v
        else "Before a table with players closes they are told; no time is stated."
    ),
    "patrons.close_final_rounds": yes(
        "The call of the last rounds replaces that sign.", "A call of last rounds does not replace that notice."
    ),
    "patrons.zone": lambda v, b: f"The house keeps the time of {v.partition('/')[2]}.",
    "patrons.day_begins_hour": lambda v, b: f"A gaming day begins at {v:02}:00.",
    "patrons.day_by": by("{} opens and closes the gaming day.", "Nobody opens or closes the gaming day."),
    # --- tournaments
    "layout.areas": _marked(
        "marked on the cloth",
        {
            "boxes": "boxes for wagers",
            "insurance": "a line for insurance",
            "perfect-pairs": "a spot for Perfect Pairs where they are offered",
            "any-pairs": "one for Any Pairs",
            "star-pairs": "one for Star Pairs",
            "blazing-7s": "one for Blazing 7s",
        },
    ),
    "layout.box_shapes": lambda v, b: f"A box is a {' or a '.join(v)}.".replace("a oval", "an oval"),
    "layout.inscriptions": _marked(
        "lettered on the cloth",
        {
            "natural-pays": "what the best hand of two cards pays",
            "dealer-stands": "when the dealer stands",
            "insurance-pays": "what insurance pays",
            "perfect-pairs": "where Perfect Pairs are wagered",
        },
    ),
    "layout.words": {
        "to-that-effect": "Inscriptions may have any words to that effect.",
        "as-printed": "Inscriptions have the words of the rule.",
        "as-approved": "The lettering is approved with the table.",
    },
    "layout.diagrams": _marked(
        "drawn in the document",
        {
            "plain": "the plain cloth",
            "perfect-pairs": "one with Perfect Pairs",
            "perfect-pairs-further": "another with Perfect Pairs",
            "box-seat": "one with box seats",
            "any-pairs": "one with Any Pairs",
            "star-pairs": "one with Star Pairs and sensors for the jackpot",
        },
    ),
    "layout.opposite": yes("Players sit opposite the dealer.", "It is not said who sits where."),
    "layout.equipment": _marked(
        "at the table",
        {
            "card-source": "a shoe or a shuffling device",
            "discard-rack": "a discard rack",
            "surrender-buttons": "surrender buttons",
            "float-tray": "a float tray",
            "drop-box": "a drop box while cash is taken",
        },
    ),
    "layout.jackpot_equipment": _marked(
        "at a table with a jackpot",
        {
            "recorder": "equipment that records the wagers on it",
            "sensors": "areas or slots for them",
            "shuffling-device": "a shuffling device",
        },
    ),
    "layout.rack_decks": lambda v, b: (
        f"The discard rack holds up to {v} decks." if v else "The document does not say what the rack holds."
    ),
    "layout.source_place": {
        "dealers-left": "Cards come from the dealer's left.",
        "unsaid": "The document does not say where the shoe stands.",
    },
    "layout.signs": _marked(
        "on signs at the table",
        {
            "limits": "the limits",
            "multiples": "which multiples are permitted",
            "two-minimums": "both sets of limits while an old minimum is kept",
            "pay-table": "what 21 pays",
            "pairs-amount": "what a wager on pairs is",
            "pairs-limits": "the limits for Perfect Pairs",
            "jackpot-amount": "what a wager on the jackpot is",
            "pre-shuffled": "that pre-shuffled cards are used",
            "compulsory-pairs": "that Perfect Pairs have to be wagered, where so",
        },
    ),
    "layout.notices": _marked(
        "told by a notice",
        {
            "placement": "players answer for where their wagers lie",
            "within-limits": "and that they keep to the limits",
            "no-advice": "nobody advises a player unasked",
            "no-private-wagers": "players do not wager among each other",
            "exempt-from-device-ban": "who on duty may have a device",
            "approval": "when the rules were approved",
        },
    ),
    "tournament.offered": yes("Tournaments are played.", "There are no tournaments."),
    "tournament.items": lambda v, b: (
        f"The conditions of a tournament speak of {listed(each.replace('-', ' ') for each in v)}."
        if v
        else "No conditions of a tournament are named."
    ),
    "tournament.items_wanted": {
        "all": "Of these the conditions have all that apply.",
        "as-approved": "The conditions may have these; the person approving them sees what is left open.",
    },
    "tournament.approved": yes(
        "The conditions of each tournament are approved.", "The conditions of each tournament need no approval."
    ),
    "tournament.steps": lambda v, b: (
        f"The rules speak of {len(v)} steps of a tournament." if v else "Nothing is laid down for tournaments."
    ),
    "tournament.fees": {
        "all-to-pool": "All entry fees go to the prize pool.",
        "less-commission": "The house may keep an approved commission; all other entry fees go to the prize pool.",
    },
    "tournament.fee_refunds": {
        "as-conditions": "An entry fee is refunded where the conditions allow it.",
        "never": "An entry fee is not refunded unless the tournament is cancelled.",
    },
    "tournament.redemption": {
        "issue-ratio": "Tournament chips with a cash value are redeemed at the ratio at which they were issued.",
        "none": "Tournament chips have no value in money.",
    },
    "tournament.entries_each": lambda v, b: (
        f"One person may enter {'once' if v == 1 else f'{number(v)} times'}."
        if v
        else "The conditions say how often a person may enter."
    ),
    "tournament.seats": {
        "as-conditions": "Tables and seats are allotted as the conditions say.",
        "ballot": "Tables and seats are allotted by ballot before each session.",
    },
    "tournament.absence": {
        "deducted-or-disqualified": "An absent player may lose the minimum for a round, or be disqualified.",
        "forfeited": "A player not in their seat when a session begins forfeits it.",
    },
    "tournament.absent_rounds": lambda v, b: (
        f"The minimum is deducted for {number(v)} rounds of absence at most."
        if v
        else "Nothing is deducted for absence."
    ),
    "tournament.disqualified_keeps": {
        "chip-value": "A disqualified player keeps the value of their chips, and no part of the fee.",
        "nothing": "A disqualified player keeps nothing.",
    },
    "tournament.order": {
        "as-conditions": "Players wager in turn where the conditions say so.",
        "always": "Players wager in turn.",
    },
    "tournament.marker": {
        "box-by-box": "The marker begins at box one and goes on by a box each round.",
        "next-player": "The marker goes to the next player on the left after each round.",
    },
    "tournament.out_of_turn": {
        "withdrawn": "A wager out of turn is taken back and waits for its turn.",
        "stands-with-warning": "A wager out of turn stands; the player is warned that another may be void.",
    },
    "tournament.no_wager": {
        "disqualified": "A player who could wager and does not is disqualified.",
        "eliminated": "A player who does not wager is eliminated.",
    },
    "tournament.units": {
        "of-the-minimum": "Wagers are in units of the minimum.",
        "as-the-sign-says": "Wagers are in the units of the sign.",
    },
    "tournament.joint_elimination": {
        "residual-wager-removal": (
            "Players out in one round are placed by the chips left, then by the wager, then by whose chips went first."
        ),
        "share-a-place": "Players out in one round share a place.",
    },
    "tournament.contested_division": {
        "play-off": "A place that a tie leaves open is played off.",
        "shared": "Players who contest one division of the prizes share it equally.",
    },
    "tournament.odd_cents": "Cents that a division leaves over go to the best places in it.",
    # --- promotions
    "promotions.offered": yes("Promotional prizes may be offered.", "There are no rules for promotional prizes."),
    "promotions.conducted_by": by("{} conducts promotions.", "Nobody conducts promotions."),
    "promotions.scrutineer_above_cents": lambda v, b: f"A scrutineer oversees draws for a prize above {money(v)}.",
    "promotions.alternative": {
        "money-value": "A winner may be offered the value of a prize that is no money instead of it.",
        "none": "No winner is offered anything instead of a prize.",
    },
    "promotions.alternative_except": lambda v, b: (
        f"That does not hold for {listed(each.replace('-', ' ') for each in v)}." if v else "It holds for all prizes."
    ),
    "promotions.cash": yes("A prize may be awarded in cash.", "No prize is awarded in cash."),
    "promotions.prohibited": lambda v, b: (
        "No prize includes " + listed((PROHIBITED[each] for each in v), "or") + "." if v else "Any prize is allowed."
    ),
    "promotions.liquor_litres_max": lambda v, b: f"A prize includes at most {v} litres of liquor.",
    "promotions.published": lambda v, b: (
        "The terms of a promotion are at hand, and marketing material refers to them." if v else "Nothing is published."
    ),
    "promotions.items": lambda v, b: (
        f"The terms of a promotion have {number(len(v))} items." if v else "No items of terms are named."
    ),
    "promotions.prize_kinds": lambda v, b: (
        f"They say more of {listed(each.replace('-', ' ') for each in v)} prizes." if v else "No kind is named."
    ),
    "promotions.prize_items": lambda v, b: (
        f"There are {len(v)} such details." if v else "No details of prizes are named."
    ),
    "promotions.told_days": lambda v, b: f"An absent winner is told within {number(v)} days of the draw.",
    "promotions.told_by": lambda v, b: (
        f"They are told by {listed((each.replace('-', ' ') for each in v), 'or')}." if v else "No method is named."
    ),
    "promotions.filed_with": {
        "authority": "The terms of a promotion are sent to the Authority.",
        "nicc": "The terms of a promotion are sent to the NICC.",
    },
    "promotions.filed_hours": lambda v, b: f"They are sent {v} hours before the promotion commences.",
    "promotions.amended_approved": yes(
        "Terms that change after that need an approval.", "Terms that change after that need no approval."
    ),
    "promotions.amended_filed": "Terms that change after that are sent again as soon as possible.",
    "promotions.refused_claims": "A person refused a prize is told why as soon as practicable.",
    "promotions.denied_kept_above_cents": lambda v, b: f"Denied claims for more than {money(v)} are kept in full.",
    "promotions.disputes": "The operator decides disputes; a person who is not satisfied may complain to an inspector.",
    "promotions.compromised": "A compromised promotion or draw is postponed, or the draw cancelled.",
    "promotions.compromised_hours": lambda v, b: f"An inspector is told of that within {v} hours.",
}  # fmt: skip
"""By the key of a term; ``side_bets.*`` stands for each of the optional wagers."""

for _key, _words in vocabularies().items():
    _said = PHRASES.get(_key)
    if isinstance(_said, _clauses_of):
        handles(_key, _said.words)
    elif isinstance(_said, Mapping):
        handles(_key, _said)
    elif isinstance(_said, str):
        handles(_key, _words if len(_words) == 1 else ())


def word_means(key: str, word: str) -> str:
    """What this word of a term means."""
    said = PHRASES[key]
    assert isinstance(said, Mapping), f"{key} has no sentence for each word"
    return said[word]
