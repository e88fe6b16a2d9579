"""Tests of registers may be coroutines, as those of the floor."""

from tests.floor.conftest import pytest_pyfunc_call

__all__ = ["pytest_pyfunc_call"]
