"""The commands of the command line, one module each, imported only when they are called."""


class Unread(ValueError):
    """What was asked of a command cannot be read, in one sentence; `pitboss.cli` says it to people and to programs."""


def look_for_editions(folder: str | None) -> None:
    """Search a folder too for the texts of editions, where somebody names one."""
    if folder is not None:
        from pitboss.rulebooks.editions import look_in

        look_in(folder)


def rulebook_id(name: str) -> str:
    """The id of the rulebook that somebody means, who may write it in capitals, with underlines or blanks.

    Some of its words are enough where no other rulebook has them all, as in `adelaide` or `canberra 2005`. What is none
    stays as it was written, for the command to say so.
    """
    from pitboss.rulebooks import RULEBOOKS

    wanted = name.strip().lower().replace("_", "-").replace(" ", "-")
    if wanted in RULEBOOKS:
        return wanted
    words = set(filter(None, wanted.split("-")))
    fits = [each for each in RULEBOOKS if words and words <= set(each.split("-"))]
    return fits[0] if len(fits) == 1 else name
