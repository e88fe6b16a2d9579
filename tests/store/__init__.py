"""The log: the same promises in SQLite and in PostgreSQL."""
