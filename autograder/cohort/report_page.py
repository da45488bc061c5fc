"""The page of a class report. It needs nothing beside it but the students' own pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import mean, median

from autograder.cohort.class_folder import GRADER, STUDENT, Attempt
from autograder.cohort.class_report import Change, ClassReport
from autograder.cohort.item_analysis import ALL_BUT_FEW, FEWEST, LEAST, Item, Mistake
from autograder.feedback.page import document, words
from autograder.feedback.report import points
from autograder.feedback.results import sort_key
from autograder.feedback.svg import LIGHT
from autograder.questions import is_bonus, question_of

BINS = 20  # of the distribution
MOST_SLOW = 5
MOST_TESTS = 6  # that are named beside a mistake
STYLE = (
    "th{text-align:left;font-weight:600;padding:.28rem .4rem;vertical-align:bottom}"
    "th.n{text-align:right}td.n{font-variant-numeric:tabular-nums}"
    "h2{font-size:1.15rem}h3{font-size:1rem;margin:1rem 0 .3rem}td a,li a,p a{color:var(--x)}"
    ".facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(120px,1fr));gap:.8rem}"
    ".facts b{display:block;font-size:1.5rem}.facts span{color:var(--soft)}"
    ".columns{display:flex;align-items:flex-end;gap:2px;height:9rem;margin:.6rem 0 0;"
    "border-bottom:1px solid var(--line)}"
    ".columns>span{flex:1;min-width:0;display:flex;flex-direction:column;justify-content:flex-end;"
    "height:100%;text-align:center;font-size:.75rem;color:var(--soft)}"
    ".columns i{display:block;background:var(--x);border-radius:2px 2px 0 0}"
    ".axis{display:flex;justify-content:space-between;color:var(--soft);font-size:.8rem}"
    ".who{white-space:nowrap}.bar{min-width:70px}td .bar{margin-top:.45rem}"
    ".low{color:var(--bad);font-weight:600}"
    "details{border-top:1px solid var(--line);padding:.35rem 0}details:first-of-type{border-top:0}"
    "summary{cursor:pointer;display:grid;grid-template-columns:3.2rem 1fr;gap:.2rem .6rem}"
    "summary b{text-align:right;font-variant-numeric:tabular-nums}"
    "summary b::before{content:'\\25B8';float:left;color:var(--soft);font-weight:400}"
    "details[open]>summary b::before{content:'\\25BE'}"
    "summary span{overflow-wrap:anywhere}details>p{margin-left:3.8rem}.inner{margin-left:1.2rem}"
    "@media(max-width:600px){.columns>span{font-size:.6rem}td,th{padding:.25rem .25rem}"
    "details>p{margin-left:.4rem}th:empty,td:has(.bar){display:none}}"
    f"@media print{{:root{{--page:#fff;--card:#fff;{LIGHT}}}*{{print-color-adjust:exact}}"
    "main{max-width:none;padding:0}section{border:0;padding:.3rem 0}.scroll{overflow:visible}"
    "tr,summary,.columns,.facts{break-inside:avoid}h2,h3{break-after:avoid}a{text-decoration:none}"
    "summary b::before{content:none!important}"
    "details::details-content{content-visibility:visible;height:auto}}"
)


def page(told: ClassReport) -> str:
    """Return the whole page."""
    about = told.folder.about
    title = f"Class report: {about.get('assignment', 'an assignment')}"
    parts = [
        f'<h1>Class report</h1><p class="soft">{words(about.get("assignment", ""))}, '
        f"graded {words(about.get('when', '')[:16].replace('T', ' '))} UTC</p>",
        overview(told),
        regrade(told),
        not_graded(told),
        distribution(told),
        question_table(told),
        test_table(told),
        mistake_lists(told),
        progress(told),
        slowest(told),
        everybody(told),
    ]
    return document(words(title), "".join(parts), STYLE)


# --- pieces ---------------------------------------------------------------------------------------


def section(title: str, *parts: str, explained: str = "") -> str:
    said = f'<p class="soft">{explained}</p>' if explained else ""
    return f"<section><h2>{title}</h2>{said}{''.join(parts)}</section>"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], numbers: str = "") -> str:
    """A table. numbers: the columns, counted from 0, that are aligned to the right."""
    kinds = [' class="n"' if str(place) in numbers.split() else "" for place in range(len(heads))]
    head = "".join(f"<th{kind}>{cell}</th>" for kind, cell in zip(kinds, heads))
    body = "".join(
        "<tr>" + "".join(f"<td{kind}>{cell}</td>" for kind, cell in zip(kinds, row)) + "</tr>"
        for row in rows
    )
    return f'<div class="scroll"><table><tr>{head}</tr>{body}</table></div>'


def columns(bars: Sequence[tuple[float, str, str]], left: str, right: str) -> str:
    """Bars from left to right. Each has its height, what stands above it and what is said of it."""
    most = max((height for height, _, _ in bars), default=0) or 1
    drawn = "".join(
        f'<span title="{words(said)}">{words(above)}'
        f'<i style="height:{84 * height / most:.1f}%"></i></span>'
        for height, above, said in bars
    )
    said = words("; ".join(said for height, _, said in bars if height))
    return (
        f'<div class="columns" role="img" aria-label="{said}">{drawn}</div>'
        f'<div class="axis"><span>{words(left)}</span><span>{words(right)}</span></div>'
    )


def bar(share: float) -> str:
    return f'<div class="bar"><i style="width:{100 * share:.0f}%"></i></div>'


def people(told: ClassReport, submissions: Iterable[str]) -> str:
    """Those who have handed these in, each with a link to the page of the submission."""
    return ", ".join(
        who(told, one) for one in sorted(submissions, key=lambda one: labels(told, one))
    )


def labels(told: ClassReport, submission: str) -> str:
    return " + ".join(map(told.label, told.rows[submission].people))


def who(told: ClassReport, submission: str) -> str:
    name = f'<span class="who">{words(labels(told, submission))}</span>'
    if submission not in told.results:
        return name
    return f'<a href="results/{told.rows[submission].content}.html">{name}</a>'


def count(number: int, what: str = "submission") -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


# --- sections -------------------------------------------------------------------------------------


def overview(told: ClassReport) -> str:
    scores = sorted(told.scores.values())
    persons = len(told.folder.people())
    full = sum(score >= told.total for score in scores)
    facts = [
        (
            str(len(told.rows)),
            f"submission{'s' * (len(told.rows) != 1)} of {count(persons, 'student')}",
        ),
        (f"{mean(scores):.1f}", f"points on average, of {points(told.total)}"),
        (points(median(scores)), "is the median"),
        (f"{points(scores[0])} to {points(scores[-1])}", "lowest and highest"),
        (str(full), f"with {points(told.total)} points or more"),
        (str(len(told.not_graded)), "without a score"),
    ]
    cells = "".join(f"<div><b>{words(fact)}</b><span>{what}</span></div>" for fact, what in facts)
    return f'<section><div class="facts">{cells}</div></section>'


def regrade(told: ClassReport) -> str:
    if told.before is None:
        return ""
    if not told.changes:
        return section("Compared with the older grading", "<p>Nobody's points have changed.</p>")
    rows = [
        (
            who(told, change.submission),
            points(change.old),
            points(change.new),
            signed(change.new - change.old),
            ", ".join(
                f"{number}:&nbsp;{points(old)}&nbsp;→&nbsp;{points(new)}"
                for number, (old, new) in change.tests.items()
            ),
        )
        for change in told.changes
    ]
    heads = ("who", "before", "now", "change", "tests")
    return section(
        "Compared with the older grading",
        table(heads, rows, "1 2 3"),
        "<h3>By test</h3>",
        table(("test", "gained by", "lost by"), changes_by_test(told.changes), "1 2"),
        explained=f"{count(len(told.changes))} changed, the largest change first.",
    )


def changes_by_test(changes: Sequence[Change]) -> list[tuple[str, str, str]]:
    by_test: dict[str, list[float]] = {}
    for change in changes:
        for number, (old, new) in change.tests.items():
            by_test.setdefault(number, []).append(new - old)
    order = sorted(by_test, key=lambda number: (-len(by_test[number]), sort_key(number)))
    return [
        (number, str(sum(by > 0 for by in found)), str(sum(by < 0 for by in found)))
        for number, found in ((number, by_test[number]) for number in order)
    ]


def signed(number: float) -> str:
    return f"{number:+g}".replace("-", "−")


def not_graded(told: ClassReport) -> str:
    if not told.not_graded:
        return ""
    whose = {STUDENT: "as it was handed in", GRADER: "the grader failed: grade it again"}
    rows = [
        (
            who(told, one.id),
            whose.get(told.states[one.id], told.states[one.id]),
            words(told.trouble(one)),
        )
        for one in told.not_graded
    ]
    return section("Not graded", table(("who", "why", "what happened"), rows))


def distribution(told: ClassReport) -> str:
    total = told.total or 1
    width = total / BINS
    inside = [0] * BINS
    for score in told.scores.values():
        inside[max(0, min(BINS - 1, int(score / width)))] += 1
    bars = [
        (
            float(many),
            str(many) if many else "",
            f"{points(place * width)} to {points((place + 1) * width)} points: {many}",
        )
        for place, many in enumerate(inside)
    ]
    more = f"Who has more than {points(total)}, by a bonus, stands in the last column."
    bonus = max(told.scores.values()) > total
    return section("Points", columns(bars, "0", points(total)), explained=more if bonus else "")


def question_table(told: ClassReport) -> str:
    rows = []
    for question in told.questions:
        share = question.mean / question.most if question.most else 0
        rows.append(
            (
                f"{question.number}. {words(title_of(question.number))}",
                f"{question.mean:.1f} of {points(question.most)}",
                bar(share),
                f"{question.full / len(told.results):.0%}",
                "–" if question.alpha is None else f"{question.alpha:.2f}",
            )
        )
    explained = (
        "Alpha says whether the tests of a question measure one thing: 0 no, 1 yes. Mind that they "
        "call the same functions, so one mistake fails several of them: alpha is higher than it "
        "would be in an exam with independent tasks. It is left out (–) with fewer than "
        f"{FEWEST} submissions."
    )
    heads = ("question", "points on average", "", "all points", "alpha")
    return section("Questions", table(heads, rows, "1 3 4"), explained=explained)


def title_of(number: str) -> str:
    try:
        return question_of(number).title + " (bonus)" * is_bonus(number)
    except KeyError:
        return ""


def test_table(told: ClassReport) -> str:
    explained = (
        "<strong>Passed</strong> is the share of those judged: the fewer, the more difficult. "
        "<strong>Tells apart</strong> is how passing goes together with the rest of the score "
        "(item-rest correlation), from −1 to 1: near 0, who passes is no better elsewhere than who "
        f"fails; below {LEAST}, marked, look whether the test asks what it should; below 0, the "
        f"better ones fail it. It is left out (–) with fewer than {FEWEST} submissions, and where "
        f"more than {ALL_BUT_FEW:.0%} pass or fail."
    )
    rows = [
        (
            item.number,
            words(item.label),
            f"{item.share:.0%}" if item.judged else "–",
            bar(item.share),
            tells_apart(item),
        )
        for item in told.items
    ]
    heads = ("test", "what it asks", "passed", "", "tells apart")
    some = [item for item in told.items if item.judged]
    same = "".join(
        f"<p>{words(who)} passed {', '.join(item.number for item in found)}.</p>"
        for who, found in (
            ("No one", [item for item in some if item.passed == 0]),
            ("Everyone", [item for item in some if item.passed == item.judged]),
        )
        if found
    )
    return section("Tests", same, table(heads, rows, "2 4"), explained=explained)


def tells_apart(item: Item) -> str:
    if item.discrimination is None:
        return "–"
    text = f"{item.discrimination:.2f}".replace("-", "−")
    return f'<span class="low">{text}</span>' if item.discrimination < LEAST else text


def mistake_lists(told: ClassReport) -> str:
    known, found = told.mistakes
    lists = (("Known mistakes", known, "… if "), ("By message", found, ""))
    parts = [
        f"<h3>{title}</h3>" + mistake_list(told, ones, begins)
        for title, ones, begins in lists
        if ones
    ]
    explained = (
        "How many submissions make it. A known mistake is told by all that was seen of it, and "
        "completes “This is what you would get …”. A message is what the student read, with … for "
        "what differs from one to another. Open a line for who it is."
    )
    return section("Mistakes", *parts, explained=explained) if parts else ""


def mistake_list(told: ClassReport, mistakes: Sequence[Mistake], begins: str) -> str:
    """What several make stands open, what only one makes behind a line."""
    several = [one for one in mistakes if len(one.submissions) > 1]
    single = "".join(one_mistake(told, one, begins) for one in mistakes[len(several) :])
    made = "".join(one_mistake(told, one, begins) for one in several)
    if not single:
        return made
    rest = len(mistakes) - len(several)
    return (
        f"{made}<details><summary><b>1</b><span>each of {rest} more</span></summary>"
        f'<div class="inner">{single}</div></details>'
    )


def one_mistake(told: ClassReport, mistake: Mistake, begins: str) -> str:
    tests = sorted(mistake.tests, key=sort_key)
    shown = ", ".join(tests[:MOST_TESTS]) + (", …" if len(tests) > MOST_TESTS else "")
    code = f"{words(mistake.code)}: " if mistake.code else ""
    return (
        f"<details><summary><b>{len(mistake.submissions)}</b>"
        f'<span>{begins}{words(mistake.says)} <span class="soft">({code}{shown})</span></span>'
        f"</summary><p>{people(told, mistake.submissions)}</p></details>"
    )


def progress(told: ClassReport) -> str:
    if not told.has_history:
        return ""
    groups = (("1", 1, 1), ("2", 2, 2), ("3 to 5", 3, 5), ("6 to 10", 6, 10), ("more", 11, 10**9))
    rows = []
    for name, least, most in groups:
        ones = [one for one, made in histories(told).items() if least <= len(made) <= most]
        scores = [told.scores[one] for one in ones if one in told.scores]
        first = [histories(told)[one][0].score for one in ones]
        begun = [score for score in first if score is not None]
        if scores:
            began = f"{mean(begun):.1f}" if begun else "–"
            rows.append((name, str(len(ones)), began, f"{mean(scores):.1f}"))
    parts = [table(("attempts", "submissions", "first score", "score now"), rows, "1 2 3")]
    if len(told.days) > 1:
        ends = told.days[0].date, told.days[-1].date
        tries = [(day.attempts, "", f"{day.date}: {day.attempts} attempts") for day in told.days]
        so_far = [
            (day.score, f"{day.score:.0f}", f"{day.date}: {day.score:.1f}") for day in told.days
        ]
        parts += ["<h3>Attempts by day</h3>", columns(tries, *ends)]
        parts += ["<h3>Mean of everybody's last score so far</h3>", columns(so_far, *ends)]
    return section("Attempts", *parts)


def histories(told: ClassReport) -> dict[str, Sequence[Attempt]]:
    return (
        {row.id: row.history for row in told.rows.values() if row.history}
        if told.has_history
        else {}
    )


def slowest(told: ClassReport) -> str:
    slow = sorted(told.rows.values(), key=lambda one: -told.seconds(one.id))[:MOST_SLOW]
    rows = [(who(told, one.id), f"{told.seconds(one.id):.1f}") for one in slow]
    tests = sorted(told.items, key=lambda item: -item.seconds[1])[:MOST_SLOW]
    of_tests = [
        (item.number, words(item.label), f"{item.seconds[0]:.2f}", f"{item.seconds[1]:.2f}")
        for item in tests
    ]
    return section(
        "Slowest",
        table(("submission", "seconds"), rows, "1"),
        table(("test", "what it asks", "seconds on average", "longest"), of_tests, "2 3"),
    )


def everybody(told: ClassReport) -> str:
    asked = [question.number for question in told.questions]
    rows = []
    for one in sorted(told.results, key=lambda one: (-told.scores[one], labels(told, one))):
        sums = dict.fromkeys(asked, 0.0)
        for test in told.results[one]["tests"]:
            sums[test["number"].split(".")[0]] += test["score"]
        tries = str(len(histories(told)[one])) if one in histories(told) else ""
        rows.append((who(told, one), points(told.scores[one]), *map(points, sums.values()), tries))
    heads = ("who", "points", *(f"question {number}" for number in asked), "attempts")
    numbers = " ".join(map(str, range(1, len(heads))))
    if not told.has_history:
        heads, rows = heads[:-1], [row[:-1] for row in rows]
    return section("Everybody", table(heads, rows, numbers))
