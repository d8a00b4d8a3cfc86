"""The files in deploy/ match the program: settings, metrics, ports, paths. tools/deploy.py checks more."""

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import generate_latest

from notahat.cli import main
from notahat.gifts.hat_file import LARGEST_FILE
from notahat.server.limits.accounts import Accounts
from notahat.server.limits.budget import BODY_BYTES
from notahat.server.ops.deploy_command import FILES, configuration
from notahat.server.ops.metrics import Metrics
from notahat.server.settings import check, from_environment

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
SEVERAL = ("nginx/several.conf", "caddy/several.Caddyfile", "haproxy/several.cfg")
PROXIES = (*SEVERAL, "nginx", "caddy", "haproxy/one.cfg", "caddy/compose.Caddyfile")
URL = "https://hats.example"


def text(name: str) -> str:
    """Return a file in deploy/, or the one that `notahat deploy` prints for a program."""
    return configuration(name, URL) if name in FILES else (DEPLOY / name).read_text()


def read_yaml(name: str) -> Any:
    return yaml.safe_load(text(name))


def metric_names() -> set[str]:
    """Return the names of all metrics, as Prometheus stores them."""

    async def exposed() -> str:
        metrics = Metrics()
        metrics.accounts, metrics.folder = Accounts(100), ROOT
        return generate_latest(metrics).decode()

    kinds = dict(re.findall(r"^# TYPE (\w+) (\w+)$", asyncio.run(exposed()), re.MULTILINE))
    parts = {
        f"{name}_{part}" for name, kind in kinds.items() if kind == "histogram" for part in ("bucket", "sum", "count")
    }
    return {name for name, kind in kinds.items() if kind != "histogram"} | parts


def used(expression: str) -> set[str]:
    return set(re.findall(r"\bnotahat_\w+", expression))


def test_alerts_and_panels_use_existing_metrics() -> None:
    rules = [rule for group in read_yaml("prometheus/alerts.yml")["groups"] for rule in group["rules"]]
    panels = json.loads(text("grafana/notahat.json"))["panels"]
    expressions = [rule["expr"] for rule in rules]
    expressions += [target["expr"] for panel in panels for target in panel["targets"]]
    assert len(rules) >= 5
    assert len({panel["id"] for panel in panels}) == len(panels) >= 10
    wanted = {name for expression in expressions for name in used(expression)}
    assert wanted <= metric_names()
    assert metric_names() - wanted <= {
        "notahat_info",
        "notahat_command_seconds_sum",
        "notahat_command_seconds_count",
    }


def environments() -> Iterator[tuple[str, dict[str, str]]]:
    for name in ("systemd", "systemd/node.env", "Containerfile"):
        yield name, dict(re.findall(r"(NOTAHAT_\w+)=(\S+)", text(name)))
    for name, service in read_yaml("compose.postgres.yaml")["services"].items():
        chosen = service.get("environment", {})
        yield name, {key: str(value) for key, value in chosen.items() if key.startswith("NOTAHAT")}


def test_deployment_settings_are_valid() -> None:
    found = dict(environments())
    for chosen in found.values():
        settings = from_environment(chosen)
        check(settings)
        assert {f"NOTAHAT_{name.upper()}" for name in settings.__struct_fields__} >= chosen.keys()
    for name in ("systemd", "systemd/node.env", "node1"):
        assert from_environment(found[name]).public_url == URL
        assert from_environment(found[name]).behind_proxy
    assert from_environment(found["systemd/node.env"]).store_url.startswith("postgresql://")


FORWARDED = (
    "X-Forwarded-For $remote_addr",
    "header_up X-Forwarded-For {remote_host}",
    "set-header X-Forwarded-For %[src]",
)


@pytest.mark.parametrize("name", PROXIES)
def test_proxy_forwards_address_decks_and_skips_failed_nodes(name: str) -> None:
    """HAProxy and Caddy have no limit of bodies unless one is configured."""
    page = text(name)
    assert any(line in page for line in FORWARDED)
    limits = re.findall(r"(?:client_max_body_size|max_size|req\.body_size)\s+(\S+?);?$", page, re.MULTILINE)
    assert limits == (["2m"] if name.startswith("nginx") else [])
    assert BODY_BYTES.value <= LARGEST_FILE <= 2 * 1024**2
    if name in SEVERAL:
        assert all(f"127.0.0.1:{port}" in page for port in (8001, 8002, 8003))
        assert "/api/rendezvous/" in page, "to one node, in whose memory browsers wait for each other"
        assert ("/healthz" in page) or (page.count("max_fails=0") == 5 and "http_503" in page)  # three, and why


