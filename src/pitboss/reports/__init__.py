"""What a house makes of its log: drop, win and hold by table, hour, dealer and wager, beside what could be expected."""
