"""`python -m lab.play`: play against your own functions in the terminal."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence

from lab import student
from lab.boards import BY_NAME
from lab.engines import ENGINES, Settings, Task, available, search, unsupported_reason
from lab.match import Match, describe_result, ending
from starter.players import Quit, human_player


def choose(question: str, answers: Sequence[str]) -> str:
    """Ask for one of the answers by its number.

    An empty line stands for the first. Raises Quit if q is entered.
    """
    print(f"{question}?")
    for number, answer in enumerate(answers, 1):
        print(f"  {number}  {answer}")
    while True:
        entered = input(f"1 to {len(answers)} [1]: ").strip() or "1"
        if entered.isdecimal() and 1 <= int(entered) <= len(answers):
            return answers[int(entered) - 1]
        if entered == "q":
            raise Quit
        print(f"a number from 1 to {len(answers)}, please")


def main() -> int:
    print("Play against your own functions. To leave: q.\n")
    name = "the game"  # until there is an opponent
    try:
        code = student.read()
        for engine in ENGINES.values():
            if problem := engine.missing_reason(code):
                print(f"{engine.name}: {problem}")
        category = BY_NAME[choose("Which game", list(BY_NAME))]
        game = category.make()
        name = choose(
            "Against whom", [one for one in available(code) if not unsupported_reason(one, game)]
        )
        human = "X" if choose("Who starts", ["you", "the computer"]) == "you" else "O"
        settings = Settings(plies=category.depth(game))
        print(f"\nYou are {human}.\n")
        match = Match(game, human, random.getrandbits(32))
        while not match.over:
            known, state = len(match.moves), match.state
            if match.is_human_to_move:
                match = match.play(human_player(game, state))
            else:
                result = search(code, Task(name, game, state, settings))
                match = match.play(result.move)
                found = describe_result(result, state.to_move)
                print(": ".join(filter(None, [match.in_words[known], found])))
            for words in match.in_words[known + 1 :]:  # the chance moves
                print(words)
    except (EOFError, KeyboardInterrupt, Quit):
        print("\nSee you.")
        return 0
    except (Exception, SystemExit) as problem:
        print(f"\n{name} can't go on: {student.explain(problem)}")
        return 1
    print(f"{match.state}\n{ending(match, name)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
