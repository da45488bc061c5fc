"""What a student is told: short, plain, concrete, and always with what matters in sight."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder import terminal
from autograder.cases import Case, Cases
from autograder.commands import command
from autograder.draw import (
    DEEPEST_DRAWN,
    Board,
    Node,
    Tree,
    folded,
    lines_of,
    side_by_side,
    with_depth,
)
from autograder.grade import grade
from autograder.questions import QUESTION_FILES, ROOT
from autograder.report import (
    PAPER,
    Screen,
    as_json,
    as_text,
    cut,
    failing_tests,
    message,
    next_step,
    table_line,
)
from autograder.results import Outcome, Report, Result
from autograder.selftest.waiting import PATIENCE
from autograder.submission import Submission
from autograder.troubles import as_printed
from autograder.wrong import NotWritten, Wrong
from starter.games import ConnectFour, TicTacToe

# Name: file, the solution's text, what stands there instead, the test, what its message must hold.
MISTAKES: dict[str, tuple[str, str, str, str, list[str]]] = {
    "utility from the mover's side": (
        "minimax.py",
        "max_value(game, game.result(state, move), player)",
        "max_value(game, game.result(state, move), state.to_move)",
        "1.1",
        [
            "expected:",
            "seen from X's side",
            "your code called utility(state, 'O'), and MAX is X",
            "#0  root: MAX, returned ",
        ],
    ),
    "no terminal test": (
        "minimax.py",
        "    if game.is_terminal(state):\n        return game.utility(state, player), None\n",
        "",
        "1.1",
        ["should be a finite number", "The game is over here"],
    ),
    "a search left too early": (
        "alphabeta.py",
        "v <= alpha",
        "v <= beta",
        "2.1",
        [
            "expected: 7",
            "the search left b too early, after 1 of 3 moves: a MIN node does that only where "
            "v <= alpha, and 8 <= 4 is false",
            "<-- left too early",
        ],
    ),
    "no cut-off at min nodes": (
        "alphabeta.py",
        "        if v <= alpha:\n            return v, best_move\n",
        "",
        "2.3",
        [
            "b/b (#4)",
            "the min node b (#2)",
            "v = -57 <= alpha",
            "alpha = -51",
            "the root (#0)",
            "b: MIN, [-51, inf], v = -57   <-- v <= -51: return here",
        ],
    ),
    "strict inequality": (
        "alphabeta.py",
        "v >= beta",
        "v > beta",
        "2.6",
        [
            "equality is enough",
            "returns as soon as v = ",
            ": return here",
            "<-- searched unnecessarily",
            "below)",
        ],
    ),
    "shallow cut-offs only": (
        "alphabeta.py",
        "max_value(game, game.result(state, move), player, alpha, beta)",
        "max_value(game, game.result(state, move), player, -inf, beta)",
        "2.5",
        [
            "the best value so far at the root (#0): pass it on in every call",
            ": return here",
            "<-- searched unnecessarily",
        ],
    ),
    "alpha not raised at the root": (
        "alphabeta.py",
        "    return max_value(game, state, player, -inf, inf)",
        "    values = {m: min_value(game, game.result(state, m), player, -inf, inf)[0]\n"
        "              for m in game.actions(state)}\n"
        "    if not values:\n"
        "        return game.utility(state, player), None\n"
        "    return max(values.values()), max(values, key=values.get)",
        "2.3",
        ["is the best value so far at the root (#0)", "This is what you would get if the root"],
    ),
    "no cut-off by the bound of the call": (
        "alphabeta.py",
        "min_value(game, game.result(state, move), player, alpha, beta)",
        "min_value(game, game.result(state, move), player, -inf, beta)",
        "2.3",
        ["This is what you would get if max_value handed on -inf in place of alpha."],
    ),
    "a search that skips the empty board": (
        "alphabeta.py",
        "    player = state.to_move\n",
        "    player = state.to_move\n"
        "    if len(game.actions(state)) == 9:\n        return 0, (1, 1)\n",
        "2.9",
        ["the search left the root too early", "moves left out at the root"],
    ),
    "too many positions": (
        "alphabeta.py",
        "        if v <= alpha:\n            return v, best_move\n",
        "",
        "2.9",
        ["expected: at most 18,297 nodes", "got:      56,783 nodes", "handout's table"],
    ),
    "far too many positions": (
        "alphabeta.py",
        "game.result(state, move), player, alpha, beta)",
        "game.result(state, move), player, -inf, inf)",
        "2.9",
        ["expected: at most 18,297 nodes", "got:      more than 146,376 nodes"],
    ),
    "a move for a state": (
        "alphabeta.py",
        "min_value(game, game.result(state, move), player",
        "min_value(game, move, player",
        "2.1",
        [
            "game.is_terminal(state) was given '",
            "which is no state;",
            "game.result(state, move) makes the state after a move",
            "alphabeta.py, line ",
        ],
    ),
    "a move for a state of a board": (
        "alphabeta.py",
        "min_value(game, game.result(state, move), player",
        "min_value(game, move, player",
        "2.10",
        ["Is that a move where a state belongs?"],
    ),
    "a state for a move": (
        "alphabeta.py",
        "min_value(game, game.result(state, move), player",
        "min_value(game, game.result(state, state), player",
        "2.1",
        ["game.result(state, move) was given a state in place of", "alphabeta.py, line "],
    ),
    "the pair the wrong way round": (
        "minimax.py",
        "            v, best_move = v2, move\n    return v, best_move\n    ### END",
        "            v, best_move = v2, move\n    return best_move, v\n    ### END",
        "1.1",
        ["was compared with a value: every function that searches returns the value first"],
    ),
    "no return": (
        "minimax.py",
        "            v, best_move = v2, move\n    return v, best_move\n    ### END",
        "            v, best_move = v2, move\n    ### END",
        "1.1",
        ["raised TypeError: cannot unpack non-iterable NoneType", "let every branch of it end in"],
    ),
    "pairs compared down to their moves, in a generator": (
        "minimax.py",
        "            v, best_move = v2, move\n    return v, best_move\n    ### END",
        "            v, best_move = v2, move\n"
        "    (v, _), best_move = min(\n"
        "        (max_value(game, game.result(state, m), player), m) for m in game.actions(state)\n"
        "    )\n"
        "    return v, best_move\n    ### END",
        "1.7",
        ["TypeError: '<' not supported between instances of", "minimax.py, line "],
    ),
    "the value alone": (
        "minimax.py",
        "            v, best_move = v2, move\n    return v, best_move\n    ### END",
        "            v, best_move = v2, move\n    return v\n    ### END",
        "1.1",
        ["raised TypeError: cannot unpack", "returns two things, return value, move"],
    ),
    "no return in a phase": (
        "mcts.py",
        "    return game.utility(state, player)\n",
        "    game.utility(state, player)\n",
        "4.7",
        ["raised TypeError", "NoneType", "let every branch of it end in `return ...`"],
    ),
    "a heuristic without return": (
        "cutoff.py",
        "    return score / (10 + abs(score))",
        "    score / (10 + abs(score))",
        "3.10",
        ["raised TypeError", "NoneType", "let every branch of it end in `return ...`"],
    ),
    "the answer the wrong way round": (
        "cutoff.py",
        "    return max_value(state, -inf, inf, 0)",
        "    return max_value(state, -inf, inf, 0)[::-1]",
        "3.1",
        ["should be a finite number", "Value and move look swapped"],
    ),
    "one line of play": (
        "cutoff.py",
        "        for move in game.actions(state):\n            v2, _ = max_value",
        "        for move in game.actions(state)[:1]:\n            v2, _ = max_value",
        "3.2",
        ["too early", "every move is tried until v >= beta", "<-- left too early"],
    ),
    "centre first": (
        "alphabeta.py",
        "    for move in game.actions(state):\n        v2, _ = min_value",
        "    for move in sorted(game.actions(state), key=lambda m: m != 3):\n"
        "        v2, _ = min_value",
        "2.7",
        ["searched after a later sibling", "you tried ", "game.actions(state) is ("],
    ),
    "values kept by the state alone": (
        "cutoff.py",
        "    return max_value(state, -inf, inf, 0)",
        "    known, fresh = {}, min_value\n\n"
        "    def min_value(state, *window):\n"
        "        if state not in known:\n"
        "            known[state] = fresh(state, *window)\n"
        "        return known[state]\n\n"
        "    return max_value(state, -inf, inf, 0)",
        "3.14",
        [
            "the position is the same as after",
            "it was not searched again",
            "with another alpha, beta or depth",
        ],
    ),
    "depth not counted": (
        "cutoff.py",
        "alpha, beta, depth + 1)",
        "alpha, beta, depth)",
        "3.1",
        [
            "the depth passed to cutoff at b",
            "expected: depth 1",
            "got:      depth 0",
            "its depth is 1",
        ],
    ),
    "h from the mover's side": (
        "cutoff.py",
        "h(state, player), None",
        "h(state, state.to_move), None",
        "3.4",
        ["h was called for the wrong player", "expected: h(state, ", "<-- h called for"],
    ),
    "smallest UCB": (
        "mcts.py",
        "max(node.children.values()",
        "min(node.children.values()",
        "4.1",
        ["UCB = ", "U = ", "N = ", "<-- the leaf to select", "<-- returned instead"],
    ),
    "an exception in select": (
        "mcts.py",
        "key=lambda child: ucb(child, C))",
        "key=lambda child: child.V)",
        "4.1",
        ["select raised AttributeError", "mcts.py, line", "<-- called with this node"],
    ),
    "one child only": (
        "mcts.py",
        "in game.actions(node.state):",
        "in game.actions(node.state)[:1]:",
        "4.2",
        ["expected: a, b", "got:      a", "<-- the leaf to expand"],
    ),
    "result for the player to move": (
        "mcts.py",
        'player = "O" if state.to_move == "X" else "X"',
        "player = state.to_move",
        "4.3",
        ["who moved into the state", "the game it played"],
    ),
    "no sign flip": (
        "mcts.py",
        "        utility = -utility\n",
        "",
        "4.5",
        ["backprop(node, utility) began at", "expected: U = ", "<-- should be U = "],
    ),
    "best mean instead of visits": (
        "mcts.py",
        "key=lambda child: child.N)",
        "key=lambda child: child.U / child.N if child.N else -1)",
        "4.8",
        ["most visited", "<-- your choice", "U/N = "],
    ),
    "a name that is not defined": (
        "minimax.py",
        "    v, best_move = inf, None",
        "    v, best_move = inf, NONE",
        "1.1",
        [
            "minimax_search raised NameError",
            "  minimax.py, line ",
            "v, best_move = inf, NONE",
            "MIN",
        ],
    ),
    "a search without end": (
        "minimax.py",
        "        v2, _ = max_value(game, game.result(state, move), player)",
        "        v2, _ = min_value(game, state, player)",
        "1.1",
        [
            "raised RecursionError",
            "calls deep. Does it stop at terminal states?",
            "minimax.py, line",
        ],
    ),
    "a number that is none": (
        "cutoff.py",
        "    ### BEGIN SOLUTION lines still open",
        "    import numpy\n    return numpy.float64(0) / numpy.float64(0)\n    # lines still open",
        "3.8",
        [
            "should return a finite number",
            "nan",
            "your code printed:",
            "    cutoff.py:",
            "X to move",
        ],
    ),
    "a window turned as in negamax": (
        "alphabeta.py",
        "min_value(game, game.result(state, move), player, alpha, beta)",
        "min_value(game, game.result(state, move), player, -beta, -alpha)",
        "2.1",
        ["was called with alpha = ", "; expected alpha = ", "negated as in negamax", " due"],
    ),
    "bounds swapped": (
        "alphabeta.py",
        "min_value(game, game.result(state, move), player, alpha, beta)",
        "min_value(game, game.result(state, move), player, beta, alpha)",
        "2.4",
        ["was called with alpha = inf, beta = -inf; expected", "alpha and beta are swapped"],
    ),
    "alpha not raised": (
        "alphabeta.py",
        "            alpha = max(alpha, v)\n",
        "",
        "2.3",
        [
            "b (#2) was called with alpha = -inf, beta = inf; expected alpha = -51, the v of the "
            "root (#0) so far",
            "so node b/b (#4) should have been pruned at the min node b (#2)",
        ],
    ),
    "v follows alpha": (
        "alphabeta.py",
        "        if v2 > v:",
        "        if v2 > alpha:",
        "2.8",
        ["returned -inf; expected ", "[alpha, beta]: what your code was called with"],
    ),
    "the sign of h turned": (
        "cutoff.py",
        "return h(state, player), None\n        v, best_move = inf",
        "return -h(state, player), None\n        v, best_move = inf",
        "3.1",
        ["h was ", " was returned: its sign was changed", " is due"],
    ),
    "h of another state": (
        "cutoff.py",
        "            return h(state, player), None\n        v, best_move = inf",
        "            return 0.5, None\n        v, best_move = inf",
        "3.5",
        ["cutoff said stop at ", "but h was not called there: 0.5 was returned"],
    ),
    "a move that is not searched": (
        "minimax.py",
        "        v2, _ = max_value(game, game.result(state, move), player)",
        "        v2 = game.utility(game.result(state, move), player)",
        "1.1",
        ["utility was called at ", "where the game goes on: search its moves instead"],
    ),
    "v begins at 0": (
        "expectiminimax.py",
        "        v, best_move = -inf, None",
        "        v, best_move = 0, None",
        "5.1",
        ["returned 0; expected -", "the largest of -", "; check the value that v begins with"],
    ),
    "equal chances": (
        "expectiminimax.py",
        "        mean += probability * v2",
        "        mean += v2 / len(game.outcomes(state))",
        "5.2",
        ["; expected ", " * ", " + "],
    ),
    "results that count less and less": (
        "mcts.py",
        "utility = -utility",
        "utility = -0.9 * utility",
        "4.5",
        ["on the way up U grew by -1, then 0.9, then -0.81; expected -1, then 1, then -1"],
    ),
    "a bound that lags behind": (
        "alphabeta.py",
        "        if v2 < v:\n            v, best_move = v2, move\n"
        "            beta = min(beta, v)\n",
        "        beta = min(beta, v)\n        if v2 < v:\n            v, best_move = v2, move\n",
        "2.4",
        ["the v of the min node a (#1) so far: that came a move late, at a/c"],
    ),
    "a cut-off that lags behind": (
        "alphabeta.py",
        "        if v >= beta:",
        "        elif v >= beta:",
        "2.4",
        ["a/b did return before its last move, but too late"],
    ),
    "alpha for beta": (
        "alphabeta.py",
        "beta = min(beta, v)",
        "beta = min(alpha, v)",
        "2.1",
        [
            "was called with alpha = 4, beta = 4; expected beta = 8",
            "the v of the min node b (#2) so far",
        ],
    ),
    "alpha for v": (
        "alphabeta.py",
        "        if v <= alpha:\n            return v, best_move\n    return v, best_move",
        "        if v <= alpha:\n            return v, best_move\n    return alpha, best_move",
        "2.1",
        ["expected 7, the smallest of 8, 7, 9; 4 is alpha there"],
    ),
    "the last value": (
        "minimax.py",
        "        v2, _ = max_value(game, game.result(state, move), player)",
        "        v2, _ = max_value(game, game.result(state, move), player)\n"
        "        v, best_move = inf, None",
        "1.1",
        ["it returned the last of them, as at all min nodes here"],
    ),
    "no value kept": (
        "minimax.py",
        "if v2 < v:",
        "if v2 > v:",
        "1.1",
        ["inf is where v begins"],
    ),
    "the last move left out": (
        "minimax.py",
        "    for move in game.actions(state):\n        v2, _ = max_value",
        "    for move in game.actions(state)[:-1] or game.actions(state):\n"
        "        v2, _ = max_value",
        "1.1",
        ["too early, after 1 of 2 moves"],
    ),
    "the last term": (
        "expectiminimax.py",
        "mean += ",
        "mean = ",
        "5.1",
        ["it returned the last"],
    ),
    "the function of the other side": (
        "minimax.py",
        "v2, _ = max_value(game",
        "v2, _ = min_value(game",
        "1.1",
        ["was passed to min_value, but X is to move there: it is a max node"],
    ),
    "a comparison in place of a value": (
        "minimax.py",
        "            v, best_move = v2, move",
        "            v, best_move = v2 < v, move",
        "1.1",
        ["(bool)", "That is the result of a comparison"],
    ),
    "too early, with what was compared": (
        "minimax.py",
        "        if v2 < v:\n            v, best_move = v2, move",
        "        if v2 >= v:\n            break\n        v, best_move = v2, move",
        "1.2",
        ["too early, after 2 of 3 moves (worth -69, then "],
    ),
    "boards alone": (
        "alphabeta.py",
        "    v, best_move = -inf, None\n",
        "    seen = max_value.__dict__.setdefault('seen', set())\n"
        "    if state in seen:\n        return 0, None\n    seen.add(state)\n"
        "    v, best_move = -inf, None\n",
        "2.2",
        ["check that you neither store values by position nor skip"],
    ),
    "cutoff asked about the root": (
        "cutoff.py",
        "        if cutoff(game, state, depth):",
        "        if cutoff(game, game.initial, depth):",
        "3.1",
        [
            "cutoff was called",
            "times for the root, with depth 0, then 1",
            "pass the state that is searched",
        ],
    ),
    "a heuristic kept by its position": (
        "cutoff.py",
        "def connect_four_heuristic(",
        "import functools\n\n\ndef connect_four_heuristic(state, player):\n"
        "    return KEPT.setdefault(state, looks(state, player))\n\n\nKEPT = {}\n\n\ndef looks(",
        "3.9",
        [
            "called in a new process, h(state, 'O') is",
            "let h depend on nothing but state and player",
        ],
    ),
    "a child chosen by chance": (
        "mcts.py",
        "    return next(iter(node.children.values()))",
        "    return random.choice(list(node.children.values()))",
        "4.14",
        ["expand alone, called 8 times with a new root, returned", "it may not choose by chance"],
    ),
    "a playout by chance of its own": (
        "mcts.py",
        "rng.choice(game",
        "random.choice(game",
        "4.14",
        ["simulate alone, called twice with equal rng, played two different games"],
    ),
    "cutoff the wrong way round": (
        "cutoff.py",
        "if cutoff(",
        "if not cutoff(",
        "3.1",
        ["h was called at the root, where cutoff said go on"],
    ),
    "utility where cutoff says stop": (
        "cutoff.py",
        "            return h(state, player), None\n        v, best_move = inf",
        "            return game.utility(state, player), None\n        v, best_move = inf",
        "3.3",
        ["where the game goes on and cutoff said stop: call h instead"],
    ),
    "theirs added": (
        "cutoff.py",
        "score -= WEIGHTS",
        "score += WEIGHTS",
        "3.9",
        ["h is the same for both players; never below 0; subtract the opponent's lines"],
    ),
    "theirs by who is to move": (
        "cutoff.py",
        '(state.x, state.o) if player == "X" else (state.o, state.x)',
        "state.x if player == 'X' else state.o, state.o if state.to_move == 'X' else state.x",
        "3.9",
        ["their sum is 0", "h is 0 for the side that is not to move"],
    ),
    "h for sorting": (
        "cutoff.py",
        "        for move in game.actions(state):\n"
        "            v2, _ = min_value(game.result(state, move), ",
        "        below = [(game.result(state, move), move) for move in game.actions(state)]\n"
        "        for child, move in sorted(below, key=lambda pair: -h(pair[0], player)):\n"
        "            v2, _ = min_value(child, ",
        "3.1",
        ["got:      h was called there without it"],
    ),
    "h from both sides": (
        "cutoff.py",
        "h(state, player), None",
        "h(state, player) - h(state, 'O' if player == 'X' else 'X'), None",
        "3.1",
        ["h was called for the wrong player", "h(state, 'X') and h(state, 'O')"],
    ),
    "a heuristic that keeps something": (
        "cutoff.py",
        "    for line in lines_of_four(*state.shape):\n",
        "    lines = lines_of_four(*state.shape)\n"
        "    lines.append(lines.pop(0))\n"
        "    for line in lines[:5]:\n",
        "3.9",
        ["called again, h(state, 'O') is ", "nothing may be stored between"],
    ),
    "the sign of U turned": (
        "mcts.py",
        "key=lambda child: ucb(child, C))",
        "key=lambda child: ucb(child, C) - (2 * child.U / child.N if child.N else 0))",
        "4.1",
        [
            "at the root it took (1, 0), whose UCB is 0.8469; (0, 2) has 1.056",
        ],
    ),
    "one node for all moves": (
        "mcts.py",
        "        node.children[move] = Node(game.result(node.state, move), node, move)\n",
        "        pass\n"
        "    one = Node(node.state, node)\n"
        "    node.children = dict.fromkeys(game.actions(node.state), one)\n",
        "4.2",
        ["one and the same Node under several moves", "a, b, c: not all differ"],
    ),
    "pairs compared": (
        "minimax.py",
        "        v2, _ = max_value(game, game.result(state, move), player)\n"
        "        if v2 < v:\n"
        "            v, best_move = v2, move\n",
        "        reply = max_value(game, game.result(state, move), player)\n"
        "        if reply < (v, best_move):\n"
        "            v, best_move = reply[0], move\n",
        "1.1",
        ["Compare values alone"],
    ),
    "utilities squeezed": (
        "cutoff.py",
        "            return h(state, player), None",
        "            return h(state, player) / 99, None",
        "3.1",
        ["h was ", "was returned", "so the search left"],
    ),
    "children of all nodes in one dict": (
        "mcts.py",
        "        self.children: dict[Move, Node] = {}\n",
        "        self.children = vars(Node).get('shared', {})\n"
        "        Node.shared = self.children\n",
        "4.1",
        ["a new node has another's children"],
    ),
    "moves are looked at before they are searched": (
        "cutoff.py",
        "        v, best_move = -inf, None\n",
        "        v, best_move = -inf, None\n"
        "        for move in game.actions(state):\n"
        "            end = game.result(state, move)\n"
        "            if game.is_terminal(end) and game.utility(end, player) > 0:\n"
        "                return game.utility(end, player), move\n",
        "3.1",
        ["look for another test or `return` in that loop"],
    ),
    "C left behind": (
        "mcts.py",
        "    while node.children:\n"
        "        node = max(node.children.values(), key=lambda child: ucb(child, C))\n",
        "    while node.children:\n"
        "        node = max(node.children.values(), key=lambda child: ucb(child, C))\n"
        "        C = 1.4\n",
        "4.1",
        ["with C = 1.4, the default, (0, 2) has the largest there"],
    ),
    "the first moves only": (
        "mcts.py",
        "    while not game.is_terminal(state):\n"
        "        state = game.result(state, rng.choice(game.actions(state)))",
        "    if not game.is_terminal(state):\n"
        "        state = game.result(state, rng.choice(game.actions(state)))",
        "4.3",
        ["1 move, and the game is not over", "<-- it ended here"],
    ),
    "parent and move swapped": (
        "mcts.py",
        "Node(game.result(node.state, move), node, move)",
        "Node(game.result(node.state, move), move, node)",
        "4.2",
        ["has a wrong parent", "expected: the leaf", "got:      'a' (str)"],
    ),
    "a playout from every child": (
        "mcts.py",
        "        utility = simulate(game, child.state, rng)\n        backprop(child, utility)\n",
        "        for child in list(leaf.children.values()) or [leaf]:\n"
        "            backprop(child, simulate(game, child.state, rng))\n",
        "4.9",
        ["that is 3 for each one asked for"],
    ),
    "the value of another child": (
        "mcts.py",
        "    return best.U / best.N, best.move",
        "    return max(c.U / c.N for c in root.children.values()), best.move",
        "4.8",
        ["that is U/N of "],
    ),
    "backprop from the leaf": (
        "mcts.py",
        "        backprop(child, utility)",
        "        backprop(leaf, utility)",
        "4.15",
        ["did not follow the largest UCB at the root"],
    ),
    "a tree thrown away": (
        "mcts.py",
        "        leaf = select(root, C)",
        "        root = Node(state)\n        leaf = select(root, C)",
        "4.15",
        ["playout 2 did not follow the largest UCB at the root"],
    ),
    "what only boards have": (
        "minimax.py",
        "game.is_terminal(state)",
        "state.outcome is not None",
        "1.1",
        ["a state has no 'outcome' here", "if state.outcome is not None"],
    ),
    "the game is over at the root": (
        "alphabeta.py",
        "    return max_value(game, state, player, -inf, inf)",
        "    v, best_move = -inf, None\n"
        "    for move in game.actions(state):\n"
        "        v2, _ = min_value(game, game.result(state, move), player, v, inf)\n"
        "        v, best_move = max((v, best_move), (v2, move), key=lambda pair: pair[0])\n"
        "    return v, best_move",
        "2.1",
        ["got:      -inf (float)", "The game is over here"],
    ),
    "a narrow window first": (
        "alphabeta.py",
        "    return max_value(game, state, player, -inf, inf)",
        "    max_value(game, state, player, -1, 1)\n"
        "    return max_value(game, state, player, -inf, inf)",
        "2.3",
        ["the first move at the root was searched twice"],
    ),
    "negamax turned for its own calls only": (
        "alphabeta.py",
        "def min_value(\n",
        "def min_value(*args):\n"
        "    import sys\n\n"
        "    v, best_move = below(*args)\n"
        "    inside = sys._getframe(1).f_code.co_name == 'max_value'\n"
        "    return v if inside else -v, best_move\n\n\n"
        "def below(\n",
        "2.1",
        ["this case calls min_value(game, state, 'X', -99, 30) itself", "only the sign is wrong"],
    ),
    "negamax without a sign at its ends": (
        "alphabeta.py",
        "def max_value(\n",
        "def max_value(game, state, player, alpha, beta):\n"
        "    return negamax(game, state, player, alpha, beta)\n\n\n"
        "def min_value(game, state, player, alpha, beta):\n"
        "    v, best_move = negamax(game, state, player, -beta, -alpha)\n"
        "    return -v, best_move\n\n\n"
        "def negamax(game, state, player, alpha, beta):\n"
        "    if game.is_terminal(state):\n"
        "        return game.utility(state, player), None\n"
        "    v, best_move = -inf, None\n"
        "    for move in game.actions(state):\n"
        "        v2 = -negamax(game, game.result(state, move), player, -beta, -alpha)[0]\n"
        "        if v2 > v:\n"
        "            v, best_move = v2, move\n"
        "        if v >= beta:\n"
        "            break\n"
        "        alpha = max(alpha, v)\n"
        "    return v, best_move\n\n\n"
        "def two_functions(\n",
        "2.1",
        ["your search changes the sign of every value from below, so return ", " is to move"],
    ),
    "begun anew below chance": (
        "expectiminimax.py",
        "        v2, _ = expectiminimax(game, game.result(state, move), player)\n        mean",
        "        v2, _ = expectiminimax_search(game, game.result(state, move))\n        mean",
        "5.1",
        ["this happens below chance nodes, and nowhere else"],
    ),
    "a visited board left out": (
        "cutoff.py",
        "            v2, _ = min_value(game.result(state, move), alpha, beta, depth + 1)\n",
        "            child, visited = game.result(state, move), max_value.__dict__\n"
        "            if child.key in visited:\n"
        "                continue\n"
        "            visited[child.key] = True\n"
        "            v2, _ = min_value(child, alpha, beta, depth + 1)\n",
        "3.14",
        ["it was not searched again: do not skip it"],
    ),
    "kept whatever cutoff and h are": (
        "cutoff.py",
        "    return max_value(state, -inf, inf, 0)\n",
        "    known = cutoff_depth.__dict__\n"
        "    if (state, player) not in known:\n"
        "        known[state, player] = max_value(state, -inf, inf, 0)\n"
        "    return known[state, player]\n",
        "3.10",
        ["something was kept from an earlier search", "begin each search with a new table"],
    ),
    "kept whatever the game is": (
        "minimax.py",
        "    return max_value(game, state, player)\n",
        "    known = max_value.__dict__\n"
        "    if (state, player) not in known:\n"
        "        known[state, player] = max_value(game, state, player)\n"
        "    return known[state, player]\n",
        "1.7",
        ["something was kept from an earlier search", "as in a new process"],
    ),
    "a cut-off that lags behind at all min nodes": (
        "cutoff.py",
        "            if v2 < v:\n                v, best_move = v2, move\n"
        "                beta = min(beta, v)\n            if v <= alpha:\n"
        "                return v, best_move\n",
        "            if v <= alpha:\n                return v, best_move\n"
        "            if v2 < v:\n                v, best_move = v2, move\n"
        "                beta = min(beta, v)\n",
        "3.6",
        ["b did return before its last move, but too late"],
    ),
    "X is MAX below chance": (
        "expectiminimax.py",
        "        v2, _ = expectiminimax(game, game.result(state, move), player)\n        mean",
        "        v2, _ = expectiminimax(game, game.result(state, move), 'X')\n        mean",
        "5.3",
        ["and MAX is O; this happens below chance nodes, and nowhere else"],
    ),
    "turns that alternate, chance's too": (
        "expectiminimax.py",
        "    if state.to_move == player:",
        "    plies = state.key.count('/') + bool(state.key)\n"
        "    if state.to_move != 'chance' and plies % 2 == 0:",
        "5.1",
        ["it returned the largest of them, as at all min nodes here"],
    ),
    "alpha-beta under chance": (
        "expectiminimax.py",
        "def expectiminimax(",
        "def expectiminimax(game, state, player, alpha=-9e9, beta=9e9):\n"
        "    if game.is_terminal(state):\n"
        "        return game.utility(state, player), None\n"
        "    if state.to_move == 'chance':\n"
        "        below = [(p, game.result(state, m)) for p, m in game.outcomes(state)]\n"
        "        return sum(p * expectiminimax(game, s, player)[0] for p, s in below), None\n"
        "    sign = 1 if state.to_move == player else -1\n"
        "    v, best = -9e9, None\n"
        "    for move in game.actions(state):\n"
        "        child = game.result(state, move)\n"
        "        v2 = sign * expectiminimax(game, child, player, alpha, beta)[0]\n"
        "        v, best = max((v, best), (v2, move), key=lambda pair: pair[0])\n"
        "        if v >= (beta if sign == 1 else -alpha):\n"
        "            break\n"
        "        if sign == 1:\n"
        "            alpha = max(alpha, v)\n"
        "        else:\n"
        "            beta = min(beta, -v)\n"
        "    return sign * v, best\n\n\n"
        "def without_bounds(",
        "5.6",
        ["got:      without b, c"],
    ),
    "searched once to compare and once to keep": (
        "alphabeta.py",
        "        v2, _ = min_value(game, game.result(state, move), player, alpha, beta)\n",
        "        child = game.result(state, move)\n"
        "        min_value(game, child, player, alpha, beta)\n"
        "        v2, _ = min_value(game, child, player, alpha, beta)\n",
        "2.7",
        ["was searched twice: search it once, and store the value it returns"],
    ),
    "the side of negamax": (
        "cutoff.py",
        "            return h(state, player), None\n        v, best_move = inf",
        "            return -h(state, state.to_move), None\n        v, best_move = inf",
        "3.4",
        ["in negamax the value there is -h(state, player)"],
    ),
    "no lines at the right edge": (
        "cutoff.py",
        "0 <= column + 3 * right < width:",
        "0 <= column + 3 * right < width - (not down):",
        "3.11",
        ["with left and right swapped it does prefer the first"],
    ),
    "nothing seen from O": (
        "cutoff.py",
        "else (state.o, state.x)",
        "else (state.o, state.o)",
        "3.9",
        ["h(state, 'O') is 0 in all of the 48 positions"],
    ),
    "the same for both, at times": (
        "cutoff.py",
        "    return score / (10 + abs(score))",
        "    return 0.9 if abs(score) > 12 else score / (10 + abs(score))",
        "3.9",
        ["there h is the same for both players; elsewhere it is not"],
    ),
    "ends left out": (
        "mcts.py",
        "        child = expand(leaf, game)\n",
        "        if game.is_terminal(leaf.state):\n"
        "            continue\n"
        "        child = expand(leaf, game)\n",
        "4.10",
        ["too few games were played to judge the rest"],
    ),
    "an old UCB": (
        "mcts.py",
        "key=lambda child: ucb(child, C))",
        "key=lambda child: vars(child).setdefault(child.N, ucb(child, C)))",
        "4.10",
        ["did not follow the largest UCB at the root"],
    ),
    "one node for equal boards": (
        "mcts.py",
        "        node.children[move] = Node(game.result(node.state, move), node, move)\n",
        "        after = game.result(node.state, move)\n"
        "        root = node\n"
        "        while root.parent:\n"
        "            root = root.parent\n"
        "        child = vars(root).setdefault('all', {}).setdefault(after, Node(after))\n"
        "        child.parent, child.move = node, move\n"
        "        node.children[move] = child\n",
        "4.7",
        ["one Node has two parents", "backprop goes up one way only"],
    ),
    "a share of wins": (
        "mcts.py",
        "    return best.U / best.N, best.move",
        "    return (best.U / best.N + 1) / 2, best.move",
        "4.8",
        ["that is the share of wins, (U/N + 1) / 2"],
    ),
    "a tree that is kept": (
        "mcts.py",
        "    root = Node(state)\n",
        "    root = monte_carlo_tree_search.__dict__.setdefault(state, Node(state))\n",
        "4.14",
        ["the first search in a process is the same each time, the second is not"],
    ),
    "a tree that is gone on with": (
        "mcts.py",
        "    root = Node(state)\n",
        "    last = monte_carlo_tree_search.__dict__.get('last', Node(state))\n"
        "    found = [b for a in last.children.values() for b in a.children.values()]\n"
        "    root = next((node for node in found if node.state == state), Node(state))\n"
        "    root.parent = None\n"
        "    monte_carlo_tree_search.last = root\n",
        "4.14",
        ["in between, the position before it was searched"],
    ),
    "moves from a set": (
        "mcts.py",
        "rng.choice(game.actions(state))",
        "{str(m): m for m in game.actions(state)}[\n"
        "            rng.choice(list({str(m) for m in game.actions(state)}))\n"
        "        ]",
        "4.14",
        ["they ran in two processes: the order of a set may differ between these"],
    ),
    "a table asked after the cutoff": (
        "cutoff.py",
        "    return max_value(state, -inf, inf, 0)\n",
        "    known, search = {}, max_value\n\n"
        "    def max_value(state, alpha, beta, depth):\n"
        "        if game.is_terminal(state) or cutoff(game, state, depth) or state not in known:\n"
        "            known[state] = search(state, alpha, beta, depth)\n"
        "        return known[state]\n\n"
        "    return max_value(state, -inf, inf, 0)\n",
        "3.14",
        ["and it was not searched again: do not skip it, nor use a value"],
    ),
    "a certain outcome's move": (
        "expectiminimax.py",
        "    mean: float = 0\n",
        "    for probability, move in game.outcomes(state):\n"
        "        if probability == 1:\n"
        "            return expectiminimax(game, game.result(state, move), player)\n"
        "    mean: float = 0\n",
        "5.4",
        ["None: chance moves there"],
    ),
    "the line itself": (
        "cutoff.py",
        "    h: Heuristic = lambda state, player: 0,",
        "    h: Heuristic = lambda state, player: state.x,",
        "3.7",
        ["h: Heuristic = lambda state, player: state.x,"],
    ),
    "the value alone where the game is over": (
        "minimax.py",
        "its move\n    if game.is_terminal(state):\n"
        "        return game.utility(state, player), None\n",
        "its move\n    if game.is_terminal(state):\n        return game.utility(state, player)\n",
        "1.1",
        ["raised TypeError: cannot unpack", "returns two things, return value, move"],
    ),
    "the value alone at a cut-off": (
        "alphabeta.py",
        "        if v <= alpha:\n            return v, best_move\n",
        "        if v <= alpha:\n            return v\n",
        "2.1",
        ["raised TypeError: cannot unpack", "returns two things, return value, move"],
    ),
    "each successor generated twice": (
        "alphabeta.py",
        "        v2, _ = min_value(game, game.result(state, move), player, alpha, beta)\n",
        "        if game.result(state, move) is None:\n            continue\n"
        "        v2, _ = min_value(game, game.result(state, move), player, alpha, beta)\n",
        "2.7",
        ["a was generated twice", "<-- generated twice"],
    ),
    "expand returns nothing": (
        "mcts.py",
        "    return next(iter(node.children.values()))\n",
        "",
        "4.6",
        ["'NoneType' object has no attribute", "let every branch of it end in `return ...`"],
    ),
    "a state asked whether the game is over": (
        "minimax.py",
        "its move\n    if game.is_terminal(state):",
        "its move\n    if state.is_terminal():",
        "1.1",
        ["if state.is_terminal():", "write game.is_terminal(state)"],
    ),
    "a state asked for its moves": (
        "minimax.py",
        "v, best_move = inf, None\n    for move in game.actions(state):",
        "v, best_move = inf, None\n    for move in state.actions():",
        "1.1",
        ["for move in state.actions():", "write game.actions(state)"],
    ),
    "a state of a board asked for its moves": (
        "minimax.py",
        "v, best_move = inf, None\n    for move in game.actions(state):",
        "v, best_move = inf, None\n    for move in state.actions():",
        "1.6",
        ["for move in state.actions():", "write game.actions(state)"],
    ),
    "game and state swapped": (
        "minimax.py",
        "max_value(game, game.result(state, move), player)\n        if v2 < v",
        "max_value(game.result(state, move), game, player)\n        if v2 < v",
        "1.1",
        ["v2, _ = max_value(game.result(state, move), game, player)"],
    ),
    "utility's arguments swapped": (
        "minimax.py",
        "its move\n    if game.is_terminal(state):\n"
        "        return game.utility(state, player), None",
        "its move\n    if game.is_terminal(state):\n"
        "        return game.utility(player, state), None",
        "1.1",
        [
            "which is no state; that is a player: the state comes first",
            "return game.utility(player, state), None",
        ],
    ),
    "state and player swapped": (
        "minimax.py",
        "max_value(game, game.result(state, move), player)\n        if v2 < v",
        "max_value(game, player, game.result(state, move))\n        if v2 < v",
        "1.1",
        ["that is a player: the state comes first", "max_value(game, player, game.result("],
    ),
    "a value rounded": (
        "expectiminimax.py",
        "    return mean, None",
        "    return round(float(mean), 3), None",
        "5.2",
        [
            "expected: -0.7059, seen from X's side",
            "got:      -0.706",
            "b (#2) returned -0.706; expected -0.7059, 6/17 * -2 + 7/17 * 0 + 4/17 * 0",
        ],
    ),
    "a mean rounded": (
        "mcts.py",
        "    return best.U / best.N, best.move",
        "    return round(best.U / best.N, 4), best.move",
        "4.8",
        ["the difference is "],
    ),
    "a value a little too small": (
        "alphabeta.py",
        "        return game.utility(state, player), None",
        "        return game.utility(state, player) - 0.0001, None",
        "2.8",
        ["the difference is 0.0001"],
    ),
    "taken off for the depth": (
        "cutoff.py",
        "            return game.utility(state, player), None",
        "            return game.utility(state, player) * (1 - depth * 0.001), None",
        "3.10",
        ["got:      0.999"],
    ),
    "moves for nodes": (
        "mcts.py",
        "max(node.children.values(), key",
        "max(node.children, key",
        "4.1",
        ["node.children runs through moves; node.children.values() are the nodes"],
    ),
    "no move chosen": (
        "player.py",
        "    def choose(",
        "    def choose(self, game, state):\n        return None\n\n    def search(",
        "6.1",
        ["choose should return a legal move", "got:      None"],
    ),
    "rows of a tree": (
        "minimax.py",
        "    v, best_move = inf, None",
        "    v, best_move = inf, None\n    len(state.rows)",
        "1.1",
        ["raised AttributeError: a state has no 'rows' here: this game has no board"],
    ),
    "more memory than there is": (
        "player.py",
        "    def choose(",
        "    def choose(self, game, state):\n        return bytearray(1 << 48)\n\n    def search(",
        "6.1",
        [
            "choose raised MemoryError",
            "player.py, line",
            "It has 512 MB of memory while it is graded",
        ],
    ),
    "an array larger than memory": (
        "cutoff.py",
        "    return score / (10 + abs(score))",
        "    import numpy\n\n    return numpy.ones(1 << 45).sum()",
        "3.8",
        ["raised MemoryError: Unable", "It has 512 MB of memory while it is graded"],
    ),
    "children in a list": (
        "mcts.py",
        "self.children: dict[Move, Node] = {}",
        "self.children = []",
        "4.8",
        ["a search tree can't be built of your Node: IndexError"],
    ),
    "not written": (
        "minimax.py",
        "    v, best_move = inf, None",
        "    raise NotImplementedError('write min_value in minimax.py')",
        "1.1",
        ["not written yet: write min_value in minimax.py"],
    ),
}

SCREENS = [PAPER, Screen(60, 17), Screen(80, 17), Screen(120, 17)]  # of 24 lines, 17 are left


@cache
def result_of(mistake: str) -> Result:
    """Grade the solution with one mistake; return the result of the test that is about it."""
    file, right, wrong, number, _ = MISTAKES[mistake]
    files = {
        name: (ROOT / "solution" / name).read_text(encoding="utf-8") for name in QUESTION_FILES
    }
    assert right in files[file]
    files[file] = files[file].replace(right, wrong)
    (result,) = grade(
        Submission({name: text.encode() for name, text in files.items()}), question=number
    ).results
    return result


def told_on(mistake: str) -> list[str]:
    """The message as it is on each of SCREENS."""
    return [as_text(result_of(mistake), screen) for screen in SCREENS]


def told(mistake: str) -> str:
    return told_on(mistake)[0]


@pytest.mark.slow
@pytest.mark.parametrize("mistake", MISTAKES)
def test_message_holds_what_matters(mistake: str) -> None:
    text = told(mistake)
    for part in MISTAKES[mistake][-1]:
        assert part in " ".join(text.split()) or part in text


UNSAID = {
    **dict.fromkeys(
        [
            "no return",
            "the value alone",
            "the pair the wrong way round",
            "the value alone where the game is over",
            "the value alone at a cut-off",
            "each successor generated twice",
        ],
        "the first move at the root was made twice",
    ),
    "game and state swapped": "write game.",
    "taken off for the depth": "kept from an earlier search",
    "moves for nodes": "Is that a move where a state belongs?",
}


@pytest.mark.parametrize("mistake", UNSAID)
def test_message_says_nothing_that_is_not_so(mistake: str) -> None:
    assert UNSAID[mistake] not in " ".join(told(mistake).split())


@pytest.mark.slow
@pytest.mark.parametrize("mistake", MISTAKES)
def test_message_fits_a_screen_and_is_plain(mistake: str) -> None:
    whole = told(mistake)
    for screen, text in zip(SCREENS, told_on(mistake)):
        lines = text.splitlines()
        assert 1 <= len(lines) <= screen.height
        assert all(len(line) <= screen.width for line in lines if " CASE=" not in line)
        assert all(character.isprintable() for line in lines for character in line)
        begin = [line[:20] for line in whole.splitlines() if line[:7] in ("  expec", "  got: ")]
        assert [line[:20] for line in lines if line[:7] in ("  expec", "  got: ")] == begin
        assert ("<-- " in whole) == ("<-- " in text)


@pytest.mark.slow
@pytest.mark.parametrize("mistake", MISTAKES)
def test_message_shows_nothing_of_the_grader(mistake: str) -> None:
    for word in ("Traceback", "worker", "autograder", "/tmp", "assert", "None type"):
        assert word not in told(mistake)


# One says nothing more; what the other keeps, a case alone does not show.
WITHOUT_A_CASE = {"not written", "boards alone"}


@pytest.mark.parametrize("mistake", sorted(MISTAKES.keys() - WITHOUT_A_CASE))
def test_message_tells_how_to_run_it_again(mistake: str) -> None:
    number = MISTAKES[mistake][3]
    again, by_hand = re.findall(r"make (\w+) CASE=(\S+)$", told(mistake), re.MULTILINE)
    assert again[0] == "test" and again[1].startswith(f"{number}/")
    assert by_hand == ("try", again[1])


def test_what_one_case_alone_may_not_show_is_run_with_its_test() -> None:
    wrong = Wrong("code", "x", alone=False)
    assert message(result(wrong, "4.8"))[-1] == "  this test alone: make test Q=4.8"


def test_a_case_that_is_too_long_for_a_command_is_run_with_its_test() -> None:
    case = replace(Cases().load("1.6")[0], index=None)
    failed = replace(result(Wrong("code", "x"), "1.6"), case=case)
    assert len(case.name) > 8_000
    assert message(failed)[-1] == "  this test alone: make test Q=1.6"


def test_a_stub_is_one_kind_line() -> None:
    assert told("not written").count("\n") == 0


@pytest.mark.parametrize("number", ["4.1", "4.5"])
def test_a_class_that_is_not_there_is_said_to_be_missing(number: str) -> None:
    source = (ROOT / "solution" / "mcts.py").read_text(encoding="utf-8").replace("Node", "TreeNode")
    (result,) = grade(Submission({"mcts.py": source.encode()}), question=number).results
    assert result.wrong is not None
    assert result.wrong.what == "mcts.py has no class Node: keep the names as they are"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("end", "what"),
    [
        ("assert False", "minimax.py can't be loaded: AssertionError"),
        ("raise SystemExit", "minimax.py can't be loaded: SystemExit"),
        ("while True: pass", "loading minimax.py did not end"),
    ],
)
def test_a_file_that_can_not_be_loaded_is_blamed_and_no_function(end: str, what: str) -> None:
    source = (ROOT / "solution" / "minimax.py").read_text(encoding="utf-8") + end
    (result,) = grade(Submission({"minimax.py": source.encode()}), question="1.1").results
    assert result.wrong is not None
    assert result.wrong.what.split(":")[: what.count(":") + 1] == what.split(":")
    ended = [line for line in result.wrong.where if line.startswith("Your code ended")]
    assert bool(ended) == ("SystemExit" in what)


def test_a_warning_names_no_file_of_the_grader() -> None:
    stage = "/tmp/grading-held-x/stage/"
    said = f"{stage}autograder/inside/worker.py:52: RuntimeWarning: a\n{stage}starter/mcts.py:3: b"
    assert as_printed(said) == "RuntimeWarning: a\nmcts.py:3: b"
    assert as_printed("C:\\stage\\starter\\mcts.py:3: b, in /starter/") == "mcts.py:3: b, in"


def test_what_is_printed_takes_no_longer_to_clean_because_of_what_it_says() -> None:
    """The grader does it outside the student's clock."""

    def cost(word: str) -> float:
        begun = time.process_time()
        for _ in range(20):
            as_printed(word * (2_000 // len(word)))
        return time.process_time() - begun

    plain = cost("x") + cost("x ")
    for word in ("/starter/", "/autograder/inside/", "/autograder/inside/: "):
        assert cost(word) < 100 * plain, word
        assert cost(word.replace("/", "\\")) < 100 * plain, word


def test_children_that_are_no_dictionary_are_named() -> None:
    source = (ROOT / "solution" / "mcts.py").read_text(encoding="utf-8")
    for old, new in (
        ("self.children: dict[Move, Node] = {}", "self.children: list[Node] = []"),
        ("node.children[move] = Node(", "node.children.append(Node("),
        (
            "node, move)\n    return next(iter(node.children.values()))",
            "node, move))\n    return node.children[0]",
        ),
    ):
        assert old in source
        source = source.replace(old, new)
    (result,) = grade(Submission({"mcts.py": source.encode()}), question="4.2").results
    assert result.wrong is not None
    assert result.wrong.what == "after expand a node's children are no dictionary"
    assert result.wrong.got == "the list of a Node"


def test_only_who_uses_tanh_is_told_about_it() -> None:
    source = (ROOT / "solution" / "cutoff.py").read_text(encoding="utf-8")
    right = "    return score / (10 + abs(score))"
    assert right in source
    source = source.replace(right, "    return max(-1, min(1, score / 9))")
    submission = Submission({"cutoff.py": source.encode()})
    (result,) = grade(submission, question="3.8").results
    assert "h(state, " in as_text(result)
    assert "tanh" not in as_text(result)


# --- drawings -------------------------------------------------------------------------------------


def nodes_over(children: st.SearchStrategy[list[Node]]) -> st.SearchStrategy[Node]:
    return st.builds(
        Node,
        st.sampled_from("abc"),
        st.sampled_from(["max", "min", "leaf"]),
        texts=st.lists(st.just("v = 3"), max_size=1),
        order=st.none() | st.integers(0, 99),
        faded=st.booleans(),
        children=children,
    )


trees = st.recursive(
    nodes_over(st.builds(list)),
    lambda nodes: nodes_over(st.lists(nodes, max_size=5)),
    max_leaves=40,
)


@pytest.mark.slow
@given(trees, st.data())
def test_folding_keeps_what_is_marked(root: Node, data: st.DataObject) -> None:
    nodes = list(root.walk())
    for node in data.draw(st.lists(st.sampled_from(nodes), max_size=2)):
        node.mark = "here"
    before = [node.name for node in nodes]
    small = folded(root, 20)
    assert [node.name for node in root.walk()] == before  # the original is left alone
    marks = sum(1 for node in small.walk() if node.mark)
    assert marks == sum(1 for node in nodes if node.mark)
    assert len(list(small.walk())) <= min(len(nodes), 20) or marks
    if len(nodes) <= 20 and max(depth for _, depth in with_depth(root)) <= DEEPEST_DRAWN:
        assert [node.name for node in small.walk()] == before


def nested(depth: int, width: int) -> Node:
    children = [nested(depth - 1, width) for _ in range(width)] if depth else []
    return Node("a", "max" if depth % 2 else "min", children=children)


@pytest.mark.parametrize("where", [0, 500, -1])
def test_large_tree_with_one_mark_fits(where: int) -> None:
    root = nested(6, 3)
    list(root.walk())[where].mark = "in vain"
    lines = lines_of(Tree(root, "caption"), 24)
    assert len(lines) <= 24
    assert sum("<-- in vain" in line for line in lines) == 1
    shown = sum(int(part.split()[0]) for line in lines for part in line.split("(")[1:])
    more = sum(int(line.split("... and ")[1].split()[0]) for line in lines if "... and" in line)
    nodes = sum("... and" not in line for line in lines[1:])
    assert nodes + shown + more == 3**7 // 2  # nothing is lost without being counted


def test_of_a_long_chain_of_single_moves_its_ends_are_shown() -> None:
    root = end = Node("root")
    for _ in range(40):
        end.children = [Node("a")]
        (end,) = end.children
    end.children = [Node("a", mark="in vain"), Node("b")]
    assert lines_of(Tree(root)) == [
        "root",
        "`-- a",
        "    `-- ... 37 moves without a choice",
        "        `-- a",
        "            `-- a",
        "                |-- a   <-- in vain",
        "                `-- b",
    ]


def test_boards_stand_side_by_side() -> None:
    lines = side_by_side([Board(TicTacToe().initial, "before:"), Board(ConnectFour().initial)])
    assert lines[0] == "before:          0 1 2 3 4 5 6"
    assert lines[1] == "  0 1 2        0 . . . . . . ."
    assert lines[-1] == "               X to move"


def test_wide_tree_fits() -> None:
    root = Node("root", children=[Node(str(i)) for i in range(60)])
    root.children[50].mark = "here"
    lines = lines_of(Tree(root), 10)
    assert len(lines) <= 10
    assert "`-- ... and" in lines[-1]
    assert any("<-- here" in line for line in lines)


# --- the report -----------------------------------------------------------------------------------


def result(wrong: Wrong | None, number: str = "2.3", **more: object) -> Result:
    outcome = Outcome.FAILED if wrong else Outcome.PASSED
    case = Case(number=number, index=4, game=["TicTacToe"])
    return Result(number, "A label", 3, outcome=outcome, wrong=wrong, case=case, **more)  # type: ignore[arg-type]


def test_overlong_everything_still_fits_a_screen() -> None:
    board = ConnectFour().initial
    wrong = Wrong(
        "code",
        "what " * 500,
        expected="wanted " * 500,
        got="came " * 500,
        where=["line " * 100] * 50,
        pictures=[Board(board, "the first:"), Board(board, "the second:")],
    )
    lines = message(result(wrong, printed="printed\n" * 900, diagnosis="you guessed " * 90))
    assert len(lines) <= PAPER.height
    assert all(len(line) <= PAPER.width for line in lines)
    wrong.pictures = [Tree(nested(5, 3))]
    lines = message(result(wrong, printed="printed\n" * 900, diagnosis="you guessed " * 90))
    assert len(lines) <= PAPER.height
    assert lines[-2].endswith("make test CASE=2.3/4")


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("a: MIN, [-8, inf], depth 1: go on, returned 2", "a: MIN, [-8, inf], returned 2"),
        ("a: MIN, [-8, inf], depth 1: stop, h = 2, (4 below)", "a: MIN, [-8, inf], stop, h = 2"),
        ("a: MAX, [-8.25, 17.5], h = 3   <-- 4 is due", "a: MAX, h = 3   <-- 4 is due"),
        ("a: MAX, [-8.25, 17.5], h = 3   <-- beta is due", "a: MAX, [-8.25 ...<-- beta is due"),
    ],
)
def test_a_long_row_leaves_out_what_says_least(line: str, shown: str) -> None:
    assert cut(line, 33) == shown
    assert cut(line, 60) == line


