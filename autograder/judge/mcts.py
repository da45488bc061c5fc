"""Monte Carlo tree search: what a whole search has done, and how well it plays."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from math import inf
from random import Random
from typing import Any

from autograder.cases import Cases, ChoiceCase, ForcedCase, MatchCase, PhaseCase, PlayoutsCase
from autograder.chance import SequentialTest
from autograder.draw import Board, Node, Tree, is_tree, position, show, squares_of
from autograder.judge.matches import mover, options_of, outcome, play
from autograder.judge.mcts_bounds import USUAL_C
from autograder.judge.mcts_replay import (
    Child,
    Children,
    ImpliedTree,
    Step,
    ends_of,
    expect_played,
    explained,
    largest,
    too_few_playouts,
)
from autograder.judge.mcts_worker import SEARCH, final_choice, phase, simulate
from autograder.judge.values import same, told_apart
from autograder.student import Answer, Search, Student
from autograder.wrong import NotWritten, TooSlow, Wrong
from starter.games import Move, State

ENOUGH = 100  # playouts that can be judged; whether they are as many as asked for is for 4.9
FROM_RNG = (
    "only simulate chooses by chance, and with its rng: rng.choice(...), not random.choice(...)"
)


def expect_playouts(student: Student, case: PlayoutsCase) -> None:
    """So many games were played to the end as asked, whatever is made of them then."""
    try:
        served = student.serve(SEARCH, case, **with_seed(case)).served
    except (NotWritten, TooSlow):
        raise
    except Wrong:
        if student.served is None or len(list(ends_of(student.served))) != case.playouts:
            raise
        return
    count = len(list(ends_of(served)))
    if count != case.playouts:
        raise Wrong(
            "playouts/number",
            "monte_carlo_tree_search did not make as many playouts as asked for",
            expected=f"{case.playouts} playouts, for playouts={case.playouts}",
            got=f"{count} game{'s' * (count != 1)} played to the end",
            where=how_many(case, count),
        )


def expect_playouts_by_default(student: Student, case: PlayoutsCase) -> None:
    """Without playouts and rng there are as many, by random numbers of the search's own.

    All ends of the case's game are worth the same, so that a right search comes to none of them
    within its tree. Of one that follows another bound the games are counted; one that fails at an
    end is found elsewhere.
    """
    try:
        served = student.serve(SEARCH, case).served
    except (NotWritten, TooSlow):
        raise
    except Wrong:
        if student.served is None or not any(ends_of(student.served)):
            raise
        return
    tree, step = explained(served, case.playouts, USUAL_C)
    count = tree.playouts if step is None else len(list(ends_of(served, again=True)))
    if count < case.playouts:
        raise Wrong(
            "playouts/default",
            "monte_carlo_tree_search did not make as many playouts as it should by default",
            expected=f"{case.playouts} playouts, as playouts is not given",
            got=f"{count}",
        )


def how_many(case: PlayoutsCase, count: int) -> list[str]:
    """Explain a wrong number of playouts."""
    children = len(case.make_game().actions(case.make_state()))
    each, rest = divmod(count, case.playouts)
    if each > 1 and not rest:
        every = f": one from each of the {children} children?" if each == children else "."
        return [f"that is {each} for each one asked for{every} A playout goes on from one child"]
    counts = "a playout counts when the game was over and the utility was asked for there"
    if count < case.playouts:
        return [f"does the loop end early, or simulate (4.3 looks at it alone)? {counts}"]
    return [counts]


def expect_tree_search(case: PlayoutsCase, search: Search) -> ImpliedTree:
    """Every playout went down the largest UCB, in a tree that grew by a leaf's children each time.

    `case.playouts` were asked for, with `case.C`. Returns that tree.
    """
    served = search.served
    if any(served.path(end)[0] != 0 for end in ends_of(served)):
        raise Wrong(
            "playouts/wrong-start",
            "a playout began elsewhere than at the state that the search is given",
            expected="playouts from `state`",
            got="a playout from game.initial",
        )
    tree, step = explained(served, case.playouts, case.C)
    if step is not None:
        raise off_the_largest(case, step)
    if tree.playouts < min(case.playouts // 2, ENOUGH):
        raise too_few_playouts(tree.playouts, case.playouts, why_no_more(tree))
    return tree


def why_no_more(tree: ImpliedTree) -> list[str]:
    """Say where the next playout is due, if that explains why there was none."""
    ends = [path for path in tree.due(()) if tree.game.is_terminal(tree.states[path])]
    if not tree.playouts or not ends:
        return []
    place = ", then ".join(map(show, ends[0]))
    return [
        f"next the largest UCB leads to the end of the game after {place}: that is a playout like "
        "any other, simulate returns its utility and backprop records it. Is it left out, so that "
        "select comes to it for ever?"
    ]


def off_the_largest(case: PlayoutsCase, step: Step) -> Wrong:
    """Show the first step of a playout that no UCB explains, with what was known at that moment."""
    most = max(child.ucb for child in step.children.values())
    best = largest(step.children)
    drawn = []
    for move, child in step.children.items():
        mark = "your search went here" if move == step.move else ""
        mark = mark or ("the largest UCB" if move in best else "")
        texts = [f"U = {show(child.U)}", f"N = {child.N}", f"UCB = {show(child.ucb)}"]
        drawn.append(Node(show(move), texts=texts, mark=mark))
    node = f"node reached by {', then '.join(map(show, step.path))}" if step.path else "root"
    place = f"the {node}"
    kind, hint = reason(step, place)
    return Wrong(
        f"ucb/{kind}",
        f"playout {step.playout} did not follow the largest UCB at {place}",
        expected=f"{' or '.join(map(show, best))}, with UCB {show(most)} (C = {show(case.C)})",
        got=f"{show(step.move)}, with UCB {show(step.children[step.move].ucb)}",
        where=[hint],
        pictures=[
            Tree(
                Node(node, children=drawn),
                f"U and N before playout {step.playout}, by the rules of backprop:",
            )
        ],
    )


def reason(step: Step, place: str) -> tuple[str, str]:
    """Name the likely cause, and explain it in a sentence, as far as the step itself tells."""
    children = step.children
    if any(child.N == 0 for child in children.values()):
        if len(step.made) < len(children):
            never = ", ".join(show(move) for move in children if move not in step.made)
            return (
                "not-expanded",
                f"first difference: expand. {place} was visited before, so it should have been "
                f"expanded; never made: {never}",
            )
        if step.anew:
            hint = (
                "first difference: the loop. The root's children were generated again in this "
                "playout: is the tree kept from one to the next, and its root expanded once?"
            )
        else:
            hint = (
                "each child is tried once before any is tried again. If 4.1 passes, it is the N of "
                "your tree that differs: do simulate and backprop begin at the child that expand "
                "returns?"
            )
        return "untried-left", hint
    if step.usual:
        return (
            "usual-c",
            f"with C = {USUAL_C} it would be the largest: is C passed on to select and to ucb?",
        )
    chosen = children[step.move]
    if max(child.U / child.N for child in children.values()) == chosen.U / chosen.N:
        return (
            "best-mean",
            "its mean U/N is the largest; the UCB is the mean and a bonus for few visits",
        )
    if min(child.N for child in children.values()) == chosen.N:
        return (
            "least-visited",
            "it is one of the least visited: are children taken in turn, or was the tree made anew "
            "after earlier playouts?",
        )
    return "not-largest", "if 4.1, 4.3 or 4.5 fails, see it first: the UCB comes of what these do"


def expect_most_visited(student: Student, case: ChoiceCase) -> None:
    """The final choice is right on the tree that the case prepares.

    Where the loop is the student's own and can't be led to that tree, its search is served
    instead, and the choice judged on the tree that its playouts imply.
    """
    answer = final_choice(student, case)
    if answer is not None:
        actions = case.make_game().actions(case.make_state())
        below = {actions[path[0]]: Child(U, N, 0) for path, U, N in case.nodes if path}
        expect_final_choice(answer, below, "this test has filled the tree itself:")
    else:
        search = student.serve(SEARCH, case, playouts=case.playouts, rng={"rng": case.seed})
        tree = expect_tree_search(case, search)
        expect_final_choice(search, tree.children(()), "the root's children after your playouts:")


def expect_final_choice(answer: Answer, children: Children, caption: str) -> None:
    """The move is that of the most visited of the root's children, the value its mean."""
    most = max(child.N for child in children.values())
    right = answer.move in children and most == children[answer.move].N
    drawn = []
    for move, (U, N, _) in children.items():
        mark = "your choice" if move == answer.move else ""
        mark = mark or ("most visited" if most == N and not right else "")
        texts = [f"U = {show(U)}", f"N = {N}", *([f"U/N = {show(U / N)}"] if N else [])]
        drawn.append(Node(show(move), texts=texts, mark=mark))
    picture = Tree(Node("root", children=drawn), caption)
    found = list(other_choices(answer.move, children))
    if not right:
        raise Wrong(
            "final-choice/move",
            "the move is not that of the most visited child",
            expected=" or ".join(show(m) for m, child in children.items() if most == child.N),
            got=show(answer.move),
            where=[f"that is {found[0]}"] if len(found) == 1 else [],
            pictures=[picture],
        )
    chosen = children[answer.move]
    if not same(answer.value, chosen.U / chosen.N):
        expected, got, rounded = told_apart(chosen.U / chosen.N, answer.value)
        raise Wrong(
            "final-choice/value",
            "the value is not U/N of the chosen child",
            expected=f"{expected}, the mean result of its playouts",
            got=got,
            where=[*other_value(answer.value, chosen, children), *rounded],
            pictures=[picture],
        )


