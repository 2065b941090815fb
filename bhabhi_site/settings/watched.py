"""Who may watch the site, from the environment: a port for metrics, and where faults are told."""

from typing import Any

from environs import Env, validate


def watched_of(env: Env) -> dict[str, Any]:
    """Return the settings METRICS_PORT (0: none are served), METRICS_HOST and SENTRY_DSN ("": nobody is told).

    With an *env* that is not eager, what is wrong is told when it is sealed.
    """
    return {
        "METRICS_PORT": env.int("METRICS_PORT", 0, validate=validate.Range(min=0, max=65535)),
        "METRICS_HOST": env.str(
            "METRICS_HOST",
            "127.0.0.1",
            validate=validate.Regexp(r"[0-9a-fA-F.:]+\Z", error="must be the number of an address, like 127.0.0.1"),
        ),
        "SENTRY_DSN": env.str(
            "SENTRY_DSN",
            "",
            validate=validate.Regexp(
                r"(https?://[^\s/@:]+(:[^\s/@]*)?@[^\s/]+/.*\d+)?\Z", error="must be what Sentry calls the DSN"
            ),
        ),
    }
