"""The files of the containers, as far as they can be held against something without an engine."""

import re
import shlex

import pytest

from tests.site.by_hand import by_hand, by_hand_environment, compose, container_environment, image_command, printed
from tests.site.commands import ROOT, manage

OURS = ("migrate", "web1", "web2", "worker", "beat", "backup")
# An older name, and what only a site without the proxy would set.
NOT_PASSED = {"BEHIND_PROXY", "SECURE_SSL_REDIRECT"}


def alike(line: str) -> str:
    """A command without what differs by hand: where a web listens, and where the proxy's file is."""
    line = re.sub(r"--bind \S+ --port \d+", "--bind X --port X", line)
    return line.replace("/etc/caddy/", ".deploy/")


def test_by_hand_run_the_same_commands_in_the_same_order() -> None:
    services = compose()
    order = [name for name in services if name in OURS[:-1] or name == "proxy"]
    commands = [services[name].get("command") or image_command() for name in order]
    assert order == ["migrate", "web1", "web2", "worker", "beat", "proxy"]
    mine = [
        line for line in (*by_hand("once"), *by_hand("run")) if "collectstatic" not in line and " check " not in line
    ]
    assert [alike(line) for line in mine] == [alike(shlex.join(command)) for command in commands]
    assert "manage.py collectstatic --noinput" in (ROOT / "Dockerfile").read_text()


def test_every_variable_that_the_settings_read_gets_into_the_containers() -> None:
    read: set[str] = set()
    for path in (ROOT / "bhabhi_site" / "settings").glob("*.py"):
        if path.name in ("test.py", "embedded.py"):
            continue
        for name in re.findall(r"env\.\w+\(\s*f?\"([A-Z_{}a-z]+)\"", path.read_text()):
            ways = ("MAIL_", "MAIL_NOTICES_") if name.startswith("{prefix}") else ("",)
            read |= {way + name.removeprefix("{prefix}") for way in ways}
    # Of a way of its own for notices it asks for these two by another name.
    read.discard("MAIL_NOTICES_{name}")
    assert {"SECRET_KEY", "DB_POOL", "MAIL_NOTICES_TLS", "MAIL_HOOK_SECRET"} < read
    for service in OURS:
        assert set(compose()[service]["environment"]) == read - NOT_PASSED, service
    assert set(by_hand_environment()) - read == {"DJANGO_SETTINGS_MODULE", "PATH", "SITE_HOST", "WEBS", "TLS"}


@pytest.mark.parametrize("name", [*OURS, "proxy", "mail"])
def test_a_container_can_do_little_more_than_it_must(name: str) -> None:
    service = compose()[name]
    assert service["read_only"] is True
    assert service["tmpfs"] == ["/tmp"]
    assert service["cap_drop"] == ["ALL"]
    assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "proxy" else [])
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["stop_grace_period"]


def test_only_the_proxy_is_reached_from_outside() -> None:
    open_to_others = {name: service["ports"] for name, service in compose().items() if "ports" in service}
    assert set(open_to_others) == {"proxy", "mail"}
    assert all("LISTEN-127.0.0.1" in port for port in open_to_others["proxy"])
    assert all(port.startswith("127.0.0.1:") for port in open_to_others["mail"])
    assert {name for name, service in compose().items() if service.get("networks") == ["inside"]} == {
        "postgres",
        "redis",
    }


def test_every_part_that_stays_tells_how_it_is() -> None:
    has_none = {name for name, service in compose().items() if "healthcheck" not in service}
    # The images' own: ours asks /healthz.
    assert has_none == {"web1", "web2", "mail"}
    assert "HEALTHCHECK" in (ROOT / "Dockerfile").read_text()
    for once in ("migrate", "backup"):
        assert (compose()[once]["healthcheck"], compose()[once]["restart"]) == ({"disable": True}, "no")


def test_a_few_variables_do_for_this_computer() -> None:
    """That the site runs on them, `test_stack.py` shows."""
    environment = printed()
    assert environment["COMPOSE_PROFILES"] == "mail"
    assert environment["SECRET_KEY"] != printed()["SECRET_KEY"]
    inside = container_environment("web1", environment)
    assert (inside["SITE_URL"], inside["ALLOWED_HOSTS"], inside["PROXIES"]) == ("https://localhost", "localhost", "1")


def test_for_a_host_what_nobody_can_guess_is_asked_for() -> None:
    environment = printed("getaway.example")
    image = {"DJANGO_SETTINGS_MODULE": "bhabhi_site.settings.production"}
    done = manage("check", **image, **container_environment("web1", environment))
    assert re.findall(r"(?m)^  (\w+):", done.stderr) == ["MAIL_HOST"]
    assert container_environment("proxy", environment) == {"SITE_HOST": "getaway.example", "TLS": "you@getaway.example"}


def test_nothing_starts_without_its_secrets() -> None:
    for name in ("SECRET_KEY", "POSTGRES_PASSWORD"):
        with pytest.raises(KeyError, match=name):
            container_environment("web1", printed() | {name: ""})
