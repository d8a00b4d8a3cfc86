"""Start the server in a Home Assistant add-on: options become settings, and the server does not run as root."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

OPTIONS = Path("/data/options.json")
FOLDER = Path("/data/notahat")
USER = 10001
INGRESS = "172.30.32.2"  # the only peer whose X-Forwarded-For is believed; others may reach the port if it is opened
# what the add-on decides itself: Home Assistant shows the game in a frame of its own page
FIXED = {
    "NOTAHAT_HOST": "0.0.0.0",  # noqa: S104 - only Home Assistant reaches the container, unless its port is opened
    "NOTAHAT_PORT": "8000",
    "NOTAHAT_BROWSER": "no",
    "NOTAHAT_DATA": str(FOLDER),
}


def settings(options: Mapping[str, object]) -> dict[str, str]:
    """Return the environment of the server for the options that were chosen in Home Assistant."""
    chosen = {f"NOTAHAT_{name.upper()}": str(value) for name, value in options.items() if value not in (None, "")}
    frames = f"self {chosen.get('NOTAHAT_FRAME_ANCESTORS', '')}".strip()
    proxies = f"{INGRESS} {chosen.get('NOTAHAT_BEHIND_PROXY', '')}".strip()
    return {**chosen, "NOTAHAT_FRAME_ANCESTORS": frames, "NOTAHAT_BEHIND_PROXY": proxies, **FIXED}


def main() -> None:
    FOLDER.mkdir(mode=0o700, exist_ok=True)
    for path in (FOLDER, *FOLDER.iterdir()):
        os.chown(path, USER, USER)
    environment = {**os.environ, **settings(json.loads(OPTIONS.read_text("utf-8")))}
    os.setgroups([])
    os.setgid(USER)
    os.setuid(USER)
    os.execvpe("notahat", ["notahat", "serve"], environment)  # noqa: S606, S607 - replaces this process


if __name__ == "__main__":
    main()
