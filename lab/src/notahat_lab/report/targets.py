"""The targets for computer players, and how each one is measured."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import hypot, sqrt
from statistics import fmean, pstdev

from msgspec import Struct
from scipy.stats import skew

from notahat.bots import CHARACTERS, LEVELS
from notahat_lab.baseline import PACES
from notahat_lab.exploit import LIAR_PACES
from notahat_lab.report.company_metrics import Company
from notahat_lab.report.memory_metrics import Claim, cohens_d, forgetting
from notahat_lab.report.result_cache import PAIRS, ResultCache
from notahat_lab.tournament import Z95, GameStats, interval, spread

_ENDS = 0.99
_PASSES = {"goldfish": (28, 42), "casual": (38, 60), "regular": (50, 85), "elephant": (70, 115)}
_CHANCE = 0.25
_UNTRUE = {"goldfish": (0.22, 0.32), "casual": (0.15, 0.23), "regular": (0.09, 0.15), "elephant": (0.04, 0.09)}
_BELIEVED = {"goldfish": (0.50, 0.75), "casual": (0.40, 0.65), "regular": (0.25, 0.50), "elephant": (0.12, 0.30)}
_TRAVELS = {"goldfish": (0.60, 0.35), "casual": (0.50, 0.25), "regular": (0.30, 0.12), "elephant": (0.12, 0.04)}
_BLANK = {"goldfish": (0.04, 0.10), "casual": (0.02, 0.06), "regular": (0.01, 0.04), "elephant": (0.005, 0.02)}
_KNOWN = {"goldfish": (4, 4.5), "casual": (5, 6), "regular": (6, 8), "elephant": (7.5, 10)}
_JUST_ACCEPTED = 0.20
_WITH_RECEIVER = 0.20  # less than half of chance: of four other names one or two are with the receiver or came from it
_REPEATED = 0.05  # a name that was just refused is untrue as often as other names
_BACK_TO_TRUTH = (0.05, 0.20)
_SLOWER = 1.10
_LIARS, _LIES, _FEW_LIES = ("dolores", "ilya"), (0.03, 0.10), 0.03
_RIGHT_REFUSALS = (0.55, 0.85)
_FIRST_REFUSAL, _EARLY_REFUSAL = {"elephant": (8, 45)}, 4
_FIRST_REFUSAL_OF_OTHERS = (8, 22)
_BY_TIMING = 0.10
_EXPLOITS, _TRICK_PAYS = ("own-column", "quick-liar", "slow-liar", "last-name-doubter"), 0.28
_DIALS = {"memory": "remembers", "honesty": "lies", "trust": "accepts"}
_DIAL_MOVES, _DIAL_LEAVES = 0.10, 0.05
_MINUTES = (3.0, 6.0)
_BY_PACE = 0.05
_LIES_ACCEPTED, _LIES_ACCEPTED_BY_OTHERS = {"goldfish": 0.10}, 0.03
_NAMED_RIGHTLY = 0.05
_NO_DATA = "never asked"

VARIANTS: tuple[tuple[str, int, dict[str, str | int]], ...] = (
    ("two players, two gifts", 2, {"gifts": 2}),
    ("three players", 3, {}),
    ("six players", 6, {}),
    ("eight players", 8, {}),
    ("four players, two gifts", 4, {"gifts": 2}),
    ("eight players, two gifts", 8, {"gifts": 2}),
    ("one colour", 4, {"arrows": "black"}),
    ("special cards", 4, {"edition": "special"}),
    ("special cards, six players, two gifts", 6, {"edition": "special", "gifts": 2}),
)


class TargetResult(Struct, frozen=True):
    """One target, what was measured (with its 95 % interval), and whether the target holds."""

    what: str
    target: str
    figure: str
    holds: bool


def measure_targets(cache: ResultCache) -> Iterator[TargetResult]:
    """Measure every target."""
    for measure in (
        *(_endings, _lengths, _first_refusals, _better, _paces, _refusals, _lies),
        *(_slips, _capacity, _refusal_times, _tempers, _dials, _round_length),
        *(_baselines, _exploits, _memories, _variants, _cost),
    ):
        yield from measure(cache)


def _endings(cache: ResultCache) -> Iterator[TargetResult]:
    for level in LEVELS:
        yield _ending(f"four {level}: games that end by themselves", cache.same_level(level))


def _ending(what: str, found: Sequence[GameStats]) -> TargetResult:
    share, low, high = interval([not one.capped for one in found])
    return TargetResult(what, "≥ 99 %", f"{share:.1%} ({low:.1%}–{high:.1%})", share >= _ENDS)


def _lengths(cache: ResultCache) -> Iterator[TargetResult]:
    for level in LEVELS:
        least, most = _PASSES[level]
        middle, text = _median([one.passes for one in cache.same_level(level)])
        yield TargetResult(f"four {level}: passes per game, median", f"{least}–{most}", text, least <= middle <= most)


def _first_refusals(cache: ResultCache) -> Iterator[TargetResult]:
    for level in LEVELS:
        firsts = [one.first_refusal for one in cache.same_level(level) if one.first_refusal is not None]
        middle, text = _median(firsts)
        tenth = spread(firsts).p10 or 0
        least, most = _FIRST_REFUSAL.get(level, _FIRST_REFUSAL_OF_OTHERS)
        what, target = f"four {level}: first refusal, median passes", f"{least}–{most}"
        yield TargetResult(what, target, text, least <= middle <= most)
        what, target = f"four {level}: first refusal, 10th percentile", f"≥ {_EARLY_REFUSAL}"
        yield TargetResult(what, target, f"{tenth:g}", tenth >= _EARLY_REFUSAL)


def _better(cache: ResultCache) -> Iterator[TargetResult]:
    for level, below in PAIRS:
        share, low, _, text = _win_share(cache.one_against(level, below))
        yield TargetResult(
            f"one {level} against three {below}: win share", "≥ .36, above .25", text, share >= 0.36 and low > _CHANCE
        )


def _paces(cache: ResultCache) -> Iterator[TargetResult]:
    """Compare win shares against people of different pace who remember like the level below."""
    for level, below in PAIRS:
        found = [_win_share(cache.one_against(level, f"{pace}@{below}")) for pace in PACES]
        shares, lows, highs, texts = zip(*found, strict=True)
        slowness = "/".join(f"{pace:g}" for pace in PACES.values())
        yield TargetResult(
            f"one {level} against three people like a {below}, at {slowness} times the seconds people take: win share",
            f"at most {_BY_PACE} apart, or no more than chance",
            " / ".join(texts),
            max(shares) - min(shares) <= _BY_PACE or max(lows) <= min(highs),
        )


def _lies(cache: ResultCache) -> Iterator[TargetResult]:
    for level in LEVELS:
        most = _LIES_ACCEPTED.get(level, _LIES_ACCEPTED_BY_OTHERS)
        followed = [lie.accepted for lie in cache.lies(level).lies if lie.followed]
        share, text = _share_of(followed)
        what = f"{level}: lies about a gift shown in the last 10 s and followed, accepted"
        yield TargetResult(what, f"≤ {most:.0%}", text, share <= most)
    for level in LEVELS:
        share, text = _share_of(cache.lies(level).named_rightly)
        what = f"{level}: accepted as something else, given on within 60 s and named rightly"
        yield TargetResult(what, f"< {_NAMED_RIGHTLY:.0%}", text, share < _NAMED_RIGHTLY)


def _share_of(found: Sequence[bool]) -> tuple[float, str]:
    """Return a share, and its text with the interval and both numbers."""
    if not found:
        return 0.0, _NO_DATA
    share, low, high = interval(found)
    return share, f"{share:.1%} ({low:.1%}–{high:.1%}), {sum(found)} of {len(found)}"


def _refusals(cache: ResultCache) -> Iterator[TargetResult]:
    for level in LEVELS:
        found = cache.same_level(level)
        right = [number < one.right for one in found for number in range(one.refusals)]
        yield _within(f"four {level}: refusals that are right", right, _RIGHT_REFUSALS)


def _baselines(cache: ResultCache) -> Iterator[TargetResult]:
    for level in LEVELS:
        share, _, _, text = _win_share(cache.one_against(f"always-accept@{level}", level))
        yield TargetResult(f"always-accept against three {level}", "≤ .25", text, share <= _CHANCE)
    for baseline in ("always-refuse", "random"):
        for level in LEVELS:
            share, _, _, text = _win_share(cache.one_against(baseline, level))
            yield TargetResult(f"{baseline} (random claims) against three {level}", "≤ .06", text, share <= 0.06)
    for level in LEVELS:
        share, _, _, text = _win_share(cache.one_against(f"honest@{level}", level))
        yield TargetResult(f"honest best guess against three {level}", "≤ .28", text, share <= 0.28)


def _slips(cache: ResultCache) -> Iterator[TargetResult]:
    """Measure how often claims are wrong, believed, and passed on under wrong names."""
    found = {level: cache.company((level,) * 4) for level in LEVELS}
    for level, company in found.items():
        yield _within(f"four {level}: untrue claims", company.untrue, _UNTRUE[level])
    for level, company in found.items():
        yield _within(f"four {level}: untrue claims that are believed", company.believed, _BELIEVED[level])
    for level, company in found.items():
        what = f"four {level}: untrue claims that name the gift just accepted"
        yield _within(what, company.just_accepted, (0.0, _JUST_ACCEPTED))
    for level, company in found.items():
        what = f"four {level}: untrue claims that name what the receiver holds or gave away in the last 8 passes"
        yield _within(what, company.with_receiver, (0.0, _WITH_RECEIVER))
    for level, company in found.items():
        yield _repeats(level, company)
    for level, company in found.items():
        what = f"four {level}: new names for a gift under a wrong one that are its true name"
        yield _within(what, company.back_to_truth, _BACK_TO_TRUTH)
    for level, company in found.items():
        for passes, least in zip((2, 3), _TRAVELS[level], strict=True):
            what = f"four {level}: rounds where a wrong name travels at least {passes} times"
            yield _within(what, [longest >= passes for longest in company.travels], (least, 1.0))
    for level, company in found.items():
        yield _within(f"four {level}: gives where nothing comes to mind", company.blank, _BLANK[level])


def _repeats(level: str, company: Company) -> TargetResult:
    """Compare claims that repeat a name refused in the last eight passes with all others."""
    repeats, claims = company.untrue_repeats, company.untrue
    what, target = f"four {level}: untrue claims among repeated refused names / others", f"±{_REPEATED:.0%} points"
    if not repeats:
        return TargetResult(what, target, _NO_DATA, False)
    share, low, high = interval(repeats)
    others = (sum(claims) - sum(repeats)) / (len(claims) - len(repeats))
    figure = f"{share:.1%} ({low:.1%}–{high:.1%}) / {others:.1%}"
    return TargetResult(what, target, figure, abs(share - others) <= _REPEATED)


def _capacity(cache: ResultCache) -> Iterator[TargetResult]:
    for level in LEVELS:
        for players, most in zip((4, 8), _KNOWN[level], strict=True):
            known = cache.company((level,) * players, gifts=2, fewer=8).known_cards
            what = f"{level}: known cards of {players * 2 + 1} on the table"
            mean = fmean(known) if known else 0.0
            error = Z95 * pstdev(known) / sqrt(len(known)) if known else 0.0
            yield TargetResult(what, f"≤ {most:g}", f"{mean:.2f} (±{error:.2f})", 0 < mean <= most)


def _refusal_times(cache: ResultCache) -> Iterator[TargetResult]:
    for level in LEVELS:
        company = cache.company((level,) * 4)
        what, target = f"four {level}: wrong refusals, times as slow as right ones", f"≥ {_SLOWER}"
        wrong, right = company.wrong_refusals, company.right_refusals
        if not wrong or not right:
            yield TargetResult(what, target, _NO_DATA, False)
            continue
        ratio = fmean(wrong) / fmean(right)
        error = Z95 * ratio * hypot(*(pstdev(times) / fmean(times) / sqrt(len(times)) for times in (wrong, right)))
        yield TargetResult(what, target, f"{ratio:.2f} (±{error:.2f})", ratio >= _SLOWER)


def _tempers(cache: ResultCache) -> Iterator[TargetResult]:
    for key in CHARACTERS:
        lies = cache.company((f"casual/{key}",) * 4, fewer=4).known_lies
        yield _within(f"{key}: lies about what it knows", lies, _LIES if key in _LIARS else (0.0, _FEW_LIES))


def _dials(cache: ResultCache) -> Iterator[TargetResult]:
    """Turn each dial of one casual player among three from 0 to 1: it moves what it says, and nothing else."""
    for dial, moved in _DIALS.items():
        ends = [cache.company((f"casual/{dial}={end}", *("casual",) * 3)) for end in (0, 1)]
        changes = {
            what: [fmean(getattr(company, f"first_{what}") or [0]) for company in ends] for what in _DIALS.values()
        }
        yield TargetResult(
            f"{dial} of one casual player from 0 to 1: gifts that it {moved}",
            f"moves by ≥ {_DIAL_MOVES * 100:.0f} points, the others by ≤ {_DIAL_LEAVES * 100:.0f}",
            ", ".join(f"{what} {before:.0%} → {after:.0%}" for what, (before, after) in changes.items()),
            all(
                abs(after - before) >= _DIAL_MOVES if what == moved else abs(after - before) <= _DIAL_LEAVES
                for what, (before, after) in changes.items()
            ),
        )


def _round_length(cache: ResultCache) -> Iterator[TargetResult]:
    minutes = cache.company(("person@casual", "casual", "casual", "casual"), fewer=2).minutes
    least, most = _MINUTES
    middle, text = _median(minutes)
    what = "one person among three casual players at brisk pace: minutes per round, median"
    yield TargetResult(what, f"{least:g}–{most:g}", text, least <= middle <= most)


def _exploits(cache: ResultCache) -> Iterator[TargetResult]:
    for exploit in _EXPLOITS:
        for level in LEVELS:
            share, _, _, text = _win_share(cache.one_against(f"{exploit}@{level}", level))
            yield TargetResult(f"{exploit} against three {level}", f"≤ {_TRICK_PAYS}", text, share <= _TRICK_PAYS)
    for level in LEVELS:
        shares, texts = [], []
        for liar in LIAR_PACES:
            believed = cache.company((liar, level, level, level)).lies_believed
            share, low, high = interval(believed) if believed else (0.0, 0.0, 1.0)
            shares.append(share)
            texts.append(f"{share:.0%} ({low:.0%}–{high:.0%})")
        what = f"{level}: lies of {'/'.join(LIAR_PACES)} that are believed"
        apart = max(shares) - min(shares)
        yield TargetResult(what, f"at most {_BY_TIMING * 100:.0f} points apart", " / ".join(texts), apart <= _BY_TIMING)


def _within(what: str, found: Sequence[bool], bounds: tuple[float, float]) -> TargetResult:
    """Compare a share with its bounds."""
    least, most = bounds
    target = f"≤ {most:.0%}" if not least else f"≥ {least:.0%}" if most == 1.0 else f"{least * 100:g}–{most * 100:g} %"
    if not found:
        return TargetResult(what, target, _NO_DATA, False)
    share, low, high = interval(found)
    return TargetResult(what, target, f"{share:.1%} ({low:.1%}–{high:.1%})", least <= share <= most)


def _memories(cache: ResultCache) -> Iterator[TargetResult]:
    for level in LEVELS:
        yield _forgetting(level, cache)
    for level in LEVELS:
        yield _thinking(level, cache.memory(level).claims)
    for level in LEVELS:
        yield from _wrong_claims(level, [claim for claim in cache.memory(level).claims if not claim.true])


def _forgetting(level: str, cache: ResultCache) -> TargetResult:
    shares, texts = [], []
    for right, asked in forgetting(cache.memory(level).probes):
        share, low, high = interval([number < right for number in range(asked)]) if asked else (0.0, 0.0, 1.0)
        shares.append(share)
        texts.append(f"{share:.2f} (±{(high - low) / 2:.2f})")
    falling = all(later < sooner for sooner, later in pairwise(shares))
    what = f"four {level}: right again, 10–20/20–40/40–80/80–160 s after last right"
    return TargetResult(what, "strictly falling", " / ".join(texts), falling)


def _thinking(level: str, claims: Sequence[Claim]) -> TargetResult:
    false = sum(not claim.true for claim in claims)
    true = len(claims) - false
    what, target = f"four {level}: thinking time, skew; false claims slower by d", "skew > 0; d 0.3–1.1"
    if not true or not false:
        return TargetResult(what, target, _NO_DATA, False)
    d, lean = cohens_d(claims), float(skew([claim.seconds for claim in claims]))
    error = Z95 * sqrt(len(claims) / (true * false) + d * d / (2 * len(claims)))
    return TargetResult(what, target, f"skew {lean:.1f}; d {d:.2f} (±{error:.2f})", lean > 0 and 0.3 <= d <= 1.1)


def _wrong_claims(level: str, wrong: Sequence[Claim]) -> Iterator[TargetResult]:
    in_play = f"four {level}: wrong claims that name a gift in play", "≥ 70 %"
    look_alike = f"four {level}: wrong claims that name a look-alike", "more than chance"
    if not wrong:
        yield TargetResult(*in_play, _NO_DATA, False)
        yield TargetResult(*look_alike, _NO_DATA, False)
        return
    share, low, high = interval([claim.in_play for claim in wrong])
    text = f"{share:.0%} ({low:.0%}–{high:.0%})"
    yield TargetResult(*in_play, text, share >= 0.7)
    alike, low, high = interval([claim.look_alike for claim in wrong])
    chance = fmean(claim.chance for claim in wrong)
    text = f"{alike:.1%} ({low:.1%}–{high:.1%}), chance {chance:.1%}"
    yield TargetResult(*look_alike, text, low > chance)


def _variants(cache: ResultCache) -> Iterator[TargetResult]:
    """Measure all levels of a variant together, because there are many variants."""
    for name, players, variant in VARIANTS:
        pure = [one for level in LEVELS for one in cache.same_level(level, players, **variant)]
        yield _ending(f"{name}, all of one level: games that end", pure)
        better = [one for level, below in PAIRS for one in cache.one_against(level, below, players, **variant)]
        _, low, _, text = _win_share(better)
        what = f"{name}: one of a level, the others of the one below: win share"
        yield TargetResult(what, f"above {1 / players:.3f}", text, low > 1 / players)


def _cost(cache: ResultCache) -> Iterator[TargetResult]:
    seconds, games_per_second = cache.decision_seconds, cache.games_per_second
    yield TargetResult("decisions, 99th percentile of CPU time", "< 5 ms", f"{seconds * 1e3:.2f} ms", seconds < 0.005)
    yield TargetResult(
        "four casual, games a second on one core", "≥ 100", f"{games_per_second:.0f}", games_per_second >= 100
    )


def _win_share(games: Sequence[GameStats]) -> tuple[float, float, float, str]:
    """Return the first player's win share, its interval, and both as text."""
    share, low, high = interval([game.wins[0] for game in games])
    return share, low, high, f"{share:.3f} ({low:.3f}–{high:.3f})"


def _median(values: Sequence[float]) -> tuple[float, str]:
    """Return the median, and its text with the 95 % interval from the ranks around the middle."""
    if not values:
        return 0.0, "never"
    ordered = sorted(values)
    count = len(ordered)
    reach = Z95 * sqrt(count) / 2
    low = ordered[max(0, int(count / 2 - reach))]
    high = ordered[min(count - 1, int(count / 2 + reach))]
    middle = spread(ordered).median or 0.0
    return middle, f"{middle:.3g} ({low:.3g}–{high:.3g})"
