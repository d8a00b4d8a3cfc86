"""Run HAProxy, nginx or Caddy in front of several nodes on loopback, with the configuration of deploy/."""

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from load import free_port, wait_for

DEPLOY = Path(__file__).parents[1] / "deploy"
SHIPPED = {"haproxy": "haproxy/several.cfg", "nginx": "nginx/several.conf", "caddy": "caddy/several.Caddyfile"}


def haproxy(config: str, port: int, nodes: list[str], _: Path) -> str:
    """Adapt the configuration: no TLS, these nodes."""
    config = remove_lines(config, "bind :443", "redirect scheme", "Strict-Transport-Security", r"server \w+ +127")
    servers = [f"    server node{number} {node}" for number, node in enumerate(nodes)]
    return "\n".join([config.replace("bind :80", f"bind 127.0.0.1:{port}"), *servers, ""])


def nginx(config: str, port: int, nodes: list[str], folder: Path) -> str:
    config = re.sub(r"server \{\n    listen 80;.*?\n\}\n", "", config, flags=re.DOTALL)
    config = remove_lines(config, r"listen \[::\]", "ssl_", "Strict-Transport-Security")
    config = config.replace("listen 443 ssl http2;", f"listen 127.0.0.1:{port};")
    (example,) = set(re.findall(r"    server 127\.0\.0\.1:\d+(.*;)\n", config))
    config = remove_lines(config, r"    server 127")
    servers = "".join(f"    server {node}{example}\n" for node in nodes)
    config = config.replace("    keepalive", f"{servers}    keepalive")
    main = f"pid {folder}/pid; error_log stderr; daemon off; worker_processes 1; events {{ worker_connections 4096; }}"
    temp_paths = "".join(f"{kind}_temp_path {folder}/{kind}; " for kind in ("client_body", "proxy"))
    return f"{main}\nhttp {{ access_log off; {temp_paths}\n{config}}}\n"


def caddy(config: str, port: int, nodes: list[str], _: Path) -> str:
    config = re.sub(r"(reverse_proxy) [\d.: ]+\{", rf"\1 {' '.join(nodes)} {{", config)
    return f"{{\n\tadmin off\n}}\n{config.replace('hats.example {', f'http://127.0.0.1:{port} {{')}"


ADAPTERS: dict[str, Callable[[str, int, list[str], Path], str]] = {"haproxy": haproxy, "nginx": nginx, "caddy": caddy}
COMMANDS = {
    "haproxy": ["-db", "-f"],
    "nginx": ["-e", "stderr", "-c"],
    "caddy": ["run", "--adapter", "caddyfile", "--config"],
}


def remove_lines(config: str, *patterns: str) -> str:
    return (
        "\n".join(line for line in config.splitlines() if not any(re.search(pattern, line) for pattern in patterns))
        + "\n"
    )


def find(kind: str) -> str | None:
    """Look in the sbin folders, too, which may not be on the PATH."""
    return shutil.which(kind) or shutil.which(kind, path="/usr/sbin:/usr/local/sbin")


def version(kind: str) -> str:
    command = [find(kind) or kind, "version" if kind == "caddy" else "-v"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    number = re.search(r"[\d.]+\d", done.stdout + done.stderr)
    return f"{kind} {number[0] if number else '?'}"


@contextmanager
def running(kind: str, urls: list[str], folder: Path) -> Iterator[str]:
    """Run a proxy for the time of the block and yield its address."""
    port, config, program = free_port(), folder / f"{kind}.conf", find(kind)
    assert program is not None
    nodes = [url.partition("://")[2] for url in urls]
    config.write_text(ADAPTERS[kind]((DEPLOY / SHIPPED[kind]).read_text(), port, nodes, folder))
    with (folder / f"{kind}.log").open("w") as log:
        proxy = subprocess.Popen([program, *COMMANDS[kind], str(config)], stdout=log, stderr=log)  # noqa: S603
    try:
        wait_for(port)
        yield f"http://127.0.0.1:{port}"
    finally:
        proxy.terminate()
        proxy.wait()
