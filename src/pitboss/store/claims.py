"""Who owns a stream: the rule, for every kind of log, and how a claim is stored so that nobody makes one up."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from pitboss.store.log import Claim
from pitboss.store.sealing import Sealing

BETWEEN = " "
"""Between an address, which has no blank, and the code beside it."""


def claimed_by(found: Claim | None, stream: str, owner: str, address: str, now_ms: int, for_ms: int) -> Claim:
    """The claim that holds once `owner` has asked: their own, or the one that was found where another's still lasts.

    A new owner has a higher epoch, so that whatever the one before them sends from now on is fenced; whoever asks again
    for what is theirs keeps it.
    """
    if not owner:
        raise ValueError("an owner without a name")
    if found is None:
        return Claim(stream, owner, address, 1, now_ms + for_ms)
    if found.owner == owner:
        return Claim(stream, owner, address, found.epoch, now_ms + for_ms)
    if found.owner and found.until_ms > now_ms:
        return found
    return Claim(stream, owner, address, found.epoch + 1, now_ms + for_ms)


def stored(claim: Claim, sealing: Sealing) -> str:
    """What stands in the column of the address: that, and a code over the claim that only the key makes.

    Clients go where a claim says. Until when it lasts is not covered: that only costs time, and is renewed twice a
    second.
    """
    return f"{claim.address}{BETWEEN}{sealing.word(_said(claim)).hex()}"


def believed(row: tuple[str, str, str, int, int], sealing: Sealing) -> Claim:
    """A claim as it is stored; where nobody with the key made it, the stream is nobody's."""
    claim = Claim(*row)
    address, _, code = claim.address.partition(BETWEEN)
    claim = msgspec.structs.replace(claim, address=address)
    if not claim.owner or sealing.is_word(_said(claim), code):
        return claim
    return Claim(claim.stream, "", "", claim.epoch, 0)


def owned(rows: Iterable[tuple[str, str, str, int, int]], sealing: Sealing) -> dict[str, Claim]:
    """The claims that somebody has."""
    claims = (believed(row, sealing) for row in rows)
    return {claim.stream: claim for claim in claims if claim.owner}


def _said(claim: Claim) -> bytes:
    return msgspec.json.encode((claim.stream, claim.owner, claim.address, claim.epoch))
