"""The provided players, their games and matches, and the counting wrapper."""

from random import Random
from unittest.mock import ANY, Mock, call

import pytest

from solution.mcts import monte_carlo_tree_search
from solution.minimax import minimax_search
from starter.games import TWO_MOVES, ConnectFour, Game, Move, Nim, State, TicTacToe
from starter.players import (
    CountingGame,
    GameRecord,
    IllegalMove,
    MatchResult,
    Player,
    human_player,
    play_game,
    play_match,
    random_player,
    search_player,
)


def first_move(game: Game, state: State) -> Move:
    return game.actions(state)[0]


def test_a_random_player_repeats_itself_with_the_same_seed_only():
    game = ConnectFour()

    def moves(player: Player) -> list[Move]:
        return [player(game, game.initial) for _ in range(30)]

    assert moves(random_player(5)) == moves(random_player(5)) != moves(random_player(6))
    assert moves(random_player()) != moves(random_player())  # 7 ** 30 to 1


def test_a_search_player_makes_the_move_found_and_passes_options_on():
    asked = []

    def search(game: Game, state: State, **options: int) -> tuple[float, Move]:
        asked.append((game, state, options))
        return 0.5, "B"

    assert search_player(search, depth=4)(TWO_MOVES, TWO_MOVES.initial) == "B"
    assert asked == [(TWO_MOVES, TWO_MOVES.initial, {"depth": 4})]
    assert search_player(minimax_search)(TWO_MOVES, TWO_MOVES.initial) == "A"


@pytest.mark.parametrize("game, answers, move", [
    (TicTacToe(), ["1 2"], (1, 2)),
    (TicTacToe(), ["(1, 2)"], (1, 2)),
    (TicTacToe(), ["", "12", "-1 2", "1 3", "1 2 0", "what?", " 1,2 "], (1, 2)),
    (ConnectFour(), ["7", "x", "3"], 3),
    (TWO_MOVES, ["a", "C", "A"], "A"),
])  # fmt: skip
def test_a_human_is_asked_until_the_move_is_legal(game, answers, move, monkeypatch, capsys):
    left = iter(answers)
    monkeypatch.setattr("builtins.input", lambda prompt: next(left))
    assert human_player(game, game.initial) == move
    assert next(left, None) is None
    lines = capsys.readouterr().out.removeprefix(f"{game.initial}\n").splitlines()
    assert len(lines) == len(answers) - 1
    assert all(line.startswith("Not a legal move. Choose one of: ") for line in lines)


def test_a_game_is_recorded():
    game = Nim([2, 1])
    record = play_game(game, {"X": lambda game, state: game.actions(state)[-1], "O": first_move})
    assert record == GameRecord(((1, 1), (0, 1), (0, 1)), record.state)
    assert str(record.state) == "pile 0:  (0)\npile 1:  (0)\nX has won"


@pytest.mark.parametrize("move", [(0, 0), (3, 3), None, [1, 1], "1 1"])
def test_an_illegal_move_names_the_player_and_the_move(move):
    with pytest.raises(IllegalMove) as error:
        play_game(TicTacToe(), {"X": first_move, "O": lambda game, state: move})
    assert str(error.value).startswith(
        f"O played {move!r}, which is none of the legal moves (0, 1)"
    )
    assert str(error.value).endswith("O to move")
    assert isinstance(error.value, ValueError)


def test_stateful_players_receive_all_moves():
    x, o = (Mock(spec=["reset", "opponent_played"], side_effect=first_move) for _ in "XO")
    asked, played = call(ANY, ANY), call.opponent_played
    for _ in range(2):
        play_game(Nim([1, 1, 2]), {"X": x, "O": o})
    assert x.mock_calls == 2 * [call.reset(), asked, played((1, 1)), asked, played((2, 1))]
    assert o.mock_calls == 2 * [call.reset(), played((0, 1)), asked, played((2, 1)), asked]


def test_a_result_can_be_read():
    result = MatchResult(wins=8, draws=1, losses=1)
    assert (result.games, result.score_rate) == (10, 0.85)
    # Wilson's interval by hand, z = 1.96: (p + z²/2n ± z·sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n)
    assert result.win_interval() == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert str(result) == (
        "10 games: X won 8, drew 1, lost 1. "
        "X scored 85.0% and won 80.0% (95% confidence: 49.0% to 94.3%)."
    )


def test_the_seed_of_a_match_reaches_the_random_numbers_of_a_search():
    game = ConnectFour()

    def moves(seed: int) -> list[Move]:
        player = search_player(monte_carlo_tree_search, playouts=20, rng=Random())
        play_match(Nim([1]), first_move, player, 1, seed)  # seeds the player, and asks no move
        return [player(game, game.initial) for _ in range(20)]

    assert moves(1) == moves(1) != moves(2)


def test_counting_changes_nothing_and_counts_everything():
    plain = TicTacToe(2, 3, 2)
    game = CountingGame(plain)
    state = game.initial
    assert state == plain.initial
    assert (game.generated, game.terminal_tests, game.utilities) == (0, 0, 0)
    while not game.is_terminal(state):
        move = game.actions(state)[0]
        assert game.actions(state) == plain.actions(state)
        assert game.result(state, move) == plain.result(state, move)
        state = game.result(state, move)
    assert state.rows == ("XOX", "O..")
    assert game.utility(state, "O") == 1 == -game.utility(state, "X")
    assert (game.generated, game.terminal_tests, game.utilities) == (8, 5, 2)
