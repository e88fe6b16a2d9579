"""Arrays for PostgreSQL, packed in one go: the adaptation of psycopg would look at every element by itself."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, repeat
from struct import Struct, pack

import psycopg
from psycopg.adapt import Dumper
from psycopg.pq import Format

HEAD = Struct(">iiIii")
"""Dimensions, whether there are NULLs, the type of the elements, how many, and the number of the first."""
LENGTH = Struct(">i").pack
TEXT, BYTEA, INT4, INT8 = 25, 17, 23, 20


class Packed(bytes):
    """An array as PostgreSQL wants it in binary."""

    __slots__ = ()


class Texts(Packed):
    """text[]"""


class Blobs(Packed):
    """bytea[]"""


class Ints(Packed):
    """int4[]"""


class Longs(Packed):
    """int8[]"""


def texts(values: Sequence[bytes]) -> Texts:
    """Of texts in UTF-8, which is what our connections speak."""
    return Texts(_of_any_length(TEXT, values))


def blobs(values: Sequence[bytes]) -> Blobs:
    return Blobs(_of_any_length(BYTEA, values))


def ints(values: Sequence[int]) -> Ints:
    return Ints(HEAD.pack(1, 0, INT4, len(values), 1) + _of_one_length("i", 4, values))


def longs(values: Sequence[int]) -> Longs:
    return Longs(HEAD.pack(1, 0, INT8, len(values), 1) + _of_one_length("q", 8, values))


def _of_any_length(oid: int, values: Sequence[bytes]) -> bytes:
    lengths = map(LENGTH, map(len, values))
    return b"".join((HEAD.pack(1, 0, oid, len(values), 1), *chain.from_iterable(zip(lengths, values, strict=True))))


def _of_one_length(code: str, length: int, values: Sequence[int]) -> bytes:
    return pack(">" + f"i{code}" * len(values), *chain.from_iterable(zip(repeat(length), values)))


class _AsItIs(Dumper):
    format = Format.BINARY

    def dump(self, obj: bytes) -> bytes:
        return obj


class _Texts(_AsItIs):
    oid = 1009


class _Blobs(_AsItIs):
    oid = 1001


class _Ints(_AsItIs):
    oid = 1007


class _Longs(_AsItIs):
    oid = 1016


def register(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    """Let a connection send such arrays as they are."""
    for kind, dumper in ((Texts, _Texts), (Blobs, _Blobs), (Ints, _Ints), (Longs, _Longs)):
        connection.adapters.register_dumper(kind, dumper)
