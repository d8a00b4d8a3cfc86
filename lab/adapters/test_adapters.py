"""The adapters pass the other side's own checks. `make test-adapters` installs what they need."""

import open_spiel_game
import pyspiel
import pytest
import textarena as ta
import textarena_env

from notahat_lab.encoding import REFUSE


@pytest.mark.parametrize("players", [2, 4, 8])
def test_open_spiel_random_playthroughs(players: int) -> None:
    game = pyspiel.load_game(f"{open_spiel_game.GAME_TYPE.short_name}(players={players},passes=30)")
    pyspiel.random_sim_test(game, num_sims=3, serialize=players == 2, verbose=False)


def test_open_spiel_strings_do_not_depend_on_hidden_gifts() -> None:
    """Two shuffles that differ in a card at the bottom of the shop look alike until it is drawn."""
    seen = []
    for swapped in (False, True):
        state = pyspiel.load_game("python_not_a_hat").new_initial_state()
        order = list(range(len(open_spiel_game.DECK)))
        if swapped:
            order[-1], order[-2] = order[-2], order[-1]
        for card in order:
            state.apply_action(card)
        strings = []
        while not state.is_terminal():
            player = state.current_player()
            strings += [state.information_state_string(player), state.observation_string(player)]
            legal = state.legal_actions()
            state.apply_action(REFUSE if REFUSE in legal else legal[-1])
        seen.append(strings)
        assert sum(state.returns()) == pytest.approx(1.0)
    assert seen[0] == seen[1]


def test_textarena_game_ends_with_rewards_for_all() -> None:
    for seed in range(3):
        env = ta.make("NotAHat-v0", memory="since")
        env.reset(num_players=3, seed=seed)
        done, steps = False, 0
        while not done and steps < 500:
            _, text = env.get_observation()
            answers = text.rstrip().splitlines()[-1]
            reply = "refuse" if "accept" in answers.lower() or "refuse" in answers.lower() else "give a hat"
            done, _ = env.step(reply)
            steps += 1
        rewards, info = env.close()
        assert done
        assert set(rewards) == {0, 1, 2}
        assert set(rewards.values()) == {1, -1}
        assert not any(info[seat]["invalid_move"] for seat in range(3))
        assert isinstance(env.env, textarena_env.NotAHatEnv)


def test_textarena_unreadable_replies_forfeit_the_game() -> None:
    env = ta.make("NotAHat-v0")
    env.reset(num_players=2, seed=1)
    done = False
    for _ in range(3):
        player, _ = env.get_observation()
        done, _ = env.step("what?")
    rewards, info = env.close()
    assert done
    assert (rewards[player], rewards[1 - player]) == (-1, 1)
    assert info[player]["invalid_move"]