def test_nothing_that_a_terminal_would_obey() -> None:
    text = as_text(
        result(Wrong("code", "\033[31mred\a", got="\u202eback"), printed="\033]0;title\a")
    )
    assert all(character.isprintable() or character == "\n" for character in text)


def test_table_wraps_long_labels() -> None:
    long = result(None)
    long.label = "a label of many words " * 6
    first, *rest = table_line(long).splitlines()
    assert first.endswith("pass     3/3")
    assert rest
    assert " ".join("\n".join([first[7 : 7 + PAPER.label], *rest]).split()) == long.label.strip()
    assert all(len(line) <= PAPER.width for line in [first, *rest])


STUB = NotWritten("not-written", "not written yet: write min_value in minimax.py")
NEXT: list[tuple[list[Result], str]] = [
    ([result(None)], "next: question 2 passes; question 3, cutoff.py: make test Q=3"),
    ([result(STUB, "1.1")], "next: write min_value in minimax.py, then: make test Q=1"),
    (
        [result(STUB, "1.1"), result(Wrong("code", "x"), "2.3")],
        "next: fix 2.3 (make test Q=2.3)",
    ),
    (
        [result(Wrong("code", "x"), "2.3"), result(Wrong("code", "x"), "2.5")],
        "next: fix 2.3 (make test Q=2.3); what fails after it may have the same cause",
    ),
    (
        [result(NotWritten("not-written", "mcts.py is not in the submission"), "4.1")],
        "make test Q=4",
    ),
]


