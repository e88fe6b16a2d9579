"""A session of a tournament at a table: whose turn it is to wager, written wagers, what ends a round, who is out.

The ordinary chapters ask `turns` and `rounds`; the acts of a session are in `sessions` and `forms`.
"""
