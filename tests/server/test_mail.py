"""Notices by e-mail, to a small mail server of our own: taken once, refused, away, and marked by hand where none is."""

from __future__ import annotations

import asyncio
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_string
from pathlib import Path

import pytest

from pitboss.cli import main
from pitboss.floor.mailing import Mail, MailError, read_mail
from tests.server.test_accounts import Web, web
from tests.server.test_registers import a_table, act

SETTINGS = """
host = "127.0.0.1"
port = 2525
security = "none"
sender = "pitboss@casino.example"
[addresses]
inspector = "lee@commission.example"
"""


class MailServer(socketserver.ThreadingTCPServer):
    """As much of SMTP as is needed; with `refuses` it takes no recipient."""

    daemon_threads, allow_reuse_address = True, True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Conversation)
        self.letters: list[str] = []
        self.refuses = False


class _Conversation(socketserver.StreamRequestHandler):
    server: MailServer

    def handle(self) -> None:
        self._say("220 ready")
        while line := self.rfile.readline().decode():
            word = line.split()[0].upper() if line.split() else ""
            if word == "DATA":
                self._say("354 go on")
                lines = iter(lambda: self.rfile.readline().decode(), ".\r\n")
                self.server.letters.append("".join(lines))
                self._say("250 taken")
            elif word == "RCPT" and self.server.refuses:
                self._say("550 nobody here")
            elif word == "QUIT":
                self._say("221 bye")
                return
            else:
                self._say("250 fine")

    def _say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


@contextmanager
def a_mail_server() -> Iterator[MailServer]:
    with MailServer() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def settings(server: MailServer) -> Mail:
    return Mail(
        "127.0.0.1", "pitboss@casino.example", {"inspector": "lee@commission.example"}, server.server_address[1], "none"
    )


async def missing_card(site: Web) -> str:
    """A missing card, of which Surveillance and an inspector are told; the notice to the inspector."""
    await a_table(site)
    sam = await site.as_("supervisor-1")
    assert (await act(sam, "FindWrongCards", what="missing")).status_code == 200
    due = (await sam.get("/api/notices?due=true")).json()["notices"]
    (found,) = [each["item"]["id"] for each in due if each["item"]["to"] == "inspector"]
    return str(found)


@pytest.mark.clause("nsw-pontoon", "17.16.4")
async def test_a_notice_is_sent_once_and_its_message_is_the_evidence(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        with a_mail_server() as server:
            site.house.reception.registers.mail = settings(server)
            notice = await missing_card(site)
            sam, mona, ines = [await site.as_(who) for who in ("supervisor-1", "manager-1", "inspector-1")]
            path = f"/api/notices/{notice}/send"
            assert (await ines.post(path, json={"id": "i"})).status_code == 403
            answers = await asyncio.gather(*(each.post(path, json={"id": "s"}) for each in (sam, mona)))
            assert sorted(answer.status_code for answer in answers) == [200, 409], "of two one sends it"
            assert (await sam.post(path, json={"id": "again"})).status_code == 409
            (sent,) = server.letters
        letter = message_from_string(sent)
        assert (letter["To"], letter["From"]) == ("lee@commission.example", "pitboss@casino.example")
        listed = (await sam.get("/api/notices")).json()
        (done,) = [each for each in listed["notices"] if each["item"]["id"] == notice]
        body = " ".join(str(letter.get_payload()).split())
        assert done["item"]["text"] in body and "By the rules: NSW pontoon 17.16.4" in body and "To: inspector" in body
        assert done["state"] == "done" and done["item"]["evidence"].endswith(letter["Message-ID"])
        assert listed["sendable"] == ["inspector"]
        (other,) = [each["item"]["id"] for each in listed["notices"] if each["item"]["to"] == "surveillance"]
        unknown = await sam.post(f"/api/notices/{other}/send", json={"id": "t"})
        assert unknown.status_code == 409 and "no address is known of surveillance" in unknown.json()["text"]


async def test_a_letter_that_was_not_taken_can_be_sent_again_and_one_in_doubt_cannot(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        notice = await missing_card(site)
        sam, registers = await site.as_("supervisor-1"), site.house.reception.registers
        path = f"/api/notices/{notice}/send"
        nowhere = await sam.post(path, json={"id": "a"})
        assert nowhere.status_code == 404 and "no mail server is set up" in nowhere.json()["text"]
        with a_mail_server() as server:
            registers.mail = settings(server)
            server.refuses = True
            refused = await sam.post(path, json={"id": "b"})
            assert refused.status_code == 503 and "it refuses the address" in refused.json()["text"]
            (item,) = [
                each
                for each in (await sam.get("/api/notices?due=true")).json()["notices"]
                if each["item"]["id"] == notice
            ]
            assert item["item"]["evidence"].startswith("not sent: the mail server 127.0.0.1 did not take it")
            server.refuses = False
            registers.sending.add(notice)  # as after a crash between the beginning and the end of it
            doubt = await sam.post(path, json={"id": "c"})
            assert doubt.status_code == 409 and "ask the addressee" in doubt.json()["text"] and not server.letters
            registers.sending.discard(notice)
            assert (await sam.post(path, json={"id": "d"})).status_code == 200 and len(server.letters) == 1


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        (("port = 2525", "port = 0"), "port: from 1 to 65535"),
        (("port = 2525", "pots = 2525"), "unknown field"),
        (("lee@commission.example", "lee"), "inspector: 'lee' is no e-mail address"),
        (('security = "none"', 'security = "none"\nuser = "me"'), "a password is not sent without encryption"),
        (('security = "none"', 'user = "me"\npassword_file = "/no/such/file"'), "there is no file /no/such/file"),
        (("host =", "host"), "TOML|Expected|expected|invalid"),
    ],
)
def test_settings_that_cannot_be_read_are_one_sentence(tmp_path: Path, change: tuple[str, str], wrong: str) -> None:
    file = tmp_path / "mail.toml"
    file.write_text(SETTINGS)
    assert read_mail(file).addresses == {"inspector": "lee@commission.example"}
    file.write_text(SETTINGS.replace(*change))
    with pytest.raises(MailError, match=wrong):
        read_mail(file)


def test_serve_says_what_is_wrong_with_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--mail", "/no/such/mail.toml"]) == 2
    assert "--mail /no/such/mail.toml: No such file" in capsys.readouterr().err
