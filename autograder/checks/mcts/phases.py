"""Check the phases of MCTS: each one alone, and all together."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf
from typing import Any

from autograder.checks.ask.finding import Failed, Finding, Hint, make_failure
from autograder.checks.ask.plain_answers import expect_number
from autograder.checks.ask.student import Student
from autograder.checks.ask.values import format_distinct, same
from autograder.checks.mcts.implied_tree import expect_enough_playouts, find_ends
from autograder.checks.mcts.queries import (
    ReportedTree,
    call_phase,
    call_simulate,
    expect_statistics,
    make_readable,
    run_phases,
)
from autograder.checks.mcts.rules import RIGHT, list_wrong_rules, ucb
from autograder.checks.search.search_diagram import mark_states
from autograder.diagram import Picture, describe_position, describe_tree, format_value, is_tree
from autograder.serving.cases import (
    BackpropCase,
    PhaseCase,
    PlayoutsCase,
    SeededCase,
    SelectCase,
    UniformCase,
)
from autograder.serving.game_server import Event, GameServer
from autograder.worker.inside.to_json import describe_odd
from starter.games import Move, State, other


def expect_selection(student: Student, case: SelectCase) -> None:
    """Check that select returns the node with path `case.leaf`, and changes nothing."""
    tree, returned = call_phase(student, "mcts.select", case, case.C)
    expect_statistics(tree, case.nodes, "select")
    if type(returned) is int and tree.paths[returned] == case.leaf:
        return
    hints = [Hint("select-started", {"node": tree.name_path(case.at), "C": case.C})]
    if type(returned) is int:
        hints += find_first_other_step(student, case, tree, returned)
    elif returned == describe_odd(None)["odd"]:
        hints.append(Hint("origin-of-none"))
    leaf = tree.find(case.leaf)
    on_the_way = range(len(case.at), len(case.leaf))
    siblings = [child for n in on_the_way for child in tree.children[tree.find(case.leaf[:n])]]
    ucbs = {child: f"UCB = {format_value(compute_ucb(tree, child, case.C))}" for child in siblings}
    drawn = tree.draw({returned: "returned instead", leaf: "the leaf to select"}, ucbs)
    facts = {"leaf": tree.name_path(case.leaf), "got": tree.name_node(returned)}
    raise make_failure("select/wrong-leaf", facts, hints, [drawn])


def find_first_other_step(
    student: Student, case: SelectCase, tree: ReportedTree, returned: int
) -> Iterator[Hint]:
    """Say where select took another child than the one with the largest UCB, and what ucb returns.

    If the student's `ucb` returns another number for one of the two, select may be right.
    """
    path, C = tree.paths[returned], case.C
    steps = enumerate(zip(case.leaf, path))
    same_steps = next((i for i, (due, taken) in steps if due != taken), -1)
    if same_steps < len(case.at):
        return
    names = [tree.name_moves(to)[same_steps] for to in (path, case.leaf)]
    paths = [to[: same_steps + 1] for to in (path, case.leaf)]
    ucbs = [compute_ucb(tree, tree.find(to), C) for to in paths]
    facts = {"taken": names[0], "best": names[1], "ucb": ucbs[0], "most": ucbs[1]}
    yield Hint("select-took", {**facts, "node": tree.name_path(case.leaf[:same_steps])})
    if ucbs[1] == inf > ucbs[0]:
        yield Hint("unvisited-first", facts)
    found = [call_ucb(student, case, to) for to in paths]
    for name, to, due, got in zip(names, paths, ucbs, found):
        if got is not None and not same(got, due):
            value, shown = format_distinct(due, got)
            formula = write_ucb(tree, tree.find(to), C)
            facts = {"child": name, "due": value, "got": shown, "formula": formula}
            yield Hint("ucb-differs", facts)
            return
    if None not in found:
        yield Hint("ucb-right")


def call_ucb(student: Student, case: SelectCase, path: list[int]) -> float | None:
    """Return what the student's ucb returns for a node of the case's tree, None if no number."""
    call = {"tree": {"state": case.state, "nodes": case.nodes}, "at": path, "args": [case.C]}
    request = {"do": "phase", "game": case.game, "calls": [call]}
    try:
        (answer,) = student.ask("mcts.ucb", request, draw=lambda _: [])
    except Failed:
        return None
    text = str(make_readable(answer["returned"]))
    return float(text.split(" ")[0]) if text.endswith(" (float)") else None


def compute_ucb(tree: ReportedTree, child: int, C: float) -> float:
    row = tree.rows[child]
    return ucb(row["U"], row["N"], tree.rows[row["under"]]["N"], C)


def write_ucb(tree: ReportedTree, child: int, C: float) -> str:
    """Return the UCB of a node as a formula with its numbers."""
    row, above = tree.rows[child], tree.rows[tree.rows[child]["under"]]
    if not row["N"]:
        return "inf, because N = 0"
    U, N = format_value(row["U"]), row["N"]
    return f"{U} / {N} + {format_value(C)} * sqrt(ln({above['N']}) / {N})"


def expect_expansion(student: Student, case: PhaseCase) -> None:
    """Check that expand makes one new child per action, and returns one of them."""
    tree, returned = call_phase(student, "mcts.expand", case)
    leaf = tree.find(case.at)
    for finding in find_expansion_faults(tree, leaf, returned):
        raise Failed(replace(finding, diagrams=(tree.draw({leaf: "the leaf to expand"}),)))
    fresh = [(tree.paths[child], 0.0, 0) for child in tree.children[leaf]]
    expect_statistics(tree, [*case.nodes, *fresh], "expand")


def find_expansion_faults(tree: ReportedTree, leaf: int, returned: int | str) -> Iterator[Finding]:
    """Find faults in the children of an expanded leaf, and in the returned node."""
    _, state = tree.follow(tree.paths[leaf])
    actions = tree.game.actions(state)
    children = tree.children[leaf]
    keys = [tree.rows[child]["key"] for child in children]
    named = dict(enumerate(actions))
    if again := tree.rows[leaf].get("again"):
        moves = ", ".join(format_value(named.get(key, key)) for key in [*keys, *dict(again)])
        yield Finding("expand/same-node", {"moves": moves})
    if keys != list(range(len(actions))):
        facts = {
            "actions": ", ".join(map(format_value, actions)),
            "children": ", ".join(format_value(named.get(key, key)) for key in keys)
            or "no children",
        }
        untried = bool(actions) and not keys and tree.rows[leaf]["N"] == 0
        hints = (Hint("untried-leaf"),) * untried
        yield Finding("expand/children" if actions else "expand/terminal", facts, hints)
    for child in children:
        yield from find_child_faults(tree, child, leaf, state)
    if returned not in (children or [leaf]):
        kind = "returned" if actions else "terminal-returned"
        facts = {"node": tree.name_node(leaf), "got": tree.name_node(returned)}
        yield Finding(f"expand/{kind}", facts)


def find_child_faults(tree: ReportedTree, child: int, leaf: int, state: State) -> Iterator[Finding]:
    """Find which fields of a new child of `state` are wrong."""
    row, named = tree.rows[child], dict(enumerate(tree.game.actions(state)))
    move = named[row["key"]]
    after = tree.game.result(state, move).key
    known = row["parent"] in range(len(tree.rows))
    parent = tree.name_node(row["parent"]) if known else str(row["parent"])
    for field, right, due, got in (
        ("state", row["state"] == after, after, row["state"] or "the root's own state"),
        ("parent", row["parent"] == leaf, "the leaf", parent),
        ("move", row["move"] == row["key"], move, named.get(row["move"], row["move"])),
        ("children", not tree.children[child], "none yet", "some"),
        ("U", row["U"] == 0, 0, row["U"]),
        ("N", row["N"] == 0, 0, row["N"]),
    ):
        if not right:
            facts = {"move": move, "field": field, "due": due, "got": got}
            yield Finding(f"expand-child/{field}", facts)


def expect_backprop(student: Student, case: BackpropCase) -> None:
    """Check that `case.at` and its ancestors, but no other nodes, get the result."""
    tree, _ = call_phase(student, "mcts.backprop", case, case.utility)
    old = {tuple(path): U for path, U, _ in case.nodes}
    paths = [case.at[:length] for length in range(len(case.at), -1, -1)]
    added = [tree.rows[tree.find(path)]["U"] - old[tuple(path)] for path in paths]
    due = RIGHT.added(case.utility, len(added))
    hints = [Hint("backprop-began", {"node": tree.name_path(case.at), "utility": case.utility})]
    if not all(map(same, due, added)):
        terms = {"added": added, "due": due}.items()
        steps = {name: ", then ".join(map(format_value, values)) for name, values in terms}
        hints.insert(0, Hint("U-grew", steps))
    given = [
        (rules.added(case.utility, len(added)), rules.code) for rules in list_wrong_rules("4.5")
    ]
    codes = [code for terms, code in given if case.utility and all(map(same, terms, added))]
    expect_statistics(tree, case.after, "backprop", hints, codes[0] if codes else "")


def expect_unchanged_tree(student: Student, case: PlayoutsCase) -> None:
    """Check that simulate does not change the tree."""
    answer, server = run_phases(student, case, watch=True)
    if "touched" in answer:
        raise make_failure("simulate/changed-tree", {"state": server.name(answer["touched"])})
    expect_enough_playouts(len(find_ends(server, looks=False)), case.playouts // 2)


def expect_consistent_visits(student: Student, case: PlayoutsCase) -> None:
    """Check that N and U of a node are sums over its children and its own playouts.

    A playout begins at a new child, so no two begin at the same node, unless the game is over
    there. The test of backprop checks the side of U. A node is not judged by children that do not
    match what is below them.
    """
    answer, server = run_phases(student, case, watch=False)
    tree = ReportedTree(case, answer["tree"])
    began = [make_readable(node) for node in answer["began"]]  # by playout: its first node
    results = [expect_number("mcts.simulate", result) for result in answer["results"]]
    student.log.trace.append([tree.rows, began, results])
    for node, finding in find_misplaced_nodes(tree, began):
        raise Failed(replace(finding, diagrams=(tree.draw({node: "here"}),)))
    expect_moves_played(tree, server, began)
    own_N, own_U = Counter(began), defaultdict[int | str, float](float)
    for first, result in zip(began, results):
        own_U[first] += result
    due, wrong = [], set[int]()
    for node in reversed(range(len(tree.rows))):
        row, below = tree.rows[node], tree.children[node]
        N = sum(tree.rows[child]["N"] for child in below) + own_N[node]
        U = -sum(tree.rows[child]["U"] for child in below)
        U = min((U + own_U[node], U - own_U[node]), key=lambda side: abs(row["U"] - side))
        judged = wrong.isdisjoint(below)
        if not judged or row["N"] != N or not same(row["U"], U):
            wrong.add(node)
        due.append((tree.paths[node], U, N) if judged else (tree.paths[node], row["U"], row["N"]))
    expect_statistics(tree, due, "phases")
    if is_tree(case.make_state()) and not any(results):
        raise make_failure("phases/only-zeros", {"playouts": case.playouts})


def find_misplaced_nodes(
    tree: ReportedTree, began: list[int | str]
) -> Iterator[tuple[int, Finding]]:
    """Find nodes that occur twice in the tree, or lack children that are due."""
    for node, times in Counter(began).items():
        if type(node) is not int:
            yield 0, Finding("phases/not-in-tree", {"got": str(node)})
        elif times > 1 and not tree.is_over(node):
            facts = {"node": tree.name_node(node), "visits": times}
            yield node, Finding("phases/not-expanded", facts)
    for above, row in enumerate(tree.rows):
        for move, node in row.get("again", ()):
            if tree.rows[node]["under"] != above:
                place = tree.name_path([*tree.paths[above], move])
                facts = {"node": place, "other": tree.name_node(node)}
                yield node, Finding("phases/shared-node", facts)


def expect_moves_played(tree: ReportedTree, server: GameServer, began: list[int | str]) -> None:
    """Check that simulate made moves from at least half of the nodes it started at."""
    inside = {row["state"] for row in tree.rows}
    left = {
        str(node.parent) for number, node in enumerate(server.nodes) if str(number) not in inside
    }
    starts = [tree.rows[node]["state"] for node in began if type(node) is int]
    expect_enough_playouts(sum(start in left for start in starts), len(began) // 2)


def find_end(server: GameServer, playout: Sequence[Event]) -> int:
    """Return the last node of a playout, where the utility was last asked for.

    If the utility was asked for too early, the playout ends where its game is over.
    """
    asked = [event.number for event in playout if event.kind == "utility"]
    made = [event.number for event in playout if event.kind == "result"]
    if asked and made and not server.is_over(asked[-1]) and server.is_over(made[-1]):
        return made[-1]
    return asked[-1] if asked else playout[-1].number if playout else 0


def draw_end(server: GameServer, end: State, player: str, mark: str = "it ended here") -> Picture:
    """Draw the end of a playout: the board, or the node marked in its tree."""
    start = server.root
    if is_tree(start):
        return describe_tree(server.game, start, player, mark_states({end: mark}))
    return describe_position(server.game, end, player)


def expect_simulation(student: Student, case: SeededCase) -> None:
    """Check that the result is the game's, for the player who moved into the state."""
    (result,), server = call_simulate(student, case)
    start = server.root
    player = other(start.to_move)
    path = server.path(find_end(server, server.events))
    end = server.state(path[-1])
    played = [format_value(move) for move in server.moves(path[-1])]
    game_played = Hint("game-played", {"moves": ", ".join(played) or "no move"})
    if path[0] != 0:
        drawn = describe_position(server.game, start, player)
        raise make_failure("simulate/wrong-start", hints=[game_played], diagrams=[drawn])
    if not server.game.is_terminal(end):
        drawn = draw_end(server, end, player)
        raise make_failure("simulate/not-finished", {"moves": len(played)}, [game_played], [drawn])
    asked = [event.number for event in server.find_requests("utility")]
    if asked and not server.is_over(asked[-1]):
        left = len(path) - len(server.path(asked[-1]))
        made = ", ".join(map(format_value, server.moves(asked[-1])))
        where = f"the state after {made}" if made else "the state that it was given"
        facts: dict[str, Any] = {"asked": where, "left": left}
        hints, drawn = [game_played], draw_end(server, server.state(asked[-1]), player, "utility")
        raise make_failure("simulate/utility-before-the-end", facts, hints, [drawn])
    true = server.game.utility(end, player)
    if not same(result, true):
        rules = [r for r in list_wrong_rules("4.3") if same(r.result(true, start.to_move), result)]
        code = rules[0].code if len({rule.code for rule in rules}) == 1 else ""
        games = len(set(asked))
        raise make_failure(
            f"simulate/{code or 'wrong-result'}",
            {"utility": true, "player": player, "result": result},
            [
                *([Hint(f"result-{code}")] if code else []),
                *([] if asked else [Hint("utility-never-called")]),
                Hint("to-move", {"player": start.to_move}),
                game_played if games < 2 else Hint("games-played", {"games": games}),
            ],
            [draw_end(server, end, player)],
        )


