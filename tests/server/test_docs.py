"""The bot in docs/bots.md works, and docs/operate.md names every setting and metric."""

import asyncio
import re
import subprocess
import sys
from pathlib import Path

from notahat.clients.python import Client
from notahat.server.settings import Settings
from support.server_process import ServerProcess
from support.timeouts import TIMEOUT

DOCS = Path(__file__).parents[2] / "docs"


def test_documented_bot_plays_a_match(server: ServerProcess, tmp_path: Path) -> None:
    source = (DOCS / "bots.md").read_text().partition("```python\n")[2].partition("```")[0]
    script = tmp_path / "doubter.py"
    script.write_text(source)

    async def match() -> tuple[str, ...]:
        async with Client(server.url) as client:
            code = await client.open_table(rounds="each", show_seconds=1)
            async with client.table(code) as table:
                for _ in range(2):
                    await table.do("add_bot", level="goldfish")
                with subprocess.Popen(
                    [sys.executable, str(script), server.url, code], stdout=subprocess.DEVNULL
                ) as bot:
                    await table.until(lambda state: len(state.view.seats) == 3)
                    await table.do("start")
                    end = await table.until(lambda state: state.view.stage == "over")
                    bot.terminate()
                return tuple(chair.name for chair in end.view.seats)

    assert asyncio.run(asyncio.wait_for(match(), TIMEOUT))[2] == "Doubter"


def test_every_setting_is_documented() -> None:
    page = (DOCS / "operate.md").read_text()
    assert [name for name in Settings.__struct_fields__ if f"NOTAHAT_{name.upper()}" not in page] == []


def test_every_metric_is_documented(server: ServerProcess) -> None:
    page = (DOCS / "operate.md").read_text()
    names = set(re.findall(r"^# TYPE (\w+)", server.metrics(), re.MULTILINE))
    assert len(names) >= 7
    assert [name for name in names if name not in page] == []
