"""How the sockets of open pages are looked after, from the environment."""

from typing import Any

from environs import Env, validate


def live_of(env: Env) -> dict[str, Any]:
    """Return the settings of sockets: LIVE_CHECK (seconds), SOCKETS_PER_PERSON and SOCKETS_PER_ADDRESS of a process.

    With an *env* that is not eager, what is wrong is told when it is sealed.
    """
    return {
        "LIVE_CHECK": env.int("LIVE_CHECK", 3, validate=validate.Range(min=1, max=30)),
        "SOCKETS_PER_PERSON": env.int("SOCKETS_PER_PERSON", 20, validate=validate.Range(min=1, max=1000)),
        "SOCKETS_PER_ADDRESS": env.int("SOCKETS_PER_ADDRESS", 300, validate=validate.Range(min=1, max=100_000)),
    }