@pytest.mark.parametrize(("results", "says"), NEXT)
def test_next_step(results: list[Result], says: str) -> None:
    line = next_step(Report(chosen="2", results=results))
    assert says in line
    assert len(line) <= PAPER.width


@pytest.mark.parametrize(
    ("chosen", "says"),
    [
        (None, "next: everything passes; make submit"),
        ("1", "next: question 1 passes; question 2, alphabeta.py: make test Q=2"),
        ("4", "next: question 4 passes; all questions together: make test"),
        ("5", "next: question 5 passes; all questions together: make test"),
        ("2.3", "next: test 2.3 passes; the whole question: make test Q=2"),
    ],
)
def test_next_step_when_all_that_was_chosen_passes(chosen: str | None, says: str) -> None:
    assert next_step(Report(chosen, results=[result(None)])) == says


def test_next_step_when_one_case_passes() -> None:
    report = Report("2.3", alone=True, results=[result(None)])
    assert next_step(report) == (
        "next: this case passes; the points are for all cases: make test Q=2.3"
    )


@pytest.mark.parametrize("results", [[], [result(None)]])
def test_after_a_failure_of_the_grader_nothing_is_said_to_pass(results: list[Result]) -> None:
    report = Report("1", results=results, trouble="no worker", fault=True)
    assert next_step(report) == (
        "next: tell your instructor that the grader fails; it is not your fault"
    )
    assert "That is not your fault: tell your instructor" in as_json(report)["output"]


