"""Round records: small files that say what was played and what must come of it; read, write, replay, explain, save.

>>> from pitboss.records import loads, replay
>>> record = loads('''
... title    = "A pontoon is paid 3 to 2"
... rulebook = "nsw-pontoon"
... cards    = "As 7h Kd"
... play     = ["alice bets 10 on 1", "dealer deals"]
... expect   = { net = { alice = 15 } }
... ''')
>>> replay(record).ok
True
"""

from pitboss.records.jsonl import dumps_lines, loads_lines
from pitboss.records.model import Expect, Play, Record, RecordError
from pitboss.records.read import loads, read
from pitboss.records.replay import ReplayResult, replay
from pitboss.records.saving import Recorder, public_events, record_of
from pitboss.records.write import dumps

__all__ = [
    "Expect",
    "Play",
    "Record",
    "RecordError",
    "Recorder",
    "ReplayResult",
    "dumps",
    "dumps_lines",
    "loads",
    "loads_lines",
    "public_events",
    "read",
    "record_of",
    "replay",
]
