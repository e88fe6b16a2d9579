"""Patrons: what the house keeps of a person, and the gaming day by which it is counted. Pure, as the table is."""
