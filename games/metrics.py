"""What is counted while the site runs, in this process, for whoever asks at METRICS_PORT.

No label ever names a game, a person, a card or an address: labels are few and known beforehand.
"""

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector

REGISTRY: Final = CollectorRegistry(auto_describe=True)
ProcessCollector(registry=REGISTRY)

# Seconds, from what nobody notices to what everybody gives up on.
_LIVE: Final = (0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_WORK: Final = (0.001, 0.0025, 0.005, 0.0075, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)

MOVES: Final = Counter(
    "getaway_moves_total",
    "Entries of games: by a person (now or by an order left before), by the clock, or by a bot.",
    ["actor"],
    registry=REGISTRY,
)
FANOUT: Final = Histogram(
    "getaway_fanout_seconds", "From a change's commit to a board sent to a socket.", buckets=_LIVE, registry=REGISTRY
)
FRAME: Final = Histogram(
    "getaway_frame_seconds", "What making one viewer's board takes.", buckets=_WORK, registry=REGISTRY
)
SOCKETS: Final = Gauge("getaway_sockets", "Sockets that are open in this process.", registry=REGISTRY)
RINGS_LOST: Final = Counter(
    "getaway_ring_lost_total", "Rings that could not be sent, and times that the ear was lost.", registry=REGISTRY
)
LIVE_FAILED: Final = Counter(
    "getaway_live_failed_total",
    "What failed at sockets and is tried again: since a part of us was away, or by a fault in the program.",
    ["why"],
    registry=REGISTRY,
)
MAILS: Final = Counter(
    "getaway_mails_total", "Mails, by kind and by what became of them.", ["kind", "result"], registry=REGISTRY
)
PUSHES: Final = Counter(
    "getaway_pushes_total", "Notices to browsers, by what became of them.", ["result"], registry=REGISTRY
)
REQUESTS: Final = Histogram(
    "getaway_requests_seconds",
    "Requests, by the name of their route and their status.",
    ["route", "status"],
    buckets=_LIVE,
    registry=REGISTRY,
)
