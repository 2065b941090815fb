"""The form of what people choose for themselves: their zone and language, what they are told, how their games go."""

from collections.abc import Iterable
from datetime import time
from typing import Any, Final

from django import forms
from django.conf import settings

from accounts.choices import AUTO, DIGEST, HOWS, NEVER, NOTICES, NOW, SWITCHES, Wishes, wishes_of
from accounts.fields import Choice
from accounts.models import User
from accounts.zones import zone_names

_HOWS: Final = {NOW: "At once", DIGEST: "With the daily digest", NEVER: "Never"}
_AUTO: Final = "At once if time is short, else daily"
_FAULT: Final = "Choose one of the answers."
_HOUR: Final = "Choose an hour of the list."
_GAMES: Final = ("your_turn", "deadline", "nudge", "stood_in", "deal_over", "series_over", "paused")
_SWITCHES: Final = {
    "push": ("Notices to my devices instead of mails", "Once you have let a browser tell you: see below."),
    "faces": (
        "Show cards in mails that only I know",
        "What you drew, for instance. Who sees the mail sees it.",
    ),
    "forced": ("Play my only card by itself", "After a random while, so that nobody learns that it was your only one."),
    "rating": ("Show my ratings to people I have met", "They read them on my page, with the deals behind them."),
    "listed": ("List me in leaderboards", "Everybody who is signed in reads my name and rating there."),
    "advance": ("Go on to the next game by itself", "Two seconds after your card, if another game waits for you."),
    "still": ("Less motion", "Cards do not travel. Otherwise it is as your device's own settings say."),
}


def _hours(none: str, also: Iterable[time | None]) -> list[tuple[str, str]]:
    """Return the hours to choose from, and those that were chosen in another way."""
    hours = {time(hour) for hour in range(24)} | {each for each in also if each is not None}
    return [("", none), *((f"{each:%H:%M}", f"{each:%H:%M}") for each in sorted(hours))]


class SettingsForm(forms.Form):
    """The time zone, the language, what somebody is told and how, and how their games go."""

    zone = Choice(label="Your time zone", fault="Choose a time zone of the list.", required=False)
    language = Choice(
        label="Language",
        choices=[("", "As my browser asks"), *settings.LANGUAGES],
        fault="Choose a language of the list.",
        required=False,
    )
    hide_online = forms.BooleanField(label="Do not show the others when I am here", required=False)
    hour = Choice(label="The daily digest comes at", fault=_HOUR, required=False)
    quiet_from = Choice(label="Quiet from", fault=_HOUR, required=False)
    quiet_to = Choice(label="Quiet until", fault=_HOUR, required=False)

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user, self.wishes = user, wishes_of(user)
        names = sorted({*zone_names(), user.zone} - {""})
        self._offer("zone", [("", "Not known: times are UTC"), *((each, each.replace("_", " ")) for each in names)])
        self.initial.update(zone=user.zone, language=user.language, hide_online=user.hide_online)
        self._hours_added()
        for kind, (title, says, usual) in NOTICES.items():
            if kind != "invite" or not user.guest:
                self.fields[f"notice_{kind}"] = self._kind(kind, title, says, usual)
        for name, (label, says) in _SWITCHES.items():
            self.fields[name] = forms.BooleanField(label=label, help_text=says, required=False)
            self.initial[name] = getattr(self.wishes, name)

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]

    def _hours_added(self) -> None:
        hour, quiet = self.wishes.hour, self.wishes.quiet or (None, None)
        self._offer("hour", _hours("No digest", [hour]))
        for name in ("quiet_from", "quiet_to"):
            self._offer(name, _hours("No hours of quiet", quiet))
        for name, chosen in (("hour", hour), ("quiet_from", quiet[0]), ("quiet_to", quiet[1])):
            self.initial[name] = "" if chosen is None else f"{chosen:%H:%M}"

    def _kind(self, kind: str, title: str, says: str, usual: str) -> Choice:
        chosen = self.wishes.chosen(kind)
        auto = [(AUTO, _AUTO)] if usual == AUTO else []
        choices = [*auto, *((how, _HOWS[how]) for how in HOWS)]
        return Choice(label=title, help_text=says, choices=choices, initial=chosen, fault=_FAULT, required=False)

    @property
    def about_games(self) -> list[forms.BoundField]:
        """The fields of what somebody is told of games in play."""
        return [self[f"notice_{kind}"] for kind in _GAMES]

    @property
    def about_tables(self) -> list[forms.BoundField]:
        """The fields of what they are told of tables beside them."""
        names = (f"notice_{kind}" for kind in NOTICES if kind not in _GAMES)
        return [self[name] for name in names if name in self.fields]

    def clean(self) -> dict[str, Any]:
        """Refuse hours of quiet that have no end, or no beginning."""
        data = super().clean() or {}
        if bool(data.get("quiet_from")) != bool(data.get("quiet_to")):
            self.add_error("quiet_to", "Choose both hours of quiet, or neither.")
        return data

    def kept(self) -> User:
        """Store what was chosen; what was not asked for stays as it is."""
        user, data = self.user, self.cleaned_data
        user.zone, user.language, user.hide_online = data["zone"], data["language"], data["hide_online"]
        user.notices = self._wished(data).stored()
        user.save(update_fields=["zone", "language", "hide_online", "notices"])
        return user

    def _wished(self, data: dict[str, Any]) -> Wishes:
        chosen = {kind: data[f"notice_{kind}"] for kind in NOTICES if data.get(f"notice_{kind}")}
        kinds = {kind: how for kind, how in {**self.wishes.kinds, **chosen}.items() if how != AUTO}
        hour, start, end = (_time(data.get(name)) for name in ("hour", "quiet_from", "quiet_to"))
        quiet = None if start is None or end is None or start == end else (start, end)
        return Wishes(
            kinds,
            hour if "hour" in self.data else self.wishes.hour,
            quiet if "quiet_from" in self.data else self.wishes.quiet,
            **{name: bool(data.get(name)) for name in SWITCHES},
        )


def _time(chosen: str | None) -> time | None:
    return time.fromisoformat(chosen) if chosen else None