def other_choices(move: Move, children: Children) -> Iterator[str]:
    """Say which child was chosen, if not the most visited."""
    order: dict[str, Callable[[Child], float]] = {
        "the least visited child": lambda child: -child.N,
        "the child with the largest U": lambda child: child.U,
        "the child with the largest U/N": lambda child: child.U / child.N if child.N else -inf,
        "the child with the smallest U/N": lambda child: -child.U / child.N if child.N else -inf,
    }
    if move in children:
        places = list(children)
        yield from ["the first child"] * (move == places[0])
        yield from ["the last child"] * (move == places[-1])
        for name, key in order.items():
            if key(children[move]) == max(map(key, children.values())):
                yield name


def other_value(value: float, chosen: Child, children: Children) -> list[str]:
    """Say what was returned in place of the chosen child's mean, if that can be told."""
    total = sum(child.N for child in children.values())
    known = {
        "the mean with its sign turned": -chosen.U / chosen.N,
        "(U/N + 1) / 2, a share of wins; the value is the mean result": (chosen.U / chosen.N + 1)
        / 2,
        "the chosen child's U, not divided by N": chosen.U,
        "the chosen child's U, divided by all playouts and not by its own N": chosen.U / total,
        "the chosen child's share of all visits": chosen.N / total,
        "the mean of all playouts": sum(child.U for child in children.values()) / total,
        "the root's U/N": -sum(child.U for child in children.values()) / total,
        **{f"U/N of {show(move)}": U / N for move, (U, N, _) in children.items() if N},
    }
    found = [name for name, one in known.items() if same(value, one)]
    return [f"that is {found[0]}"] if len(found) == 1 else []


