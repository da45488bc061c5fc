"""`python -m lab.play`: a game against your own functions, in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from lab import student
from lab.boards import BY_NAME
from lab.engines import ENGINES, Settings, player, ready, unfit
from starter.games import Game, Move, State, other
from starter.players import Player, chance_player, human_player, play_game


def choose(question: str, answers: Sequence[str]) -> str:
    """One of the answers, asked for by its number; the first if nothing is entered."""
    print(f"{question}?")
    for number, answer in enumerate(answers, 1):
        print(f"  {number}  {answer}")
    while True:
        entered = input(f"1 to {len(answers)} [1]: ").strip() or "1"
        if entered.isdecimal() and 1 <= int(entered) <= len(answers):
            return answers[int(entered) - 1]
        print(f"a number from 1 to {len(answers)}, please")


def aloud(player: Player, told: Callable[[str, Move], str]) -> Player:
    """The same player, but each of its moves is told."""

    def play(game: Game, state: State) -> Move:
        move = player(game, state)
        print(told(state.to_move, move))
        return move

    return play


def main() -> int:
    print("Play against your own functions. To leave: Ctrl-C.\n")
    name = "the game"  # until there is an opponent
    try:
        code = student.read()
        for engine in ENGINES.values():
            if trouble := engine.trouble(code):
                print(f"{engine.name}: {trouble}")
        kind = BY_NAME[choose("Which game", list(BY_NAME))]
        game = kind.make(*kind.sizes.values())
        name = choose("Against whom", [one for one in ready(code) if not unfit(one, game)])
        human = "X" if choose("Who starts", ["you", "the computer"]) == "you" else "O"
        settings = Settings(plies=kind.depth(game), playouts=1000)
        players = {human: human_player, other(human): player(name, code, settings)}
        players["chance"] = chance_player()
        if kind.told:
            players |= {who: aloud(players[who], kind.told) for who in (other(human), "chance")}
        print()
        state = play_game(game, players).state
    except (EOFError, KeyboardInterrupt):
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
