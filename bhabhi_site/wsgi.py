"""Pages over WSGI, for servers that speak nothing else: no sockets, so boards poll."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bhabhi_site.settings.production")

application = get_wsgi_application()
