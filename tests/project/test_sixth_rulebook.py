"""One more folder of terms and clauses is one more rulebook; only the tests that ask for its records miss them."""

from __future__ import annotations

from pathlib import Path

from tests.lengths import WHOLE
from tests.project.copies import SIXTH, add_rulebook, copy_project, run

SAMPLE = (
    "tests/rulebooks/test_load.py",
    "tests/clauses/test_register.py",
    "tests/project/test_editions.py",
    "tests/table/test_order_of_events.py",
    "tests/terminal/test_diff.py",
    "tests/floor/test_permissions.py::test_the_page_shows_where_the_rulebooks_differ",
)
ASK_FOR_ITS_RECORDS = (
    "tests/clauses/test_coverage.py::test_every_kept_clause_has_a_test",
    f"tests/clauses/test_coverage.py::test_every_clause_on_what_goes_wrong_is_kept_and_has_a_record[{SIXTH}]",
    f"tests/project/test_editions.py::test_the_shipped_edition_is_the_one_that_is_written_down[{SIXTH}]",
    f"tests/project/test_editions.py::test_every_released_edition_is_still_shipped[{SIXTH}]",
)
IN_COPIES = ("tests/project/test_sixth_rulebook.py", "tests/project/test_extend.py")
"""They change a copy of what is shipped; the page on extending gives a new term to every rulebook there."""


def test_a_sixth_rulebook_breaks_no_test_but_those_that_ask_for_its_records(tmp_path: Path) -> None:
    project = copy_project(tmp_path / "project")
    add_rulebook(project)
    where = ("-n", "4", "tests", *(f"--ignore={file}" for file in IN_COPIES)) if WHOLE else SAMPLE
    left_out = [word for test in ASK_FOR_ITS_RECORDS for word in ("--deselect", test)]
    tested = run(project, "-m", "pytest", "-q", "-p", "no:cacheprovider", *where, *left_out)
    assert tested.returncode == 0, tested.stdout[-6000:] + tested.stderr[-2000:]
    assert SIXTH in run(project, "-m", "pitboss", "clauses").stdout
    rules = run(project, "-m", "pitboss", "rules", SIXTH)
    assert rules.returncode == 0 and "Sixth pontoon 2030" in rules.stdout
