"""What is backed up comes back whole: on the same computer or another, while the tables play on."""

import datetime as dt
import io
import json
import shutil
import stat
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection

from games import tasks
from games.management.embedded import HeldFolder
from games.models import Game, Move, Pulse
from games.services.backups import making, postgres, restoring
from games.services.backups.making import backup_made
from games.services.backups.manifest import beside
from games.services.errors import BackupFailed
from games.services.pulse import BACKUP, SWEEP, VERIFIED, WEB, pulsed
from games.services.sweep import swept
from tests.games.pacing import DAY, HOUR, slow_game, turn_of
from tests.games.stored import NOW, everything, person, play_on
from tests.games.sweeping import MINUTE

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite_too]

LATER: Final = NOW + 5 * DAY


def said(*command: str, **options: Any) -> str:
    out = io.StringIO()
    call_command(*command, stdout=out, **options)
    return out.getvalue()


@pytest.fixture
def half_way() -> Game:
    """A game of three people with a day for each card, seven entries old."""
    game = slow_game()
    play_on(game, lambda state: state.entries == 7)
    return game


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Callable[[], None]]:
    """What takes the site to a computer on which there is no database yet."""
    home = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        yield lambda: _moved(str(tmp_path / "elsewhere.sqlite3"))
    else:
        with postgres.database_aside() as place:
            yield lambda: _moved(place["dbname"])
            _moved(home)
    _moved(home)


def _moved(name: str) -> None:
    connection.close()
    connection.settings_dict["NAME"] = name


def forged(file: Path, change: Callable[[dict[str, Any]], object] = lambda _: None) -> None:
    """Make the manifest say of a file what the file is, and *change* what else it says."""
    manifest = json.loads(beside(file).read_text())
    manifest |= {"size": file.stat().st_size, "sha256": sha256(file.read_bytes()).hexdigest()}
    change(manifest)
    beside(file).write_text(json.dumps(manifest))


