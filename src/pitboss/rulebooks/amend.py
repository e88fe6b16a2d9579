"""Amendments: named layers of changed terms over a document, each with the clauses that allow it.

There is one mechanism for whatever changes a rulebook. A document's own section on tournaments and the conditions that
it lets somebody approve stand as data in ``amendments.toml`` of its folder, with what they may change; what a house
decides where a document is silent, and what somebody changes for study, are such layers too. What may not be amended is
refused with the clause.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from pitboss.basics.money import Odds
from pitboss.rulebooks.canonical import plain_value
from pitboss.rulebooks.clauses import cite, is_within
from pitboss.rulebooks.editions import amendments_data, clauses_of, document_of, edition, remember
from pitboss.rulebooks.load import (
    ITS_PARTS,
    NATURAL_TAKES,
    Reader,
    RulebookError,
    did_you_mean,
    folder_of,
    is_table,
    parse_toml,
    pattern_of,
    read_toml,
    row_type,
    sections_of,
    term_types,
    terms,
)
from pitboss.rulebooks.meanings import UNDECIDED
from pitboss.rulebooks.terms import (
    DECISION,
    STUDY,
    Amendment,
    FixedRow,
    PayRow,
    Restriction,
    Rulebook,
    SameRulebook,
    SideBet,
    Term,
    fields_of,
)

TOURNAMENT, CONDITIONS = "tournament", "approved-conditions"
KINDS: Mapping[str, str] = {
    TOURNAMENT: "the document's own rules for tournaments",
    CONDITIONS: "conditions that the document lets somebody approve",
    DECISION: "what the house decides where the document is silent",
    STUDY: "changed for study, no approved game",
}
"""Every kind of amendment, in words."""
NOT_ALLOWED: Mapping[str, str] = {
    TOURNAMENT: "the document has no rules for tournaments",
    CONDITIONS: "the document lets nobody approve conditions that override what it says",
}

STUDY_VARIANT = "study variant"
"""The reading of a term that a study has changed, and the name of what changed it."""
IDENTITY = "game."
"""Terms that begin so say which document it is; they are nobody's to amend."""


class NotAmendable(RulebookError):
    """The document does not let this be amended: its clauses say so, or none of them allows it."""

    def __init__(self, rulebook: Rulebook, clauses: tuple[str, ...], text: str) -> None:
        self.rulebook, self.clauses, self.text = rulebook.game.name.value, clauses, text
        super().__init__(f"{self.rulebook} {cite(clauses)}: {text}")


# --- what a document allows ------------------------------------------------------------------------------------------


class Allowed(msgspec.Struct, frozen=True):
    """By which clauses a document may be amended in one way, and how far."""

    kind: str
    clauses: tuple[str, ...]
    rests_on: tuple[str, ...]
    """Terms that rest on one of these clauses, or below, may be changed."""
    but: str
    """What the refusal of any other says."""
    approved: bool = False
    """Whether somebody must have approved it."""
    reading: str = ""


class Amendable(msgspec.Struct, frozen=True):
    """``amendments.toml`` of one rulebook."""

    allowed: tuple[Allowed, ...]
    layers: dict[str, Amendment]
    none: str
    """Why it has none of its own; empty where it has some."""
    none_clauses: tuple[str, ...]


def amendable(rulebook: Rulebook) -> Amendable:
    """How a document may be amended, and the layers that it has itself, in the edition of a rulebook."""
    return _amendable(rulebook.id, rulebook.edition)


@functools.cache
def _amendable(rulebook_id: str, digest: str) -> Amendable:
    document = edition(rulebook_id, digest)
    data = amendments_data(document)
    reader = Reader(f"{folder_of(rulebook_id).name}/amendments.toml", frozenset(row[0] for row in clauses_of(document)))
    _known(reader, data, ("allowed", "layers", "none"), "")
    allowed = tuple(_allowed(reader, each) for each in data.get("allowed", []))
    layers = {
        name: read_amendment(reader, {"name": name, **each}, f"layers.{name}")
        for name, each in data.get("layers", {}).items()
    }
    none = data.get("none", {})
    cited = reader.clauses(none, "none") if none else ()
    return Amendable(allowed, layers, (reader.text(none, "reading", "none") or "") if none else "", cited)


