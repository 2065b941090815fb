"""What is done for accounts by the clock."""

from celery import shared_task
from django.core.management import call_command
from django.utils import timezone

from accounts.services import unentered_swept


@shared_task(name="accounts.sweep")
def sweep() -> None:
    """Take away accounts that nobody has entered, and sessions that have ended."""
    unentered_swept(now=timezone.now())
    call_command("clearsessions", verbosity=0)
