"""What a decision is worth, for those who practise. A service of its own: no live table and no server imports it."""
