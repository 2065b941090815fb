#!/bin/sh
# Brings a new version in while people play: fetch it, then run this. One part after the other is replaced, and each is
# waited for; if one does not get well the rest stays as it is, and plays on.
set -eu
cd "$(dirname "$0")/.."

docker compose build
# The old version runs on what this makes of the database: migrations of one version only add.
docker compose run --rm migrate
for each in web1 web2 worker beat; do
    docker compose up --detach --no-deps --wait --wait-timeout 180 "$each"
done
# What is left: a proxy whose settings have changed.
docker compose up --detach --wait
