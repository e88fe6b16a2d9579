"""What happens now: a supervisor says what went wrong, and the rulebook's steps come back with their clauses.

>>> from pitboss.adjudicate import adjudicate
>>> ruling = adjudicate("adelaide-pontoon-2008", "card-drawn-in-error", exposed=False)
>>> for step in ruling.steps:
...     print(step.text, step.clauses)
A card drawn in error is the next card: the next hand that draws gets it. ('102', '103')
It was not exposed, so nobody may refuse it. ('103', '102')
>>> [(notice.to, notice.clauses) for notice in ruling.notices]
[('casino-supervisor', ('112',))]

Where a document is silent nobody guesses. The question says what the siblings do, and who decides:

>>> ruling = adjudicate("canberra-pontoon-2005", "cut-missed")
>>> ruling.complete, ruling.questions[0].about, ruling.questions[0].decided_by
(False, 'irregularities.cut_missed', 'casino-operator')
>>> [(choice.value, choice.sources[0]) for choice in ruling.questions[0].choices]
[('finish-then-shuffle', Source(rulebook='NSW pontoon', clauses=('17.11',)))]
>>> adjudicate(
...     "canberra-pontoon-2005", "cut-missed",
...     decisions={"irregularities.cut_missed": "finish-then-shuffle"}, decided_by="gaming-manager",
... ).steps[0].text
'If the cut was missed, the round is finished as dealt; then the cards are shuffled and cut. Earlier rounds stand.'
"""

from pitboss.adjudicate.model import (
    AdjudicationError,
    Approval,
    Choice,
    Decision,
    Notice,
    Question,
    Ruling,
    Source,
    Step,
)
from pitboss.adjudicate.ruling import adjudicate, adjudicate_act
from pitboss.adjudicate.situations import SITUATIONS

__all__ = [
    "SITUATIONS",
    "AdjudicationError",
    "Approval",
    "Choice",
    "Decision",
    "Notice",
    "Question",
    "Ruling",
    "Source",
    "Step",
    "adjudicate",
    "adjudicate_act",
]
