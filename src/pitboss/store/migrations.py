"""How the tables of a log came to look as they do: one step a version, and every older log is led through them.

A step never touches an entry: hashes made by an older rule stay valid, because each entry names its rule.
"""

from __future__ import annotations

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
)
"""1: entries, snapshots, claims. 2: a slip of an administrator's hand changes no entry (whoever means to, is found out
by the chain)."""

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
)

INDEXES = frozenset({"entries_by_stream", "entries_by_command"})
"""Without them a stream could fork and a command be done twice."""

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