def _allowed(reader: Reader, data: Any) -> Allowed:
    _known(reader, data, ("kind", "clause", "clauses", "rests_on", "but", "approved", "reading"), "allowed")
    kind = _kind(reader, data, "allowed")
    rests_on = _clauses_or_chapters(reader, data.get("rests_on", []), "allowed.rests_on")
    but = reader.text(data, "but", "allowed") or ""
    reading = reader.text(data, "reading", "allowed") or ""
    return Allowed(kind, reader.clauses(data, "allowed"), rests_on, but, data.get("approved") is True, reading)


def _clauses_or_chapters(reader: Reader, cited: Any, key: str) -> tuple[str, ...]:
    if not isinstance(cited, list) or not all(isinstance(each, str) for each in cited):
        raise reader.error(key, 'must be a list of clauses, as in ["5.5", "5.9"]')
    for each in cited:
        if not any(is_within(known, each) for known in reader.register):
            raise reader.error(key, f"cites {each!r}, which is not in the clause register")
    return tuple(cited)


# --- reading ---------------------------------------------------------------------------------------------------------

_KEYS = (
    "name", "rulebook", "kind", "title", "clause", "clauses", "approved", "reading", "disapplies", "terms", "left",
)  # fmt: skip


def read_file(path: str | Path, rulebook: Rulebook) -> Amendment:
    """The amendment of a rulebook in a TOML file; `RulebookError` names the file and the key that is wrong."""
    file = Path(path)
    return _whole(read_toml(file, file.name), file.name, rulebook)


def sent_layer(said: str, rulebook: Rulebook) -> Amendment:
    """An amendment as somebody sends it: the name of one that the document has itself, or the text of a file."""
    if "=" not in said:
        return own_layer(rulebook, said.strip().lower())
    return _whole(parse_toml(said, "the amendment"), "the amendment", rulebook)


def _whole(data: dict[str, Any], called: str, rulebook: Rulebook) -> Amendment:
    said = data.get("rulebook", rulebook.id)
    if said != rulebook.id:
        raise RulebookError(f"{called}: rulebook: it amends {said!r}, and the table plays by {rulebook.id}")
    reader = Reader(called, frozenset(row[0] for row in clauses_of(rulebook)))
    layer = read_amendment(reader, data, "")
    known = dict(terms(rulebook))
    for key, raw in _flat(layer.terms, known) if layer.kind != STUDY else ():
        reader.term(term_types()[pattern_of(_locate(reader, key, known)[0])], key, raw)
    for key in layer.left:
        _locate(reader, key, known)
    return layer


def read_amendment(reader: Reader, data: Any, place: str) -> Amendment:
    """An amendment as a file or a record writes it; whether the document allows it is for `amend` to say."""
    dot = f"{place}." if place else ""
    if not is_table(data):
        raise reader.error(place, "an amendment is a table with name, kind, clauses and terms")
    _known(reader, data, _KEYS, place)
    name = data.get("name")
    if not isinstance(name, str) or not name.strip() or len(name) > 80 or not name.isprintable():
        raise reader.error(f"{dot}name", "an amendment needs a name of 1 to 80 printable characters")
    kind = _kind(reader, data, place)
    changed, left = data.get("terms", {}), data.get("left", {})
    if not is_table(changed) or not is_table(left):
        raise reader.error(f"{dot}terms", "terms and left are tables of terms")
    for key, clause in left.items():
        reader.clause(clause, f"{dot}left.{key}")
    given = "clause" in data or "clauses" in data
    if kind != STUDY and not given:
        raise reader.error(f"{dot}clauses", "no clause is cited that allows it; add clauses = [...]")
    return Amendment(
        name,
        kind,
        msgspec.json.decode(msgspec.json.encode(changed)),
        reader.clauses(data, dot + "clauses") if given else (),
        reader.text(data, "title", place) or "",
        reader.text(data, "approved", place) or "",
        reader.text(data, "reading", place) or "",
        _clauses_or_chapters(reader, data.get("disapplies", []), f"{dot}disapplies"),
        dict(left),
    )


def check_amendment(rulebook: Rulebook, layer: Amendment) -> None:
    """Raise `RulebookError` where an amendment that came from elsewhere is none."""
    read_amendment(_reader(rulebook, "amendment"), msgspec.json.decode(msgspec.json.encode(layer)), "")


def _kind(reader: Reader, data: Any, place: str) -> str:
    kind = data.get("kind") if is_table(data) else None
    if kind not in KINDS:
        key = f"{place}.kind" if place else "kind"
        raise reader.error(key, f"{kind!r} is no kind of amendment; known: {', '.join(KINDS)}")
    return str(kind)


