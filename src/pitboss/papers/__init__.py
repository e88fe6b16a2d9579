"""What tournaments and promotions write in TOML: conditions as tables, acts as lines, events as sentences; pure."""
