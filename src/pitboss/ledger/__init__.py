"""Every cent has two ends: events as balanced postings between players, boxes, float and jackpot."""

from pitboss.ledger.postings import Ledger, Posting, postings

__all__ = ["Ledger", "Posting", "postings"]
