"""Everybody who has a password changes his own, with the keyboard alone; whoever came in without one is not asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from pitboss.floor.model import FLOOR_ROLES
from tests.lengths import WHOLE
from tests.web.conftest import started
from tests.web.floor import PASSWORD, PHONE, Floor, SetUpFloor, resize
from tests.web.test_accessibility import faults_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

OLD, NEW = PASSWORD, "another long phrase 8"
BUTTON = ".bar >> text=Password"


@pytest.fixture(scope="module")
def staffed(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SetUpFloor]:
    """One account in every role."""
    for address in started(tmp_path_factory.mktemp("staffed")):
        found = SetUpFloor(address, browser, {f"one-{role[:12]}": role for role in FLOOR_ROLES})
        yield found
        found.close()


def write(page: Page, old: str, new: str, again: str) -> None:
    page.fill("#own-old", old)
    page.fill("#own-password", new)
    page.fill("#own-again", again)
    page.keyboard.press("Enter")


@pytest.mark.parametrize("role", FLOOR_ROLES if WHOLE else ("player", "dealer", "administrator"))
def test_in_every_role_one_changes_ones_own_password(staffed: SetUpFloor, role: str) -> None:
    name = f"one-{role[:12]}"
    page, elsewhere = staffed.page(name), staffed.page(name)
    page.click(BUTTON)
    write(page, OLD, NEW, NEW)
    page.wait_for_selector("dialog .done >> text=Your password is changed")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog", state="detached")
    assert page.request.get("/api/me").ok, "this session goes on"
    assert elsewhere.request.get("/api/me").status == 401, "others end"
    staffed.post(staffed.context(), "/api/login", {"name": name, "password": OLD}, 401)
    staffed.page(name, password=NEW)


def test_with_the_keyboard_alone(staffed: SetUpFloor) -> None:
    """One comes to it with Tab, is in the first field at once, and is back at the button after Escape."""
    page = staffed.page("ada")
    page.focus(BUTTON)
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog #own-old")
    for field, text in (("own-old", OLD), ("own-password", NEW), ("own-again", NEW + "!")):
        assert page.evaluate("document.activeElement.id") == field
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "Change password"
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog .problem >> text=The new passwords do not match")
    assert [page.get_by_label(label, exact=True).count() for label in ("Current password", "New password")] == [1, 1]
    assert faults_of(page) == []
    resize(page, PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert faults_of(page) == []
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    assert page.evaluate("document.activeElement.innerText") == "Password"


def test_every_error_is_one_sentence(staffed: SetUpFloor) -> None:
    page = staffed.page("ada")
    page.goto(f"{staffed.address}/#/accounts")
    page.click("[aria-label='New password for ada']")  # the administrator's own is asked for like everybody's
    page.wait_for_selector("dialog #own-old")
    for old, new, again, told in (
        (OLD, NEW, OLD, "The new passwords do not match."),
        (OLD, OLD, OLD, "That is your current password; choose another one."),
        ("not the old one", NEW, NEW, "The current password is wrong."),
        (OLD, "short", "short", "A password has 10 to 200 characters."),
        (OLD, "ada-ada-ada-1", "ada-ada-ada-1", "That password is too easy to guess: no name in it"),
    ):
        write(page, old, new, again)
        page.wait_for_selector(f"dialog .problem >> text={told}")
    page.keyboard.press("Escape")
    staffed.page("ada")


def test_a_guest_has_nothing_to_change(floor: Floor, faults: list[Any]) -> None:
    for role, name in (("player", "gustav"), ("supervisor", "")):
        page = floor.page(role, "#/tables", name)
        page.wait_for_selector(".bar >> text=Log out")
        assert page.locator(BUTTON).count() == 0
