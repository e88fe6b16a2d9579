"""The door to the command line: which commands there are, and what happens when something goes wrong.

The commands themselves live in `pitboss.commands` and are imported only when they are called. The list of commands
below is printed without importing anything, so that `pitboss --help` answers at once.
"""

from __future__ import annotations

import errno
import io
import os
import sys
import textwrap
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, NoReturn, TextIO, cast

if TYPE_CHECKING:
    from cyclopts import App
    from cyclopts.exceptions import CycloptsError
    from cyclopts.help import HelpEntry
    from cyclopts.help.protocols import HelpFormatter
    from rich.console import Console

FINE, CHECK_FAILED, BAD_INPUT, BROKEN = 0, 1, 2, 3
OPTIONS_WIDE = 24
INTERRUPTED, PIPE_CLOSED = 130, 141
"""As a shell reports a program that was stopped by the signals INT and PIPE."""


class Command(NamedTuple):
    name: str
    path: str
    """Where it is, as `module:function`; empty for a group of commands."""
    usage: str
    summary: str
    under: tuple[Command, ...] = ()


COMMANDS: tuple[Command, ...] = (
    Command("play", "pitboss.commands.play:play", "[RULEBOOK]", "Play in the terminal, or through a pipe."),
    Command("replay", "pitboss.commands.replay:replay", "PATH...", "Replay records and check how they end."),
    Command(
        "record",
        "",
        "COMMAND",
        "Explain a record, or convert it.",
        (
            Command("explain", "pitboss.commands.record:explain", "FILE", "Explain a record in plain sentences."),
            Command("convert", "pitboss.commands.record:convert", "SOURCE TARGET", "Convert to JSON lines, or back."),
        ),
    ),
    Command(
        "adjudicate",
        "pitboss.commands.adjudicate:adjudicate",
        "[RULEBOOK|FILE]",
        "Say what to do when something goes wrong.",
    ),
    Command("drill", "pitboss.commands.drill:drill", "RULEBOOK", "Practise spotting the dealer's errors."),
    Command("rules", "pitboss.commands.rules:rules", "RULEBOOK", "Print the rules of a game, with clauses."),
    Command("editions", "pitboss.commands.editions:editions", "[RULEBOOK]", "Show editions, digests and amendments."),
    Command("diff", "pitboss.commands.diff:diff", "RULEBOOK RULEBOOK", "Show how two rulebooks differ."),
    Command("clauses", "pitboss.commands.clauses:clauses", "[RULEBOOK] [CLAUSE]", "List the clauses, or explain one."),
    Command("layout", "pitboss.commands.layout:layout", "RULEBOOK", "Draw the layout and the table, or check yours."),
    Command("edge", "pitboss.commands.edge:edge", "RULEBOOK", "Compute the house edge with best play."),
    Command(
        "side-bets", "pitboss.commands.side_bets:side_bets", "RULEBOOK", "Give the exact value of the optional wagers."
    ),
    Command("what-if", "pitboss.commands.what_if:what_if", "RULEBOOK [OTHER]", "Price a rule change, or differences."),
    Command("design", "pitboss.commands.design:design", "RULEBOOK --try ...", "Find the best game within limits."),
    Command("par", "pitboss.commands.par:par", "RULEBOOK", "Write a PAR sheet: every result, its probability."),
    Command("strategy", "pitboss.commands.strategy:strategy", "RULEBOOK", "Show the best strategy, and why."),
    Command("calculator", "pitboss.commands.calculator:calculator", "", "Open a calculator for hands in the browser."),
    Command("habits", "pitboss.commands.habits:habits", "RULEBOOK", "Price mistakes, and find the rules that matter."),
    Command("simulate", "pitboss.commands.simulate:simulate", "RULEBOOK", "Play many rounds and report the results."),
    Command("count", "pitboss.commands.count:count", "RULEBOOK", "Say what card counting is worth."),
    Command("ledger", "pitboss.commands.ledger:ledger", "LOG", "Show where every cent is."),
    Command(
        "report",
        "",
        "COMMAND",
        "Report drop, win and hold.",
        (
            Command("shift", "pitboss.commands.report:shift", "LOG --date", "Report one shift."),
            Command("day", "pitboss.commands.report:day", "LOG --date", "Report one gaming day."),
            Command("month", "pitboss.commands.report:month", "LOG --month", "Report one month."),
            Command("table", "pitboss.commands.report:table", "LOG TABLE", "Report one table."),
            Command("patron", "pitboss.commands.report:patron", "LOG PERSON", "Report one person's play."),
            Command(
                "regulator", "pitboss.commands.report:regulator", "LOG --month", "Report a month for the regulator."
            ),
            Command("expectations", "pitboss.commands.report:expectations", "FILE", "Recompute the expectations."),
        ),
    ),
    Command("register", "pitboss.commands.register:register", "LOG [NAME]", "Show the registers that must be kept."),
    Command("enter", "pitboss.commands.register:enter", "LOG ACT ...", "Add to the registers."),
    Command("notices", "pitboss.commands.register:notices", "LOG", "Show who must be notified of what, and when."),
    Command(
        "log",
        "",
        "COMMAND",
        "Verify, move and back up a log.",
        (
            Command("verify", "pitboss.commands.log:verify", "LOG", "Check that a log is intact."),
            Command("head", "pitboss.commands.log:head", "LOG", "Sign the end of a log."),
            Command("export", "pitboss.commands.log:export", "LOG FILE", "Export as JSON lines or Parquet."),
            Command("import", "pitboss.commands.log:import_", "FILE LOG", "Build a log from JSON lines."),
            Command("editions", "pitboss.commands.log:editions", "LOG FOLDER", "Extract the rulebook texts."),
            Command("backup", "pitboss.commands.log:backup", "LOG FILE", "Copy a log, even in use."),
            Command("archive", "pitboss.commands.log:archive", "LOG FILE", "Move old entries into a signed file."),
            Command("restore", "pitboss.commands.log:restore", "FILE LOG", "Restore a log from a backup."),
            Command("witness", "pitboss.commands.log:witness", "SERVER FILE", "Keep a server's checkpoints here."),
            Command("accept", "pitboss.commands.accepting:accept", "LOG", "Accept a replaced log; two people."),
            Command("rekey", "pitboss.commands.log:rekey", "LOG", "Seal new entries with a new key."),
        ),
    ),
    Command(
        "patrons",
        "",
        "COMMAND",
        "Look up and update people's files.",
        (
            Command("list", "pitboss.commands.patrons:listed", "LOG", "List the people who have a file."),
            Command("show", "pitboss.commands.patrons:show", "LOG NAME", "Show a person's file."),
            Command("write", "pitboss.commands.patrons:write", "LOG NAME ACT ...", "Add to a person's file."),
            Command("acts", "pitboss.commands.patrons:acts", "", "List what can be added."),
            Command("export", "pitboss.commands.patrons:export", "LOG NAME [FILE]", "Export a person's file."),
            Command(
                "retention",
                "pitboss.commands.patrons:retention",
                "LOG",
                "Show how long files are kept.",
            ),
            Command("erase", "pitboss.commands.patrons:erase", "LOG NAME", "Erase a person's file; two people."),
            Command("day", "pitboss.commands.patrons:day", "LOG [open|close]", "Show, open or close the gaming day."),
        ),
    ),
    Command(
        "tournament",
        "",
        "COMMAND",
        "Run tournaments by the rules.",
        (
            Command("new", "pitboss.commands.tournament:new", "RULEBOOK [FILE]", "Start a set of conditions."),
            Command("check", "pitboss.commands.tournament:check", "FILE", "Say what conditions are missing."),
            Command("paper", "pitboss.commands.tournament:paper", "FILE", "Print the players' copy."),
            Command(
                "begin", "pitboss.commands.tournament:begin", "FILE CONDITIONS", "Open entries and start the record."
            ),
            Command("act", "pitboss.commands.tournament:act", "FILE ACT ...", "Carry out and record a step."),
            Command("enter", "pitboss.commands.tournament_steps:enter", "FILE NAME ...", "Enter people who have paid."),
            Command(
                "draw", "pitboss.commands.tournament_steps:draw", "FILE [STAGE]", "Draw seats, or commit to a draw."
            ),
            Command("run", "pitboss.commands.tournament:run", "FILE", "Replay a tournament and check it."),
            Command("report", "pitboss.commands.tournament:report", "FILE", "Report results, prizes and events."),
            Command(
                "advise", "pitboss.commands.tournament_advice:advise", "RULEBOOK ...", "Say what to wager to advance."
            ),
            Command("demo", "pitboss.commands.tournament_demo:demo", "[RULEBOOK]", "Watch bots play a whole one."),
            Command("plan", "pitboss.commands.tournament_advice:plan", "FILE ...", "Compare structures in advance."),
        ),
    ),
    Command(
        "promotion",
        "",
        "COMMAND",
        "Run promotions by the rules.",
        (
            Command("new", "pitboss.commands.promotion:new", "RULEBOOK [FILE]", "Start a set of terms."),
            Command("check", "pitboss.commands.promotion:check", "FILE", "Say what terms are missing."),
            Command("paper", "pitboss.commands.promotion:paper", "FILE", "Print the terms for patrons."),
            Command(
                "begin", "pitboss.commands.promotion:begin", "FILE TERMS", "Open a promotion and start its record."
            ),
            Command("act", "pitboss.commands.promotion:act", "FILE ACT ...", "Carry out and record a step."),
            Command("run", "pitboss.commands.promotion:run", "FILE", "Replay a promotion and check it."),
            Command("report", "pitboss.commands.promotion:report", "FILE", "Report winners, duties and events."),
        ),
    ),
    Command("floor", "pitboss.commands.floor:floor", "FILE", "Replay a whole floor from a record."),
    Command(
        "people",
        "",
        "COMMAND",
        "See who has an account; reset one.",
        (
            Command("list", "pitboss.commands.people:listed", "LOG", "List the accounts."),
            Command("reset", "pitboss.commands.people:reset", "LOG NAME", "Reset an account; two people."),
        ),
    ),
    Command("serve", "pitboss.commands.serve:serve", "", "Run live tables in the browser."),
    Command("version", "pitboss.cli:version", "", "Print the version."),
)

