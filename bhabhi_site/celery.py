"""The Celery app: the broker, the schedule and every other option are Django settings named CELERY_*."""

from typing import Any

from celery import Celery, signals

app = Celery("bhabhi_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@signals.worker_ready.connect
def _watched(**_: Any) -> None:
    """Serve the worker's metrics, and name tasks in its log."""
    from bhabhi_site.watching import watching_begun

    watching_begun()


@signals.worker_shutdown.connect
def _unwatched(**_: Any) -> None:
    from bhabhi_site.watching import watching_ended

    watching_ended()


@signals.task_prerun.connect
def _begun(**told: Any) -> None:
    from bhabhi_site.request_ids import task_begun

    task_begun(**told)


@signals.task_postrun.connect
def _ended(**_: Any) -> None:
    from bhabhi_site.request_ids import task_ended

    task_ended()
