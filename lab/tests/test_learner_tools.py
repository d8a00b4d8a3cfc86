"""What standard learners expect everywhere: masks, states, saved games, rendering and clear errors."""

from typing import Any

import msgspec
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from notahat_lab import env as lab
from notahat_lab.encoding import GIFTS, OWN_SEAT, STATE_SIZE
from notahat_lab.env import ILLEGAL_REWARD, WATCH
from notahat_lab.solo import SavedSolo, Solo
from notahat_lab.vector import SavedTables, VectorTables


def mask_sample(space: Any, seen: dict[str, Any]) -> int:
    """Sample as masked learners do; Gymnasium refuses a mask without a legal action."""
    mask = seen["action_mask"]
    assert mask.any()
    space.seed(int(mask.sum()))  # the same games every time
    return int(space.sample(mask=mask))


def test_masks_are_methods_of_solo_and_tables() -> None:
    solo, tables = Solo(("goldfish",)), VectorTables(3)
    for game, shape in ((solo, (256,)), (tables, (3, 256))):
        seen, _ = game.reset(seed=2)
        masks = game.action_masks()
        assert (str(masks.dtype), masks.shape) == ("bool", shape)
        np.testing.assert_array_equal(masks, seen["action_mask"])


def test_waiting_agents_have_a_legal_action() -> None:
    game = lab.parallel_env(players=3, max_cycles=20)
    seen, _ = game.reset(seed=1)
    waited = 0
    while game.agents:
        waited += sum(one["action_mask"][WATCH] for one in seen.values())
        seen, *_ = game.step({agent: mask_sample(game.action_space(agent), seen[agent]) for agent in game.agents})
    assert waited > 5
    assert game.step({}) == ({}, {}, {}, {}, {})


def test_ended_tables_have_a_legal_action() -> None:
    tables = VectorTables(8, max_cycles=4)
    seen, _ = tables.reset(seed=1)
    ended = 0
    for _ in range(30):
        actions = [mask_sample(tables.single_action_space, {"action_mask": mask}) for mask in seen["action_mask"]]
        seen, _, terminated, truncated, _ = tables.step(np.array(actions))
        ended += int((terminated | truncated).sum())
    assert ended > 8


def test_illegal_action_ends_every_game_alike() -> None:
    aec, parallel, solo, tables = lab.env(), lab.parallel_env(), Solo(), VectorTables(1)
    for game in (aec, parallel, solo, tables):
        game.reset(seed=1)
    agent = aec.agent_selection
    forbidden = 7
    aec.step(forbidden)
    assert (aec.rewards[agent], aec.terminations[agent], aec.truncations[agent]) == (ILLEGAL_REWARD, True, False)
    assert sum(aec.rewards.values()) == ILLEGAL_REWARD
    _, rewards, terminated, truncated, _ = parallel.step(dict.fromkeys(parallel.agents, forbidden))
    assert (rewards[agent], terminated[agent], truncated[agent]) == (ILLEGAL_REWARD, True, False)
    assert parallel.agents == []
    assert solo.step(forbidden)[1:4] == (ILLEGAL_REWARD, True, False)
    assert [part.tolist() for part in tables.step(np.array([forbidden]))[1:4]] == [[ILLEGAL_REWARD], [True], [False]]


def test_calls_before_reset_say_so() -> None:
    for call in (lambda: Solo().step(16), lambda: VectorTables(1).step(np.array([16])), lambda: Solo().save()):
        with pytest.raises(ResetNeeded, match="reset"):
            call()
    raw = lab.raw_env()
    for attempt in (lambda: raw.step(16), raw.last, lambda: raw.observe("player_0"), lambda: raw.agent_selection):
        with pytest.raises(AttributeError, match="reset"):
            attempt()
    with pytest.raises(AttributeError, match="reset"):
        lab.parallel_env().step({})


def test_state_shows_the_gifts_that_recall_knows() -> None:
    aec, solo, tables = lab.env(recall=True), Solo(recall=True), VectorTables(2, recall=True)
    aec.reset(seed=4)
    solo_seen, _ = solo.reset(seed=4)
    tables_seen, _ = tables.reset(seed=4)
    seen = aec.last()[0]
    for state, observation in (
        (aec.unwrapped.state(), seen),
        (solo.state(), solo_seen),
        (tables.states()[0], {name: part[0] for name, part in tables_seen.items()}),
    ):
        assert state.shape == (STATE_SIZE,)
        np.testing.assert_array_equal(state[48 : 48 + 9], observation["recall"])
        np.testing.assert_array_equal(state[1:48], observation["observation"][1:])
        assert state[OWN_SEAT] == 255
        assert GIFTS[int(state[48])]


def test_saved_solo_game_continues_alike() -> None:
    game = Solo(("casual", "goldfish"), edition="special")
    seen, _ = game.reset(seed=5)
    for _ in range(3):
        seen, *_ = game.step(int(np.flatnonzero(seen["action_mask"])[0]))
    saved = msgspec.json.decode(msgspec.json.encode(game.save()), type=SavedSolo)
    other = Solo(("casual", "goldfish"), edition="special")
    again, _ = other.restore(saved)
    np.testing.assert_array_equal(again["events"], seen["events"])
    action = int(np.flatnonzero(seen["action_mask"])[-1])
    assert str(game.step(action)) == str(other.step(action))
    assert str(game.reset()) == str(other.reset()), "the games after it are the same, too"


def test_saved_tables_continue_alike() -> None:
    tables, other = VectorTables(3), VectorTables(3)
    tables.reset(seed=5)
    for _ in range(40):
        tables.step(tables.any_actions())
    saved = msgspec.msgpack.decode(msgspec.msgpack.encode(tables.save()), type=SavedTables)
    other.restore(saved)
    for _ in range(40):
        actions = tables.any_actions()
        np.testing.assert_array_equal(other.any_actions(), actions)
        for one, two in zip(tables.step(actions)[1:4], other.step(actions)[1:4], strict=True):
            np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("make", [lab.env, lab.raw_env, Solo, VectorTables])
def test_rendering_is_text_or_a_picture(make: Any) -> None:
    with pytest.raises(ValueError, match="ansi"):
        make(render_mode="hologram")
    text, picture = (rendered(make(render_mode=mode)) for mode in ("ansi", "rgb_array"))
    assert "shop:" in text
    assert (picture.dtype, picture.shape) == (np.uint8, (600, 960, 3))
    assert len(np.unique(picture.astype(int) @ (65536, 256, 1))) > 10, "colours"


def rendered(game: Any) -> Any:
    game.reset(seed=3)
    image = game.render()
    return image[0] if isinstance(image, tuple) else image
