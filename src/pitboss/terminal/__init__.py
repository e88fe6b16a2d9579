"""The table in a terminal or a pipe, and the rule sheets: what people see of the engine."""
