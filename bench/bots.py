"""Compare the CPU time of games of four casual computer players with the same moves by the rules alone.

Both are measured in turns in one run, and medians are compared. Decisions are measured in wall-clock time.
"""

from statistics import median, quantiles
from time import perf_counter, process_time

from notahat.bots import LEVELS
from notahat.lab.game import GameRecord, play_out
from notahat.lab.tournament import Setup, game_stats, play_game, seat_game
from notahat.rules import deal, play

ROUNDS = 15
GAMES = 20
SEED = 42
TIMES_THE_RULES = 60.0
LONGEST_DECISION = 0.005


def by_arena(setup: Setup, numbers: range) -> list[GameRecord]:
    games = [play_game(setup, number) for number in numbers]
    for number, played in zip(numbers, games, strict=True):
        game_stats(setup, played, number)
    return games


def by_rules(setup: Setup, numbers: range, games: list[GameRecord]) -> float:
    """Return the CPU time of the same moves by the rules alone."""
    tables = [seat_game(setup, number) for number in numbers]
    started = process_time()
    for table, played in zip(tables, games, strict=True):
        round_ = deal(table.cards, len(table.players), setup.gifts, table.starter)
        for made in played.moves:
            round_, _ = play(round_, made.move)
    return process_time() - started


def ratio() -> float:
    setup = Setup(("casual",) * 4, SEED)
    ratios, arena_times = [], []
    for turn in range(ROUNDS):
        numbers = range(turn * GAMES, (turn + 1) * GAMES)
        started = process_time()
        games = by_arena(setup, numbers)
        arena_time = process_time() - started
        ratios.append(arena_time / median(by_rules(setup, numbers, games) for _ in range(3)))
        arena_times.append(arena_time / GAMES)
    a_game = median(arena_times)
    print(f"four casual through the arena: {a_game * 1e3:.1f} ms a game, {1 / a_game:.0f} games/s")
    print(f"arena / bare rules: {median(ratios):.1f} (lowest {min(ratios):.1f}, highest {max(ratios):.1f})")
    return median(ratios)


def longest_decision(level: str) -> float:
    """Return the 99th percentile of the decision times."""
    seconds: list[float] = []
    for number in range(40):
        table = seat_game(Setup((level,) * 4, SEED), number)
        for player in table.players:
            answer = player.answer

            def timed(*arguments, answer=answer):  # type: ignore[no-untyped-def]
                started = perf_counter()
                answered = answer(*arguments)
                seconds.append(perf_counter() - started)
                return answered

            player.answer = timed  # type: ignore[method-assign]
        play_out(table.players, table.cards, starter=table.starter)
    return quantiles(seconds, n=100)[-1]


def main() -> None:
    times = ratio()
    decisions = {level: longest_decision(level) for level in LEVELS}
    for level, seconds in decisions.items():
        print(f"{level}: 99 % of the decisions within {seconds * 1e3:.3f} ms")
    print("holds" if times <= TIMES_THE_RULES and max(decisions.values()) < LONGEST_DECISION else "DOES NOT HOLD")


if __name__ == "__main__":
    main()
