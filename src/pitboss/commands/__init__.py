"""The commands of the command line, one module each, imported only when they are called."""


class Unread(ValueError):
    """What was asked of a command cannot be read, in one sentence; `pitboss.cli` says it to people and to programs."""
