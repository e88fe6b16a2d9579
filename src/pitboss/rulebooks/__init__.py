"""The law: five documents as data. ``load("nsw-pontoon")`` gives a `Rulebook`, `amend` lays amendments over one, and
`vary` makes a variant of one for study."""

from pitboss.rulebooks.amend import amend, vary
from pitboss.rulebooks.load import RULEBOOKS, RulebookError, load, terms

__all__ = ["RULEBOOKS", "RulebookError", "amend", "load", "terms", "vary"]