def expect_moves_found(student: Student, case: ForcedCase, test: SequentialTest) -> None:
    """The one right move is found in nearly all searches, each by a tree of its own."""
    found: list[str] = []

    def searches() -> Iterator[bool]:
        for seed in itertools.count(case.seed):
            search = student.serve(SEARCH, case, playouts=case.playouts, rng={"rng": seed})
            expect_tree_search(case, search)
            found.append(show(search.move))
            yield search.index in case.best

    sound, words = test.run(searches(), "searches")
    if not sound:
        game = case.make_game()
        state = case.make_state()
        right = [game.actions(state)[k] for k in case.best]
        good = frozenset().union(*(squares_of(game, state, move) for move in right))
        raise Wrong(
            "forced-move",
            f"{case.why} was not found with {case.playouts} playouts",
            expected=" or ".join(map(show, right)),
            got=f"{', '.join(dict.fromkeys(found))} ({words})",
            pictures=[Board(state, good=good)],
        )
    student.remarks.append(words)


def expect_repeatable(student: Student, case: PlayoutsCase) -> None:
    """The same rng gives the same search: again, in another process, and after other searches."""
    on_board = not is_tree(case.make_state())
    if on_board:  # the text of a served tree's node tells which tree it is of
        expect_same_playouts(student, case)
    expect_same_answers(student, case)
    if on_board:
        expect_no_tree_kept(student, case)


def with_seed(case: PlayoutsCase, more: int = 0) -> dict[str, Any]:
    return {"playouts": case.playouts, "rng": {"rng": case.seed + more}}


def expect_same_playouts(student: Student, case: PlayoutsCase) -> None:
    """Two searches with equal rng ask for the same positions and give the same answer.

    With another rng the playouts differ: that 40 games from the empty board are the same by chance,
    move by move, is out of the question.
    """

    def search(more: int = 0) -> Search:
        return student.serve(SEARCH, case, **with_seed(case, more))

    first = search()
    expect_played(first.served, 1)
    expect_same(student, case, first, search)
    if search(1).served.same_as(first.served):
        raise Wrong(
            "seed-ignored",
            "two searches, each with a random.Random of another seed, were the same",
            expected=FROM_RNG,
            got=f"the same {case.playouts} playouts, move by move",
        )


def expect_same_answers(student: Student, case: PlayoutsCase) -> None:
    """Likewise on a game of the worker's own, whose equal states are equal: kept values show.

    Then another seed is asked for here and in a new process. Where only the new one does not answer
    as for the first seed, an answer was kept. At last the first seed in the new process, where sets
    are in another order.
    """

    def search(more: int = 0) -> Answer:
        return student.search(SEARCH, case.game, [None], **with_seed(case, more))[0]

    first = search()
    expect_same(student, case, first, search)
    other = search(1)
    student.end()  # the next question starts a new process
    anew = search(1)
    if alike(first, other) and not alike(other, anew):
        raise not_repeatable(other, anew, [ANSWER_KEPT])
    elsewhere = search()
    if not alike(first, elsewhere):
        raise not_repeatable(first, elsewhere, [OTHER_PROCESS])


