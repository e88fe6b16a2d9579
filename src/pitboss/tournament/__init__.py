"""Tournaments, from the conditions to the last prize: decide and evolve, as pure as the table."""
