"""`pitboss calculator`: pick rules and cards in the browser, see what every choice is worth."""

from __future__ import annotations

import json as jsonlib
from importlib.util import find_spec

from pitboss.commands.options import AsJson
from pitboss.maths.shoes import MathsError

FINE = 0


def calculator(
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    open: bool = False,
    json: AsJson = False,
) -> int:
    """Pick rules and cards in the browser, and see what every choice is worth.

    The chart follows the options, each hand shows every choice with its value and the reason, and you can print a
    pocket card. It is separate from the live tables and keeps nothing.

    Parameters
    ----------
    host
        The address to listen on; by default this machine only.
    port
        The port; by default any free one.
    open
        Open the page in a browser.
    """
    if not 0 <= port < 65536:
        raise MathsError(f"--port {port}: give a number from 1 to 65535.")
    from pitboss.maths.exact.compiled import available

    available()
    if find_spec("litestar") is None or find_spec("uvicorn") is None:
        raise MathsError('calculator needs the extra web: pip install "pitboss[maths,web]".')
    from pitboss.calculator.serving import run

    def tell(address: str) -> None:
        told = jsonlib.dumps({"address": address}) if json else f"The calculator is at {address} (Ctrl-C ends it)."
        print(told, flush=True)

    run(host, port, open_browser=open, tell=tell)
    return FINE