def test_container_is_not_root_and_has_no_build_files() -> None:
    page = text("Containerfile")
    assert re.findall(r"^USER (\S+)$", page, re.MULTILINE) == ["10001:10001"]
    assert page.index("USER 10001") < page.index("ENTRYPOINT")
    assert page.count("FROM ${PYTHON}") == 2
    locked = {re.split(r"[=[]", line)[0] for line in (ROOT / "requirements-container.lock").read_text().splitlines()}
    (removed,) = re.findall(r"pip uninstall --yes (.+)", page)
    assert {"hatchling", "pip"} <= set(removed.split()) <= {*locked, "pip"}, "build tools stay in the first stage"
    ignored = (ROOT / ".containerignore").read_text().split()
    assert {".git", ".venv", "**/node_modules", "tests"} <= set(ignored)
    needed = {"src", "web", "tools", "licences", "requirements.lock", "requirements-container.lock", "pyproject.toml"}
    assert not (needed | {"README.md", "LICENSE"}) & set(ignored)


def test_compose_keeps_database_private_with_password() -> None:
    whole = read_yaml("compose.postgres.yaml")
    assert [name for name, service in whole["services"].items() if "ports" in service] == ["caddy"]
    for node in ("node1", "node2"):
        service = whole["services"][node]
        assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
        assert f"{node}:8000" in text("caddy/compose.Caddyfile")
        assert (
            DEPLOY / service["build"]["context"] / service["build"]["dockerfile"]
        ).resolve() == DEPLOY / "Containerfile"
    mounted = [volume.partition(":") for volume in whole["services"]["caddy"]["volumes"]]
    assert all((DEPLOY / place).is_file() for place, _, _ in mounted if place.startswith("./"))
    assert text("compose.postgres.yaml").count("${POSTGRES_PASSWORD:?") == 3
    assert "pg_dump --host=postgres" in whole["services"]["backup"]["command"][0]


def test_compose_is_one_container_with_a_volume() -> None:
    (service,) = read_yaml("compose.yaml")["services"].values()
    assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
    assert service["volumes"] == ["hats:/data"]
    assert "NOTAHAT_DATA=/data" in text("Containerfile")


@pytest.mark.parametrize("program", FILES)
def test_printed_files_are_for_the_public_url(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deploy", program, "--public-url", "https://gifts.example", "--port", "9000"]) == 0
    printed = capsys.readouterr().out
    assert "gifts.example" in printed
    assert re.findall(r"hats\.example|8000", printed) == []
    for url in ("http://hats.example", "https://hats.example/games/", "https://hats.example:8443", "hats"):
        with pytest.raises(SystemExit) as stopped:
            main(["deploy", program, "--public-url", url])
        assert stopped.value.code == 2


@pytest.mark.parametrize("unit", ["systemd", "systemd/notahat@.service", "systemd/notahat-backup.service"])
def test_systemd_units_are_sandboxed(unit: str) -> None:
    lines = text(unit).splitlines()
    for line in (
        "DynamicUser=yes",
        "NoNewPrivileges=yes",
        "ProtectSystem=strict",
        "CapabilityBoundingSet=",
        "UMask=0077",
    ):
        assert line in lines
    commands = [line for line in lines if line.startswith("Exec") and "notahat " in line]
    assert all("/opt/notahat/bin/notahat " in line for line in commands)


def test_memory_is_limited_in_units_and_compose() -> None:
    for unit in ("systemd", "systemd/notahat@.service"):
        assert {"MemoryHigh=400M", "MemoryMax=512M"} <= set(text(unit).splitlines())
    for name in ("compose.yaml", "compose.postgres.yaml"):
        assert all("mem_limit" in service for service in read_yaml(name)["services"].values())
