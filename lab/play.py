"""`python -m lab.play`: a game against your own functions, in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from lab import student
from lab.boards import BY_NAME
from lab.engines import ENGINES, OWN, EnginePlayer, Settings, available, unsupported_reason
from lab.match import describe_result, move_in_words
from starter.games import Game, Move, State, other
from starter.players import Player, Quit, chance_player, human_player, play_game


def choose(question: str, answers: Sequence[str]) -> str:
    """Return one of the answers, asked for by its number; the first if nothing is entered.

    Raises Quit when q is entered.
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


class Aloud:
    """The same player, but each of its moves is printed, and what its search has found."""

    def __init__(self, player: Player) -> None:
        self.player = player

    def choose(self, game: Game, state: State) -> Move:
        move = getattr(self.player, "choose", self.player)(game, state)
        result = getattr(self.player, "last", None)
        reason = f": {describe_result(result, state.to_move)}" if result and result.counts else ""
        print(f"{move_in_words(state.to_move, move)}{reason}")
        return move

    def __getattr__(self, name: str) -> Any:  # the methods that a player need not have
        return getattr(self.player, name)


def main() -> int:
    print("Play against your own functions. To leave: q.\n")
    name = "the game"  # until there is an opponent
    try:
        code = student.read()
        for engine in ENGINES.values():
            if problem := engine.missing_reason(code):
                print(f"{engine.name}: {problem}")
        kind = BY_NAME[choose("Which game", list(BY_NAME))]
        game = kind.make()
        name = choose(
            "Against whom", [one for one in available(code) if not unsupported_reason(one, game)]
        )
        human = "X" if choose("Who starts", ["you", "the computer"]) == "you" else "O"
        settings = Settings(plies=kind.depth(game), playouts=1000)
        opponent: Player = EnginePlayer(name, code, settings)
        if name == OWN:  # one for the whole game, as in a match
            opponent = code.modules["player"].Player()
        print(f"\nYou are {human}.\n")
        players: dict[str, Any] = {"chance": Aloud(chance_player())}
        players |= {human: human_player, other(human): Aloud(opponent)}
        state = play_game(game, players).state
    except (EOFError, KeyboardInterrupt, Quit):
        print("\nSee you.")
        return 0
    except (Exception, SystemExit) as problem:
        print(f"\n{name} can't go on: {student.explain(problem)}")
        return 1
    result = game.utility(state, human)
    print(f"{state}\n{'You win.' if result > 0 else 'You lose.' if result < 0 else 'A draw.'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
