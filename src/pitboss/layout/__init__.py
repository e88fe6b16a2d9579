"""The cloth and the table of a document: what is needed, drawn to scale, and held against a real one."""
