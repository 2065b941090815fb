"""How open pages and their sockets are looked after, from the environment."""

from typing import Any

from environs import Env, validate

_requests = validate.Range(min=100, max=1_000_000)


def live_of(env: Env) -> dict[str, Any]:
    """Return LIVE_CHECK (seconds), and how much one person or reader and one address may have, at a process.

    With an *env* that is not eager, what is wrong is told when it is sealed.
    """
    return {
        "LIVE_CHECK": env.int("LIVE_CHECK", 3, validate=validate.Range(min=1, max=30)),
        "SOCKETS_PER_PERSON": env.int("SOCKETS_PER_PERSON", 20, validate=validate.Range(min=1, max=1000)),
        "SOCKETS_PER_ADDRESS": env.int("SOCKETS_PER_ADDRESS", 300, validate=validate.Range(min=1, max=100_000)),
        "REQUESTS_PER_READER": env.int("REQUESTS_PER_READER", 1500, validate=_requests),
        "REQUESTS_PER_ADDRESS": env.int("REQUESTS_PER_ADDRESS", 9000, validate=_requests),
    }
