"""The search tree that student code has left behind: its nodes' places, and how it is drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograder.cases import Case
from autograder.draw import Grown, Node, Tree, search_tree
from autograder.inside.protocol import after_moves
from starter.games import Move, State

Reached = dict[int, tuple[tuple[Move, ...], State]]  # by node: the moves to it, and its state
Row = dict[str, Any]  # one node, as mcts_worker.py has checked it


class SearchTree:
    """A search tree as rows, one for each node; node 0 is the root.

    rows:     as `mcts_worker.phase` and `mcts_worker.grow` return them
    children: by node, the nodes below it, in the order of its dictionary
    paths:    by node, the indices of the moves that lead to it; anything else is left as it came
    """

    def __init__(self, case: Case, rows: list[Row]) -> None:
        self.rows = rows
        self.children: list[list[int]] = [[] for _ in rows]
        self.paths: list[list[Any]] = [[]]
        for node, row in enumerate(rows[1:], 1):
            self.children[row["under"]].append(node)
            self.paths.append([*self.paths[row["under"]], row["key"]])
        self.game = case.make_game()
        self.root: State = case.make_state()

    def find(self, path: list[Any]) -> int:
        """Return the node with this path; the root if none has it."""
        return self.paths.index(path) if path in self.paths else 0

    def state(self, path: list[int]) -> State:
        """Return the state that these moves lead to; they must be legal."""
        return after_moves(self.game, self.root, path)

    def moves(self, path: list[Any]) -> list[str]:
        """Name the moves with these indices; anything else is left as it came."""
        state = self.root
        names: list[str] = []
        for index in path:
            actions = self.game.actions(state)
            if type(index) is not int or not 0 <= index < len(actions):
                return [*names, *map(str, path[len(names) :])]
            names.append(str(actions[index]))
            state = self.game.result(state, actions[index])
        return names

    def reached(self) -> Reached:
        """Return the moves that lead to each node, and its state; not where they are not legal."""
        found: Reached = {0: ((), self.root)}
        for node, row in enumerate(self.rows[1:], 1):
            if row["under"] in found:
                moves, above = found[row["under"]]
                actions = self.game.actions(above)
                legal = [i for i in (row["key"], row["move"]) if i in range(len(actions))]
                if legal:
                    move = actions[legal[0]]
                    found[node] = (*moves, move), self.game.result(above, move)
        return found

    def place(self, path: list[Any]) -> str:
        """Name a node by the moves that lead to it."""
        if not path:
            return "the root"
        return "the node reached by " + ", then ".join(self.moves(path))

    def drawn(self, decorate: Callable[[Node, int], None] = lambda node, i: None) -> Tree:
        """Draw the tree with U and N in every node."""
        nodes = (
            Grown(self.moves(path)[-1] if path else "root", row["under"], row["U"], row["N"])
            for row, path in zip(self.rows, self.paths)
        )
        return search_tree(nodes, decorate)

    def marked(self, marks: dict[int, str]) -> Tree:
        """Draw the tree with marks on some nodes."""

        def decorate(drawn: Node, i: int) -> None:
            drawn.mark = marks.get(i, "")

        return self.drawn(decorate)
