"""One's own account in the browser: sessions, an authenticator, passkeys; and what two people change of others."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from pitboss.floor.factors import code_at
from tests.web.conftest import started
from tests.web.floor import FIRST, PASSWORD, PHONE, QUICK, SetUpFloor, counts, resize, shows
from tests.web.test_accessibility import faults_of
from tests.web.test_player import play_to_the_end, wager

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

OTHER = "gravel umbrella teapot"


@pytest.fixture(scope="module")
def house(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SetUpFloor]:
    for address in started(tmp_path_factory.mktemp("account")):
        names = {"sue": "supervisor", "tim": "supervisor", "pat": "dealer", "guy": "gaming-manager", "lou": "player"}
        found = SetUpFloor(address.replace("127.0.0.1", "localhost"), browser, names)
        yield found
        found.close()


def log_in(page: Page, name: str, password: str = PASSWORD) -> None:
    page.fill("#login-name", name)
    page.fill("#login-password", password)
    page.click("form >> text=Log in >> nth=-1")


def is_clean(page: Page) -> None:
    assert faults_of(page) == []
    resize(page, PHONE)
    assert faults_of(page) == []


def test_one_sees_where_one_is_logged_in_and_ends_it(house: SetUpFloor) -> None:
    page, other = house.page("tim", "#/account"), house.page("tim")
    page.reload()
    rows = page.locator("[aria-label=Sessions] tbody tr")
    page.wait_for_selector("text=End all other sessions")
    counts(page.locator("text=this one"), 1)
    is_clean(page)
    page.click("text=End all other sessions")
    page.wait_for_selector("text=Nowhere else.")
    assert rows.count() == 1 and other.request.get("/api/me").status == 401
    assert page.request.get("/api/me").ok

    # What somebody with an account has played is there in any browser.
    opening = {"rulebook": "nsw-pontoon", "name": "Left", "dealer": "house", "timers": QUICK}
    house.post(page.context, "/api/tables", {"id": "own-play", "table": "left", "opening": opening})
    lou = house.page("lou", "#/table/left")
    lou.wait_for_selector(".table-page[data-waits=wagers] .chip-rail")
    wager(lou, 3)
    lou.click("[data-do=place]")
    before = lou.get_attribute(".table-page", "data-round")
    lou.click("[data-do=ready]")
    lou.wait_for_function(
        "(before) => { const { phase, round } = document.querySelector('.table-page').dataset;"
        " return phase !== 'wagers' || round !== before; }",
        arg=before,
    )
    play_to_the_end(lou)
    elsewhere = house.page("lou", "#/my-play")
    shows(elsewhere, ".my-play .sittings div:first-child dd", "1")
    counts(elsewhere.locator(".my-play [aria-label='Replay round 1 of Left']"), 1)
    is_clean(elsewhere)


def test_an_authenticator_is_added_and_asked_for(house: SetUpFloor) -> None:
    page = house.page("pat", "#/account")
    page.click("text=Add an authenticator")
    page.fill("#sure-password", PASSWORD)
    page.keyboard.press("Enter")
    secret = page.inner_text(".secret code").replace(" ", "")
    is_clean(page)
    step = int(time.time()) // 30
    page.fill("#own-code", code_at(secret, step))
    page.keyboard.press("Enter")
    page.wait_for_selector("text=From now on logging in asks for a code from your authenticator.")
    page.click("text=Log out")
    log_in(page, "pat")
    page.wait_for_selector("#login-code")
    is_clean(page)
    page.fill("#login-code", code_at(secret, step + 1))  # the next one is taken half a minute early
    page.keyboard.press("Enter")
    page.wait_for_selector(".who-am-i >> text=pat")


def test_a_passkey_is_made_and_logs_in(house: SetUpFloor) -> None:
    page = house.page("sue", "#/account")
    line = page.context.new_cdp_session(page)
    line.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
        "isUserVerified": True, "automaticPresenceSimulation": True,
    }  # fmt: skip
    key = line.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]
    page.click("text=Add a passkey")
    page.fill("#sure-password", PASSWORD)
    page.fill("#passkey-name", "phone")
    is_clean(page)
    page.keyboard.press("Enter")
    page.wait_for_selector("text=From now on logging in asks for your passkey.")
    counts(page.locator("[aria-label='Remove phone']"), 1)
    is_clean(page)
    page.click("text=Log out")
    log_in(page, "sue")
    page.click("text=Use your passkey")
    page.wait_for_selector(".who-am-i >> text=sue")
    page.click("text=Log out")
    line.send("WebAuthn.setUserVerified", {"authenticatorId": key, "isUserVerified": False})
    log_in(page, "sue")
    page.click("text=Use your passkey")
    page.wait_for_selector(".problem >> text=Your device did not give a passkey")
    assert page.locator(".who-am-i").count() == 0


def test_two_people_make_an_account_and_its_owner_changes_the_password_first(house: SetUpFloor) -> None:
    page, second = house.page("ada", "#/accounts"), house.page("guy", "#/accounts")
    page.click("text=New account")
    page.fill("#new-name", "nell")
    page.fill("#new-password", FIRST)
    page.click("text=Create account")
    page.wait_for_selector(".done >> text=a second person")
    assert page.locator("[aria-label^='Approve']").count() == 0, "not the one who wants it"
    assert page.locator(".people-list >> text=nell").count() == 0
    second.wait_for_selector("[aria-label^='Approve: nell']")
    is_clean(second)
    second.click("[aria-label^='Approve: nell']")
    code = second.inner_text(".secret code")
    is_clean(second)
    nell = house.context().new_page()
    nell.goto(house.address)
    log_in(nell, "nell", FIRST)
    nell.wait_for_selector("#login-code")
    nell.fill("#login-code", code)
    nell.keyboard.press("Enter")
    nell.wait_for_selector("text=Somebody else set your password.")
    assert nell.locator(".bar nav a").count() == 0, "nothing else is offered"
    is_clean(nell)
    nell.click("text=Change the password")
    nell.fill("#own-old", FIRST)
    nell.fill("#own-password", OTHER)
    nell.fill("#own-again", OTHER)
    nell.keyboard.press("Enter")
    nell.wait_for_selector("dialog .done")
    nell.click("dialog .primary")
    nell.wait_for_selector(".bar nav a >> text=Tables")
