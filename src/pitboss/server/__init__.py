"""The server: authenticates, asks the floor, and sends everybody their own view. No rule lives here."""
