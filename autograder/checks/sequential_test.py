"""Sequential tests on games won and lost, with the exact chance of each outcome.

A graded match must be fair to every sound submission, whatever its random choices. Wald's
sequential probability ratio test (A. Wald, "Sequential Tests of Statistical Hypotheses", 1945)
plays on until the results speak clearly for one side; the chance that it errs is computed below,
not estimated, from the one assumption that games are independent.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import log


@dataclass(frozen=True)
class SequentialTest:
    """Is a success rate `sound` or more, or `unsound` or less?

    fail_chance: a bound on the chance that a rate of `sound` fails
    pass_chance: a bound (before the cap) on the chance that a rate of `unsound` passes
    most:        after so many games without a decision the benefit of the doubt is given
    """

    unsound: float
    sound: float
    fail_chance: float = 1e-7
    pass_chance: float = 1e-2
    most: int = 200

    @property
    def success(self) -> float:
        """What a success adds to the log-likelihood ratio."""
        return log(self.sound / self.unsound)

    @property
    def failure(self) -> float:
        """What a failure adds (it is negative)."""
        return log((1 - self.sound) / (1 - self.unsound))

    def decision(self, successes: int, games: int) -> bool | None:
        """Return True for sound, False for unsound, None to play on."""
        ratio = successes * self.success + (games - successes) * self.failure
        if ratio >= log((1 - self.fail_chance) / self.pass_chance):
            return True
        if ratio <= log(self.fail_chance / (1 - self.pass_chance)):
            return False
        return True if games >= self.most else None

    def run(self, games: Iterable[bool], of: str = "games") -> tuple[bool, str]:
        """Draw results until there is a decision; return it, and the reason in words.

        Raises ValueError if the games run out before.
        """
        successes = 0
        for played, success in enumerate(games, 1):
            successes += success
            decided = self.decision(successes, played)
            if decided is not None:
                return decided, f"{successes} of {played} {of}: {self.reason(successes, played)}"
        raise ValueError(f"the {of} ran out before there was a decision")

    def reason(self, successes: int, games: int) -> str:
        """Say in words why no more games are played."""
        decided = replace(self, most=games + 1).decision(successes, games)
        if decided is None:
            return "no clear answer after the most that are played, so it passes"
        if decided:
            return f"enough to rule out a rate of {self.unsound:.0%} or less"
        return f"enough to rule out a rate of {self.sound:.0%} or more"

    def chances(self, *rates: float) -> tuple[float, float]:
        """Return the exact chances that a player with this success rate passes, and fails.

        Several rates take turns from game to game, as the sides do.
        """
        undecided = {0: 1.0}  # by the number of successes so far
        passed = failed = 0.0
        for games in range(1, self.most + 1):
            rate = rates[(games - 1) % len(rates)]
            following: dict[int, float] = {}
            for successes, p in undecided.items():
                for now, share in ((successes + 1, rate), (successes, 1 - rate)):
                    following[now] = following.get(now, 0.0) + p * share
            undecided = {}
            for successes, p in following.items():
                decided = self.decision(successes, games)
                if decided is None:
                    undecided[successes] = p
                elif decided:
                    passed += p
                else:
                    failed += p
        return passed, failed
