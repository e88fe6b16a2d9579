"""Who somebody at the table is. Acts of staff say by which role; a higher role may do what a lower one may."""

from __future__ import annotations

from pitboss.rulebooks.meanings import handles

RANK: dict[str, int] = {
    "dealer": 1,
    "gaming-supervisor": 2,
    "casino-supervisor": 3,
    "assistant-gaming-manager": 4,
    "gaming-manager": 5,
    "shift-manager": 5,
}
"""The house's own people, lowest first. A gaming supervisor looks after the game itself (NSW pontoon 19.17)."""

NEEDED: dict[str, int] = {**RANK, **dict.fromkeys(("casino-supervisor", "casino-operator", "house"), 2)}
"""What a document may ask for: a gaming supervisor is a casino supervisor too (NSW pontoon, definitions); an operator
acts through its supervisors (Canberra's "casino operator")."""

handles("roles", (*NEEDED, "nobody"))
handles(
    "irregularities.dispute_review", (*NEEDED, "nobody", "inspectorate-manager", "commission", "authorised-officer")
)  # whoever is outside the house is named to the player

STAFF = frozenset(RANK)
OUTSIDE = frozenset({"inspector"})
"""Government officers: they approve and are told, and never act for the house."""

ROLES = STAFF | OUTSIDE | {"player"}


def may_review(role: str, needed: str) -> bool:
    """Whether somebody of `role` may review what was decided in the first instance: here a role is that role itself."""
    return RANK.get(role, 0) >= RANK.get(needed, NEEDED["casino-operator"])


def may_act(role: str, needed: str) -> bool:
    """Whether somebody of `role` may do what `needed` may; "nobody" lets nobody."""
    if needed == "inspector":
        return role == "inspector"
    return needed in NEEDED and RANK.get(role, 0) >= NEEDED[needed]
