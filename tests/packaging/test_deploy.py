"""The files in deploy/ match the program: settings, metrics, ports, paths. tools/deploy.py checks more."""

import asyncio
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import generate_latest

from notahat.gifts.hat_file import LARGEST_FILE
from notahat.server.limits.budget import BODY_BYTES
from notahat.server.ops.metrics import Metrics
from notahat.server.settings import check, from_environment

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
SEVERAL = ("nginx/several.conf", "caddy/several.Caddyfile", "haproxy/several.cfg")
PROXIES = (*SEVERAL, "nginx/one.conf", "caddy/one.Caddyfile", "haproxy/one.cfg", "caddy/compose.Caddyfile")


def text(name: str) -> str:
    return (DEPLOY / name).read_text()


def read_yaml(name: str) -> Any:
    return yaml.safe_load(text(name))


def metric_names() -> set[str]:
    """Return the names of all metrics, as Prometheus stores them."""

    async def exposed() -> str:
        return generate_latest(Metrics()).decode()

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


def test_every_alert_names_an_action() -> None:
    for rule in (rule for group in read_yaml("prometheus/alerts.yml")["groups"] for rule in group["rules"]):
        assert rule["annotations"].keys() == {"summary", "action"}
        assert rule["labels"]["severity"] in ("page", "ticket")


def environments() -> Iterator[tuple[str, dict[str, str]]]:
    for name in ("notahat.env", "node.env"):
        lines = (line.partition("=") for line in text(f"systemd/{name}").splitlines() if not line.startswith("#"))
        yield name, {key: value for key, _, value in lines}
    for name, service in read_yaml("compose.yaml")["services"].items():
        chosen = service.get("environment", {})
        yield name, {key: str(value) for key, value in chosen.items() if key.startswith("NOTAHAT")}
    yield "Containerfile", dict(re.findall(r"(NOTAHAT_\w+)=(\S+)", text("Containerfile")))


def test_deployment_headersare_valid() -> None:
    found = dict(environments())
    for chosen in found.values():
        settings = from_environment(chosen)
        check(settings)
        assert {f"NOTAHAT_{name.upper()}" for name in settings.__struct_fields__} >= chosen.keys()
    for name in ("notahat.env", "node.env", "node1"):
        assert from_environment(found[name]).public_url == "https://hats.example"
        assert from_environment(found[name]).behind_proxy
    assert from_environment(found["node.env"]).store_url.startswith("postgresql://")


@pytest.mark.parametrize("name", PROXIES)
def test_proxy_overwrites_forwarded_address(name: str) -> None:
    headers = (
        "X-Forwarded-For $remote_addr",
        "header_up X-Forwarded-For {remote_host}",
        "set-header X-Forwarded-For %[src]",
    )
    assert any(line in text(name) for line in headers)
    assert "hats.example" in text(name)


@pytest.mark.parametrize("name", PROXIES)
def test_proxy_accepts_largest_deck(name: str) -> None:
    """HAProxy and Caddy have no limit unless one is configured."""
    limits = re.findall(r"(?:client_max_body_size|max_size|req\.body_size)\s+(\S+?);?$", text(name), re.MULTILINE)
    assert limits == (["2m"] if name.startswith("nginx/") else [])
    assert LARGEST_FILE <= 2 * 1024**2
    assert BODY_BYTES.value <= LARGEST_FILE


def test_prometheus_has_one_job_enabled() -> None:
    """A target that does not exist triggers an alert, so only one set of targets is enabled."""
    page = text("prometheus/prometheus.yml")
    (one,) = yaml.safe_load(page)["scrape_configs"]
    assert one["static_configs"] == [{"targets": ["127.0.0.1:9464"]}]
    (_, several) = yaml.safe_load(re.sub(r"^  #(?=-|  )", "  ", page, flags=re.MULTILINE))["scrape_configs"]
    nodes = sorted(set(re.findall(r"127\.0\.0\.1:80\d\d", text("haproxy/several.cfg"))))
    assert several["static_configs"] == [{"targets": nodes}]


@pytest.mark.parametrize("name", SEVERAL)
def test_proxy_skips_failed_node(name: str) -> None:
    page = text(name)
    assert all(f"127.0.0.1:{port}" in page for port in (8001, 8002, 8003))
    assert ("/healthz" in page) or (page.count("max_fails=0") == 4 and "http_503" in page)  # three, and why


def test_container_is_not_root_and_has_no_build_files() -> None:
    page = text("Containerfile")
    assert re.findall(r"^USER (\S+)$", page, re.MULTILINE) == ["10001:10001"]
    assert page.index("USER 10001") < page.index("ENTRYPOINT")
    assert page.count("FROM ${PYTHON}") == 2, "build tools stay in the first stage"
    ignored = (ROOT / ".containerignore").read_text().split()
    assert {".git", ".venv", "**/node_modules", "tests"} <= set(ignored)
    needed = {"src", "web", "tools", "licences", "requirements.lock", "requirements-container.lock", "pyproject.toml"}
    assert not (needed | {"README.md", "LICENSE"}) & set(ignored)


def test_compose_keeps_database_private_with_password() -> None:
    whole = read_yaml("compose.yaml")
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
    assert text("compose.yaml").count("${POSTGRES_PASSWORD:?") == 2


@pytest.mark.parametrize("unit", ["notahat.service", "notahat@.service", "notahat-backup.service"])
def test_systemd_units_are_sandboxed(unit: str) -> None:
    lines = text(f"systemd/{unit}").splitlines()
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


def test_deploy_readme_lists_all_files() -> None:
    page = text("README.md")
    asked = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "deploy"]
    files = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    unnamed = [name for name in files if Path(name).suffix not in (".timer", ".md") and Path(name).name not in page]
    assert unnamed == []


def test_memory_is_limited_in_units_and_compose() -> None:
    for unit in ("notahat", "notahat@"):
        assert {"MemoryHigh=400M", "MemoryMax=512M"} <= set(text(f"systemd/{unit}.service").splitlines())
    assert all("mem_limit" in service for service in read_yaml("compose.yaml")["services"].values())
