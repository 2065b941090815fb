"""Django's command line, on the embedded default unless DJANGO_SETTINGS_MODULE says otherwise."""

import os
import sys


def main() -> None:
    """Run the command named on the command line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bhabhi_site.settings.embedded")
    try:
        from django.core.management import execute_from_command_line
    except ModuleNotFoundError as missing:
        if missing.name != "django":
            raise
        sys.exit("Django is not installed for this Python. Run `make play`, or use .venv/bin/python manage.py.")
    from django.core.exceptions import ImproperlyConfigured

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as wrong:
        sys.exit(str(wrong))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
