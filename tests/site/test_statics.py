"""Static files as production collects them."""

import json
import re
from pathlib import Path

from django.core.management import call_command
from pytest_django import Settings

IMPORT = re.compile(r"""\b(?:from|import)\s*["']\./([^"']+)["']""")


def test_scripts_import_each_other_by_content(settings: Settings, tmp_path: Path) -> None:
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": "bhabhi_site.statics.Collected"}}
    settings.WHITENOISE_SKIP_COMPRESS_EXTENSIONS = ["css", "js", "svg", "txt"]
    call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=["admin", "account", "mfa"])
    named: dict[str, str] = json.loads((tmp_path / "staticfiles.json").read_text())["paths"]
    hashed = {name for name in named.values() if name.startswith("games/")}
    scripts = [name for name in hashed if name.endswith(".js")]
    imports = {f"games/{part}" for name in scripts for part in IMPORT.findall((tmp_path / name).read_text())}
    assert named["games/boards.js"] in imports
    assert imports <= hashed
