"""How the tables of a log came to look as they do: one step a version, and every older log is led through them.

A step never touches an entry: hashes made by an older rule stay valid, because each entry names its rule.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from pitboss.store.log import StoreError

SQLITE: tuple[str, ...] = (
    """
    CREATE TABLE entries (
        seq INTEGER PRIMARY KEY,
        format INTEGER NOT NULL,
        stream TEXT NOT NULL,
        version INTEGER NOT NULL,
        at_ms INTEGER NOT NULL,
        by_name TEXT NOT NULL,
        command TEXT NOT NULL,
        remaining INTEGER NOT NULL,
        kind TEXT NOT NULL,
        body BLOB NOT NULL,
        answer BLOB NOT NULL,
        hash BLOB NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX entries_by_stream ON entries (stream, version);
    CREATE UNIQUE INDEX entries_by_command ON entries (command) WHERE remaining = 0 AND command <> '';
    CREATE TABLE snapshots (
        stream TEXT PRIMARY KEY,
        version INTEGER NOT NULL,
        body BLOB NOT NULL,
        seq INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE claims (
        stream TEXT PRIMARY KEY,
        owner TEXT NOT NULL,
        address TEXT NOT NULL,
        epoch INTEGER NOT NULL,
        until_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """,
    """
    CREATE TRIGGER entries_do_not_change BEFORE UPDATE ON entries BEGIN
        SELECT RAISE(ABORT, 'the log only grows');
    END;
    CREATE TRIGGER entries_do_not_go BEFORE DELETE ON entries BEGIN
        SELECT RAISE(ABORT, 'the log only grows');
    END;
    """,
    """
    CREATE TABLE places (
        stream TEXT NOT NULL,
        version INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        PRIMARY KEY (stream, version)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE commands (
        command TEXT PRIMARY KEY,
        seq INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE folded (seq INTEGER NOT NULL) STRICT;
    INSERT INTO places SELECT stream, version, seq FROM entries ORDER BY stream, version;
    INSERT INTO commands SELECT command, seq FROM entries WHERE remaining = 0 AND command <> '' ORDER BY command;
    INSERT INTO folded SELECT ifnull(max(seq), 0) FROM entries;
    DROP INDEX IF EXISTS entries_by_stream;
    DROP INDEX IF EXISTS entries_by_command;
    """,
    "SELECT 1;",
    """
    ALTER TABLE entries ADD COLUMN proof BLOB NOT NULL DEFAULT x'';
    CREATE TABLE data_keys (
        number INTEGER PRIMARY KEY,
        wrapped_by TEXT NOT NULL,
        wrapped BLOB NOT NULL,
        made_ms INTEGER NOT NULL
    ) STRICT;
    """,
    """
    CREATE TABLE segments (
        first INTEGER PRIMARY KEY,
        last INTEGER NOT NULL,
        path TEXT NOT NULL,
        hash BLOB NOT NULL,
        at_ms INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE base (seq INTEGER PRIMARY KEY, hash BLOB NOT NULL) STRICT;
    DROP TRIGGER IF EXISTS entries_do_not_change;
    CREATE TRIGGER entries_do_not_change BEFORE UPDATE ON entries
    WHEN NOT (
        new.seq = old.seq AND new.format = old.format AND new.stream = old.stream AND new.version = old.version
        AND new.at_ms = old.at_ms AND new.by_name = old.by_name AND new.command = old.command
        AND new.remaining = old.remaining AND new.kind = old.kind AND new.answer = old.answer
        AND new.hash = old.hash
        AND new.body = x'' AND (
            (length(old.proof) IN (16, 32) AND length(new.proof) = 32)
            OR (
                length(old.proof) IN (36, 52) AND length(new.proof) = 52
                AND substr(new.proof, 33) = substr(old.proof, length(old.proof) - 19)
            )
        )
        AND EXISTS (SELECT 1 FROM segments WHERE old.seq BETWEEN first AND last)
    ) BEGIN
        SELECT RAISE(ABORT, 'the log only grows');
    END;
    """,
    "SELECT 1;",
    """
    ALTER TABLE data_keys ADD COLUMN owner TEXT NOT NULL DEFAULT '';
    DROP TRIGGER IF EXISTS entries_do_not_change;
    CREATE TRIGGER entries_do_not_change BEFORE UPDATE ON entries
    WHEN NOT (
        new.seq = old.seq AND new.format = old.format AND new.stream = old.stream AND new.version = old.version
        AND new.at_ms = old.at_ms AND new.by_name = old.by_name AND new.command = old.command
        AND new.remaining = old.remaining AND new.kind = old.kind AND new.answer = old.answer
        AND new.hash = old.hash
        AND new.body = x'' AND (
            (length(old.proof) IN (16, 32) AND length(new.proof) = 32)
            OR (
                length(old.proof) IN (36, 52) AND length(new.proof) = 52
                AND substr(new.proof, 33) = substr(old.proof, length(old.proof) - 19)
            )
        )
        AND (
            EXISTS (SELECT 1 FROM segments WHERE old.seq BETWEEN first AND last)
            OR (
                new.proof = old.proof
                AND EXISTS (SELECT 1 FROM data_keys WHERE 'patron:' || owner = old.stream AND wrapped = x'')
            )
        )
    ) BEGIN
        SELECT RAISE(ABORT, 'the log only grows');
    END;
    """,
)
"""1: entries, snapshots, claims. 2: a slip of an administrator's hand changes no entry (whoever means to, is found out
by the chain). 3: tables in the place of indexes, brought up to date many entries at a time (see `finding`). 4: as 3;
only PostgreSQL has something new. 5: commitments with salt in the place of bodies in the chain, codes that only
who has the key can make, and the wrapped keys of what is sealed. 6: segments that have the bodies of old entries, and
where a log begins that is such a segment. 7: as 6; only PostgreSQL has something new. 8: keys of
single people, which can be destroyed: then what they sealed may go."""

POSTGRES: tuple[str, ...] = (
    """
    CREATE TABLE entries (
        seq BIGINT PRIMARY KEY,
        format INTEGER NOT NULL,
        stream TEXT COLLATE "C" NOT NULL,
        version BIGINT NOT NULL,
        at_ms BIGINT NOT NULL,
        by_name TEXT COLLATE "C" NOT NULL,
        command TEXT COLLATE "C" NOT NULL,
        remaining INTEGER NOT NULL,
        kind TEXT COLLATE "C" NOT NULL,
        body BYTEA NOT NULL,
        answer BYTEA NOT NULL,
        hash BYTEA NOT NULL
    );
    CREATE UNIQUE INDEX entries_by_stream ON entries (stream, version);
    CREATE UNIQUE INDEX entries_by_command ON entries (command) WHERE remaining = 0 AND command <> '';
    CREATE TABLE snapshots (
        stream TEXT COLLATE "C" PRIMARY KEY,
        version BIGINT NOT NULL,
        body BYTEA NOT NULL,
        seq BIGINT NOT NULL
    );
    CREATE TABLE claims (
        stream TEXT COLLATE "C" PRIMARY KEY,
        owner TEXT NOT NULL,
        address TEXT NOT NULL,
        epoch BIGINT NOT NULL,
        until_ms BIGINT NOT NULL
    );
    CREATE TABLE about (schema_version INTEGER NOT NULL);
    INSERT INTO about VALUES (0);
    """,
    """
    CREATE FUNCTION the_log_only_grows() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'the log only grows'; END $$;
    CREATE TRIGGER entries_do_not_change BEFORE UPDATE OR DELETE OR TRUNCATE ON entries
        FOR EACH STATEMENT EXECUTE FUNCTION the_log_only_grows();
    """,
    """
    CREATE FUNCTION append_at(
        lock BIGINT, channel TEXT, head BIGINT, head_hash BYTEA, epochs BIGINT, of_format INTEGER,
        streams TEXT[], versions BIGINT[], times BIGINT[], names TEXT[], commands TEXT[], remainders INTEGER[],
        kinds TEXT[], bodies BYTEA[], answers BYTEA[], hashes BYTEA[]
    ) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM pg_advisory_xact_lock(lock);
        IF (SELECT e.hash FROM entries e ORDER BY e.seq DESC LIMIT 1) IS DISTINCT FROM head_hash
            OR (SELECT coalesce(sum(c.epoch), 0) FROM claims c) <> epochs
        THEN
            RETURN FALSE;
        END IF;
        INSERT INTO entries (
            seq, format, stream, version, at_ms, by_name, command, remaining, kind, body, answer, hash
        )
        SELECT head + row.number, of_format, row.stream, row.version, row.at_ms, row.by_name, row.command,
            row.remaining, row.kind, row.body, row.answer, row.hash
        FROM unnest(
            streams, versions, times, names, commands, remainders, kinds, bodies, answers, hashes
        ) WITH ORDINALITY AS row (
            stream, version, at_ms, by_name, command, remaining, kind, body, answer, hash, number
        );
        PERFORM pg_notify(channel, (head + cardinality(streams))::text);
        RETURN TRUE;
    END $$;
    """,
    """
    DROP FUNCTION append_at;
    CREATE FUNCTION append_next(
        lock BIGINT, channel TEXT, epochs BIGINT, of_format INTEGER,
        streams TEXT[], versions BIGINT[], times BIGINT[], names TEXT[], commands TEXT[], remainders INTEGER[],
        kinds TEXT[], bodies BYTEA[], answers BYTEA[], heads BYTEA[]
    ) RETURNS BIGINT LANGUAGE plpgsql AS $$
    DECLARE
        last BIGINT;
        place BIGINT;
        previous BYTEA;
        entry RECORD;
        mark BYTEA := set_byte(decode('00', 'hex'), 0, of_format);
        hashes BYTEA[] := '{}';
    BEGIN
        PERFORM pg_advisory_xact_lock(lock);
        IF (SELECT coalesce(sum(c.epoch), 0) FROM claims c) <> epochs THEN
            RETURN NULL;
        END IF;
        SELECT e.seq, e.hash INTO last, previous FROM entries e ORDER BY e.seq DESC LIMIT 1;
        last := coalesce(last, 0);
        place := last;
        previous := coalesce(previous, decode(repeat('00', 32), 'hex'));
        FOR entry IN SELECT * FROM unnest(heads, bodies, answers) AS row (head, body, answer) LOOP
            place := place + 1;
            previous := sha256(previous || mark || int8send(place) || entry.head || entry.body || entry.answer);
            hashes := hashes || previous;
        END LOOP;
        INSERT INTO entries (
            seq, format, stream, version, at_ms, by_name, command, remaining, kind, body, answer, hash
        )
        SELECT last + row.number, of_format, row.stream, row.version, row.at_ms, row.by_name, row.command,
            row.remaining, row.kind, row.body, row.answer, row.hash
        FROM unnest(
            streams, versions, times, names, commands, remainders, kinds, bodies, answers, hashes
        ) WITH ORDINALITY AS row (
            stream, version, at_ms, by_name, command, remaining, kind, body, answer, hash, number
        );
        PERFORM pg_notify(channel, place::text);
        RETURN place;
    END $$;
    """,
    """
    ALTER TABLE entries ADD COLUMN proof BYTEA NOT NULL DEFAULT '';
    CREATE TABLE data_keys (
        number INTEGER PRIMARY KEY,
        wrapped_by TEXT NOT NULL,
        wrapped BYTEA NOT NULL,
        made_ms BIGINT NOT NULL
    );
    DROP FUNCTION append_next;
    CREATE FUNCTION append_next(
        lock BIGINT, channel TEXT, epochs BIGINT, of_format INTEGER,
        streams TEXT[], versions BIGINT[], times BIGINT[], names TEXT[], commands TEXT[], remainders INTEGER[],
        kinds TEXT[], bodies BYTEA[], answers BYTEA[], proofs BYTEA[], covered BYTEA[]
    ) RETURNS BIGINT LANGUAGE plpgsql AS $$
    DECLARE
        last BIGINT;
        place BIGINT;
        previous BYTEA;
        entry BYTEA;
        mark BYTEA := set_byte(decode('00', 'hex'), 0, of_format);
        hashes BYTEA[] := '{}';
    BEGIN
        PERFORM pg_advisory_xact_lock(lock);
        IF (SELECT coalesce(sum(c.epoch), 0) FROM claims c) <> epochs THEN
            RETURN NULL;
        END IF;
        SELECT e.seq, e.hash INTO last, previous FROM entries e ORDER BY e.seq DESC LIMIT 1;
        last := coalesce(last, 0);
        place := last;
        previous := coalesce(previous, decode(repeat('00', 32), 'hex'));
        FOREACH entry IN ARRAY covered LOOP
            place := place + 1;
            previous := sha256(previous || mark || int8send(place) || entry);
            hashes := hashes || previous;
        END LOOP;
        INSERT INTO entries (
            seq, format, stream, version, at_ms, by_name, command, remaining, kind, body, answer, proof, hash
        )
        SELECT last + row.number, of_format, row.stream, row.version, row.at_ms, row.by_name, row.command,
            row.remaining, row.kind, row.body, row.answer, row.proof, row.hash
        FROM unnest(
            streams, versions, times, names, commands, remainders, kinds, bodies, answers, proofs, hashes
        ) WITH ORDINALITY AS row (
            stream, version, at_ms, by_name, command, remaining, kind, body, answer, proof, hash, number
        );
        PERFORM pg_notify(channel, place::text);
        RETURN place;
    END $$;
    """,
    """
    CREATE TABLE segments (
        first BIGINT PRIMARY KEY,
        last BIGINT NOT NULL,
        path TEXT NOT NULL,
        hash BYTEA NOT NULL,
        at_ms BIGINT NOT NULL
    );
    CREATE FUNCTION bodies_go_to_segments() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF new.seq = old.seq AND new.format = old.format AND new.stream = old.stream AND new.version = old.version
            AND new.at_ms = old.at_ms AND new.by_name = old.by_name AND new.command = old.command
            AND new.remaining = old.remaining AND new.kind = old.kind AND new.answer = old.answer
            AND new.hash = old.hash AND new.body = '' AND (
                (length(old.proof) IN (16, 32) AND length(new.proof) = 32)
                OR (
                    length(old.proof) IN (36, 52) AND length(new.proof) = 52
                    AND substr(new.proof, 33) = substr(old.proof, length(old.proof) - 19)
                )
            )
            AND EXISTS (SELECT 1 FROM segments WHERE old.seq BETWEEN first AND last)
        THEN
            RETURN new;
        END IF;
        RAISE EXCEPTION 'the log only grows';
    END $$;
    DROP TRIGGER IF EXISTS entries_do_not_change ON entries;
    CREATE TRIGGER entries_do_not_go BEFORE DELETE OR TRUNCATE ON entries
        FOR EACH STATEMENT EXECUTE FUNCTION the_log_only_grows();
    CREATE TRIGGER entries_do_not_change BEFORE UPDATE ON entries
        FOR EACH ROW EXECUTE FUNCTION bodies_go_to_segments();
    """,
    """
    CREATE FUNCTION append_behind(
        guarded TEXT[], expected BIGINT[], lock BIGINT, channel TEXT, epochs BIGINT, of_format INTEGER,
        streams TEXT[], versions BIGINT[], times BIGINT[], names TEXT[], commands TEXT[], remainders INTEGER[],
        kinds TEXT[], bodies BYTEA[], answers BYTEA[], proofs BYTEA[], covered BYTEA[]
    ) RETURNS BIGINT LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM pg_advisory_xact_lock(lock);
        IF EXISTS (
            SELECT FROM unnest(guarded, expected) AS guard (stream, version) WHERE guard.version <> coalesce(
                (SELECT max(e.version) FROM entries e WHERE e.stream = guard.stream COLLATE "C"), 0
            )
        ) THEN
            RETURN NULL;
        END IF;
        RETURN append_next(
            lock, channel, epochs, of_format, streams, versions, times, names, commands, remainders, kinds, bodies,
            answers, proofs, covered
        );
    END $$;
    """,
    """
    ALTER TABLE data_keys ADD COLUMN owner TEXT COLLATE "C" NOT NULL DEFAULT '';
    CREATE OR REPLACE FUNCTION bodies_go_to_segments() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF new.seq = old.seq AND new.format = old.format AND new.stream = old.stream AND new.version = old.version
            AND new.at_ms = old.at_ms AND new.by_name = old.by_name AND new.command = old.command
            AND new.remaining = old.remaining AND new.kind = old.kind AND new.answer = old.answer
            AND new.hash = old.hash AND new.body = '' AND (
                (length(old.proof) IN (16, 32) AND length(new.proof) = 32)
                OR (
                    length(old.proof) IN (36, 52) AND length(new.proof) = 52
                    AND substr(new.proof, 33) = substr(old.proof, length(old.proof) - 19)
                )
            )
            AND (
                EXISTS (SELECT 1 FROM segments WHERE old.seq BETWEEN first AND last)
                OR (
                    new.proof = old.proof
                    AND EXISTS (SELECT 1 FROM data_keys k WHERE 'patron:' || k.owner = old.stream AND k.wrapped = '')
                )
            )
        THEN
            RETURN new;
        END IF;
        RAISE EXCEPTION 'the log only grows';
    END $$;
    """,
)
"""1 and 2: as above. 3: a writer who knew where the log ends appended in one round trip. 4: one who knows their streams
does, wherever it ends: the server gives their entries their places and hashes, and says where the log ends then. 5: as
above; the server is given what the hash covers, and of what is sealed it is given the commitment. 6: as above. 7: it
also looks whether streams that are only relied on are where they were. 8: as above."""

INDEXES = frozenset({"entries_by_stream", "entries_by_command"})
"""Without them a stream could fork and a command be done twice (in SQLite, up to schema 2)."""

FINDING_SCHEMA = 3
"""The first in which a log in SQLite has tables in their place."""

SEALING_SCHEMA = 5
"""The first in which entries have salts."""

SEGMENTS_SCHEMA = 6
"""The first in which a log has segments."""

OWNERS_SCHEMA = 8
"""The first in which keys may be one person's."""

SCHEMA = len(SQLITE)
"""The version that this Pitboss writes; both kinds of log count alike."""


def steps_from(found: int, steps: tuple[str, ...], place: str) -> tuple[str, ...]:
    """What leads a log of version `found` here; a newer one is refused, because nobody here knows what it means."""
    if found > len(steps):
        raise StoreError(
            f"{place}: this log has schema version {found} and this Pitboss knows versions up to {len(steps)} only; "
            "use a newer Pitboss."
        )
    return steps[found:]


TRIGGERS = frozenset({"entries_do_not_change", "entries_do_not_go"})
"""The triggers of a log: whoever puts another one there has the database write or hide what nobody asked for."""
FUNCTIONS = frozenset({"the_log_only_grows", "bodies_go_to_segments"})
"""What they call in PostgreSQL."""


def made_here(name: str, text: str) -> bool:
    """Whether a trigger of SQLite is one that some version of Pitboss made."""
    said = " ".join(text.split())
    return name in TRIGGERS and any(said in " ".join(step.split()) for step in SQLITE)


@cache
def functions_made() -> Mapping[str, frozenset[str]]:
    """What the functions of a log in PostgreSQL say, by their names, as some version of Pitboss made them."""
    found: dict[str, set[str]] = {}
    for step in POSTGRES:
        for name, body in re.findall(r"CREATE (?:OR REPLACE )?FUNCTION (\w+)\(.*?\$\$(.*?)\$\$", step, re.DOTALL):
            found.setdefault(name, set()).add(" ".join(body.split()))
    return {name: frozenset(bodies) for name, bodies in found.items()}


def is_altered(name: str, text: str) -> bool:
    """Whether a function of PostgreSQL has the name of one of ours, and says something else."""
    made = functions_made().get(name)
    return made is not None and " ".join(text.split()) not in made
