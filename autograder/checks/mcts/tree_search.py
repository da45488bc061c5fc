"""Check whole Monte Carlo tree searches: playouts, play, and the same search from the same rng."""

import itertools
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from functools import partial
from math import inf
from random import Random
from typing import Any

from autograder.checks.ask.finding import Failed, Finding, Hint, make_failure
from autograder.checks.ask.plain_answers import Answer, Search
from autograder.checks.ask.student import Student, expect_independent_searches
from autograder.checks.ask.values import format_distinct, is_rounded, same
from autograder.checks.mcts.implied_tree import (
    Child,
    ImpliedTree,
    MovePath,
    find_best_moves,
    find_best_reading,
    find_ends,
    read_playouts,
    report_too_few_playouts,
)
from autograder.checks.mcts.queries import SEARCH, call_final_choice, run_search
from autograder.checks.mcts.rules import EARLY, IGNORES_C, LATE, RIGHT, USUAL_C, WRONG, Rules, ucb
from autograder.checks.play.matches import make_mover, make_options, play, record_outcome
from autograder.checks.play.sequential_test import SequentialTest
from autograder.diagram import (
    Board,
    Node,
    Picture,
    Tree,
    find_squares,
    format_value,
    is_tree,
    make_statistics_node,
)
from autograder.serving.cases import FinalMoveCase, ForcedMoveCase, MatchCase, PlayoutsCase
from autograder.serving.game_server import GameServer
from autograder.worker.inside.protocol import GAME, STATE
from starter.games import Move

MIN_JUDGED_PLAYOUTS = 100  # playouts that suffice for a verdict; test 4.9 checks their number
SHORT_SEARCHES = 6


def expect_playouts(student: Student, case: PlayoutsCase) -> None:
    """Check that as many games are played to the end as are due; ignore the answer.

    All leaves of the game for the default number have the same value, so a right search reaches
    none of them within its tree. A search that follows another formula may start playouts there.
    """
    options = {"playouts": case.playouts, "rng": {"rng": case.seed}} if case.explicit else {}
    call = {"args": [GAME, STATE], "options": options}
    _, server = student.call_served(SEARCH, case, "pair", [call])
    count = len(find_ends(server, times=0 if case.explicit else 1))
    exact = case.playouts in (count, len(find_ends(server, looks=False)))
    if not (exact if case.explicit else count >= case.playouts):
        code = "playouts/number" if case.explicit else "playouts/default"
        facts = {"playouts": case.playouts, "games": count}
        raise make_failure(code, facts, [Hint("what-counts")])


def expect_tree_search(
    student: Student,
    case: PlayoutsCase,
    search: Search,
    elsewhere: Collection[str] = ("4.1", "4.3", "4.5"),
) -> ImpliedTree:
    """Check that each playout follows the largest UCB in a tree grown leaf by leaf.

    The search was called with `case.playouts` and `case.C`. Return the tree.

    elsewhere: tests of phases. If one of them fails, and its mistake alone explains the whole
               search, the mistake costs points there and none here.
    """
    server = search.server
    if tree := find_explanation(case, server, [RIGHT]):
        return tree
    failing = student.find_failing_needs()
    excused = [rules for rules in WRONG if rules.test in failing and rules.test in elsewhere]
    if tree := find_explanation(case, server, excused):
        return tree
    if "4.1" not in failing and (tree := find_explanation(case, server, LATE)):
        first = [node.parent for node in server.nodes[1 : 1 + len(server.actions(0))]]
        expanded = tree.rules.late == "root" and len(first) > 1 and not any(first)
        raise make_failure("expanded-late" + "/child-not-counted" * expanded)
    if "4.2" not in failing and (tree := find_explanation(case, server, EARLY)):
        raise make_failure("expanded-early" + "/root" * (tree.rules.early == "root"))
    finding = report_unexplained(case, server)
    if finding.code == "ucb" and not failing:
        if find_explanation(case, server, [IGNORES_C]):
            hint = Hint("C-not-passed", {"C": USUAL_C})
        elif plays_from_the_root_again(server):
            hint = Hint("simulated-from-leaf")
        elif finding.facts["most"] == inf:
            again = sum(node.parent == 0 for node in server.nodes) > len(server.actions(0))
            hint = Hint("root-made-again" if again else "visit-not-counted", finding.facts)
        else:
            hint = Hint("check-the-loop")
        finding = finding.with_hints(hint)
    raise Failed(finding)


def plays_from_the_root_again(server: GameServer) -> bool:
    """Is a move made at the root again, right after each of its moves was made once?"""
    due = len(server.actions(0)) + 1
    return [node.parent for node in server.nodes[1 : due + 1]] == [0] * due