OPENING = "Pitboss deals, audits and analyses Australian pontoon and Blackjack Challenge by the approved rules."
CLOSING = """\
Every command takes --help and --json. Exit codes: 0 success, 1 a check failed, 2 the input could not be read,
3 a bug in Pitboss."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    _stand_in_for_closed_streams()
    try:
        _print_what_can_be_printed()
        code = _run(words)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return _complain(words, "stopped", "interrupted from the keyboard.", INTERRUPTED)
    except BrokenPipeError:
        _forget_the_pipe()
        return PIPE_CLOSED
    except SystemExit as stop:
        if isinstance(stop.__context__, BrokenPipeError):  # rich turns a closed pipe into exit code 1
            _forget_the_pipe()
            return PIPE_CLOSED
        raise
    except Exception as fault:  # noqa: BLE001 - the outermost boundary: everything is told, nothing escapes
        try:
            return _explain(words, fault)
        except BrokenPipeError:
            _forget_the_pipe()
            return PIPE_CLOSED


def _run(words: list[str]) -> int:
    if words[:1] == ["--version"]:
        return version()
    called = _find(words)
    if called.within and (not words or called.rest[:1] in (["--help"], ["-h"])):
        print(help_text(called))
        return FINE
    if called.within:
        return _complain(words, "unread", _no_such_command(called), BAD_INPUT)
    from cyclopts.exceptions import CycloptsError

    try:
        result = app()(words)
    except CycloptsError as error:
        return _complain(words, "unread", f"{called.name}: {_in_words(error)} Try `{called.name} --help`.", BAD_INPUT)
    return result if isinstance(result, int) else FINE


class Called(NamedTuple):
    """How far the words of a call lead."""

    name: str
    summary: str
    within: tuple[Command, ...]
    """The commands among which the next word must be; none when a command was found."""
    rest: list[str]


def _find(words: list[str]) -> Called:
    """Looked up here and not by cyclopts, which would import every command to say that there is no such command."""
    called = Called("pitboss", OPENING, COMMANDS, words)
    while called.within and called.rest:
        found = next((command for command in called.within if command.name == called.rest[0]), None)
        if found is None:
            break
        called = Called(f"{called.name} {found.name}", found.summary, found.under, called.rest[1:])
    return called


def help_text(called: Called | None = None) -> str:
    """What `pitboss --help` prints; at most 80 columns wide."""
    called = called or _find([])
    rows = [(f"{command.name} {command.usage}".rstrip(), command.summary) for command in called.within]
    width = max(len(left) for left, _ in rows)
    lines = [f"  {left.ljust(width)}  {summary}" for left, summary in rows]
    first = f"Usage: {called.name} COMMAND [--help]"
    return "\n".join([first, "", *_wrapped(called.summary), "", *lines, "", *_wrapped(CLOSING)])


def app() -> App:
    """The whole command line as a cyclopts application; a command is imported when it is called."""
    from cyclopts import App, Parameter

    in_colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    top = App(
        name="pitboss",
        help=OPENING,
        help_formatter="default" if in_colour else _plain_help(),
        version_flags=(),
        default_parameter=Parameter(negative=""),
        result_action="return_value",
        exit_on_error=False,
        print_error=False,
        suppress_keyboard_interrupt=False,
    )
    for command in COMMANDS:
        if command.under:
            group = App(name=command.name, help=command.summary, version_flags=())
            for inner in command.under:
                group.command(inner.path, name=inner.name)
            top.command(group)
        else:
            top.command(command.path, name=command.name)
    return top


def _plain_help() -> HelpFormatter:
    """Options in one column, what they mean in another; defaults only where they say something."""
    from cyclopts.help.formatters import PlainFormatter

    class Plain(PlainFormatter):
        def _format_parameter_entry(
            self, options: tuple[str, ...], desc: str, console: Console, entry: HelpEntry
        ) -> None:
            said = " ".join(desc.split())
            if entry.default not in (None, "False", '""', "[]"):
                said += f" [default: {entry.default}]"
            if entry.required:
                said += " [required]"
            left = f"  {', '.join(options)}"
            lines = textwrap.wrap(said, 76 - OPTIONS_WIDE, break_on_hyphens=False) or [""]
            if len(left) > OPTIONS_WIDE:
                lines.insert(0, "")
            first, *rest = lines
            shown = [f"{left.ljust(OPTIONS_WIDE)}  {first}", *(f"{'':{OPTIONS_WIDE}}  {line}" for line in rest)]
            self._print_plain(console, "\n".join(line.rstrip() for line in shown))

    return Plain()


def version(*, json: bool = False) -> int:
    """Print the version of Pitboss.

    Parameters
    ----------
    json
        Print one JSON object.
    """
    number = _version_number()
    print(f'{{"pitboss":"{number}"}}' if json else f"pitboss {number}")
    return FINE


def _version_number() -> str:
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed("pitboss")
    except PackageNotFoundError:
        return "(not installed)"


# --- when something goes wrong ---------------------------------------------------------------------------------------


def _no_such_command(called: Called) -> str:
    names = [command.name for command in called.within]
    if not called.rest:
        return f"{called.name}: a command is missing. Known: {', '.join(names)}."
    word = called.rest[0]
    if word.startswith("-"):
        thing, names = "option", ["--help", "--version"]
    else:
        thing = "command"
    import difflib

    close = difflib.get_close_matches(word.lower(), names, n=1, cutoff=0.5)
    hint = f"Did you mean {close[0]}?" if close else f"Known: {', '.join(names)}."
    return f"{called.name}: no {thing} {word!r}. {hint}"


def _in_words(error: CycloptsError) -> str:
    """One sentence about a call that could not be understood."""
    from cyclopts import exceptions

    if isinstance(error, exceptions.UnusedCliTokensError) and error.unused_tokens:
        return f"{' '.join(error.unused_tokens)!r} is one argument too many."
    if isinstance(error, exceptions.CoercionError) and error.token is not None and error.target_type in (int, float):
        name = error.token.keyword or (error.argument.name.lstrip("-").upper() if error.argument else "value")
        return f"{name} {error.token.value!r} is not a {'whole ' if error.target_type is int else ''}number."
    if isinstance(error, exceptions.MissingArgumentError) and error.argument is not None:
        if error.keyword:
            return f"{error.keyword} needs a value."
        name = error.argument.name
        return f"{name if error.argument.field_info.is_keyword_only else name.lstrip('-').upper()} is missing."
    if isinstance(error, exceptions.UnknownOptionError):
        text = str(error).replace("Unknown option: ", "no option ")
    else:
        text = " ".join(str(error).split())
    return text if text.endswith((".", "?", "!")) else text + "."


def _explain(words: list[str], fault: Exception) -> int:
    """Three voices: the rules say no, we cannot read you, or it is our own fault."""
    if isinstance(fault, io.UnsupportedOperation):
        return _complain(words, "unread", f"{_find(words).name}: the input could not be read: {fault}.", BAD_INPUT)
    if isinstance(fault, OSError) and fault.filename is None and fault.errno in UNWRITABLE:
        _forget(sys.stdout)
        what = (fault.strerror or "the device refuses it").lower()
        return _complain(words, "unwritten", f"the output could not be written: {what}.", BAD_INPUT)
    if isinstance(fault, OSError) and fault.filename is not None:
        what = (fault.strerror or "cannot be read").lower()
        return _complain(words, "unread", f"{_name(fault.filename)}: {what}.", BAD_INPUT)
    if isinstance(fault, UnicodeDecodeError):
        text = f"{_find(words).name}: the input is not UTF-8 text (byte {fault.start})."
        return _complain(words, "unread", text, BAD_INPUT)
    voice = _voice(fault)
    if voice:
        return _complain(words, voice, str(fault), BAD_INPUT)
    place = _keep_details(words, fault)
    what = " ".join(str(fault).split())
    text = f"{_find(words).name}: {type(fault).__name__}{': ' + what if what else ''}: this is a fault in Pitboss, "
    _complain(words, "broken", f"{text}please report it. {place}", BROKEN)
    if os.environ.get("PITBOSS_DEBUG") == "1":
        import traceback

        traceback.print_exception(fault)
    return BROKEN


def _voice(fault: Exception) -> str:
    """How the kinds of error that are the reader's business are spoken; empty for our own faults."""
    for kind in type(fault).__mro__:
        if kind.__module__.partition(".")[0] == "pitboss":
            return VOICES.get(kind.__name__, "")
    return ""


