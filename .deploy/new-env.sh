#!/bin/sh
# Prints a .env for docker-compose.yml with secrets of its own: .deploy/new-env.sh [HOST] >.env
# Without HOST the site is for this computer: https://localhost, its mails at http://localhost:8025.
set -eu
host=${1:-localhost}
secret() { od -An -v -N "$1" -tx1 /dev/urandom | tr -d ' \n'; }

cat <<END
SECRET_KEY=$(secret 32)
POSTGRES_PASSWORD=$(secret 16)
SITE_HOST=$host
END
if [ "$host" = localhost ]; then
    cat <<END
COMPOSE_PROFILES=mail
MAIL_HOST=mail
MAIL_PORT=1025
MAIL_TLS=false
END
else
    cat <<END
# Reached from everywhere. The certificate is asked for in the name of this mail address:
LISTEN=
TLS=you@$host
# Mails go out by this server:
MAIL_HOST=
MAIL_USER=
MAIL_PASSWORD=
END
fi
