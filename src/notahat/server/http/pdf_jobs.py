"""Decks as PDFs, each made in a low-priority process, one at a time, and cached."""

import asyncio
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from notahat.gifts import Arrows, Edition
from notahat.gifts.hat_file import Language
from notahat.paper import sheet, web_assets
from notahat.server.caches import JobCache

MAX_CACHED = 32
MAX_PENDING = 6
TIMEOUT_SECONDS = 120.0
_NICENESS = 5
_SIZES = tuple(f"{size.width:g}x{size.height:g}" for size in sheet.SIZES)


class PdfOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """What to print: some thousand combinations, so that a cache of them is bounded."""

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
            raise ValueError(f"size must be one of {', '.join(_SIZES)}")

    def arguments(self) -> list[str]:
        """Return the same options for `notahat print`."""
        arguments = ["--deck", self.deck, "--arrows", self.arrows, "--language", self.language, "--paper", self.paper]
        arguments += ["--flip", self.flip, "--size", self.size]
        return (
            arguments + ["--no-special-cards"] * (not self.special_cards) + ["--ink-saving"] * (self.backs == "saving")
        )


class PdfBusy(Exception):  # noqa: N818 - a response
    """Too many PDFs are waiting, or one took too long."""


def parse_options(query: Mapping[str, str]) -> PdfOptions:
    """Return the options of a query string; raise `ValueError` for unknown options or values."""
    return msgspec.convert(dict(query), PdfOptions, strict=False)


class PdfJobs:
    """Makes PDFs; requests for the same options share one job."""

    def __init__(self) -> None:
        self.available = web_assets.is_built() and all(find_spec(name) for name in ("fpdf", "brotli"))
        self._jobs: JobCache[PdfOptions, bytes] = JobCache(MAX_CACHED)

    def has(self, options: PdfOptions) -> bool:
        """Return whether this PDF is made or being made."""
        return options in self._jobs.tasks

    async def pdf(self, options: PdfOptions) -> bytes:
        """Return the PDF; raise `PdfBusy` if too many are waiting or it cannot be made in time."""
        pending = sum(not task.done() for task in self._jobs.tasks.values())
        if pending >= MAX_PENDING and not self.has(options):
            raise PdfBusy
        return await self._jobs.get(options, partial(_make_pdf, options))

    async def close(self) -> None:
        """Cancel all jobs."""
        for task in self._jobs.tasks.values():
            task.cancel()
        await asyncio.gather(*self._jobs.tasks.values(), return_exceptions=True)


async def _make_pdf(options: PdfOptions) -> bytes:
    command = [sys.executable, "-m", "notahat", "print", *options.arguments(), "-o", "-"]
    null, pipe = asyncio.subprocess.DEVNULL, asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdin=null, stdout=pipe, stderr=null)
    try:
        _lower_priority(process.pid)
        async with asyncio.timeout(TIMEOUT_SECONDS):
            pdf, _ = await process.communicate()
    except TimeoutError:
        raise PdfBusy from None
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    if process.returncode:
        raise PdfBusy
    return pdf


def _lower_priority(process: int) -> None:
    if hasattr(os, "setpriority"):
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process, _NICENESS)
