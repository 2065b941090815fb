"""A second engine, written from rules.md alone: mutable, slow, plain, and sharing nothing with games.rules.

Cards are their two characters, equal cards of two packs are equal strings, and a hand is a list of them. The tests play
both engines side by side and compare after every entry. Numbers in comments are sections of rules.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

type Entry = tuple[int, str, str | int]
"""(seat, "play", card), (seat, "take", victim) or (seat, "draw", card)."""

RANKS = "23456789TJQKA"
LIMIT = 1000


class Refused(Exception):
    """The rules do not allow this entry now."""


@dataclass
class Ending:
    """How the game ended."""

    loser: int | None
    void: bool
    cards_left: int | None


@dataclass
class Reference:
    """One game in progress."""

    rules: Mapping[str, str | int]
    seats: int
    dealer: int
    hands: list[list[str]]
    power: int = -1
    opening: bool = True
    table: list[tuple[int, str]] = field(default_factory=list)
    waste: list[str] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)  # the clean trick that joins the waste after the draw
    away: list[int] = field(default_factory=list)
    trump: str | None = None
    due: str | None = None  # "waste" or "next": where the draw comes from
    drawn: str | None = None  # the drawn card that waits to be led
    picked: list[str] = field(default_factory=list)  # the cards of the pick-up that was the last entry
    tochoo: bool = False  # one lies on the table
    two_at_lead: bool = False  # what 8.2 asks of the lead
    lead_drawn: bool = False
    lead_last: bool = False
    tricks: int = 0
    ending: Ending | None = None

    def __post_init__(self) -> None:
        if self.power < 0:
            self.find_opener()

    def step(self) -> int:
        return 1 if self.rules["direction"] == "clockwise" else -1

    def left(self) -> list[int]:
        return [seat for seat in range(self.seats) if seat not in self.away]

    def after(self, seat: int) -> int:
        """The next seat (section 1)."""
        seat = (seat + self.step()) % self.seats
        while seat in self.away:
            seat = (seat + self.step()) % self.seats
        return seat

    def find_opener(self) -> None:
        """3.3: the first seat after the dealer with an ace of spades."""
        seat = (self.dealer + self.step()) % self.seats
        while "AS" not in self.hands[seat]:
            seat = (seat + self.step()) % self.seats
        self.power = seat

    def awaited(self) -> list[int]:
        """The seats whose card the game waits for."""
        if self.ending:
            return []
        if not self.table:
            return [self.power]
        if self.opening and self.rules["opening"] == "any_order":
            played = [seat for seat, _ in self.table]
            return [seat for seat in self.left() if seat not in played]
        return [self.after(self.table[-1][0])]

    def follows(self, seat: int) -> list[str]:
        """The cards of its hand that the suit rules let a seat add to the trick on the table."""
        hand = self.hands[seat]
        for suit in (self.table[0][1][1], self.trump):
            fitting = [card for card in hand if card[1] == suit]
            if fitting:
                return fitting
        return hand

    def plays(self, seat: int) -> set[str]:
        if seat not in self.awaited() or self.due:
            return set()
        if self.table:
            return set(self.follows(seat))
        if self.drawn:
            return {self.drawn}
        if self.opening:
            return {"AS"}
        return set(self.hands[seat])

    def fouls(self, seat: int) -> set[str]:
        """10: what a seat holds but may not play now, where the table penalises."""
        if self.rules["penalties"] != "penalise" or self.ending or self.opening or self.due or self.drawn:
            return set()
        return set(self.hands[seat]) - self.plays(seat)

    def takes(self, seat: int) -> set[int]:
        """4: the victim, if this seat may take now."""
        if self.ending or self.table or self.due or self.drawn or seat in self.away:
            return set()
        allowed = {"anyone": True, "leader": seat == self.power, "off": False}
        return {self.after(seat)} if allowed[str(self.rules["taking"])] else set()

    def draws(self, seat: int) -> set[str]:
        """7.2: the cards that may come."""
        if self.ending or not self.due or seat != self.power:
            return set()
        return set(self.waste if self.due == "waste" else self.hands[self.after(seat)])

    def accepted(self) -> set[Entry]:
        """Every entry that the game would take now."""
        found: set[Entry] = set()
        for seat in range(self.seats):
            found |= {(seat, "play", card) for card in self.plays(seat) | self.fouls(seat)}
            found |= {(seat, "take", victim) for victim in self.takes(seat)}
            found |= {(seat, "draw", card) for card in self.draws(seat)}
        return found

    def apply(self, entry: Entry) -> None:
        if entry not in self.accepted():
            raise Refused(entry)
        seat, kind, what = entry
        picked, self.picked = self.picked, []
        if kind == "take":
            self.take(seat, int(what))
        elif kind == "draw":
            self.draw(seat, str(what))
        elif what in self.plays(seat):
            self.play(seat, str(what))
        else:
            self.foul(seat, picked)

    def take(self, seat: int, victim: int) -> None:
        self.hands[seat] += self.hands[victim]
        self.hands[victim] = []
        self.away.append(victim)
        if victim == self.power:
            self.power = seat
        if self.opening:
            self.find_opener()
        self.last_one_loses()

    def draw(self, seat: int, card: str) -> None:
        if self.due == "waste":
            self.waste.remove(card)
            self.waste += self.pending
            self.pending = []
        else:
            source = self.after(seat)
            self.hands[source].remove(card)
            if not self.hands[source]:
                self.away.append(source)
        self.due = None
        self.hands[seat] = [card]
        self.drawn = card
        self.last_one_loses()

    def play(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        if not self.table:
            self.two_at_lead = len(self.left()) == 2
            self.lead_drawn = self.drawn is not None
            self.lead_last = not self.hands[seat]
            self.drawn = None
        elif card[1] != self.table[0][1][1]:
            self.off_suit(card)
        self.table.append((seat, card))
        if self.ended():
            self.end_trick()

    def off_suit(self, card: str) -> None:
        """A tochoo, or in Donkey a trump, or in the opening trick just another card."""
        if self.rules["game"] == "donkey":
            if self.trump is None:
                self.trump = card[1]
            if card[1] == self.trump:
                return
        self.tochoo = self.tochoo or not self.opening or self.rules["opening_tochoo"] == "counts"

    def ended(self) -> bool:
        if self.tochoo and self.rules["tochoo"] == "interrupts":
            return True
        return len(self.table) == len(self.left())

    def winner(self) -> int:
        """6.4, 6.6 and 9.3: the highest trump, else the highest of the led suit; of equals the first."""
        trumps = [play for play in self.table if play[1][1] == self.trump]
        led = [play for play in self.table if play[1][1] == self.table[0][1][1]]
        best = (trumps or led)[0]
        for play in trumps or led:
            if RANKS.index(play[1][0]) > RANKS.index(best[1][0]):
                best = play
        return best[0]

    def end_trick(self) -> None:
        opener, was_opening, trick = self.power, self.opening, self.table
        self.power = self.winner()
        if was_opening and self.rules["game"] == "getaway" and self.rules["opening_tochoo"] == "ignored":
            self.power = opener
        if self.tochoo:
            self.pick_up(trick)
        else:
            self.clean(trick)
        self.table, self.opening, self.tochoo = [], False, False
        self.count_trick()

    def pick_up(self, trick: list[tuple[int, str]]) -> None:
        self.picked = [card for _, card in trick]
        self.hands[self.power] += self.picked
        self.empty_ones_leave(trick)
        short_cut = {"none": False, "drawn_lead": self.lead_drawn, "last_card": self.lead_last, "any_tochoo": True}
        if self.two_at_lead and short_cut[str(self.rules["two_left"])]:
            self.away += [seat for seat in self.left() if seat != self.power]
        self.last_one_loses()

    def clean(self, trick: list[tuple[int, str]]) -> None:
        cards = [card for _, card in trick]
        somebody_holds = any(self.hands[seat] for seat in self.left())
        if not somebody_holds and len(trick) == 2 and self.rules["both_empty"] == "leader_loses":
            self.power = trick[0][0]
        self.empty_ones_leave(trick)
        if somebody_holds and not self.hands[self.power]:
            self.power_is_empty(cards)
        else:
            self.waste += cards
        self.last_one_loses()

    def power_is_empty(self, cards: list[str]) -> None:
        """7.2, with others left that hold cards."""
        power = str(self.rules["power"])
        if power == "escape_if_three":
            power = "escape" if len(self.left()) >= 3 else "draw_waste"
        if power == "draw_next":
            self.waste += cards
            self.due = "next"
        elif power == "draw_waste" and self.waste:
            self.pending = cards
            self.due = "waste"
        else:
            self.waste += cards
            self.away.append(self.power)
            self.power = self.after(self.power)

    def empty_ones_leave(self, trick: list[tuple[int, str]]) -> None:
        """7.1: in the order in which they played."""
        for seat, _ in trick:
            if not self.hands[seat] and seat != self.power and seat not in self.away:
                self.away.append(seat)

    def foul(self, seat: int, picked: list[str]) -> None:
        """10: the offender takes the trick on the table, or the one that was picked up just now."""
        if self.table:
            before, self.power = self.table, seat
            self.hands[seat] += [card for _, card in before]
            self.empty_ones_leave(before)
        else:
            for card in picked:
                self.hands[self.power].remove(card)
            self.hands[seat] += picked
            if not self.hands[self.power]:
                self.away.append(self.power)
            self.power = seat
        self.table, self.tochoo = [], False
        self.last_one_loses()
        self.count_trick()

    def last_one_loses(self) -> None:
        left = self.left()
        if len(left) == 1 and self.ending is None:
            self.ending = Ending(left[0], void=False, cards_left=len(self.hands[left[0]]))
            self.due = self.drawn = None

    def count_trick(self) -> None:
        """8.3: endless after so many tricks, each foul counted as one."""
        self.tricks += 1
        if self.tricks >= LIMIT and self.ending is None:
            self.ending = Ending(None, void=True, cards_left=None)
            self.waste += self.pending
            self.pending = []
            self.due = None