def _known(reader: Reader, data: Any, known: Sequence[str], place: str) -> None:
    if not is_table(data):
        raise reader.error(place, "must be a table")
    for key in data:
        if key not in known:
            raise reader.error(f"{place}.{key}" if place else key, f"no such key; known: {', '.join(known)}")


# --- amending --------------------------------------------------------------------------------------------------------


def amend(rulebook: Rulebook, *amendments: Amendment, again: bool = False) -> Rulebook:
    """The rulebook with these layers over those that it has, in their order; a study is laid over all others.

    Raises `NotAmendable` where the document does not let it be amended so (not for what was judged before, `again`),
    and `RulebookError` where two layers change one term, or a layer cannot be read.
    """
    document = document_of(rulebook)
    remember(document)
    layers: list[Amendment] = []
    for layer in (*rulebook.amendments, *amendments):
        if layer not in layers:  # whoever names one twice means it once
            layers.append(layer)
    book, changed = document, dict[str, Amendment]()
    for layer in layers:
        if layer.kind != STUDY:
            book = _laid(document, book, layer, changed, again=again)
    for layer in layers:
        if layer.kind == STUDY:
            book = vary(book, layer.terms)
    return book


def composed(
    document: Rulebook, variant: Mapping[str, Any], amendments: Sequence[Amendment], *, again: bool
) -> Rulebook:
    """A document under amendments and a study variant: the same object for the same ones, so that it is compiled once.

    `again`: they were judged when they were first laid over it.
    """
    if not variant and not amendments:
        return document
    key = msgspec.json.encode((variant, amendments), order="deterministic")
    return _composed(SameRulebook(document), key, again)


@functools.lru_cache(maxsize=256)
def _composed(document: SameRulebook, key: bytes, again: bool) -> Rulebook:
    variant, amendments = msgspec.json.decode(key, type=tuple[dict[str, Any], tuple[Amendment, ...]])
    book = amend(document.rulebook, *amendments, again=again)
    return vary(book, variant) if variant else book


def own_layer(rulebook: Rulebook, name: str) -> Amendment:
    """A layer that a document has itself."""
    found = amendable(rulebook)
    if name not in found.layers:
        why = f": {found.none}" if found.none else did_you_mean(name, found.layers)
        raise RulebookError(f"{rulebook.id} has no amendment {name!r} of its own{why}")
    return found.layers[name]


def layers_named(rulebook: Rulebook, said: Iterable[str]) -> list[Amendment]:
    """Amendments as commands name them: a TOML file, or one that the document has itself."""
    return [
        read_file(each, rulebook) if each.endswith(".toml") else own_layer(rulebook, each.strip().lower())
        for each in said
    ]


def changed_by(rulebook: Rulebook) -> dict[str, Amendment]:
    """Which layer has changed each term that any has changed."""
    return {key: layer for layer in rulebook.amendments for key in changed_in(rulebook, layer)}


def changed_in(rulebook: Rulebook, layer: Amendment) -> tuple[str, ...]:
    """The terms that one layer changes."""
    known, reader = dict(terms(rulebook)), _reader(rulebook, layer.name)
    return tuple(_locate(reader, key, known)[0] for key in dict(_flat(layer.terms, known)))


def _reader(rulebook: Rulebook, name: str) -> Reader:
    return Reader(f"{name} of {rulebook.id}", frozenset(row[0] for row in clauses_of(rulebook)))


def _laid(
    document: Rulebook, book: Rulebook, layer: Amendment, changed: dict[str, Amendment], *, again: bool
) -> Rulebook:
    """One more layer; `changed` says which terms were changed by which layer before."""
    reader = _reader(book, layer.name)
    current, types = dict(terms(book)), term_types()
    allowed = None if again else _refuse_kind(document, layer)
    for key, raw in _flat(layer.terms, current):
        term_key, row_name = _locate(reader, key, current)
        if row_name is not None:
            raise reader.error(key, f"an amendment gives {term_key} whole, with the clause of each row")
        term = reader.term(types[pattern_of(term_key)], term_key, raw)
        earlier = changed.get(term_key)
        if earlier is not None and current[term_key].value != term.value:
            raise reader.error(term_key, f"{earlier.name} changes it too, to another value; keep one of the two")
        if not again:
            _refuse_term(document, layer, allowed, term_key)
        current[term_key] = term
        changed[term_key] = layer
    for key in layer.left:
        _locate(reader, key, current)
    for key, term in current.items():
        gone = [clause for clause in term.clauses for each in layer.disapplies if is_within(clause, each)]
        if gone and key not in layer.left:
            what = f"rests on {cite(gone)}, which it disapplies; give the term a value, or name it in left"
            raise reader.error(key, what)
    made = _rebuilt(book, current, "", (*book.amendments, layer))
    reader.consistent(made)
    return made


