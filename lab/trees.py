"""Draw trees: the path to where a search stands, with the nodes beside it.

A subtree far from that path appears as a count, so that a tree of any size can be watched.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, zip_longest
from typing import Any

from autograder.diagram import Board, Node, describe_position, format_value, kind_of
from autograder.feedback import svg
from lab.boards import find_winning_squares
from lab.engines import SearchResult, Task
from lab.mcts_trace import MAX_PLAYOUTS
from lab.trace import MAX_STEPS
from lab.visits import Path, SearchStep
from starter.games import Game, State

Row = dict[str, Any]  # one node, as `tree.js` takes it

MAX_WHOLE = 60  # nodes of a tree that is drawn whole
MAX_CHILDREN = 12  # of one node that are drawn


def make_tree_rows(
    children: Callable[[Path], Sequence[Path]],
    node_at: Callable[[Path], Node],
    active: Path,
    searched: Iterable[Path],
) -> list[Row]:
    """Return the nodes to draw, each after its parent.

    For a large tree, these are the path to the active node and the nodes beside it.

    children: returns all children of a node, drawn or not
    active:   the node that the picture follows
    searched: all nodes that the search has looked at
    """
    rows: list[Row] = []
    below = Counter(path[:length] for path in searched for length in range(len(path)))

    def walk(path: Path) -> Iterator[Path]:
        yield path
        for child in children(path):
            yield from walk(child)

    whole = len(list(islice(walk(()), MAX_WHOLE + 1))) <= MAX_WHOLE

    def add(path: Path, parent: int | None) -> None:
        node = node_at(path)
        is_open = whole or path == active[: len(path)]
        if not is_open and below[path]:
            node.texts.append(f"({below[path]:,} below)")
        place = len(rows)
        rows.append(make_node_row(node, repr(path), parent, path == active))
        if not is_open:
            return
        family = list(children(path))
        here = active[: len(path) + 1]
        middle = family.index(here) if here in family else 0
        first = max(0, min(middle - MAX_CHILDREN // 2, len(family) - MAX_CHILDREN))
        for child in family[first : first + MAX_CHILDREN]:
            add(child, place)
        if len(family) > MAX_CHILDREN:
            more = Node(f"{len(family) - MAX_CHILDREN} more", look="faded")
            rows.append(make_node_row(more, f"{path!r} more", place))

    add((), None)
    return rows


def make_node_row(node: Node, key: str, parent: int | None, active: bool = False) -> Row:
    """Return one node and its picture, placed by the middle of its upper edge."""
    room, bottom, drawn = svg.draw_node(node)
    return {
        "key": key,
        "parent": parent,
        "width": room + svg.GAP,
        "top": svg.TOP - svg.LINE,
        "height": bottom,
        "active": active,
        "faded": node.look == "faded",
        "svg": drawn,
    }


def make_rows_at_step(task: Task, result: SearchResult, count: int) -> list[Row]:
    """Return the tree after the first `count` steps of a search."""
    if not result.is_mcts:
        return make_search_rows(task.game, task.state, result.steps, count)
    return make_mcts_rows(result.steps[count - 1], task.game, task.state) if count else []


def find_stops(result: SearchResult) -> tuple[str, list[int]]:
    """Return the label of the button "next", and the steps that it goes to."""
    label, name = ("next playout", "select") if result.is_mcts else ("next prune", "prune")
    return label, [number for number, step in enumerate(result.steps, 1) if step.name == name]


def render_position(game: Game, state: State, player: str) -> str:
    """Return a picture of a position, or of a whole game tree.

    Winning stones are highlighted.

    player: the values of the tree are for this player
    """
    picture = describe_position(game, state, player)
    if isinstance(picture, Board):
        picture.good = find_winning_squares(game, state)
    return svg.draw_file(picture)


def make_search_rows(game: Game, root: State, steps: Sequence[SearchStep], count: int) -> list[Row]:
    """Return the tree after the first `count` steps of a search."""
    done = steps[:count]
    active = done[-1].path if done else ()
    seen = {path: texts for step in done for path, texts in step.nodes}
    entered = [step.path for step in done if step.name == "enter"]
    orders = {path: order for order, path in enumerate(entered)}
    left = {step.path for step in done if step.name != "enter"}
    horizon = max((len(step.path) for step in steps), default=0)
    states, labels = {(): root}, {(): "root"}

    def is_leaf(path: Path) -> bool:
        return len(path) >= horizon or game.is_terminal(states[path])

    def children(path: Path) -> list[Path]:
        """Return the children of a node, and store their states and labels."""
        if is_leaf(path):
            return []
        state = states[path]
        chances = [f" ({format_value(probability)})" for probability, _ in game.outcomes(state)]
        moves = game.actions(state)
        for move, chance in zip_longest(moves, chances, fillvalue=""):
            child = (*path, move)
            states[child], labels[child] = game.result(state, move), f"{move}{chance}"
        return [(*path, move) for move in moves]

    def node_at(path: Path) -> Node:
        state = states[path]
        kind = "leaf" if is_leaf(path) else kind_of(state, str(root.to_move))
        node = Node(labels[path], kind, list(seen.get(path, ())), orders.get(path), state=state)
        if path not in seen:  # it waits until the search leaves its parent
            node.look = "faded" if path[:-1] in left else "waiting"
        if done and path == active:
            node.look = "lit"
        if not node.texts and game.is_terminal(state):
            node.texts = [format_value(game.utility(state, str(root.to_move)))]
        return node

    return make_tree_rows(children, node_at, active, seen)


def make_mcts_rows(phase: SearchStep, game: Game, root: State) -> list[Row]:
    """Return the tree of MCTS after a phase, with the nodes that it concerns lit."""
    end, tree = phase.path, dict(phase.nodes)
    touched = {end[:length] for length in range(len(end) + 1)}
    if phase.name == "expand":
        touched = {path for path in tree if path[:-1] == end and path}
    if phase.name == "simulate" or not touched:
        touched = {end}
    families: dict[Path, list[Path]] = {}
    states: dict[Path, State | None] = {(): root}  # None after an illegal move
    for path in tree:
        if path:
            families.setdefault(path[:-1], []).append(path)
            state = states[path[:-1]]
            legal = state is not None and path[-1] in game.actions(state)
            states[path] = game.result(state, path[-1]) if legal else None

    def node_at(path: Path) -> Node:
        name, look = str(path[-1]) if path else "root", "lit" * (path in touched)
        node = Node(name, texts=list(tree[path]), look=look, state=states[path])
        if node.state is None:
            node.mark = f"{path[-1]!r} is no legal move there"
        return node

    active = end if end in tree else ()
    return make_tree_rows(lambda path: families.get(path, []), node_at, active, tree)


def describe_last_step(steps: Sequence[SearchStep]) -> str:
    """Say what the last of these steps did."""
    return steps[-1].words if steps else "The search has not begun."


def make_legend(result: SearchResult, count: int, root_player: str) -> tuple[dict[str, int], str]:
    """Return figures of the first `count` steps, and the legend of the tree."""
    if not result.steps:
        return {}, ""
    names = [step.name for step in result.steps[:count]]
    if result.is_mcts:
        playouts = result.counts["playouts"]
        words = "U and UCB are from the point of view of the player who moved into the node."
        if playouts > MAX_PLAYOUTS:
            words += f" The first {MAX_PLAYOUTS} of {playouts:,} playouts can be watched."
        return {"playouts": names.count("select")}, words
    words = LEGEND.format(root_player)
    if len(result.steps) == MAX_STEPS:
        entered = sum(step.name == "enter" for step in result.steps)
        words += (
            f" The first {entered:,} of {result.counts['positions']:,} positions can be watched."
        )
    return {"positions looked at": names.count("enter"), "prunes": names.count("prune")}, words


LEGEND = (
    "In a node stand v, and alpha and beta if the search has them, while it is searched, then what "
    "is known of its value. All are for {}: MAX, to move at the root. #0, #1, ... is "
    "the order of the search. Grey and dashed: never looked at."
)
