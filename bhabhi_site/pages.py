"""Django's pages over ASGI, each made in one go by one thread.

Django's own handler starts a thread for each request, with a connection object of its own, and goes back and forth
between it and the loop: when a request begins, for its page, and when it is done. That is more than the smallest page.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from contextvars import copy_context
from functools import partial
from typing import Any, Final

from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.core.signals import request_started
from django.urls import set_script_prefix

MOST: Final = 200
"""How many pages are made at once: more than wait for the database when it hangs, so that somebody says so."""

threads: Final = ThreadPoolExecutor(MOST, "page")


class Pages(ASGIHandler):
    """The pages as an ASGI application."""

    def __init__(self) -> None:
        # Not that of the base, which loads the middleware for its own way.
        BaseHandler.__init__(self)
        self.load_middleware(is_async=False)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request."""
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        with closing(body):
            loop, made = asyncio.get_running_loop(), partial(copy_context().run, self._made, scope, body)
            response = await loop.run_in_executor(threads, made)
            await self.send_response(response, send)
            if response.streaming:
                await loop.run_in_executor(threads, response.close)

    def _made(self, scope: Any, body: Any) -> Any:
        """Make a page; its thread is done with it then, and gives its connection back, unless it is a stream."""
        set_script_prefix(get_script_prefix(scope))
        request_started.send(sender=type(self), scope=scope)
        request, refused = self.create_request(scope, body)
        response: Any = refused if request is None else self.get_response(request)
        response._handler_class = type(self)  # noqa: SLF001 - whom Django names when it says that a request is done
        if not response.streaming:
            response.close()
        return response
