"""`python -m lab.play`: play against your own functions in the terminal."""

import random
import sys
import textwrap
from collections.abc import Sequence

from lab import student
from lab.boards import BY_NAME
from lab.engines import ENGINES, Task, explain_unsupported, list_playable_engines, search
from lab.match import Match, describe_outcome, describe_result
from starter.players import Quit, human_player


def ask_choice(question: str, answers: Sequence[str]) -> str:
    """Ask for one of the answers by its number.

    An empty line stands for the first. Raises Quit if q is entered.
    """
    print(f"{question}?")
    for number, answer in enumerate(answers, 1):
        print(f"  {number}  {answer}")
    while True:
        answer = input(f"1 to {len(answers)} [1]: ").strip() or "1"
        if answer.isdecimal() and 1 <= int(answer) <= len(answers):
            return answers[int(answer) - 1]
        if answer == "q":
            raise Quit
        print(f"a number from 1 to {len(answers)}, please")


def describe_missing(code: student.StudentCode) -> str:
    """Say which engines can't play: those not written yet together, the others with the reason."""
    missing = {engine.name: engine.explain_missing(code) for engine in ENGINES.values()}
    unwritten = [name for name, why in missing.items() if why.startswith(student.STUB)]
    lines = [f"{name}: {why}" for name, why in missing.items() if why and name not in unwritten]
    if unwritten:
        text = f"You can play against these, too, once they are written: {', '.join(unwritten)}."
        lines += textwrap.wrap(text, 80, break_on_hyphens=False)
    return "".join(f"{line}\n" for line in lines)


def main() -> int:
    print("Play against your own functions, or a given player. To leave: q.\n")
    name = "the game"  # until there is an opponent
    try:
        code = student.read_code()
        print(describe_missing(code), end="")
        category = BY_NAME[ask_choice("Which game", list(BY_NAME))]
        game = category.make_game()
        name = ask_choice(
            "Against whom",
            [one for one in list_playable_engines(code) if not explain_unsupported(one, game)],
        )
        human = "X" if ask_choice("Who starts", ["you", "the computer"]) == "you" else "O"
        plies = category.choose_depth(game)
        print(f"\nYou are {human}.\n")
        match = Match(game, human, random.getrandbits(32))
        while not match.is_over:
            count, state = len(match.moves), match.state
            if match.is_human_to_move:
                match = match.play(human_player(game, state))
            else:
                result = search(code, Task(name, game, state, plies))
                match = match.play(result.move)
                report = describe_result(result, state.to_move)
                print(": ".join(filter(None, [match.move_texts[count], report])))
            for words in match.move_texts[count + 1 :]:  # the chance moves
                print(words)
    except (EOFError, KeyboardInterrupt, Quit):
        print("\nSee you.")
        return 0
    except (Exception, SystemExit) as problem:
        print(f"\n{name} can't go on: {student.explain_exception(problem)}")
        return 1
    print(f"{match.state}\n{describe_outcome(match, name)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
