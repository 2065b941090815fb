"""The Celery app: the broker, the schedule and every other option are Django settings named CELERY_*."""

from celery import Celery

app = Celery("bhabhi_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
