"""Test success rates sequentially.

A graded match must be fair to every sound submission, with any random numbers. Wald's sequential
probability ratio test (A. Wald, "Sequential Tests of Statistical Hypotheses", 1945) continues until
the results clearly favour one side. The self-tests compute the exact probability of an error, under
the only assumption that games are independent.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import log


@dataclass(frozen=True)
class SequentialTest:
    """A test whether a success rate is at least `sound`, or at most `unsound`.

    fail_chance: an upper bound on the probability that a rate of `sound` fails
    pass_chance: an upper bound (without the cap) on the probability that `unsound` passes
    max_games:        the number of games after which a submission passes without a decision
    """

    unsound: float
    sound: float
    fail_chance: float = 1e-7
    pass_chance: float = 1e-2
    max_games: int = 200

    def decide(self, successes: int, games: int) -> bool | None:
        """Return True for sound, False for unsound, None to continue."""
        ratio = successes * log(self.sound / self.unsound)
        ratio += (games - successes) * log((1 - self.sound) / (1 - self.unsound))
        if ratio >= log((1 - self.fail_chance) / self.pass_chance):
            return True
        if ratio <= log(self.fail_chance / (1 - self.pass_chance)):
            return False
        return True if games >= self.max_games else None

    def run(self, games: Iterable[bool], of: str = "games") -> tuple[bool, str]:
        """Draw results until there is a decision; return it, with the reason in words.

        Raises ValueError if there are too few games.
        """
        successes = 0
        for played, success in enumerate(games, 1):
            successes += success
            decided = self.decide(successes, played)
            if decided is not None:
                if replace(self, max_games=played + 1).decide(successes, played) is None:
                    why = "no clear answer after the most that are played, so it passes"
                elif decided:
                    why = f"enough to rule out a rate of {self.unsound:.0%} or less"
                else:
                    why = f"enough to rule out a rate of {self.sound:.0%} or more"
                return decided, f"{successes} of {played} {of}: {why}"
        raise ValueError(f"the {of} ran out before there was a decision")
