"""Write the report as one HTML page: points, and a drawing for each failing test.

The page is self-contained and has no script. It opens from disk, in light or dark mode, at any
width.
"""

from html import escape

from autograder.diagram import Picture, Tree
from autograder.feedback import messages
from autograder.feedback.report import (
    explain_without_finding,
    find_next_step,
    format_bonus,
    format_outcome,
    format_share,
    list_commands,
)
from autograder.feedback.results import Outcome, Report, Result
from autograder.feedback.svg import DARK, LIGHT, STYLE, draw
from autograder.printable import sanitize
from autograder.questions import ROOT

GENERATOR = '<meta name="generator" content="autograder">'  # marks every page
PAGE = ROOT / "results.html"  # of `make test`
CSS = (
    f":root{{color-scheme:light dark;--page:#f6f8fa;--card:#ffffff;{LIGHT}}}"
    f"@media(prefers-color-scheme:dark){{:root{{--page:#11161c;--card:#171d24;{DARK}}}}}"
    "body{margin:0;background:var(--page);color:var(--ink);"
    "font:15px/1.45 system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif}"
    "main{max-width:1000px;margin:0 auto;padding:1.2rem 1rem 3rem}"
    "h1{font-size:1.9rem;margin:.2rem 0 .6rem}h1 small{font-size:1rem;font-weight:normal}"
    "h2{font-size:1.05rem;margin:0 0 .5rem;overflow-wrap:anywhere}"
    "section{background:var(--card);border:1px solid var(--line);border-radius:10px;"
    "padding:.9rem 1rem;margin:1rem 0}"
    "section.failed{border-left:5px solid var(--bad)}"
    "p,li,dd,td{overflow-wrap:anywhere}p{margin:.4rem 0}.soft{color:var(--soft)}"
    ".bars{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:.8rem}"
    ".bar{height:8px;border-radius:4px;background:var(--bad-box);overflow:hidden}"
    ".bar i{display:block;height:100%;background:var(--good)}"
    "table{border-collapse:collapse;width:100%}"
    "td{padding:.28rem .4rem;border-top:1px solid var(--line);vertical-align:top}"
    "tr:first-child td{border-top:0}td.n,td.o{text-align:right;white-space:nowrap}"
    "td a{color:inherit}.passed .o{color:var(--good)}.failed .o,.fault .o{color:var(--bad)}"
    "dl{display:grid;grid-template-columns:auto 1fr;gap:.15rem .8rem;margin:.6rem 0}"
    "dt{color:var(--soft)}dd{margin:0;font-family:ui-monospace,Menlo,Consolas,monospace}"
    "ul{margin:.4rem 0;padding-left:1.2rem}"
    "figure{margin:.8rem 0 .4rem}figcaption{color:var(--soft);font-size:.88rem}"
    ".scroll{overflow-x:auto;padding:.3rem 0}.scroll svg{display:block}"
    ".boards{display:flex;flex-wrap:wrap;gap:0 2rem}"
    "pre{overflow:auto;max-height:14rem;white-space:pre-wrap;overflow-wrap:anywhere;"
    "background:var(--page);border-radius:6px;padding:.5rem .7rem;margin:.4rem 0;font-size:.88rem}"
)


