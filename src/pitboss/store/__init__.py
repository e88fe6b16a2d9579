"""The append-only log: what was acknowledged is in it, in one order, and nothing in it ever changes."""