def expect_same(
    student: Student, case: PlayoutsCase, first: Answer, search: Callable[[], Answer]
) -> None:
    second = search()
    if not alike(first, second):
        where = left_to_chance(student, case) or kept_in_memory(student, search, first)
        raise not_repeatable(first, second, where)


OTHER_PROCESS = (
    "they ran in two processes: what stands in a set has another order in each, and so have the "
    "moves of a list that was made from one"
)


def not_repeatable(first: Answer, second: Answer, where: list[str]) -> Wrong:
    return Wrong(
        "not-repeatable",
        "two searches, each with a new random.Random of the same seed, were not the same",
        expected=f"{FROM_RNG}; nothing is kept from one search to the next",
        got=f"value {show(first.value)} and move {show(first.move)}, "
        f"then value {show(second.value)} and move {show(second.move)}",
        where=where,
    )


def expect_no_tree_kept(student: Student, case: PlayoutsCase) -> None:
    """A position's search is the same before that of the position above it and after."""
    game = case.make_game()
    line = [case.make_state()]
    for _ in range(2):
        moves = game.actions(line[-1])
        line.append(game.result(line[-1], moves[len(moves) // 2]))
    root, child, grandchild = (state.key for state in line)
    student.end()  # the next question starts a new process
    order = [grandchild, child, root, child, root, grandchild]
    options = {**with_seed(case), "playouts": 10 * case.playouts}
    answers = student.search(SEARCH, case.game, order, **options)
    for before, after, state in ((1, 3, line[1]), (0, 5, line[2])):
        first, second = answers[before], answers[after]
        if not alike(first, second):
            wrong = not_repeatable(first, second, [TREE_KEPT])
            wrong.pictures = [position(game, state)]
            raise wrong


ANSWER_KEPT = (
    "the first followed a search with another rng, and gave its answer: is an answer kept, "
    "whatever rng is? Each search plays its own playouts"
)
TREE_KEPT = (
    "between them the position before was searched: is part of that search's tree gone on with? "
    "Each search begins with a new Node(state)"
)


def alike(first: Answer, second: Answer) -> bool:
    """Do two searches give the same answer, and ask for the same, as far as that is known?"""
    if isinstance(first, Search) and isinstance(second, Search):
        asked = first.served.same_as(second.served)
    else:
        asked = True
    return asked and (first.value, first.index) == (second.value, second.index)


def kept_in_memory(student: Student, search: Callable[[], Answer], first: Answer) -> list[str]:
    """Say if the first search in a new process is always the same: then it is what is kept."""
    student.end()  # the next question starts a new process
    try:
        again = search()
    except Wrong:
        return []
    if not alike(first, again):
        return []
    return [
        "the first search in a new process is the same each time: something is kept from one "
        "search to the next, in a variable outside the functions or a default argument"
    ]


def left_to_chance(student: Student, case: PlayoutsCase) -> list[str]:
    """Say which function, asked alone, does not always do the same, if there is such a one."""
    root, times = PhaseCase(game=case.game, state=case.state, nodes=[([], 0, 0)]), 8
    try:
        returned = {phase(student, "mcts.expand", root)["returned"] for _ in range(times)}
        if len(returned) > 1:
            return [
                f"expand alone, called {times} times with a new root, returned {len(returned)} "
                "different children: it has no rng, so it may not choose by chance"
            ]
        (_, first), (_, second) = (simulate(student, case, case.seed) for _ in range(2))
        if not first.same_as(second):
            return [
                "simulate alone, called twice with equal rng, played two different games: does all "
                "its chance come from rng?"
            ]
    except Wrong:  # whoever has a loop of their own may do without these
        pass
    return []


def perfect_mover(cases: Cases, rng: Random) -> Callable[[State], int]:
    """Perfect play on the 3x3 board, at random among the best moves."""
    table = cases.perfect_play()
    return lambda state: rng.choice(table[state.key][1])


def games_against_perfect_play(student: Student, case: MatchCase, rng: Random) -> Iterator[float]:
    """Yield for each game what the student's search, as O, got out of it."""
    game, options = case.make_game(), options_of(case)
    while True:
        players = {
            "X": perfect_mover(student.cases, rng),
            "O": mover(student, case.function, case.game, options),
        }
        yield outcome(student, game, play(game, game.initial, players), "O")
