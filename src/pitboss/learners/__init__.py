"""Environments for learners of machines: one box for Gymnasium, many tables at once, several boxes for PettingZoo.

Importing this package registers the environments with Gymnasium; nothing heavy is imported before one is made.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pitboss.rulebooks import RULEBOOKS

if TYPE_CHECKING:
    from pitboss.learners.many import BoxesEnv, boxes_env
    from pitboss.learners.single import BoxEnv
    from pitboss.learners.vector import TablesEnv

VERSION = 1
IDS: dict[str, str] = {
    rulebook: f"Pitboss/{''.join(map(str.capitalize, rulebook.split('-')))}-v{VERSION}" for rulebook in RULEBOOKS
}
"""The id of each rulebook's environment. What an id stands for does not change; what would change it gets a new one."""

_HOMES = {
    "BoxEnv": "pitboss.learners.single",
    "TablesEnv": "pitboss.learners.vector",
    "BoxesEnv": "pitboss.learners.many",
    "boxes_env": "pitboss.learners.many",
}
__all__ = ["IDS", "BoxEnv", "BoxesEnv", "TablesEnv", "boxes_env", "register"]


def register() -> None:
    """Tell Gymnasium of the environments; to do it twice does no harm."""
    from gymnasium.envs.registration import register as tell
    from gymnasium.envs.registration import registry

    for rulebook, name in IDS.items():
        if name not in registry:
            tell(
                id=name,
                entry_point="pitboss.learners.single:BoxEnv",
                vector_entry_point="pitboss.learners.vector:TablesEnv",
                kwargs={"rulebook": rulebook},
            )


def __getattr__(name: str) -> Any:
    """Names are looked up when they are first used."""
    if name in _HOMES:
        import importlib

        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'pitboss.learners' has no attribute {name!r}")


with suppress(ImportError):  # without Gymnasium there is nobody to tell
    register()
