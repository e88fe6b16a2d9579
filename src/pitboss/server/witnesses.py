"""Witnesses that are told the heads of a log while it is served: an address that takes them, and people by e-mail.

What a witness has cannot be taken back by whoever runs the machine, the database and the keys of the floor.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from http.client import HTTPException
from urllib.request import HTTPRedirectHandler, Request, build_opener

import msgspec

from pitboss.floor.mailing import Mail, MailError, send
from pitboss.store.signing import SignedHead

TOKEN = "PITBOSS_WITNESS_TOKEN"
"""The environment has the bearer token that a witness wants, if it wants one."""
SECONDS = 10
BY_MAIL = "witness"
"""Under this name the settings for e-mail have the address of who is sent a head each day."""
MAIL_MS = 86_400_000


class Witnesses:
    """Those who are told. Blocking, and called by one thread at a time."""

    def __init__(self, addresses: Sequence[str], mail: Mail | None, post: Callable[[str, bytes], None] | None = None):
        self._addresses = tuple(addresses)
        self._mail = mail if mail is not None and BY_MAIL in mail.addresses else None
        self._post = post or _posted
        self._untold: dict[str, SignedHead] = {}
        self._mailed_ms = 0

    def tell(self, head: SignedHead | None, at_ms: int) -> list[str]:
        """Tell everybody a head, and whoever was away the last one; what is wrong, a sentence each."""
        if head is not None:
            self._untold |= dict.fromkeys(self._addresses, head)
        wrong = [said for address in list(self._untold) if (said := self._told(address))]
        mail = self._mail
        if mail is not None and head is not None and at_ms - self._mailed_ms >= MAIL_MS:
            try:
                send(mail, letter(mail, head))
                self._mailed_ms = at_ms
            except MailError as error:
                wrong.append(f"the witness {mail.addresses[BY_MAIL]} is not told of the log's head: {error}.")
        return wrong

    def _told(self, address: str) -> str:
        try:
            self._post(address, msgspec.json.encode(self._untold[address]))
        except (OSError, HTTPException, ValueError) as error:
            why = str(getattr(error, "reason", "") or error or type(error).__name__).rstrip(".")[:200]
            return f"the witness {address} is not told of the log's head: {why}."
        del self._untold[address]
        return ""


class _Straight(HTTPRedirectHandler):
    """Nobody sends us on to an address that the operator did not write."""

    def redirect_request(self, *asked: object) -> None:
        return None


def _posted(address: str, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    if token := os.environ.get(TOKEN):
        headers["Authorization"] = f"Bearer {token}"
    with build_opener(_Straight).open(Request(address, body, headers), timeout=SECONDS) as answer:
        answer.read(1000)


def letter(mail: Mail, head: SignedHead) -> EmailMessage:
    """A head as a letter: to be kept, and held against the log when somebody doubts it."""
    made = EmailMessage()
    made["From"], made["To"] = mail.sender, mail.addresses[BY_MAIL]
    made["Subject"] = f"Head of the log: entry {head.seq}"
    made["Date"] = formatdate(usegmt=True)
    made["Message-ID"] = make_msgid("pitboss", mail.sender.rpartition("@")[2])
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(head.at_ms / 1000))
    made.set_content(
        f"On {when} UTC the log ended at entry {head.seq:,}. Keep this line in a file, and have the log held against "
        f"it with: pitboss log verify LOG --head FILE\n\n{msgspec.json.encode(head).decode()}\n"
    )
    return made
