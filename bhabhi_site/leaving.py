"""Whether this process is about to stop: it still answers whatever it is asked, but nobody new should come."""

import threading
from typing import Final

leaving: Final = threading.Event()
