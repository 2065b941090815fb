"""`manage.py serve` with bots that hardly wait before a card: pages are shown, nobody has to follow."""

from datetime import timedelta

from games.services import bot_pace
from manage import main

if __name__ == "__main__":
    # Before a lead that ends somebody's chance to take a hand they wait as ever.
    bot_pace.PAUSE = timedelta(seconds=0.1)  # type: ignore[misc]
    main()
