"""Notices by e-mail: the settings for it, and one message at a time to a mail server. Blocking."""

from __future__ import annotations

import re
import smtplib
import ssl
from contextlib import suppress
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from pathlib import Path
from typing import Literal

import msgspec

from pitboss.registers.model import REGISTERS, Item
from pitboss.registers.paper import plain, rules

SECONDS = 20.0
"""So long a mail server may take to answer."""
ADDRESS = re.compile(r"[^@\s,;<>]+@[^@\s,;<>]+")


class MailError(Exception):
    """What is wrong with the settings, or why a message was not taken: one sentence."""


class Mail(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How notices are sent, and to whom."""

    host: str
    sender: str
    addresses: dict[str, str]
    """By who is told: inspector, surveillance, regulator, authorised-officer, commission, ..., or a patron's name."""
    port: int = 587
    security: Literal["starttls", "tls", "none"] = "starttls"
    user: str = ""
    password_file: str = ""


def read_mail(path: Path) -> Mail:
    """The settings in a TOML file."""
    try:
        mail = msgspec.toml.decode(path.read_bytes(), type=Mail)
    except OSError as error:
        raise MailError(f"{path}: {error.strerror or error}") from None
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise MailError(f"{path}: {str(error).replace('`', '')}") from None
    for name, address in {"sender": mail.sender, **mail.addresses}.items():
        if not ADDRESS.fullmatch(address):
            raise MailError(f"{path}: {name}: {address[:60]!r} is no e-mail address")
    if not 0 < mail.port < 65536:
        raise MailError(f"{path}: port: from 1 to 65535")
    if mail.user and mail.security == "none":
        raise MailError(f"{path}: security: a password is not sent without encryption; say starttls or tls")
    if mail.password_file and not Path(mail.password_file).is_file():
        raise MailError(f"{path}: password_file: there is no file {mail.password_file}")
    return mail


def message(mail: Mail, item: Item, due: str, at: str) -> EmailMessage:
    """A notice as a letter; `at` is when it arose."""
    made = EmailMessage()
    made["From"], made["To"] = mail.sender, mail.addresses[item.to]
    where = f", table {item.table}" if item.table else ""
    made["Subject"] = f"Notice {item.id}: {REGISTERS[item.register]}{where}"
    made["Date"] = formatdate(usegmt=True)
    made["Message-ID"] = make_msgid("pitboss", mail.sender.rpartition("@")[2])
    said = {
        "To": plain(item.to),
        "From": plain(item.who),
        "Table": item.table,
        "When": at,
        "By the rules": rules(item.rulebook, item.clauses),
        "To be told by": due or "now",
        "Notice": f"{item.id}, register {REGISTERS[item.register]}",
    }
    made.set_content(f"{item.text}\n\n" + "".join(f"{name}: {text}\n" for name, text in said.items() if text))
    return made


def send(mail: Mail, letter: EmailMessage) -> None:
    """Hand a letter to the mail server; MailError where it was not taken."""
    try:
        with _connected(mail) as server:
            if mail.user:
                server.login(mail.user, Path(mail.password_file).read_text(encoding="utf-8").strip())
            server.send_message(letter)
    except (OSError, smtplib.SMTPException, ValueError) as error:
        raise MailError(f"the mail server {mail.host} did not take it: {_why(error)}") from None


def _connected(mail: Mail) -> smtplib.SMTP:
    if mail.security == "tls":
        return smtplib.SMTP_SSL(mail.host, mail.port, timeout=SECONDS, context=ssl.create_default_context())
    server = smtplib.SMTP(mail.host, mail.port, timeout=SECONDS)
    if mail.security == "starttls":
        try:
            server.starttls(context=ssl.create_default_context())
        except BaseException:
            with suppress(OSError):
                server.close()
            raise
    return server


def _why(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return "it refuses the address"
    if isinstance(error, smtplib.SMTPResponseException):
        said = error.smtp_error
        return f"{error.smtp_code} {said.decode('utf-8', 'replace') if isinstance(said, bytes) else said}"[:200]
    return str(error)[:200] or type(error).__name__
