"""Every cent has two ends: events as balanced postings between people, boxes, float and jackpot, under guard."""

from pitboss.ledger.guard import Breach, Guard
from pitboss.ledger.postings import Ledger, Posting, postings

__all__ = ["Breach", "Guard", "Ledger", "Posting", "postings"]
