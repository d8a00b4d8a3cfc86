"""Not a Hat as an environment of TextArena: `import textarena_env`, then `textarena.make("NotAHat-v0")`.

All players read and write the texts of `notahat_lab.text` (docs/text.md). The winners get 1, the others -1.
"""

from typing import Any

import textarena as ta

from notahat_lab.text import Setup, TextTable
from notahat_lab.text.text_table import TEXT, Memory


class NotAHatEnv(ta.Env):  # type: ignore[misc]
    """One table of text players. `memory` is what a message repeats: by default only what is new to its reader."""

    def __init__(self, lang: str = "en", memory: Memory = "since", notebook: int = 0, renamed: bool = False) -> None:
        self._options = {"lang": lang, "memory": memory, "notebook": notebook, "renamed": renamed}

    def reset(self, num_players: int, seed: int | None = None) -> None:
        self._table = TextTable(Setup(seats=(TEXT,) * num_players, **self._options))
        self._table.reset(0 if seed is None else seed)
        self.state = ta.FFAMultiPlayerState(num_players=num_players, seed=seed)
        self.state.reset(player_prompt_function=self._prompt)
        self._ask()

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        self.state.add_observation(
            action, ta.ObservationType.PLAYER_ACTION, from_id=self._table.seat, to_id=self._table.seat
        )
        self._table.reply(action)
        outcome = self._table.outcome
        if outcome is not None:
            reason = f"penalties {'/'.join(map(str, outcome.scores))}"
            if outcome.forfeited is not None:
                self.state.game_info[outcome.forfeited]["invalid_move"] = True
                reason = f"player {outcome.forfeited} made no move that could be read"
            self.state.set_winners(list(outcome.winners), reason)
        done: tuple[bool, dict[str, Any]] = self.state.step(rotate_player=False)
        if outcome is None:
            self._ask()
        return done

    def _prompt(self, player_id: int, game_state: object) -> str:  # noqa: ARG002 - called by name
        return "\n\n".join(self._table.instructions(player_id))

    def _ask(self) -> None:
        seat = self._table.seat
        self.state.manually_set_current_player_id(seat)
        self.state.add_observation(self._table.turn_text(), ta.ObservationType.GAME_BOARD, to_id=seat)


ta.register("NotAHat-v0", NotAHatEnv, default_wrappers=[ta.wrappers.LLMObservationWrapper])
