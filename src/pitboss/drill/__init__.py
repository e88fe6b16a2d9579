"""Training the eye: rounds told line by line with a dealer's errors planted in them, and a score for finding them.

>>> from pitboss.drill import make_drill, read_answer, score
>>> drill = make_drill("nsw-pontoon", rounds=1, seed=7)[0]
>>> drill == make_drill("nsw-pontoon", rounds=1, seed=7)[0]
True
>>> right = " ".join(str(error.lines[0]) for error in drill.errors) or "none"
>>> result = score(drill, read_answer(right, drill))
>>> len(result.caught) == len(drill.errors), result.missed, result.wrongly_called
(True, (), ())
"""

from pitboss.drill.errors import KINDS, kinds_for
from pitboss.drill.making import make_drill
from pitboss.drill.model import Drill, DrillError, PlantedError, Score, Total, read_answer, score

__all__ = [
    "KINDS",
    "Drill",
    "DrillError",
    "PlantedError",
    "Score",
    "Total",
    "kinds_for",
    "make_drill",
    "read_answer",
    "score",
]