def _refuse_kind(document: Rulebook, layer: Amendment) -> Allowed | None:
    """What lets a document be amended in such a way; `NotAmendable` where nothing does."""
    if layer.kind == DECISION:
        if layer.disapplies or layer.left:
            text = f"{layer.name} may not take away what the document says: a house decides what it leaves open."
            raise NotAmendable(document, (*layer.disapplies, *layer.left.values()), text)
        return None
    known = amendable(document)
    found = next((each for each in known.allowed if each.kind == layer.kind), None)
    if found is None:
        what = known.none or NOT_ALLOWED[layer.kind]
        raise NotAmendable(document, known.none_clauses or document.game.document.clauses, f"{layer.name}: {what}.")
    if not set(layer.clauses) & set(found.clauses):
        text = f"{layer.name} names {cite(layer.clauses)}, which does not allow it; cite {cite(found.clauses)}."
        raise NotAmendable(document, found.clauses, text)
    if found.approved and not layer.approved:
        text = f"{layer.name} must be approved; say by whom and when in approved."
        raise NotAmendable(document, found.clauses, text)
    return found


def _refuse_term(document: Rulebook, layer: Amendment, allowed: Allowed | None, key: str) -> None:
    term = dict(terms(document))[key]
    if key.startswith(IDENTITY):
        text = f"{layer.name} may not change {key}, which says what document it is."
        raise NotAmendable(document, term.clauses, text)
    if allowed is None:
        if not isinstance(term.value, str) or not UNDECIDED.get(term.value, False):
            raise NotAmendable(document, term.clauses, f"{layer.name} may not decide {key}: the document decides it.")
        return
    if not any(is_within(clause, each) for clause in term.clauses for each in allowed.rests_on):
        text = f"{layer.name} may not change {key}, which rests on {cite(term.clauses)}: {allowed.but}"
        raise NotAmendable(document, allowed.clauses, text)


# --- studies ---------------------------------------------------------------------------------------------------------


def vary(rulebook: Rulebook, changes: Mapping[str, Any]) -> Rulebook:
    """The same rulebook with some values replaced, for study; `Rulebook.variant` then says which.

    A key is that of a term, ``dealer.soft_stand``, or of one row of a pay table, ``interim.pay_table.5-card-21``.
    Values are as `terms` yields them or as ``terms.toml`` writes them. What ends up as the document says is no change.
    What a dealer natural takes is said by three terms that are never at odds: see `_natural_takes`.
    """
    others = tuple(layer for layer in rulebook.amendments if layer.kind != STUDY)
    if len(others) < len(rulebook.amendments):
        under = amend(document_of(rulebook), *others)
    else:
        under = rulebook.on(None)
        remember(document_of(rulebook))
    reader = _reader(rulebook, STUDY_VARIANT)
    document = dict(terms(under))
    current = dict(terms(rulebook.on(None)))
    types = term_types()
    flat = list(_flat(changes, current))
    for key, raw in [*flat, *_natural_takes(flat, current)]:
        term_key, row_name = _locate(reader, key, current)
        old = current[term_key]
        if row_name is not None:
            raw = _with_row(reader, key, old.value, row_name, raw)
        elif row_type(types[pattern_of(term_key)]) is not None:
            raw = _with_old_clauses(raw, old)
        value = reader.value(types[pattern_of(term_key)], term_key, raw)
        original = document[term_key]
        current[term_key] = original if value == original.value else Term(value, original.clauses, STUDY_VARIANT)
    studied = {key: term.value for key, term in current.items() if term.value != document[key].value}
    if not studied:
        return under
    said = [text for key, value in studied.items() for text in _differences(key, document[key].value, value)]
    study = Amendment(STUDY_VARIANT, STUDY, _as_said(studied, document))
    varied = _rebuilt(rulebook, current, "; ".join(said), (*others, study))
    reader.consistent(varied)
    return varied


def variant_of(rulebook: Rulebook) -> dict[str, Any]:
    """What a study has changed, as ``[variant]`` of a record says it."""
    return next((dict(layer.terms) for layer in rulebook.amendments if layer.kind == STUDY), {})