VOICES = {
    "Refused": "refused",
    "CardError": "unread",
    "MoneyError": "unread",
    "RulebookError": "unread",
    "MissingEdition": "unread",
    "NotAmendable": "refused",
    "RecordError": "unread",
    "MissingText": "unread",
    "MathsError": "unread",
    "AdjudicationError": "unread",
    "DrillError": "unread",
    "Unread": "unread",
    "StoreError": "unread",
    "LogBusy": "unread",
    "LogDamaged": "unread",
    "LogFull": "unwritten",
}
"""Errors by name, because importing their modules to compare classes could itself fail here."""


def _keep_details(words: list[str], fault: Exception) -> str:
    """Write the traceback to a file of its own and say where it is."""
    import platform
    import shlex
    import tempfile
    import traceback

    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="pitboss-fault-", suffix=".txt", delete=False, encoding="utf-8", errors="backslashreplace"
        ) as file:
            print(f"pitboss {_version_number()}, Python {platform.python_version()}, {platform.platform()}", file=file)
            print(f"$ pitboss {shlex.join(map(_without_password, words))}\n", file=file)
            traceback.print_exception(fault, file=file)
        return f"Details: {file.name}"
    except OSError as trouble:
        return f"Details could not be written ({trouble.strerror}); PITBOSS_DEBUG=1 prints them."


