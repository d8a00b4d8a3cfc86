"""`notahat deploy`: print the files of a site with TLS, made for its public URL."""

import argparse
import sys
from importlib.resources import files
from urllib.parse import urlsplit

from notahat.server.settings import Settings, check, exit_on

FILES = {"caddy": "Caddyfile", "nginx": "nginx.conf", "systemd": "notahat.service"}
EXAMPLE = "hats.example"  # in the files
HARDENING = "# hardening"  # begins the paragraphs that a snippet leaves out
NO_PROXY = "\nThis needs a proxy with a certificate, and NOTAHAT_BEHIND_PROXY names none. "
BELOW = """These files make one, and a systemd unit without its hardening.
`notahat deploy caddy|nginx|systemd --public-url {url}` prints them whole, one by one.

"""


def add_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "deploy",
        help="print a configuration for Caddy, nginx or systemd",
        description="Print the file that puts TLS in front of `notahat serve`, or that starts it with the system.",
    )
    parser.add_argument("program", choices=FILES)
    parser.add_argument("--public-url", metavar="URL", required=True, help="URL that people use")
    parser.add_argument("--port", type=int, default=8000, help="port of `notahat serve` (8000)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    with exit_on(ValueError):
        sys.stdout.write(configuration(arguments.program, arguments.public_url, arguments.port))
    return 0


def configuration(program: str, public_url: str, port: int = 8000) -> str:
    """Return the file of a program. Raise `ValueError` for a URL that the file cannot serve."""
    check(Settings(public_url=public_url, port=port))
    url = urlsplit(public_url)
    if url.scheme != "https" or url.port is not None or url.path.strip("/"):
        raise ValueError("--public-url must be like https://hats.example; docs/operate.md has sites below a path")
    text = files(__package__).joinpath("deploy", FILES[program]).read_text("utf-8")
    return text.replace(EXAMPLE, url.hostname or "").replace(":8000", f":{port}").replace("=8000", f"={port}")


def proxy_snippets(public_url: str, port: int) -> str:
    """Return the files of all programs in short, or what is wrong with a URL that they cannot serve."""
    try:
        whole = [configuration(program, public_url, port) for program in FILES]
    except ValueError as error:
        return f"{NO_PROXY}For ready files {error}\n"
    paragraphs = [part for text in whole for part in text.strip().split("\n\n") if not part.startswith(HARDENING)]
    return NO_PROXY + BELOW.format(url=public_url) + "\n\n".join(paragraphs) + "\n"