def _as_said(studied: Mapping[str, Any], document: Mapping[str, Term[Any]]) -> dict[str, Any]:
    """Changed values as a file writes them, a pay table row by row where only odds differ."""
    found: dict[str, Any] = {}
    for key, value in studied.items():
        usual = document[key].value
        if _is_pay_table(value) and [row.name for row in value] == [row.name for row in usual]:
            found |= {
                f"{key}.{row.name}": str(row.odds)
                for row, old in zip(value, usual, strict=True)
                if row.odds != old.odds
            }
        else:
            found[key] = plain_value(value)
    return found


def _is_pay_table(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and isinstance(value[0], PayRow)


def _natural_takes(changes: list[tuple[str, Any]], known: Mapping[str, Term[Any]]) -> list[tuple[str, Any]]:
    """What must change besides: a dealer natural takes all where doubled portions and split wagers both lose.

    Who changes the whole changes both parts with it; who changes a part may change what the whole is called.
    """
    changed = dict(changes)
    if NATURAL_TAKES in changed:
        part = "lose" if changed[NATURAL_TAKES] == "all" else "stand-off"
        return [(key, part) for key in ITS_PARTS if key not in changed]
    if not changed.keys() & set(ITS_PARTS):
        return []
    lost = all(changed.get(key, known[key].value) == "lose" for key in ITS_PARTS)
    return [(NATURAL_TAKES, "all" if lost else "one-original")]


def _rebuilt(
    rulebook: Rulebook, values: Mapping[str, Term[Any]], variant: str, amendments: tuple[Amendment, ...]
) -> Rulebook:
    parts: dict[str, Any] = {"side_bets": {}}
    for key, section in sections_of(rulebook):
        kind = type(section)
        made = kind(**{field.name: values[f"{key}.{field.name}"] for field in fields_of(kind)})
        if isinstance(made, SideBet):
            parts["side_bets"][key.removeprefix("side_bets.")] = made
        else:
            parts[key] = made
    return Rulebook(id=rulebook.id, variant=variant, edition=rulebook.edition, amendments=amendments, **parts)


def _flat(changes: Mapping[str, Any], known: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Changes with full keys; TOML reads an unquoted ``dealer.soft_stand`` as tables in tables."""
    for name, value in changes.items():
        key = f"{prefix}{name}"
        inner = any(each.startswith(f"{key}.") for each in known) or (key in known and _names_rows(key))
        if inner and is_table(value) and "is" not in value:
            yield from _flat(value, known, f"{key}.")
        else:
            yield key, value


def _locate(reader: Reader, key: str, known: Mapping[str, Term[Any]]) -> tuple[str, str | None]:
    """The term that a key is about, and the row of it."""
    if key in known:
        return key, None
    head, _, tail = key.rpartition(".")
    if head in known and _names_rows(head):
        return head, tail
    raise reader.error(key, f"no such term{did_you_mean(key, known)}")


def _names_rows(key: str) -> bool:
    return row_type(term_types()[pattern_of(key)]) is PayRow


def _with_row(reader: Reader, key: str, rows: tuple[PayRow, ...], name: str, odds: Any) -> tuple[PayRow, ...]:
    """A pay table with other odds in one row."""
    if name not in [row.name for row in rows]:
        raise reader.error(key, f"no such row{did_you_mean(name, [row.name for row in rows])}")
    changed = reader.typed(Odds, key, odds)
    return tuple(msgspec.structs.replace(row, odds=changed) if row.name == name else row for row in rows)


def _with_old_clauses(raw: Any, old: Term[Any]) -> Any:
    """Rows of a study cite what the document's row of that name cites, else what the whole table cites."""
    if not isinstance(raw, (list, tuple)):
        return raw
    cited = {row.name: row.clauses for row in old.value}
    return [
        {"clauses": cited.get(row.get("name"), old.clauses), **row}
        if is_table(row) and "clause" not in row and "clauses" not in row
        else row
        for row in raw
    ]


def _differences(key: str, before: Any, after: Any) -> Iterator[str]:
    """What changed in one term, a pay table row by row."""
    if row_type(term_types()[pattern_of(key)]) is PayRow and [row.name for row in before] == [
        row.name for row in after
    ]:
        for old, new in zip(before, after, strict=True):
            if old.odds != new.odds:
                yield f"{key}.{new.name} = {new.odds}"
    else:
        yield f"{key} = {_in_short(after)}"


def _in_short(value: Any) -> str:
    """A value as the name of a variant says it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ", ".join(_in_short(each) for each in value) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{key} {_in_short(each)}" for key, each in value.items()) or "none"
    if isinstance(value, PayRow):
        return f"{value.name} {value.odds}"
    if isinstance(value, FixedRow | Restriction):
        return value.name
    return str(value) or "none"
