"""One server and one browser for all tests of the web table; every table is opened for its test, with quick timers."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.floor import Floor, LaidFloor

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = Path("/usr/bin/chromium")
ARGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


def started(folder: Path, module: tuple[str, ...] = ("pitboss",), port: int = 0) -> Iterator[str]:
    """`pitboss serve` in a folder of its own, on a port that is free; its address."""
    pytest.importorskip("litestar")
    where = ["--port", str(port), "--data", str(folder)]
    command = [sys.executable, "-m", *module, "serve", *where, "--grace", "0", "--reserve", "0", "--json"]
    with (
        (folder / "server.log").open("w") as log,
        subprocess.Popen([*command, "--log", "warning"], stdout=subprocess.PIPE, stderr=log, text=True) as server,
    ):
        try:
            assert server.stdout is not None
            line = server.stdout.readline()
            assert line.startswith("{"), (folder / "server.log").read_text()
            address: str = json.loads(line)["address"]
            yield address
        finally:
            server.terminate()
            try:
                server.wait(5)
            except subprocess.TimeoutExpired:
                server.kill()


@pytest.fixture(scope="session")
def live_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    yield from started(tmp_path_factory.mktemp("floor"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    api = pytest.importorskip("playwright.sync_api")
    if not CHROMIUM.exists():
        pytest.skip("no Chromium on this machine")
    with api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(ARGS))
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def floor(live_server: str, browser: Browser) -> Iterator[Floor]:
    """Everybody on the floor: each role has one context, logged in once."""
    found = Floor(live_server, browser)
    yield found
    found.close()


@pytest.fixture
def faults(floor: Floor) -> Iterator[list[Any]]:
    """What the pages of a test complained about; nothing, or the test fails."""
    floor.faults.clear()
    floor.foreseen.clear()
    yield floor.faults
    floor.close_pages()
    assert floor.faults == []


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[LaidFloor]:
    folder = tmp_path_factory.mktemp("laid")
    for address in started(folder, ("tests.web.arranged", str(folder))):
        found = LaidFloor(address, browser)
        found.folder = folder
        yield found
        found.close()


@pytest.fixture
def table(laid: LaidFloor) -> Iterator[LaidFloor]:
    """The floor on which cards are laid, for a test whose pages complain about nothing."""
    laid.faults.clear()
    laid.foreseen.clear()
    yield laid
    laid.close_pages()
    assert laid.faults == []