def test_a_half_finished_game_goes_on_after_restoring(
    half_way: Game, elsewhere: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """S36: backup, destroy, restore, replay; nobody is timed out for the days that the site was gone."""
    monkeypatch.setattr(restoring, "_managed", lambda *_: None)
    pulsed(name=SWEEP, now=NOW)
    pulsed(name=WEB, now=NOW)
    due = turn_of(half_way).due_at
    before = everything()
    file = backup_made(folder=tmp_path, now=NOW)
    elsewhere()
    said("verify_backup", str(file))
    assert "Games restored: 1." in said("restore", str(file), yes=True)
    assert everything() == before
    said("verify_games")
    pulsed(name=WEB, now=LATER)
    assert swept(now=LATER).ended == 0
    assert due
    assert turn_of(half_way).due_at == due + (LATER - NOW)
    play_on(half_way, lambda state: state.entries == 12)
    said("verify_games")


def test_the_backup_is_private_and_its_pulse_beats(half_way: Game, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    file = Path(said("backup", to=str(folder)).strip())
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert sorted(folder.iterdir()) == [file, beside(file)]
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    assert Pulse.objects.filter(name=BACKUP).exists()
    rows = json.loads(beside(file).read_text())["facts"]["rows"]
    assert (rows["games_game"], rows["games_move"]) == (1, 7)


def test_a_backup_is_proved_sound_and_one_whose_game_was_changed_is_not(
    half_way: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second one's manifest fits: only the replay tells."""
    # The process that replays has the database of its own by the address.
    monkeypatch.delenv("TEST_DB", raising=False)
    file = backup_made(folder=tmp_path, now=NOW)
    entry = Move.objects.filter(game=half_way, number=3)
    unguarded(lambda: entry.update(at=NOW - HOUR))
    changed = backup_made(folder=tmp_path, now=NOW + MINUTE)
    aside = databases()
    assert "Games checked: 1." in said("verify_backup", str(file))
    assert Pulse.objects.filter(name=VERIFIED).delete()[0] == 1
    with pytest.raises(CommandError, match=rf"{half_way.code}.*hash does not fit"):
        said("verify_backup", str(changed))
    assert not Pulse.objects.filter(name=VERIFIED).exists()
    assert gone(since=aside)


def databases() -> list[str]:
    if connection.vendor == "sqlite":
        return []
    with connection.cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE datname LIKE 'verify%' ORDER BY datname")
        return [name for (name,) in cursor.fetchall()]


def gone(*, since: list[str]) -> bool:
    """Whether each database made since is taken away: those of tests beside this one live for seconds only."""
    made = set(databases()) - set(since)
    for _ in range(600):
        if made.isdisjoint(databases()):
            return True
        time.sleep(0.1)
    return False


def unguarded(change: Callable[[], object]) -> None:
    """Change what PostgreSQL's triggers protect, as somebody with the database's password could."""
    if connection.vendor == "sqlite":
        change()
        return
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE games_move DISABLE TRIGGER USER")
        change()
        cursor.execute("ALTER TABLE games_move ENABLE TRIGGER USER")


def _flipped(file: Path) -> None:
    whole = bytearray(file.read_bytes())
    whole[len(whole) // 2] ^= 1
    file.write_bytes(whole)


def _cut_and_forged(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    forged(file)


HARMS: Final[dict[str, tuple[Callable[[Path], object], str]]] = {
    "cut": (lambda file: file.write_bytes(file.read_bytes()[:-100]), "is damaged"),
    "flipped": (_flipped, "is damaged"),
    "no manifest": (lambda file: beside(file).unlink(), "no manifest"),
    "broken manifest": (lambda file: beside(file).write_text("[]"), "manifest .* is damaged"),
    "newer": (lambda file: forged(file, lambda said: said["facts"]["migrations"].append("games.9_x")), "newer Getaway"),
    "other kind": (lambda file: forged(file, lambda said: said.update(vendor="oracle")), "is of oracle"),
    "other rows": (
        lambda file: forged(file, lambda said: said["facts"]["rows"].update(games_move=8)),
        "7 rows in the place",
    ),
    "cut and forged": (_cut_and_forged, "failed|refuses|damaged"),
}


def test_what_is_not_whole_is_named_and_nothing_is_put_in_its_place(half_way: Game, tmp_path: Path) -> None:
    whole = backup_made(folder=tmp_path, now=NOW)
    before, aside = everything(), databases()
    for name, (harm, why) in HARMS.items():
        file = tmp_path / name / whole.name
        file.parent.mkdir()
        for path in (whole, beside(whole)):
            shutil.copy(path, file.parent)
        harm(file)
        with pytest.raises(CommandError, match=why):
            said("verify_backup", str(file))
        if connection.vendor == "sqlite":
            with pytest.raises(CommandError, match=why):
                said("restore", str(file), yes=True)
        assert everything() == before, name
    assert gone(since=aside)


def test_restoring_is_refused_while_the_site_runs(half_way: Game, tmp_path: Path) -> None:
    file = backup_made(folder=tmp_path, now=NOW)
    with pytest.raises(CommandError, match="--yes"):
        said("restore", str(file))
    if connection.vendor == "sqlite":
        server = HeldFolder(settings.DATA_DIR or tmp_path)
        with pytest.raises(CommandError, match="is running"):
            said("restore", str(file), yes=True)
        server.release()
        return
    pulsed(name=WEB, now=dt.datetime.now(dt.UTC) - 2 * MINUTE)
    with pytest.raises(CommandError, match=r"is not empty.*\n.*RENAME TO.*\n.*createdb"):
        said("restore", str(file), yes=True)
    pulsed(name=WEB, now=dt.datetime.now(dt.UTC))
    with pytest.raises(CommandError, match="is running"):
        said("restore", str(file), yes=True)
    with pytest.raises(CommandError, match="is not empty"):
        said("verify_backup", str(file), into=f"postgres:///{connection.settings_dict['NAME']}")


def test_the_former_file_of_sqlite_is_kept_whole(half_way: Game, elsewhere: Callable[[], None], tmp_path: Path) -> None:
    if connection.vendor != "sqlite":
        # There nothing is put in the place of what is there.
        file, before = backup_made(folder=tmp_path, now=NOW), everything()
        with pytest.raises(CommandError, match="is not empty"):
            said("restore", str(file), yes=True)
        assert everything() == before
        return
    file = backup_made(folder=tmp_path, now=NOW)
    elsewhere()
    said("restore", str(file), yes=True)
    before = everything()
    person("Later")
    after = everything()
    told = said("restore", str(file), yes=True)
    assert everything() == before
    [kept] = tmp_path.glob("elsewhere.sqlite3.before-*Z")
    assert f"is kept: {kept}." in told
    _moved(str(kept))
    assert everything() == after


def test_one_a_day_by_itself_and_two_weeks_of_them(
    half_way: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    clock = [NOW]
    monkeypatch.setattr(tasks, "site_now", lambda: clock[-1])
    tasks.backup()
    assert not list(tmp_path.iterdir())
    settings.BACKUP_TO = str(tmp_path)
    monkeypatch.setattr(making.backup_made, "__kwdefaults__", {"keep": 2})
    left = tmp_path / ".getaway-killed.part"
    left.touch()
    for hours in (0, 1, 23, 24, 30, 48):
        clock.append(NOW + hours * HOUR)
        tasks.backup()
    kept = sorted(tmp_path.glob("getaway-*"))
    assert [path.name[8:16] for path in kept] == ["20260201"] * 2 + ["20260202"] * 2
    assert left.exists()
    making._old_deleted(tmp_path, 2, dt.datetime.now(dt.UTC) + 2 * DAY)
    assert not left.exists()
    assert kept == sorted(tmp_path.iterdir())


def test_a_backup_that_fails_leaves_nothing_and_deletes_none(
    half_way: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup_made(folder=tmp_path, now=NOW)
    before = sorted(tmp_path.iterdir())
    beaten = Pulse.objects.get(name=BACKUP).at

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(making, "manifest_write", full)
    with pytest.raises(CommandError, match="No space left"):
        said("backup", to=str(tmp_path), keep=1)
    assert sorted(tmp_path.iterdir()) == before
    assert Pulse.objects.get(name=BACKUP).at == beaten
    with pytest.raises(CommandError, match="Say where to"):
        said("backup")


def test_what_is_missing_is_named_with_its_package() -> None:
    with pytest.raises(BackupFailed, match="postgresql-client-99"):
        postgres.program("pg_dump", 99)
