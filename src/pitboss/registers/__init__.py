"""The casino's registers: from what happened to what must be kept, done and told. Pure: time comes in as a value."""
