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

    What is none stays as it was written, for the command to say so.
    """
    from pitboss.rulebooks import RULEBOOKS

    wanted = name.strip().lower().replace("_", "-").replace(" ", "-")
    return wanted if wanted in RULEBOOKS else name