def make_page(report: Report) -> str:
    """Return the whole page, without hidden tests."""
    hidden = len(report.results) - len(report.shown.results)
    complete, report = report.is_complete, report.shown
    results = report.results
    step = find_next_step(report) if results or not hidden else "The results are not shown yet."
    earned, of = report.earned, f"of {report.max_points:g} points{format_bonus(report.bonus)}"
    if report.only_bonus:
        earned, of = report.bonus, f"of {sum(r.max_points for r in results):g} bonus points"
    of += " in the tests that are shown" if hidden else ""
    title, heading = f"{earned:g} {of}", f"{earned:g} <small>{of}</small>"
    if not complete:
        title = heading = "Not graded: run it again"
    if report.alone:  # it earns no points
        title = heading = f"One case of {escape_text(report.chosen or '')}"
    when = f"{report.when:%Y-%m-%d, %H:%M}, in {report.seconds:.0f} s"
    # Pages of a class may have no name.
    name = f"{escape_text(report.name)}, " if report.name else ""
    head = (
        f"<h1>{heading}</h1>"
        f'<p class="soft">{name}graded on {when}</p>'
        f"<p><strong>{escape_text(step)}</strong></p>"
    )
    lines = [report.problem, *report.notes]
    said = "".join(f"<p>{escape_text(line)}</p>" for line in lines if line)
    failing = [result for result in results if result.outcome is not Outcome.PASSED]
    bars = [
        f"<div>question {escape_text(question)}: {earned:g}/{of:g}"
        f'<div class="bar"><i style="width:{100 * earned / of:.0f}%"></i></div></div>'
        for question, (earned, of) in report.by_question.items()
        if of  # one case is worth nothing
    ]
    rows = "".join(map(make_row, results))
    sections = [
        f'<section><div class="bars">{"".join(bars)}</div></section>' if bars else "",
        f"<section><table>{rows}</table></section>",
        *(r.section or make_section(r) for r in failing if not r.stub and r.explained),
    ]
    body = head + said + ("".join(sections) if results else "")
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'{GENERATOR}<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{title}</title><style>{CSS}{STYLE}</style></head>"
        f"<body><main>{body}</main></body></html>\n"
    )


def escape_text(text: str) -> str:
    return escape("\n".join(map(sanitize, text.split("\n"))))


def make_row(result: Result) -> str:
    """Return one line of the table; a failed test's label links to its section."""
    label = escape_text(result.label)
    kind = "" if result.stub else result.outcome.name.lower()
    if result.stub and result.finding is not None:
        todo = result.summary or messages.put_into_words(result.finding).message
        label += f'<br><span class="soft">{escape_text(todo)}</span>'
    elif result.outcome is not Outcome.PASSED and result.explained:
        label = f'<a href="#t{escape_text(result.number)}">{label}</a>'
    return (
        f'<tr class="{kind}"><td class="n">{escape_text(result.number)}</td><td>{label}</td>'
        f'<td class="o">{format_outcome(result)}</td><td class="n">{format_share(result)}</td></tr>'
    )


def make_section(result: Result) -> str:
    number = escape_text(result.number)
    parts = [f"<h2>{number}&ensp;{escape_text(result.label)}</h2>"]
    finding = result.finding
    if finding is None or result.after:
        why = escape_text(explain_without_finding(result))
        return f'<section id="t{number}">{parts[0]}<p>{why}</p></section>'
    said = messages.put_into_words(finding, result.needs_guesses)
    parts.append(f"<p><strong>{escape_text(said.message)}</strong></p>")
    pairs = [("expected", said.expected), ("got", said.got)]
    facts = "".join(f"<dt>{head}</dt><dd>{escape_text(body)}</dd>" for head, body in pairs if body)
    parts.append(f"<dl>{facts}</dl>" if facts else "")
    lines = [*said.hints, *filter(None, [result.failing])]
    where = "".join(f"<li>{escape_text(line)}</li>" for line in lines)
    parts.append(f"<ul>{where}</ul>" if where else "")
    if result.diagnosis:
        parts.append(f"<p>{escape_text(result.named_mistake)}</p>")
    parts.append(f'<div class="boards">{"".join(map(draw_figure, finding.diagrams))}</div>')
    texts = [("your code printed", result.printed)] if result.printed else []
    place = messages.find_place_in_handout(finding.code)
    if place and (ROOT / "handout.html").exists():  # in the same folder for students
        parts.append(f'<p>See also <a href="{place}">{place}</a>.</p>')
    for head, text in [*texts, *list_commands(result)]:
        parts.append(f'<p class="soft">{head}</p><pre tabindex="0">{escape_text(text)}</pre>')
    return f'<section id="t{number}" class="failed">{"".join(parts)}</section>'


def draw_figure(picture: Picture) -> str:
    caption = escape_text(picture.caption)
    if isinstance(picture, Tree) and picture.ordered:
        caption += "; #0, #1, ... is the order of your search; dashed: not searched"
    wide = ' style="min-width:100%"' if isinstance(picture, Tree) else ""
    return (
        f"<figure{wide}><figcaption>{caption}</figcaption>"
        f'<div class="scroll" tabindex="0">{draw(picture)}</div></figure>'
    )
