"""Play at a table in any engine: what the page offers, and how to do it by touch or keyboard."""

from support.input import Input, Keyboard, type_in, until
from support.webdriver import Engine

_OFFERED = """if (document.querySelector("main .go")) return "over";
const bar = document.querySelector("[data-actions]");
if (!bar) return "";
if (document.querySelector("dialog[open]")) return "name";
for (const what of ["ready", "say_now", "draw", "pass", "give", "refuse"])
  if (bar.querySelector(`[data-do=${what}]`)) return what;
if (bar.querySelector("[data-do=judge]")) return "judge";
return bar.querySelector("[data-pick]") ? "whom" : "";"""
_TILES = """return [...document.querySelectorAll("dialog .tiles svg")].map((drawing) => {
  const { width, height } = drawing.getBoundingClientRect();
  return [width, height, drawing.childElementCount];
});"""


def offered_action(engine: Engine) -> str:
    """Return what the page offers to do now, "over" after the round, or ""."""
    found: str = engine.run(_OFFERED)
    return found


def do_action(engine: Engine, player: Input, what: str) -> None:
    """Do what is offered, and wait until it is not offered any more."""
    match what:
        case "name":
            _claim_gift(engine, player)
        case "say_now" if isinstance(player, Keyboard):
            type_in(engine, "1")
        case "judge":
            player.press("[data-do=judge]")
        case "whom":
            player.press("[data-actions] [data-pick]")
        case _:
            player.press(f"[data-do={what}]")
    # what is still offered until the server has answered
    still = {"say_now": {"say_now", "give"}, "accept": {"refuse"}}.get(what, {what})
    until(lambda: offered_action(engine) not in still, f"{what} did nothing")


def _claim_gift(engine: Engine, player: Input) -> None:
    tiles: list[list[float]] = until(lambda: engine.run(_TILES), "no gifts to choose from")
    assert len(tiles) > 180
    assert all(width > 40 and height > 40 and lines > 0 for width, height, lines in tiles)
    if isinstance(player, Keyboard):
        type_in(engine, "umbr")
        until(lambda: engine.run("return document.querySelectorAll('#found [role=option]').length === 1"), "not found")
        type_in(engine, "Enter")
    else:
        player.press(".kinds .button:nth-child(3)")
        player.press("dialog .tiles button:nth-child(2)")