def test_the_versions_that_graded_are_in_the_results() -> None:
    python = ".".join(map(str, sys.version_info[:3]))
    said = as_json(Report(results=[result(None)]))["output"]
    assert f"graded with Python {python}, NumPy {np.__version__}" in said.splitlines()


@pytest.mark.parametrize(
    ("cause", "ending"), [("x is y", "if x is y."), ("x: is y so?", "if x: is y so?")]
)
def test_a_sentence_has_one_mark_at_its_end(cause: str, ending: str) -> None:
    assert result(Wrong("code", "x"), diagnosis=cause).named_mistake.endswith(ending)


def test_failing_tests_are_listed_where_there_are_several() -> None:
    failing = [result(Wrong("code", "x"), number) for number in ("1.3", "1.10", "2.4")]
    report = Report(results=[result(STUB, "1.1"), result(None), *failing])
    assert failing_tests(report) == "failing: 1.3, 1.10, 2.4"
    report.results = [result(STUB, "1.1"), failing[0]]
    assert failing_tests(report) == ""


def test_commands_are_those_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    assert command("test", "case", "2.3/17") == "make test CASE=2.3/17"
    assert command("test", "question", "1") == "make test Q=1"
    monkeypatch.setattr(sys, "platform", "win32")
    here = r".venv\Scripts\python -m autograder"
    assert command("test", "case", "2.3/17") == f"{here} test --case 2.3/17"
    assert command("submit") == f"{here} submit"
    assert command("try", "case", "2.3/17") == f"{here} try 2.3/17"


