"""How long a proof is: `make test` takes a sample of it, `make proofs` the whole."""

from __future__ import annotations

import os

WHOLE = bool(os.environ.get("PITBOSS_PROOFS"))


def length(whole: int, sample: int) -> int:
    """So many where there is time, so many otherwise: the first ones, so that a sample is part of the whole."""
    return whole if WHOLE else sample
