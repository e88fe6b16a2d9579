"""Who owns a stream: the rule, for every kind of log."""

from __future__ import annotations

from pitboss.store.log import Claim


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
