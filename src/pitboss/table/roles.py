"""Who somebody at the table is. Acts of staff say by which role; a higher role may do what a lower one may."""

from __future__ import annotations

from pitboss.rulebooks.meanings import handles

RANK: dict[str, int] = {
    "dealer": 1,
    "casino-supervisor": 2,
    "assistant-gaming-manager": 3,
    "gaming-manager": 4,
    "shift-manager": 4,
}
"""The house's own people, lowest first."""

NEEDED: dict[str, int] = {**RANK, "casino-operator": 2, "house": 2}
"""What a document may ask for; an operator acts through its supervisors (Canberra's "casino operator")."""

handles("roles", (*NEEDED, "nobody"))
handles(
    "irregularities.dispute_review", (*NEEDED, "nobody", "inspectorate-manager", "commission", "authorised-officer")
)  # whoever is outside the house is named to the player

STAFF = frozenset(RANK)
OUTSIDE = frozenset({"inspector"})
"""Government officers: they approve and are told, and never act for the house."""

ROLES = STAFF | OUTSIDE | {"player"}


def may_act(role: str, needed: str) -> bool:
    """Whether somebody of `role` may do what `needed` may; "nobody" lets nobody."""
    if needed == "inspector":
        return role == "inspector"
    return needed in NEEDED and RANK.get(role, 0) >= NEEDED[needed]
