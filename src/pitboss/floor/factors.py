"""What one has besides a password: codes of an authenticator (RFC 6238), passkeys (WebAuthn), and a code for first use.

Pure but for the passkeys' library, which is imported when it is used.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import struct
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import msgspec

from pitboss.chance import secret_bytes, secret_token

if TYPE_CHECKING:
    from fido2.server import Fido2Server

STEP_SECONDS, DIGITS = 30, 6
DRIFT = 1
"""So many steps a code may be early or late."""
PASSKEYS_MOST = 10
NAME_MAX = 40


# --- an authenticator ------------------------------------------------------------------------------------------------


def new_secret() -> str:
    """160 bits, in the base 32 that authenticators read."""
    return base64.b32encode(secret_bytes(20)).decode()


def code_at(secret: str, step: int) -> str:
    """The code of one step of thirty seconds (RFC 4226 5.3, RFC 6238 4)."""
    mac = hmac.digest(base64.b32decode(secret), struct.pack(">Q", step), hashlib.sha1)
    at = mac[-1] & 0xF
    return str((struct.unpack_from(">I", mac, at)[0] & 0x7FFFFFFF) % 10**DIGITS).zfill(DIGITS)


def step_of(secret: str, code: str, now_ms: int, after: int) -> int | None:
    """The step of which this is the code, or None. A step that was used, or one before it, is used up."""
    said, now = code.replace(" ", ""), now_ms // (1000 * STEP_SECONDS)
    found = None
    for step in range(now - DRIFT, now + DRIFT + 1):
        right = hmac.compare_digest(code_at(secret, step).encode(), said.encode())
        found = step if right and step > after and found is None else found
    return found


def uri_of(secret: str, name: str) -> str:
    """What an authenticator is told, as a link or as a picture that it reads."""
    return f"otpauth://totp/Pitboss:{quote(name)}?secret={secret}&issuer=Pitboss"


# --- a code for first use --------------------------------------------------------------------------------------------


def new_code() -> str:
    """Told once to whoever approves a new password: whoever proposed it cannot use it alone."""
    return base64.b32encode(secret_bytes(10)).decode().lower()


def code_hash(code: str) -> str:
    return hashlib.sha256("".join(code.lower().split()).replace("-", "").encode()).hexdigest()


# --- passkeys --------------------------------------------------------------------------------------------------------


class Passkey(msgspec.Struct, frozen=True):
    """One passkey, as its authenticator made it: nothing of it is secret."""

    id: str
    name: str
    data: str
    """Its id and public key (WebAuthn's attested credential data), in base 64."""
    rp: str
    """For which host name it is good."""
    count: int = 0
    created_ms: int = 0


class Door(msgspec.Struct, frozen=True):
    """By which name and from which page somebody calls."""

    host: str
    """Without its port."""
    origin: str


class Begun(msgspec.Struct, frozen=True):
    """What was asked of somebody's authenticator: answered once, and soon."""

    options: dict[str, Any]
    """For the browser."""
    state: dict[str, Any]
    door: Door


def _server(door: Door) -> Fido2Server:
    from fido2.server import Fido2Server
    from fido2.webauthn import PublicKeyCredentialRpEntity

    entity = PublicKeyCredentialRpEntity(id=door.host, name="Pitboss")
    return Fido2Server(entity, attestation=None, verify_origin=lambda origin: origin == door.origin)


def _credentials(passkeys: Sequence[Passkey], door: Door) -> list[Any]:
    from fido2.webauthn import AttestedCredentialData

    return [AttestedCredentialData(base64.b64decode(each.data)) for each in passkeys if each.rp == door.host]


def ask_for_new(name: str, passkeys: Sequence[Passkey], door: Door) -> Begun:
    """Have a passkey made: one that looks whose finger, face or PIN it is."""
    from fido2.webauthn import (
        PublicKeyCredentialUserEntity,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    user = PublicKeyCredentialUserEntity(
        id=hashlib.sha256(name.lower().encode()).digest(), name=name, display_name=name
    )
    options, state = _server(door).register_begin(
        user,
        _credentials(passkeys, door),
        resident_key_requirement=ResidentKeyRequirement.PREFERRED,
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return Begun(_plain(dict(options)), dict(state), door)


def made(begun: Begun, answer: Mapping[str, Any], name: str, now_ms: int) -> Passkey | None:
    """The passkey, or None where the answer is not one to what was asked."""
    try:
        data = _server(begun.door).register_complete(begun.state, answer)
        credential = data.credential_data
    except Exception:  # noqa: BLE001 - whatever a stranger's bytes do to a parser, they are not a passkey
        return None
    if credential is None or not data.is_user_verified():
        return None
    shown = " ".join(name.split())[:NAME_MAX] or "passkey"
    return Passkey(
        secret_token(6),
        shown if shown.isprintable() else "passkey",
        base64.b64encode(bytes(credential)).decode(),
        begun.door.host,
        data.counter,
        now_ms,
    )


def ask_to_show(passkeys: Sequence[Passkey], door: Door) -> Begun | None:
    """Ask for one of these; None where none is good here."""
    from fido2.webauthn import UserVerificationRequirement

    known = _credentials(passkeys, door)
    if not known:
        return None
    options, state = _server(door).authenticate_begin(known, user_verification=UserVerificationRequirement.REQUIRED)
    return Begun(_plain(dict(options)), dict(state), door)


def shown(begun: Begun, passkeys: Sequence[Passkey], answer: Mapping[str, Any]) -> Passkey | None:
    """The passkey that answered, counted on; None where none did, or a copy of one."""
    from fido2.webauthn import AttestedCredentialData, AuthenticationResponse

    try:
        credential = _server(begun.door).authenticate_complete(begun.state, _credentials(passkeys, begun.door), answer)
        count = AuthenticationResponse.from_dict(answer).response.authenticator_data.counter
    except Exception:  # noqa: BLE001 - see `made`
        return None
    for each in passkeys:
        if AttestedCredentialData(base64.b64decode(each.data)).credential_id != credential.credential_id:
            continue
        if (count or each.count) and count <= each.count:
            return None  # it has counted further elsewhere: there are two of it
        return msgspec.structs.replace(each, count=count)
    return None


def _plain(value: Any) -> Any:
    """As a browser is told: bytes in base 64 for addresses, and nothing that is not there."""
    if isinstance(value, bytes):
        return base64.urlsafe_b64encode(value).rstrip(b"=").decode()
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items() if each is not None}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return getattr(value, "value", value)