def expect_uniform(student: Student, case: UniformCase) -> None:
    """Check that a move is uniformly distributed over playouts, by Pearson's test.

    For uniform moves, chi-square exceeds `case.most` once in seven million times. It falls below
    `case.least` as rarely: then the moves are more even than random ones.
    """
    counts = count_moves(student, case)
    if not any(counts.values()):
        drawn = describe_position(case.make_game(), case.make_state())
        raise make_failure("simulate/no-move", {"playouts": case.playouts}, diagrams=[drawn])
    mean = case.playouts / len(counts)
    chi_square = sum((count - mean) ** 2 / mean for count in counts.values())
    if case.least <= chi_square <= case.most:
        return
    facts = {
        "playouts": case.playouts,
        "mean": mean,
        "most": case.most,
        "counts": ", ".join(
            f"{format_value(move)} {count} times" for move, count in counts.items()
        ),
        "chi_square": chi_square,
    }
    raise make_failure(
        "simulate/not-uniform" if chi_square > case.most else "simulate/too-even",
        facts,
        [
            Hint("second-move-counted" if case.second else "first-move-counted"),
            *([] if case.second else name_bias(case, counts)),
        ],
        [describe_position(case.make_game(), case.make_state())],
    )


def name_bias(case: UniformCase, counts: dict[Move, int]) -> Iterator[Hint]:
    """Say which move is made always or never, or if the first and the last are made too seldom."""
    game, state = case.make_game(), skip_forced_moves(case)[-1]
    never = [move for move, count in counts.items() if not count]
    wins = [
        move
        for move in counts
        if game.is_terminal(after := game.result(state, move))
        and game.utility(after, state.to_move) > 0
    ]
    if (made := sum(counts.values())) < case.playouts:
        yield Hint("few-made", {"made": made, "playouts": case.playouts})
    elif len(never) == len(counts) - 1:
        (always,) = counts.keys() - never
        facts = {"move": always, "playouts": case.playouts}
        yield Hint("always-wins" if [always] == wins else "always-made", facts)
    elif never:
        last = never == [*counts][-1:]
        facts = {"moves": " and ".join(map(format_value, never))}
        yield Hint("last-never-made" if last else "never-made", facts)
    elif len(counts) > 2:
        unit = case.playouts / (len(counts) - 1)
        due = [unit / 2, *[unit] * (len(counts) - 2), unit / 2]
        if sum((count - n) ** 2 / n for count, n in zip(counts.values(), due)) <= case.most:
            yield Hint("ends-half-as-often")


def skip_forced_moves(case: UniformCase) -> list[State]:
    """Return the states up to the first one with a choice."""
    game, states = case.make_game(), [case.make_state()]
    while len(actions := game.actions(states[-1])) == 1:
        states.append(game.result(states[-1], actions[0]))
    return states


def count_moves(student: Student, case: UniformCase) -> dict[Move, int]:
    """Count a move of each playout, the first one with a choice.

    If the case is about the second move, count its distance from the first one's index.
    """
    skipped = skip_forced_moves(case)
    moves, forced = case.make_game().actions(skipped[-1]), len(skipped)
    counts = dict.fromkeys(range(len(moves)) if case.second else moves, 0)
    _, server = call_simulate(student, case, case.playouts)
    starts = server.call_starts
    for i, j in zip(starts, [*starts[1:], None]):
        end = find_end(server, server.events[i:j])
        if server.path(end)[0] != 0:
            continue
        made = server.moves(end)
        if case.second and len(made) > 1:
            first, second = map(moves.index, made[:2])
            counts[(second - first) % len(moves)] += 1
        elif not case.second and len(made) >= forced:
            counts[made[forced - 1]] += 1
    return counts