LINE = "  expected: 3"


@pytest.mark.parametrize(
    ("is_terminal", "environment", "coloured"),
    [
        (True, {}, True),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (True, {"TERM": "dumb"}, False),
        (False, {}, False),
    ],
)
def test_colour(
    monkeypatch: pytest.MonkeyPatch, is_terminal: bool, environment: dict[str, str], coloured: bool
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: is_terminal)
    painted = terminal.painted(LINE)
    assert (painted != LINE) is coloured
    assert LINE in painted


@pytest.mark.slow
@pytest.mark.parametrize("mistake", ["strict inequality", "smallest UCB"])
def test_colour_changes_nothing_but_the_colour(
    monkeypatch: pytest.MonkeyPatch, mistake: str
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    for line in told(mistake).splitlines():
        painted = terminal.painted(line)
        for code in (terminal.RED, terminal.GREEN, terminal.DIM, terminal.PLAIN):
            painted = painted.replace(code, "")
        assert painted == line


@pytest.mark.slow
@pytest.mark.parametrize("width", [60, 80, 120])
def test_on_a_small_terminal_no_row_wraps(width: int) -> None:
    """Nothing scrolls away of what is said of the first failure, and of what to do."""
    done = subprocess.run(
        [sys.executable, "-m", "autograder", "test", "-q", "1"],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": str(width), "LINES": "24"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    lines = done.stdout.splitlines()
    assert all(len(line) <= width for line in lines)
    last = lines[-23:]
    assert "not written yet: write min_value in minimax.py" in last
    assert "next: write min_value in minimax.py, then: make test Q=1" in last
    assert last[-2].endswith("results.html")
    assert min(table_line(result(None), Screen(width)).index("pass"), 40) == 40


@pytest.mark.slow
def test_piped_output_is_plain_and_ends_in_what_to_do_and_the_score() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "autograder", "test", "-q", "1.1"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert "\033" not in done.stdout
    assert "Traceback" not in done.stdout
    lines = done.stdout.splitlines()
    assert lines[0].startswith("  1.1  ")
    assert "not written yet: write min_value in minimax.py" in lines
    assert lines[-3] == "next: write min_value in minimax.py, then: make test Q=1"
    assert lines[-1].startswith("score: 0/")
