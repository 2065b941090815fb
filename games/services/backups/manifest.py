"""The manifest beside a backup: what the file must be, and what a database made from it must hold."""

import hashlib
import json
import os
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from games.services.backups.facts import Facts, migrations_unknown
from games.services.errors import BackupFailed

FORMAT: Final = 1


@dataclass(frozen=True)
class Manifest:
    """When a backup was made, of which kind of database, and what it is.

    `size` is in bytes. A file whose manifest does not fit is not restored.
    """

    made: datetime
    vendor: str
    size: int
    sha256: str
    facts: Facts


def beside(file: Path) -> Path:
    """Return where the manifest of a backup is."""
    return file.with_name(f"{file.name}.json")


def manifest_of(file: Path, *, vendor: str, facts: Facts, made: datetime) -> Manifest:
    """Make it for a file that is whole."""
    return Manifest(made, vendor, file.stat().st_size, _sha256(file), facts)


def private_file(path: Path) -> int:
    """Make a new file that nobody else may read, and return its descriptor.

    Raises:
        OSError: if it exists already, or cannot be made.
    """
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)


def manifest_write(manifest: Manifest, path: Path) -> None:
    """Write it to a new file, through to the disk."""
    said = {"format": FORMAT, **asdict(manifest), "made": manifest.made.isoformat()}
    with os.fdopen(private_file(path), "w") as out:
        json.dump(said, out, indent=1)
        out.flush()
        os.fsync(out.fileno())


def manifest_checked(file: Path, *, vendor: str) -> Manifest:
    """Read the manifest of a backup and prove that the file is what was written, byte for byte.

    Raises:
        BackupFailed: if the file, or its manifest, is not there, or not what it was; if it is of another kind of
            database; if a newer version of the site made it.
        OSError: if it cannot be read.
    """
    manifest = _read(file)
    if not file.exists():
        raise BackupFailed(f"There is no file {file}.")
    if manifest.vendor != vendor:
        raise BackupFailed(f"This backup is of {manifest.vendor}, and the site is set up for {vendor}.")
    if file.stat().st_size != manifest.size or _sha256(file) != manifest.sha256:
        raise BackupFailed(f"{file} is damaged: it is not what was written. Take another backup.")
    if newer := migrations_unknown(manifest.facts.migrations):
        raise BackupFailed(f"A newer Getaway made this backup ({', '.join(newer)}): install that version first.")
    return manifest


def _read(file: Path) -> Manifest:
    path = beside(file)
    try:
        said = json.loads(path.read_bytes())
        if said.pop("format") != FORMAT:
            raise BackupFailed(f"Another version of Getaway wrote {path}: take that one.")
        facts = Facts(**said.pop("facts"))
        return Manifest(facts=facts, made=datetime.fromisoformat(said.pop("made")), **said)
    except FileNotFoundError:
        raise BackupFailed(
            f"There is no manifest {path}: without it nobody can say that the backup is whole."
        ) from None
    except (ValueError, TypeError, KeyError, AttributeError):
        raise BackupFailed(f"The manifest {path} is damaged: take another backup.") from None


def _sha256(file: Path) -> str:
    with file.open("rb") as whole:
        return hashlib.file_digest(whole, "sha256").hexdigest()
