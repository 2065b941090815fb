"""What one who watches a game can know: worked out from views alone, and without games.rules.knowledge.

A watcher keeps one `Copy` for each card of the packs. A copy that was never seen lies in the hand that it was dealt
to, or went where that hand went; so all that is unknown of a game is where each copy was dealt. What has been seen
says which homes are possible: a card seen in a seat was dealt to a hand that had come to that seat by then, and when
a seat could not follow, no unseen card of that suit lay in a hand that had come to it. Two copies of a face are told
apart by nothing, so it does no harm to take a known one to be the one that is played.
"""

from dataclasses import dataclass

from games.rules.cards import ACE_OF_SPADES, Card, Suit
from games.rules.deal import full_deck
from games.rules.events import (
    CardDrawn,
    Event,
    Fouled,
    GameOver,
    GotAway,
    HandTaken,
    PickedUp,
    Played,
    PowerPassed,
    TrickWasted,
    TrumpMade,
)
from games.rules.view import PublicView, SeatView

WASTE, TABLE = -1, -2


@dataclass(eq=False)
class Copy:
    """One card of the packs: where and when it was first seen, and where it lies since."""

    card: Card
    seen: tuple[int, int] | None = None
    place: int | None = None
    trick: int = 0


class Watcher:
    """Follows one game by the views of one viewer."""

    def __init__(self, view: PublicView) -> None:
        self.rules, self.players, self.counts = view.rules, view.players, view.counts
        self.viewer = view.seat if isinstance(view, SeatView) else None
        self.copies = [Copy(each) for each in full_deck(view.rules)]
        self.flows: list[tuple[int, ...]] = [tuple(range(view.players))]
        self.bars: list[tuple[int, int, Suit | Card]] = []
        self.order = [(view.dealer + n * view.rules.step) % view.players for n in range(1, view.players + 1)]
        self.led: Suit | None = None
        self.trump: Suit | None = None
        self.opening = True
        self.pending: tuple[int, int | None, int] | None = None
        self.tricks = 0
        self.now = 0
        self.away: set[int] = set()
        self.learn_opener(view.power)
        self.look_at_hand(view, view.power)

    def observe(self, view: PublicView) -> None:
        """Take in the view after one more entry."""
        self.now += 1
        assert view.version == self.now
        self.flows.append(self.flows[-1])
        victim = None
        for event in view.events:
            if isinstance(event, HandTaken):
                victim = event.victim
            self.learn(event)
        if self.opening and victim is not None:
            self.learn_opener(view.power)
        self.look_at_hand(view, victim)

    def look_at_hand(self, view: PublicView, victim: int | None) -> None:
        """See the cards that came unseen by others: those dealt, and those of a hand just taken."""
        if not isinstance(view, SeatView):
            return
        mine = [each for each in self.copies if each.place == view.seat]
        for card in view.hand:
            known = next((each for each in mine if each.card is card), None)
            if known is not None:
                mine.remove(known)
            elif self.now == 0:
                self.first_seen(card, view.seat, 0).place = view.seat
            else:
                assert victim is not None, "a card came to this hand that nothing explains"
                self.first_seen(card, victim, self.now - 1).place = view.seat
        assert not mine, "a card left this hand, and nothing explains it"

    def first_seen(self, card: Card, seat: int, time: int) -> Copy:
        found = next(each for each in self.copies if each.card is card and each.seen is None)
        found.seen = (seat, time)
        return found

    def in_hand(self, card: Card, seat: int, time: int | None = None) -> Copy:
        """A copy that this seat shows now, or is now known to have held at that time: a known one, if there is one."""
        known = (each for each in self.copies if each.card is card and each.place == seat)
        return next(known, None) or self.first_seen(card, seat, self.now if time is None else time)

    def learn_opener(self, opener: int) -> None:
        """3.3: who comes before the opener holds no ace of spades, and the opener does."""
        for seat in self.order[: self.order.index(opener)]:
            self.bars.append((self.now, seat, ACE_OF_SPADES))
        self.in_hand(ACE_OF_SPADES, opener).place = opener

    def learn(self, event: Event) -> None:
        match event:
            case Played():
                self.learn_play(event)
            case TrickWasted():
                self.learn_waste(event)
            case PickedUp():
                self.learn_pick_up(event)
            case CardDrawn():
                self.learn_draw(event)
            case _:
                self.learn_more(event)

    def learn_more(self, event: Event) -> None:
        match event:
            case TrumpMade(suit=suit):
                self.trump = suit
            case Fouled(seat=seat, card=card):
                self.in_hand(card, seat).place = seat
            case HandTaken(seat=seat, victim=victim):
                self.flows[-1] = tuple(seat if at == victim else at for at in self.flows[-1])
                for each in self.copies:
                    each.place = seat if each.place == victim else each.place
            case _:
                assert isinstance(event, PowerPassed | GotAway | GameOver)

    def learn_play(self, event: Played) -> None:
        face_down = self.opening and self.rules.opening == "any_order" and not event.led
        assert event.face_down == face_down
        assert (event.card is None) == (face_down and event.seat != self.viewer)
        if event.card is None:
            assert not event.tochoo
            return
        if event.led:
            self.led = event.card.suit
        if event.drawn and self.pending is not None:
            self.learn_drawn(event.card)
        self.in_hand(event.card, event.seat).place = TABLE
        if not face_down:
            self.learn_voids(event.seat, event.card)

    def learn_voids(self, seat: int, card: Card) -> None:
        assert self.led is not None
        if card.suit is self.led:
            return
        self.bars.append((self.now, seat, self.led))
        if self.trump is not None and card.suit is not self.trump:
            self.bars.append((self.now, seat, self.trump))

    def learn_waste(self, event: TrickWasted) -> None:
        """A clean trick goes to the waste, and the cards of an opening in any order are turned up."""
        if self.opening and self.rules.opening == "any_order":
            for play in event.plays[1:]:
                self.learn_voids(play.seat, play.card)
                if play.seat != self.viewer:
                    self.in_hand(play.card, play.seat).place = TABLE
        self.end_trick(WASTE)

    def learn_pick_up(self, event: PickedUp) -> None:
        if event.from_seat is None:
            assert sorted(event.cards) == sorted(each.card for each in self.copies if each.place == TABLE)
            self.end_trick(event.seat)
            return
        for card in event.cards:
            self.in_hand(card, event.from_seat).place = event.seat

    def end_trick(self, place: int) -> None:
        self.tricks += 1
        for each in self.copies:
            if each.place == TABLE:
                each.place, each.trick = place, self.tricks
        self.led, self.opening = None, False

    def learn_draw(self, event: CardDrawn) -> None:
        assert (event.card is not None) == (self.viewer in (event.seat, event.from_seat) and self.viewer is not None)
        self.pending = (event.seat, event.from_seat, self.now)
        if event.card is not None:
            self.learn_drawn(event.card)

    def learn_drawn(self, card: Card) -> None:
        """See which card was drawn: at once by those who may, by the others when it is led."""
        assert self.pending is not None
        drawer, source, time = self.pending
        self.pending = None
        if source is None:
            found = next(each for each in self.pool() if each.card is card)
        else:
            found = self.in_hand(card, source, time)
        found.place = drawer

    def pool(self) -> list[Copy]:
        """The waste without the trick just played."""
        return [each for each in self.copies if each.place == WASTE and each.trick < self.tricks]

    def known(self, seat: int) -> list[Card]:
        """The cards that the viewer knows to be in a hand."""
        return sorted(each.card for each in self.copies if each.place == seat)

    def homes(self, copy: Copy) -> set[int]:
        """The seats that a copy may have been dealt to."""
        found = set(range(self.players))
        until = self.now
        if copy.seen is not None:
            seat, until = copy.seen
            found = {home for home in found if self.flows[until][home] == seat}
        for time, seat, what in self.bars:
            if time <= until and what in (copy.card.suit, copy.card):
                found = {home for home in found if self.flows[time][home] != seat}
        return found
