"""Heads of the log go to witnesses while it is served, and who was away is told as soon as they can be reached."""

from __future__ import annotations

from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import msgspec
import pytest

from pitboss.cli import main
from pitboss.floor.mailing import Mail, MailError
from pitboss.server import witnesses
from pitboss.server.witnesses import MAIL_MS, Witnesses
from pitboss.store.log import Head
from pitboss.store.signing import SignedHead, Signer, is_signed

ADDRESS = "https://witness.example/heads"


@pytest.fixture
def heads(tmp_path: Path) -> list[SignedHead]:
    signer = Signer(tmp_path / "log.key")
    return [signer.sign(Head(number, bytes(32)), number) for number in (1, 2, 3)]


def test_whoever_was_away_is_told_the_newest_head_later(heads: list[SignedHead]) -> None:
    told: list[tuple[str, bytes]] = []
    away = [True]

    def post(address: str, body: bytes) -> None:
        if away[0] and address == ADDRESS:
            raise OSError("no route to host")
        told.append((address, body))

    found = Witnesses((ADDRESS, "https://two.example"), None, post)
    for head in heads[:2]:
        (wrong,) = found.tell(head, 1)
        assert ADDRESS in wrong and "no route to host" in wrong
    away[0] = False
    assert found.tell(None, 2) == [] and found.tell(None, 3) == [], "once"
    second = msgspec.json.encode(heads[1])
    assert [body for address, body in told if address == ADDRESS] == [second]
    assert [body for address, body in told if address != ADDRESS] == [msgspec.json.encode(heads[0]), second]


def test_a_letter_once_a_day_has_a_head_that_can_be_kept(
    heads: list[SignedHead], monkeypatch: pytest.MonkeyPatch
) -> None:
    letters: list[EmailMessage] = []
    refused = [True]

    def send(mail: Mail, made: EmailMessage) -> None:
        if refused[0]:
            raise MailError("the mail server did not take it")
        letters.append(made)

    monkeypatch.setattr(witnesses, "send", send)
    mail = Mail("mail.example", "floor@example.org", {"witness": "auditor@example.org"})
    found = Witnesses((), mail)
    assert "auditor@example.org" in found.tell(heads[0], MAIL_MS)[0]
    refused[0] = False
    for head, at_ms in ((heads[0], MAIL_MS + 1), (heads[1], MAIL_MS + 2), (None, 3 * MAIL_MS), (heads[2], 3 * MAIL_MS)):
        assert found.tell(head, at_ms) == []
    assert [letter["To"] for letter in letters] == ["auditor@example.org"] * 2
    line = next(line for line in letters[1].get_content().splitlines() if line.startswith("{"))
    head = msgspec.json.decode(line, type=SignedHead)
    assert head == heads[2] and is_signed(head)
    assert Witnesses((), Mail("mail.example", "a@b.c", {"inspector": "d@e.f"})).tell(heads[0], MAIL_MS) == []
    assert len(letters) == 2, "nobody is a witness there"


class Taking(BaseHTTPRequestHandler):
    got: ClassVar[list[tuple[str, bytes]]] = []

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.got.append((self.headers["authorization"] or "", body))
        self.send_response(307 if self.path == "/elsewhere" else 204)
        self.send_header("location", "/heads")
        self.end_headers()

    def log_message(self, *said: object) -> None:
        """Not here."""


def test_an_address_is_sent_the_head_as_it_was_signed(heads: list[SignedHead], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(witnesses.TOKEN, "a-token")
    with ThreadingHTTPServer(("127.0.0.1", 0), Taking) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}/heads"
        assert Witnesses((address,), None).tell(heads[0], 1) == []
        assert "Redirect" in Witnesses((address.replace("heads", "elsewhere"),), None).tell(heads[1], 1)[0]
        assert len(Taking.got) == 2, "a witness that sends on to another address is not followed"
        server.shutdown()
    del Taking.got[1]
    assert Taking.got == [("Bearer a-token", msgspec.json.encode(heads[0]))]
    assert "is not told" in Witnesses((address,), None).tell(heads[0], 1)[0]


def test_what_is_no_address_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("witness.example", "ftp://witness.example", "http://"):
        assert main(["serve", "--witness", text]) == 2
        assert "--witness" in capsys.readouterr().err
