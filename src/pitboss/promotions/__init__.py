"""Promotional prizes, from the terms to the last claim: decide and evolve, as pure as the table."""
