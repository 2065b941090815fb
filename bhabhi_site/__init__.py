"""Wires the apps together; knows no game."""

# The Celery app must exist before any task is declared with shared_task.
from bhabhi_site.celery import app as celery_app

__all__ = ["celery_app"]
