"""The calculator's own small server: a page, its files and three questions, on this machine alone unless told."""

from __future__ import annotations

import socket
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Any

import uvicorn
from litestar import Litestar, MediaType, Request, Response, get
from litestar.config.allowed_hosts import AllowedHostsConfig
from litestar.exceptions import HTTPException
from litestar.params import FromPath
from litestar.static_files import create_static_files_router

from pitboss.basics.cards import CardError
from pitboss.basics.money import MoneyError
from pitboss.calculator.answers import Answers, Game, choosable, colours
from pitboss.maths.shoes import MathsError
from pitboss.rulebooks import RulebookError

PAGE = Path(__file__).parent / "page"
WEB = Path(__file__).parent.parent / "web"
VENDOR = WEB / "js" / "vendor"
HEADERS = {
    "content-security-policy": "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}
CHANGES_MAX = 60


def make_app(hosts: list[str]) -> Litestar:
    """The whole server."""
    answers = Answers()

    def game(rulebook: str, decks: str, set_: list[str] | None, resplit: bool, bonus: str) -> Game:
        changes = tuple(set_ or ())
        if len(changes) > CHANGES_MAX or any(len(each) > 200 for each in changes):
            raise MathsError("too many changed terms.")
        return Game(rulebook, decks, changes, resplit, bonus)

    @get("/", media_type=MediaType.HTML, sync_to_thread=False)
    def index() -> str:
        return (PAGE / "index.html").read_text(encoding="utf-8")

    @get("/icon.svg", media_type="image/svg+xml", sync_to_thread=False)
    def icon() -> str:
        return (WEB / "icon.svg").read_text(encoding="utf-8")

    @get("/colours.css", media_type="text/css", sync_to_thread=False)
    def style() -> str:
        return colours()

    @get("/api/games", sync_to_thread=True)
    def games() -> list[Any]:
        return list(choosable())

    @get("/api/hand", sync_to_thread=True)
    def hand(request: Request[Any, Any, Any]) -> dict[str, Any]:
        asked = request.query_params
        chosen = game(*_game_of(asked))
        return answers.hand(chosen, asked.get("cards", ""), asked.get("dealer", ""), asked.get("doubled") == "1")

    @get("/api/chart", sync_to_thread=True)
    def chart(request: Request[Any, Any, Any]) -> dict[str, Any]:
        asked = request.query_params
        return answers.chart(game(*_game_of(asked)), asked.get("level", "full"))

    @get("/api/values/{kind:str}", sync_to_thread=True)
    def values(request: Request[Any, Any, Any], kind: FromPath[str]) -> Response[str]:
        text = answers.values(game(*_game_of(request.query_params)), kind)
        media = {"csv": "text/csv", "html": "text/html"}.get(kind, "text/plain")
        return Response(text, media_type=f"{media}; charset=utf-8")

    return Litestar(
        [
            index,
            icon,
            values,
            style,
            games,
            hand,
            chart,
            create_static_files_router("/files", [PAGE]),
            create_static_files_router("/vendor", [VENDOR], name="vendor"),
        ],
        exception_handlers={
            **dict.fromkeys((MathsError, RulebookError, CardError, MoneyError), _unread),
            HTTPException: _refused,
        },
        allowed_hosts=AllowedHostsConfig(hosts),
        after_request=_with_headers,
        openapi_config=None,
    )


def _game_of(asked: Any) -> tuple[str, str, list[str], bool, str]:
    return (
        asked.get("rulebook", ""), asked.get("decks", ""), asked.getall("set", []), asked.get("resplit") == "1",
        asked.get("bonus", ""),
    )  # fmt: skip


def _unread(_: Request[Any, Any, Any], error: Exception) -> Response[dict[str, str]]:
    said = str(error).removeprefix("--explain ")
    return Response({"error": said}, status_code=400, headers=HEADERS)


def _refused(_: Request[Any, Any, Any], error: HTTPException) -> Response[dict[str, str]]:
    return Response({"error": error.detail}, status_code=error.status_code, headers=HEADERS)


def _with_headers(response: Response[Any]) -> Response[Any]:
    response.headers.update(HEADERS)
    return response


def listening(host: str, port: int) -> socket.socket:
    """A socket that is ours; any free port where none is named."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
    except OSError as error:
        made.close()
        why = (error.strerror or str(error)).lower()
        raise MathsError(f"--host {host} --port {port}: {why}; name another port.") from None
    return made


def run(host: str, port: int, *, open_browser: bool, tell: Callable[[str], None]) -> None:
    """Serve until somebody stops it."""
    made = listening(host, port)
    shown = f"[{host}]" if ":" in host else host
    port = made.getsockname()[1]
    hosts = [f"{each}:{port}" for each in dict.fromkeys(("localhost", "127.0.0.1", "[::1]", shown))]
    address = f"http://{shown}:{port}/"
    server = uvicorn.Server(uvicorn.Config(make_app(hosts), log_level="warning", lifespan="off"))
    tell(address)
    if open_browser:
        webbrowser.open(address)
    server.run(sockets=[made])
