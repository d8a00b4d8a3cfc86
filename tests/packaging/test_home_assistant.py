"""The add-on for Home Assistant: its options fit its schema and become settings of the server."""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from notahat import __version__
from notahat.server.settings import Settings, check, from_environment

FOLDER = Path(__file__).parents[2] / "deploy" / "home-assistant"
REQUIRED = {"name", "version", "slug", "description", "arch"}
EXAMPLES = {
    "public_url": "https://hats.example/",
    "study": True,
    "frame_ancestors": "https://dashboard.example",
    "behind_proxy": "192.168.1.2 10.0.0.0/8",
    "webhook": "http://homeassistant:8123/api/webhook/not-a-hat",
    "webhook_secret": "a secret of the house",
}


def config() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((FOLDER / "config.yaml").read_text())
    return found


def run_script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("home_assistant_run", FOLDER / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_options_are_settings_and_have_texts() -> None:
    found = config()
    assert found.keys() >= REQUIRED
    assert (found["version"], found["ingress_port"]) == (__version__, 8000)
    required = {name for name, rule in found["schema"].items() if not rule.endswith("?")}
    assert required == found["options"].keys(), "what is not optional has a default"
    assert found["schema"].keys() <= set(Settings.__struct_fields__)
    words = yaml.safe_load((FOLDER / "translations" / "en.yaml").read_text())
    assert words["configuration"].keys() == found["schema"].keys()


@pytest.mark.parametrize("options", [{}, EXAMPLES], ids=["defaults", "all"])
def test_options_start_a_server(options: dict[str, object]) -> None:
    settings = from_environment(run_script().settings(config()["options"] | options))
    check(settings)
    assert settings.frame_ancestors.split()[0] == "self"
    assert (settings.port, settings.data) == (8000, "/data/notahat")
    assert settings.behind_proxy == f"172.30.32.2 {options.get('behind_proxy', '')}".strip(), "never everyone"
