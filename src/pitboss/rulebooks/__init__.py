"""The law: five documents as data. ``load("nsw-pontoon")`` gives a `Rulebook`, `vary` a variant of one for study."""

from pitboss.rulebooks.load import RULEBOOKS, RulebookError, load, terms, vary

__all__ = ["RULEBOOKS", "RulebookError", "load", "terms", "vary"]
