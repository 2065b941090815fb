"""Where requests come from, as far as limits count it."""

from ipaddress import IPv4Address, ip_address

from allauth.account.adapter import get_adapter
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest


def origin_of(request: HttpRequest) -> str:
    """Return the address that a request is counted by; of one of IPv6 the network, which one household has whole.

    What comes by a socket file of the computer's own is all one.
    """
    try:
        found = ip_address(get_adapter(request).get_client_ip(request))
    except PermissionDenied:
        return ""
    if isinstance(found, IPv4Address):
        return str(found)
    return str(found.ipv4_mapped or (int(found) >> 64))