def _without_password(word: str) -> str:
    """Whoever reports a fault sends the file to others."""
    try:
        from pitboss.store.addresses import shown
    except ImportError:
        return word.partition("://")[0]
    return shown(word)


UNWRITABLE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EBADF, errno.EIO, errno.EAGAIN, errno.ENXIO})
"""What a device says that takes no more output: a full disk, a closed descriptor."""


def _complain(words: list[str], voice: str, text: str, code: int) -> int:
    """Say it where complaints go; where they cannot be written either, the exit code must do.

    Whoever asked for JSON finds it as an object among the output too.
    """
    try:
        if "--json" in words:
            import json

            print(json.dumps({"error": text, "voice": voice}, ensure_ascii=False), flush=True)
        print(f"{voice:<8}  {text}", file=sys.stderr, flush=True)
    except BrokenPipeError:
        raise
    except OSError:
        _forget(sys.stderr)
    return code


class _ClosedStream(io.TextIOBase):
    """In the place of a stream that was closed before we began: whoever needs it is told so, others need not care."""

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        self._no_input()

    def read(self, size: int | None = -1, /) -> str:
        self._no_input()

    def write(self, text: str, /) -> int:
        raise OSError(errno.EBADF, "standard output is closed")

    def _no_input(self) -> NoReturn:
        raise io.UnsupportedOperation("standard input is closed")


def _stand_in_for_closed_streams() -> None:
    """Python has None for a stream that the shell closed, as in ``<&-``."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, cast(TextIO, _ClosedStream()))


def _name(filename: object) -> str:
    return os.fsdecode(filename) if isinstance(filename, (str, bytes)) else str(filename)


def _print_what_can_be_printed() -> None:
    """A terminal that cannot show a suit shows a question mark, and play goes on."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace" if stream is sys.stdout else "backslashreplace")


def _forget_the_pipe() -> None:
    """Whoever read us has gone: let nothing complain about it while Python shuts down."""
    _forget(sys.stdout)


def _forget(stream: TextIO) -> None:
    """What is still to be written to a stream goes nowhere."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _wrapped(text: str, width: int = 80) -> list[str]:
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".lstrip()
    return lines


if __name__ == "__main__":
    sys.exit(main())
