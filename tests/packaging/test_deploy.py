"""The files in deploy/ hang together with the program: settings, figures, ports, paths. tools/deploy.py asks more."""

import asyncio
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from notahat.gifts.hat_file import LARGEST_FILE
from notahat.server.http.app import LARGEST_BODY
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


def figures() -> set[str]:
    """The names of everything that is told, as Prometheus keeps them."""

    async def told() -> str:
        return Metrics().text(0, 0, True)

    kinds = dict(re.findall(r"^# TYPE (\w+) (\w+)$", asyncio.run(told()), re.MULTILINE))
    parts = {
        f"{name}_{part}" for name, kind in kinds.items() if kind == "histogram" for part in ("bucket", "sum", "count")
    }
    return {name for name, kind in kinds.items() if kind != "histogram"} | parts


def used(expression: str) -> set[str]:
    return set(re.findall(r"\bnotahat_\w+", expression))


def test_every_figure_that_somebody_waits_for_is_told() -> None:
    rules = [rule for group in read_yaml("prometheus/alerts.yml")["groups"] for rule in group["rules"]]
    panels = json.loads(text("grafana/notahat.json"))["panels"]
    expressions = [rule["expr"] for rule in rules]
    expressions += [target["expr"] for panel in panels for target in panel["targets"]]
    assert len(rules) >= 5
    assert len({panel["id"] for panel in panels}) == len(panels) >= 10
    wanted = {name for expression in expressions for name in used(expression)}
    assert wanted <= figures()
    assert figures() - wanted <= {
        "notahat_info",
        "notahat_command_seconds_sum",
        "notahat_command_seconds_count",
    }


def test_every_alert_says_what_to_do() -> None:
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


def test_every_setting_in_them_is_one_and_can_be_read() -> None:
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
def test_a_proxy_overwrites_what_people_claim_about_their_address(name: str) -> None:
    said = (
        "X-Forwarded-For $remote_addr",
        "header_up X-Forwarded-For {remote_host}",
        "set-header X-Forwarded-For %[src]",
    )
    assert any(line in text(name) for line in said)
    assert "hats.example" in text(name)


@pytest.mark.parametrize("name", PROXIES)
def test_a_proxy_lets_the_largest_deck_through(name: str) -> None:
    """HAProxy and Caddy have no limit unless one is written down."""
    limits = re.findall(r"(?:client_max_body_size|max_size|req\.body_size)\s+(\S+?);?$", text(name), re.MULTILINE)
    assert limits == (["2m"] if name.startswith("nginx/") else [])
    assert LARGEST_FILE <= 2 * 1024**2
    assert LARGEST_BODY <= LARGEST_FILE


def test_prometheus_says_which_of_its_jobs_to_keep() -> None:
    """Whoever is asked and not there rings an alert, and nobody has both one server and three nodes."""
    page = text("prometheus/prometheus.yml")
    (one,) = yaml.safe_load(page)["scrape_configs"]
    assert one["static_configs"] == [{"targets": ["127.0.0.1:9464"]}]
    (_, several) = yaml.safe_load(re.sub(r"^  #(?=-|  )", "  ", page, flags=re.MULTILINE))["scrape_configs"]
    nodes = sorted(set(re.findall(r"127\.0\.0\.1:80\d\d", text("haproxy/several.cfg"))))
    assert several["static_configs"] == [{"targets": nodes}]


@pytest.mark.parametrize("name", SEVERAL)
def test_in_front_of_several_nodes_a_bad_one_is_left_alone(name: str) -> None:
    page = text(name)
    assert all(f"127.0.0.1:{port}" in page for port in (8001, 8002, 8003))
    assert ("/healthz" in page) or (page.count("max_fails=0") == 4 and "http_503" in page)  # three, and why


def test_the_container_is_not_root_and_leaves_out_what_is_in_nobodys_way() -> None:
    page = text("Containerfile")
    assert re.findall(r"^USER (\S+)$", page, re.MULTILINE) == ["10001:10001"]
    assert page.index("USER 10001") < page.index("ENTRYPOINT")
    assert page.count("FROM ${PYTHON}") == 2, "what builds stays behind"
    ignored = (ROOT / ".containerignore").read_text().split()
    assert {".git", ".venv", "**/node_modules", "tests"} <= set(ignored)
    needed = ("src", "web", "tools", "licences", "requirements.lock", "pyproject.toml", "README.md", "LICENSE")
    assert not set(needed) & set(ignored)


def test_compose_keeps_the_database_inside_and_asks_for_its_password() -> None:
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
def test_units_are_locked_up(unit: str) -> None:
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


def test_the_list_of_files_is_whole() -> None:
    page = text("README.md")
    asked = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "deploy"]
    files = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    unnamed = [name for name in files if Path(name).suffix not in (".timer", ".md") and Path(name).name not in page]
    assert unnamed == []
