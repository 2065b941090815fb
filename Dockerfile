FROM python:3.13-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /app
RUN python -m venv /app/.venv
COPY requirements.lock ./
RUN .venv/bin/pip install --require-hashes -r requirements.lock
COPY . .
# Any values do for collecting static files; none of them stays in the image.
RUN DJANGO_SETTINGS_MODULE=bhabhi_site.settings.production \
    SECRET_KEY=not-a-secret-only-for-collecting-static-files-in-a-build \
    ALLOWED_HOSTS=localhost DATABASE_URL=postgres://none/none REDIS_URL=redis://none \
    SITE_URL=https://localhost MAIL_FROM=none@localhost MAIL_HOST=localhost \
    .venv/bin/python manage.py collectstatic --noinput \
    && .venv/bin/python -m compileall -q accounts bhabhi_site games

FROM python:3.13-slim
ENV PATH=/app/.venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    DJANGO_SETTINGS_MODULE=bhabhi_site.settings.production
# For backups: Debian's client is of the major version that docker-compose.yml runs, or refuses to dump.
# hadolint ignore=DL3008
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-client \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --no-create-home getaway \
    && install --directory --owner=10001 --mode=0700 /backups
WORKDIR /app
COPY --from=build /app /app
USER 10001
EXPOSE 8000
# Asks as the site's own host does; /healthz is the one address that does not redirect to https.
HEALTHCHECK --interval=5s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import os, urllib.request as u; u.urlopen(u.Request('http://127.0.0.1:8000/healthz', headers={'Host': os.environ['ALLOWED_HOSTS'].split(',')[0]}), timeout=4)"]
# A daphne that answers what is under way before it stops. Without its own log of requests, in which the tokens of
# invitations would stand: a proxy that has one should leave out what follows /i/, /d/, /nomail/ and /stop/.
CMD ["python", "-m", "bhabhi_site.web", "--verbosity", "0", "--bind", "0.0.0.0", "--port", "8000", "--no-server-name", "--websocket-max-message-size", "65536", "bhabhi_site.asgi:application"]