def find_explanation(
    case: PlayoutsCase, server: GameServer, rules: Iterable[Rules]
) -> ImpliedTree | None:
    """Return the tree by the first rules that explain all steps of enough playouts.

    Raises Failed for playouts that do not begin at the root.
    """
    if any(server.path(end.node)[0] != 0 for end in find_ends(server)):
        raise make_failure("playouts/wrong-start")
    trees = (find_best_reading(server, case.playouts, case.C, each) for each in rules)
    enough = min(case.playouts // 2, MIN_JUDGED_PLAYOUTS)
    return next((tree for tree in trees if tree.step is None and tree.playouts >= enough), None)


def report_unexplained(case: PlayoutsCase, server: GameServer) -> Finding:
    """Report the first step that UCB does not explain, or that games are missing."""
    tree = find_best_reading(server, case.playouts, case.C)
    count = len(find_ends(server, times=1))
    inside = any(server.game.is_terminal(tree.states[path]) for path in tree.N)
    if tree.step is None and count >= case.playouts:  # that reading has too few playouts
        trees = read_playouts(server, case.playouts, case.C)
        tree = next((other for other in trees if other.step), tree)
    if tree.step is None or (count < case.playouts and not inside):
        return report_too_few_playouts(count, case.playouts)
    return report_wrong_step(tree, tree.step)


def report_wrong_step(tree: ImpliedTree, step: MovePath) -> Finding:
    """Report a step that UCB does not explain, with the statistics at that moment."""
    path, move, playout = step[:-1], step[-1], tree.playouts + 1
    children = tree.children(path)
    best = find_best_moves(children)
    marks = {**dict.fromkeys(best, "the largest UCB"), move: "your search went here"}
    ucbs = {each: f"UCB = {format_value(child.ucb)}" for each, child in children.items()}
    node = f"node reached by {', then '.join(map(format_value, path))}" if path else "root"
    facts = {
        "playout": playout,
        "node": node,
        "best": " or ".join(map(format_value, best)),
        "most": max(child.ucb for child in children.values()),
        "C": tree.C,
        "move": move,
        "ucb": children[move].ucb,
    }
    drawn = Node(node, texts=[f"N = {tree.N[path]}"], children=draw_children(children, ucbs, marks))
    caption = f"U and N before playout {playout}, by the rules of backprop:"
    return Finding("ucb", facts, diagrams=(Tree(drawn, caption),))


def draw_children(
    children: dict[Move, Child], texts: dict[Move, str], marks: dict[Move, str]
) -> list[Node]:
    """Draw children with their statistics, and another text and a mark in some."""
    return [
        make_statistics_node(
            format_value(move), U, N, *filter(None, [texts.get(move)]), mark=marks.get(move, "")
        )
        for move, (U, N, _) in children.items()
    ]


def expect_most_visited(student: Student, case: FinalMoveCase) -> None:
    """Check the final choice on the tree that the case prepares.

    If the student's loop can't be led to that tree, its searches run on a served game instead, and
    the choice is judged on the trees that their playouts imply. Some of these searches end when one
    child has its second visit. That child has the largest mean after the first visit, but often not
    after the second.
    """
    game, state = case.make_game(), case.make_state()
    actions = game.actions(state)
    answer = call_final_choice(student, case)
    if answer is not None:
        below = {actions[path[0]]: Child(U, N, 0) for path, U, N in case.nodes if len(path) == 1}
        deeper = [U / N for path, U, N in case.nodes if path[1:] and path[0] == answer.index and N]
        caption = "this test has filled the tree itself:"
        expect_final_choice(answer, below, case.C, caption, deeper)
        return
    for i, playouts in enumerate([case.playouts] + SHORT_SEARCHES * [len(actions) + 1]):
        short = replace(case, playouts=playouts, seed=case.seed + i)
        search = run_search(student, short)
        if not expect_choice_after_search(search, short):
            expect_tree_search(student, short, search)


def expect_choice_after_search(search: Search, case: PlayoutsCase) -> bool:
    """Check the final choice on the tree that playouts imply; return False if no rules explain it.

    Whether there are as many playouts as were asked for is another test's question.
    """
    made = max(case.playouts, len(find_ends(search.server, times=1)))
    for playouts in sorted({made, case.playouts}, reverse=True):
        tree = find_explanation(replace(case, playouts=playouts), search.server, (RIGHT, *WRONG))
        try:
            if tree:
                caption = "the root's children after the search:"
                expect_final_choice(search, tree.children(()), case.C, caption)
                return True
        except Failed:
            if playouts == case.playouts:
                raise
    return False


def expect_final_choice(
    answer: Answer,
    children: dict[Move, Child],
    C: float,
    caption: str,
    deeper: Collection[float] = (),
) -> None:
    """Check that the answer is the root's most visited child's move, and its mean.

    deeper: the means of nodes below the chosen child, if these are known
    """
    most = max(child.N for child in children.values())
    right = answer.move in children and most == children[answer.move].N
    best = [move for move, child in children.items() if most == child.N]
    marks = {**dict.fromkeys([] if right else best, "most visited"), answer.move: "your choice"}
    means = {move: f"U/N = {format_value(U / N)}" for move, (U, N, _) in children.items() if N}
    root = Node("root", children=draw_children(children, means, marks))
    pictures: list[Picture] = [Tree(root, caption)]
    if not right:
        facts = {"best": " or ".join(map(format_value, best)), "move": answer.move}
        raise make_failure(
            "final-choice/move", facts, name_criterion(children, answer.move, C), pictures
        )
    chosen = children[answer.move]
    if not same(answer.value, chosen.U / chosen.N):
        mean, got = format_distinct(chosen.U / chosen.N, answer.value)
        facts = {"due": mean, "got": got}
        hints = name_quotient(children, answer.move, answer.value, deeper)
        if is_rounded(answer.value, chosen.U / chosen.N):
            hints = [Hint("call-rounded", facts)]
        raise make_failure("final-choice/value", facts, hints, pictures)


def name_quotient(
    children: dict[Move, Child], move: Move, value: float, deeper: Collection[float]
) -> list[Hint]:
    """Say what a wrong value is, if it is one thing: a sum, or another quotient."""
    chosen, visits = children[move], sum(child.N for child in children.values())
    others = [(m, child) for m, child in children.items() if m != move and child.N]
    found = [
        *(["U, not divided by N"] * same(value, chosen.U)),
        *(["-U/N: its sign is turned"] * same(value, -chosen.U / chosen.N)),
        *(
            f"{field} = {format_value(part)}, divided by {total}, the visits of the root"
            for field, part in (("U", chosen.U), ("N", chosen.N))
            for total in (visits, visits + 1)
            if same(value, part / total)
        ),
        *(f"U/N of {format_value(m)}" for m, child in others if same(value, child.U / child.N)),
        *(
            f"{sign}U/N of a node below that child"
            for sign, mean in (("", value), ("-", -value))
            if any(same(mean, below) for below in deeper)
        ),
    ]
    return [Hint("value-is", {"what": found[0]})] if chosen.U and len(found) == 1 else []


def name_criterion(children: dict[Move, Child], move: Move, C: float) -> Iterator[Hint]:
    """Say what only the chosen child has: the largest UCB, U/N or U, or the smallest N."""
    visits = sum(child.N for child in children.values())
    criteria: dict[str, dict[Move, float]] = {
        "largest UCB": {m: ucb(each.U, each.N, visits, C) for m, each in children.items()},
        "largest U/N": {m: each.U / each.N if each.N else -inf for m, each in children.items()},
        "largest U": {m: each.U for m, each in children.items()},
        "smallest N": {m: -each.N for m, each in children.items()},
    }
    found = []
    for name, values in criteria.items():
        most = max(values.values())
        found += [name] * ([m for m, value in values.items() if value == most] == [move])
    if found:
        yield Hint("chosen-by", {"move": move, "what": ", the ".join(found)})


def expect_moves_found(student: Student, case: ForcedMoveCase, test: SequentialTest) -> None:
    """Check that nearly all searches find the one right move, each with a new tree."""
    found: list[str] = []
    odd: list[Hint] = []  # about final choices

    def searches() -> Iterator[bool]:
        for seed in itertools.count(case.seed):
            search = run_search(student, replace(case, seed=seed))
            tree = expect_tree_search(student, case, search)
            odd.extend(name_most_visited(tree, search.move))
            found.append(format_value(search.move))
            right = search.index in case.best
            student.log.forget_searches()
            yield right

    sound, words = test.run(searches(), "searches")
    if not sound:
        game, state = case.make_game(), case.make_state()
        right = [game.actions(state)[k] for k in case.best]
        good = frozenset().union(*(find_squares(game, state, move) for move in right))
        facts = {
            "why": case.why,
            "playouts": case.playouts,
            "best": " or ".join(map(format_value, right)),
            "found": ", ".join(dict.fromkeys(found)),
            "rate": words,
        }
        raise make_failure("forced-move", facts, odd[:1], [Board(state, good=good)])
    student.log.notes.append(words)


def name_most_visited(tree: ImpliedTree, move: Move) -> Iterator[Hint]:
    """Name the root's most visited child, if another move was returned.

    How often the search visited a finished game is known only if it asked each time.
    """
    visits = {each: child.N for each, child in tree.children(()).items()}
    most = max(visits.values())
    if visits.get(move) != most and not tree.silent:
        best = " or ".join(format_value(each) for each, N in visits.items() if most == N)
        yield Hint("not-most-visited", {"best": best, "most": most, "move": move})


def play_perfect_player(student: Student, case: MatchCase) -> Iterator[float]:
    """Yield the utility of each game for the student's search, which plays O."""
    game, options, rng = case.make_game(), make_options(case), Random(case.seed)
    table = student.cases.perfect_play()
    while True:
        players = {
            "X": lambda state: rng.choice(table[state.key][1]),
            "O": make_mover(student, case.function, case.game, options),
        }
        yield record_outcome(student, game, play(game, game.initial, players), "O")


def expect_repeatable(student: Student, case: PlayoutsCase) -> None:
    """Check that a search can be repeated, also in another process and after others."""
    expect_new_tree(student, case)
    if not is_tree(case.make_state()):  # a served tree's nodes name their tree
        expect_same_playouts(student, case)

    def search() -> Answer:
        return student.search(SEARCH, case.game, [None], **seed_options(case))[0]

    first = search()
    expect_same(first, search())
    student.session.restart()
    expect_same(first, search())


def seed_options(case: PlayoutsCase) -> dict[str, Any]:
    """Return the options of a search, in which `select` and `expand` may draw, too.

    They receive no rng, so they may draw from a module's generator, which begins afresh.
    """
    return {"playouts": case.playouts, "rng": {"only rng": case.seed}}


def expect_same_playouts(student: Student, case: PlayoutsCase) -> None:
    """Check that two searches with equal rng have the same record and answer.

    With another rng the playouts must differ: 40 games from the empty board can't be equal by
    chance.
    """

    def search(case: PlayoutsCase) -> Search:
        return student.serve(SEARCH, case, C=case.C, **seed_options(case))

    first = search(case)
    if len(first.server.nodes) < case.playouts:
        raise Failed(report_too_few_playouts(0, case.playouts))
    expect_same(first, search(case))
    other = search(replace(case, seed=case.seed + 1))
    if other.server.summary() == first.server.summary():
        raise make_failure("seed-ignored", {"playouts": case.playouts})
    expect_different_playouts(first.server)


def expect_different_playouts(server: GameServer) -> None:
    """Check that not all of the search's first playouts draw the same moves.

    While the root has a child without a visit, at most two moves of a playout are in the tree; the
    first playout has one. That three random ones are the same in all of these playouts, by their
    places among the legal moves, has a chance below 1e-15 on the boards of the cases.
    """
    ends = find_ends(server)[1 : len(server.actions(0))]
    ways = set()
    for end in ends:
        steps = itertools.pairwise(server.path(end.node)[2:6])
        ways.add(tuple(server.actions(a).index(server.nodes[b].move) + 1 for a, b in steps))
    if len(ways) == 1 < len(ends):
        facts = {"playouts": len(ends), "numbers": ", ".join(map(str, *ways))}
        raise make_failure("same-in-each-playout", facts)


def expect_new_tree(student: Student, case: PlayoutsCase) -> None:
    """Check that earlier searches, with another rng or from above, have no effect."""
    game = case.make_game()
    line = [case.make_state()]
    for _ in range(2):
        moves = game.actions(line[-1])
        line.append(game.result(line[-1], moves[len(moves) // 2]))
    root, *below = (state.key for state in line)

    def search(*keys: str, more: int = 0) -> list[Answer]:
        options = seed_options(replace(case, seed=case.seed + more, playouts=5 * case.playouts))
        return student.search(SEARCH, case.game, keys, **options)

    for key in below:
        expect_independent_searches(
            student,
            partial(search, key, root, more=1),
            partial(search, key),
            [replace(case, state=key)],
        )


def expect_same(first: Answer, second: Answer) -> None:
    """Check that two searches have the same answer, and the same record, if any."""
    answers = [(run.value, run.index) for run in (first, second)]
    records = [run.server.summary() for run in (first, second) if isinstance(run, Search)]
    if answers[0] != answers[1] or records[:1] != records[1:]:
        value, value_again = format_distinct(first.value, second.value)
        facts = {"value": value, "move": first.move}
        facts |= {"value_again": value_again, "move_again": second.move}
        raise make_failure("not-repeatable", facts)
