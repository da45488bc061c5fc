"""The concept check: questions, possible answers (the right one named by its place), and why."""

from __future__ import annotations

from typing import NamedTuple

from lab.student import FUNCTIONS


class Question(NamedTuple):
    text: str
    answers: tuple[str, ...]
    right: int
    why: str
    about: str = ""  # the graded question, by its name; "" for several


ALL = (
    Question(
        "O is to move at the root, and your search calls `game.utility(state, player)` at a leaf. "
        "Who is `player`?",
        ("Whoever is to move at the leaf", "O, at every leaf", "Always X"),
        1,
        "A value is seen from one fixed side, that of the player to move at the root. If the side "
        "changed with the depth of the leaf, values from different depths couldn't be compared.",
    ),
    Question(
        "A MIN node has three leaves, worth 3, 12 and 8 to MAX. What is its value?",
        ("3", "12", "the mean, 7.67"),
        0,
        "MIN picks what is worst for MAX: the smallest value, 3. Minimax expects no mistake from "
        "the opponent, so no mean is taken.",
    ),
    Question(
        "Minimax as X plays against a player who makes random moves, instead of a perfect one. "
        "What is certain?",
        (
            "It wins every game",
            "It gets at least the minimax value",
            "It may do worse, for it expected other moves",
        ),
        1,
        "The minimax value is a guarantee against every opponent. A weaker one can only make the "
        "result better. A win each time is not promised: on tic-tac-toe the guarantee is a draw.",
    ),
    Question(
        "At a MAX node alpha is 3 and beta is 5, and the first move turns out to be worth 5. "
        "What now?",
        ("Try the other moves, one may be worth 6", "Return 5 at once", "Lower beta to 5"),
        1,
        "v >= beta: MIN, higher up, already has a choice that holds MAX down to 5, and will never "
        "allow more. Even if another move here were worth 6, nothing above would change. Equality "
        "is enough.",
        about="alphabeta",
    ),
    Question(
        "Who changes alpha and beta, on the way down the tree?",
        (
            "MAX nodes raise alpha, MIN nodes lower beta",
            "MAX nodes raise beta, MIN nodes lower alpha",
            "Each node changes both",
        ),
        0,
        "Alpha is what MAX is already sure of, so only MAX's choices raise it; beta belongs to MIN "
        "in the same way. Each then passes both on to its children.",
        about="alphabeta",
    ),
    Question(
        "What does alpha-beta change about the answer of minimax?",
        (
            "Nothing about the value at the root",
            "The value is a little less exact",
            "The move is better",
        ),
        0,
        "It leaves out only what can't change the value at the root. Inside the tree, though, a "
        "node that was cut off gives a bound, not its exact value.",
        about="alphabeta",
    ),
    Question(
        "When does alpha-beta cut the most?",
        (
            "When the best moves are tried first",
            "When the worst moves are tried first",
            "The order makes no difference",
        ),
        0,
        "A good move at once makes a strong bound for all that follow. With perfect order about "
        "b^(m/2) positions are left of b^m: the same effort looks twice as deep.",
        about="alphabeta",
    ),
    Question(
        "Your heuristic gives 50 for four open lines, and a win is worth 1. What happens?",
        (
            "Nothing, larger is better in both",
            "The search may pass over a win for a position that looks good",
            "It only makes the search slower",
        ),
        1,
        "Values of leaves are compared with each other: 50 beats 1. An evaluation must lie "
        "strictly between a loss and a win.",
        about="cutoff",
    ),
    Question(
        "In which order does a depth-limited search ask its questions at a position?",
        (
            "Is it too deep? Then: is the game over?",
            "Is the game over? Then: is it too deep?",
            "The order makes no difference",
        ),
        1,
        "At the edge of the search a game that is over has a true value. To ask the heuristic "
        "there would turn a certain win into a guess.",
        about="cutoff",
    ),
    Question(
        "A child in the search tree has N = 0. What is its UCB, and what follows?",
        (
            "0, so it is tried last",
            "infinite, so it is tried before all that have been tried",
            "undefined, so it is skipped",
        ),
        1,
        "Nothing is known of it, and the bonus for being unexplored is without bound. So every "
        "child is visited once before any is visited twice.",
        about="mcts",
    ),
    Question(
        "Backpropagation adds the result to a node. Why does the sign flip at its parent?",
        (
            "Since the sides alternate, and U is seen by the one who moved into the node",
            "Since the results must add up to 0 over the tree",
            "Since after each playout it is the other player's turn to begin",
        ),
        0,
        "The player who moved into a node chose it at its parent, so its U must be good for that "
        "player. One step up it is the other's choice. (Every playout begins at the root, with the "
        "same player to move.)",
        about="mcts",
    ),
    Question(
        "MCTS has done its playouts. Which move is played?",
        (
            "The one with the largest UCB",
            "The one with the best mean, U/N",
            "The one visited most often",
        ),
        2,
        "The most visited move has been tested the most. A high mean may rest on two lucky "
        "playouts, and UCB rewards what is little known, which is good for learning, not for "
        "playing.",
        about="mcts",
    ),
    Question(
        "C is set to 0 in UCB. What does the search do?",
        (
            "It sticks to what did well in its first playouts",
            "It tries all moves equally often",
            "It becomes minimax",
        ),
        0,
        "Without the bonus only the mean counts. A good move whose first playout was unlucky may "
        "never be looked at again.",
        about="mcts",
    ),
)
QUESTIONS = tuple(one for one in ALL if one.about in ("", *FUNCTIONS))
