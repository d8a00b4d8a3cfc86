"""The press: decks as PDFs, for whoever would print them. Each is made in a process of its own, one at a time and
behind everything else on this machine, and the newest are kept: nobody at a table notices.
"""

import asyncio
import os
import sys
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from importlib.util import find_spec
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from notahat.gifts import Arrows, Edition
from notahat.gifts.hat_file import Language
from notahat.paper import sheet, web_assets

MOST_KEPT = 32
MOST_WAITING = 6
LONGEST_SECONDS = 120.0
_NICE = 5
_SIZES = tuple(f"{size.width:g}x{size.height:g}" for size in sheet.OFFERED)


class Order(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody would print. There are some thousand possible ones, and no more."""

    deck: Edition = "classic"
    special_cards: bool = True
    arrows: Arrows = "both"
    language: Language = "en"
    paper: sheet.PaperName = "a4"
    flip: sheet.Flip = "long"
    size: Annotated[str, Meta(extra_json_schema={"enum": _SIZES})] = _SIZES[0]
    backs: Literal["colour", "saving"] = "colour"

    def __post_init__(self) -> None:
        if self.size not in _SIZES:
            raise ValueError(f"a size is one of {', '.join(_SIZES)}")

    def words(self) -> list[str]:
        """The same, as `notahat print` is told it."""
        said = ["--deck", self.deck, "--arrows", self.arrows, "--language", self.language, "--paper", self.paper]
        said += ["--flip", self.flip, "--size", self.size]
        return said + ["--no-special-cards"] * (not self.special_cards) + ["--ink-saving"] * (self.backs == "saving")


class Jammed(Exception):  # noqa: N818 - an answer
    """Too many wait already, or it took too long."""


def order(asked: Mapping[str, str]) -> Order:
    """What is asked for in an address; raises ValueError where there is no such thing."""
    return msgspec.convert(dict(asked), Order, strict=False)


class Press:
    """Whoever asks for what is being made already waits for the same one."""

    def __init__(self) -> None:
        self.works = web_assets.there() and all(find_spec(name) for name in ("fpdf", "brotli"))
        self._one_at_a_time = asyncio.Semaphore(1)
        self._kept: OrderedDict[Order, asyncio.Task[bytes]] = OrderedDict()

    def has(self, order: Order) -> bool:
        """Whether it is made, or being made."""
        return order in self._kept

    async def of(self, order: Order) -> bytes:
        """The PDF."""
        task = self._kept.get(order)
        if task is None:
            if sum(not one.done() for one in self._kept.values()) >= MOST_WAITING:
                raise Jammed
            task = self._kept[order] = asyncio.get_running_loop().create_task(self._made(order))
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(order)
        try:
            return await asyncio.shield(task)
        except Exception:
            self._kept.pop(order, None)  # whoever asks next may have more luck
            raise

    async def close(self) -> None:
        """Stop what is being made."""
        for task in self._kept.values():
            task.cancel()
        await asyncio.gather(*self._kept.values(), return_exceptions=True)

    async def _made(self, order: Order) -> bytes:
        async with self._one_at_a_time:
            command = [sys.executable, "-m", "notahat", "print", *order.words(), "-o", "-"]
            quiet = asyncio.subprocess.DEVNULL
            process = await asyncio.create_subprocess_exec(
                *command, stdin=quiet, stdout=asyncio.subprocess.PIPE, stderr=quiet
            )
            try:
                _step_back(process.pid)
                async with asyncio.timeout(LONGEST_SECONDS):
                    made, _ = await process.communicate()
            except TimeoutError:
                raise Jammed from None
            finally:
                if process.returncode is None:
                    with suppress(ProcessLookupError):
                        process.kill()
                    await process.wait()
            if process.returncode:
                raise Jammed
            return made


def _step_back(process: int) -> None:
    """Everybody else comes first, where a system knows of such manners."""
    if hasattr(os, "setpriority"):
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process, _NICE)
