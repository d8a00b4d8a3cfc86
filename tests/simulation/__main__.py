"""`make simulate`: run seeds until the time is over or a law is broken; `SEED=n` runs one seed and prints its trace."""

import argparse
import sys
import time
from contextlib import ExitStack
from itertools import count

from simulation.mutants import MUTANTS
from simulation.scenarios import Result, simulate

PROGRESS_SECONDS = 10.0


def main() -> int:
    parser = argparse.ArgumentParser(prog="simulation", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to run (60)")
    parser.add_argument("--first", type=int, default=0, help="the first seed (0)")
    parser.add_argument("--seed", type=int, help="run only this seed, and print its trace")
    parser.add_argument("--mutant", choices=MUTANTS, help="put a fault back that a law must find")
    arguments = parser.parse_args()
    with ExitStack() as stack:
        if arguments.mutant:
            stack.enter_context(MUTANTS[arguments.mutant].alive())
        if arguments.seed is None:
            return run_many(arguments.first, arguments.seconds, arguments.mutant)
        result = simulate(arguments.seed, trace=say)
        report(result, arguments.mutant)
        return 1 if result.broken else 0


def run_many(first: int, seconds: float, mutant: str | None) -> int:
    began = shown = time.monotonic()
    results: list[Result] = []
    for seed in count(first):
        results.append(simulate(seed))
        now, broken = time.monotonic(), results[-1].broken
        over = bool(broken) or now - began > seconds
        if over or now - shown > PROGRESS_SECONDS:
            shown = now
            say(f"{now - began:6.0f} s: seeds {first} to {seed}, {progress(results)}")
        if broken:
            say(*results[-1].tail)
            report(results[-1], mutant)
        if over:
            break
    return 1 if results[-1].broken else 0


def progress(results: list[Result]) -> str:
    hours = sum(one.seconds for one in results) / 3600
    acknowledged, faults = sum(one.acknowledged for one in results), sum(one.faults for one in results)
    return f"{hours:.1f} virtual hours, {acknowledged} acknowledged commands, {faults} faults"


def report(result: Result, mutant: str | None) -> None:
    verdict = f"BROKEN {result.broken}" if result.broken else "all laws hold"
    say(f"seed {result.seed} ({result.scenario}), trace {result.digest[:16]}: {verdict}")
    if result.broken:
        say(f"replay: make simulate SEED={result.seed}{f' MUTANT={mutant}' if mutant else ''}")


def say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
