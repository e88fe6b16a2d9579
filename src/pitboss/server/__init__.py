"""The server: authenticates, asks the floor, and sends everybody his own view. No rule lives here."""
