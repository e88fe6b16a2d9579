"""The calculator in the browser: what every choice is worth, and why, as rules and cards are picked. No live table."""
