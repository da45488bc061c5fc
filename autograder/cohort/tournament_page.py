"""The page of a tournament: ratings, cross table, openings, and every game to be replayed."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from statistics import mean
from typing import Any, NamedTuple

from autograder.cohort.ratings import Ratings
from autograder.feedback.page import document, words

MOST_CROSSED = 24  # players in the cross table, the best
ABOVE = 3  # players that a student sees besides themself
MARKED = "A move with ? lost what the position was worth, if both had gone on perfectly."
UNMARKED = (
    "Moves that lost what the position was worth are not marked, for the solver is not installed: "
    "pip install '.[solver]', then run the same command again."
)
Row = dict[str, Any]  # a game, as it stands in games.jsonl; "lost": by `lost_value`, if at hand


class Standing(NamedTuple):
    """One player: its rating, the error on either side, its ranks, how many games and points."""

    name: str
    elo: float
    error: float
    band: tuple[int, int]
    games: int
    points: float


STYLE = (
    "th{text-align:left;font-weight:600}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}"
    "td,th{padding:.2rem .45rem;white-space:nowrap}.own{font-weight:600}"
    ".range{min-width:9rem;position:relative}"
    ".range i{position:absolute;top:45%;height:3px;background:var(--line)}"
    ".range b{position:absolute;top:25%;width:3px;height:50%;background:var(--x)}"
    ".crossed{font-size:.85rem}.crossed td,.crossed th{padding:.2rem .28rem}"
    ".won{background:var(--good-box)}.lost{background:var(--bad-box)}"
    ".board{border-collapse:separate;border-spacing:3px;background:var(--line);border-radius:6px;"
    "width:auto}.board td{width:2.1rem;height:2.1rem;border:0;border-radius:50%;padding:0;"
    "background:var(--card);text-align:center;vertical-align:middle;font-size:.85rem}"
    ".board th{padding:0;text-align:center;font-size:.85rem;font-weight:normal;color:var(--card)}"
    ".board .x,.board .o{color:var(--card)}.board .x{background:var(--x)}"
    ".board .o{background:var(--o)}.board .last{outline:3px solid var(--ink)}"
    ".replay{display:flex;gap:1.2rem;flex-wrap:wrap}.replay>div{flex:1;min-width:14rem}"
    "button,select,input{font:inherit;max-width:100%}#marks button{margin:0 .3rem .3rem 0}"
    "@media(max-width:600px){.range{display:none}td,th{padding:.2rem .25rem}}"
)
SCRIPT = """
const games = JSON.parse(document.getElementById("games").textContent);
const pick = document.getElementById("game"), at = document.getElementById("ply");
const board = document.getElementById("board"), says = document.getElementById("says");
const who = document.getElementById("who"), marks = document.getElementById("marks");
function show() {
  const g = games[pick.value], n = +at.value, columns = [[], [], [], [], [], [], []];
  const lost = g.lost || {};
  g.moves.slice(0, n).forEach((c, i) => columns[c].push([i, i % 2 ? "o" : "x"]));
  let html = "";
  for (let row = 5; row >= 0; row--) {
    html += "<tr>" + columns.map(c => {
      const s = c[row];
      const last = s && s[0] === n - 1 ? " last" : "";
      const mark = s && lost[s[0] + 1] ? "?" : "";
      return s ? `<td class="${s[1]}${last}">${s[0] + 1}${mark}</td>` : "<td></td>";
    }).join("") + "</tr>";
  }
  board.innerHTML = `${html}<tr>${columns.map((_, i) => `<th>${i}</th>`).join("")}</tr>`;
  const book = g.opening.length, players = [g.first, g.second];
  let text = `move ${n} of ${g.moves.length}`;
  if (n > 0 && n <= book) text += ": opening";
  if (n > book) {
    const mover = players[(n - 1 - book) % 2], took = g.seconds[n - 1 - book];
    text += `: ${mover} plays ${g.moves[n - 1]}, in ${took.toFixed(2)} s`;
    if (lost[n]) text += `, which ${lost[n]}`;
  }
  if (n === g.moves.length) {
    const [winner, loser] = g.score ? players : [...players].reverse();
    const result = g.told ? `${loser} loses` : `${winner} wins`;
    text += `. ${g.score === 0.5 ? "A draw" : result}: ${g.told || g.end}`;
  }
  says.textContent = text;
}
function go(n) { at.value = n; show(); }
function step(by) { go(+at.value + by); }
function chosen() {
  const g = games[pick.value];
  at.max = g.moves.length;
  marks.replaceChildren(...Object.keys(g.lost || {}).map(n => {
    const button = document.createElement("button");
    button.textContent = `${n}?`;
    button.onclick = () => go(n);
    return button;
  }));
  go(at.max);
}
function listed() {
  pick.replaceChildren(...games.flatMap((g, i) =>
    who.value && who.value !== g.first && who.value !== g.second ? [] : new Option(
      `${g.first} - ${g.second}  ${g.score} : ${1 - g.score}  (round ${g.round})`, i)).reverse());
  chosen();
}
document.getElementById("back").onclick = () => step(-1);
document.getElementById("on").onclick = () => step(1);
who.onchange = listed; pick.onchange = chosen; at.oninput = show;
for (const name of [...new Set(games.flatMap(g => [g.first, g.second]))].sort())
  who.add(new Option(name));
if (games.length) listed();
"""


def page(
    standings: Sequence[Standing], games: Sequence[Row], ratings: Ratings, own: str = ""
) -> str:
    """Return the whole page, or what one player sees: its own place, those above, its own games."""
    shown = list(enumerate(standings, 1))
    if own:
        place = next(i for i, standing in shown if standing.name == own)
        shown = shown[max(0, place - 1 - ABOVE) : place]
        games = [game for game in games if own in (game["first"], game["second"])]
    parts = ["<h1>Tournament</h1>", ratings_table(shown, standings, ratings, own)]
    if not own:
        parts += [cross_table(standings[:MOST_CROSSED], games), openings_table(games)]
    return document("Tournament", "".join([*parts, replay(games)]), STYLE)


def ratings_table(
    shown: Sequence[tuple[int, Standing]],
    everybody: Sequence[Standing],
    ratings: Ratings,
    own: str,
) -> str:
    low = min(one.elo - one.error for one in everybody)
    span = max(one.elo + one.error for one in everybody) - low or 1
    rows = []
    for place, one in shown:
        left, middle = (100 * (x - low) / span for x in (one.elo - one.error, one.elo))
        rows.append(
            f'<tr{" class=own" * (one.name == own)}><td class="n">{place}</td>'
            f"<td>{words(one.name)}</td>"
            f'<td class="n">{round(one.elo):+d} &plusmn; {one.error:.0f}</td>'
            f'<td class="range"><i style="left:{left:.1f}%;width:{200 * one.error / span:.1f}%">'
            f'</i><b style="left:{middle:.1f}%"></b></td>'
            f'<td class="n">{one.band[0]} to {one.band[1]}</td>'
            f'<td class="n">{halves(one.points)} of {one.games}</td></tr>'
        )
    heads = (
        '<th class="n">Place</th><th>Player</th><th class="n">Rating</th><th class="range"></th>'
    )
    heads += '<th class="n">May be</th><th class="n">Points</th>'
    said = (
        "Elo points; 0 is the mean. A rating lies in its interval, and a place in its range, with "
        f"95&nbsp;% confidence. The first move is worth {round(ratings.advantage):+d} points, and "
        f"{ratings.draws:.0%} of the games between equals are drawn."
    )
    table = f'<div class="scroll"><table><tr>{heads}</tr>{"".join(rows)}</table></div>'
    return f'<section><h2>Ratings</h2><p class="soft">{said}</p>{table}</section>'


def cross_table(best: Sequence[Standing], games: Sequence[Row]) -> str:
    """What each of the best got against each other of them."""
    met: dict[tuple[str, str], list[float]] = defaultdict(list)
    for game in games:
        met[game["first"], game["second"]].append(game["score"])
        met[game["second"], game["first"]].append(1 - game["score"])
    numbers = range(1, len(best) + 1)
    heads = "".join(f'<th class="n">{number}</th>' for number in numbers)
    rows = []
    for number, one in zip(numbers, best):
        cells = "".join(crossed(met.get((one.name, other.name))) for other in best)
        rows.append(f'<tr><td class="n">{number}</td><td>{words(one.name)}</td>{cells}</tr>')
    table = f"<table class=crossed><tr><th></th><th></th>{heads}</tr>{''.join(rows)}</table>"
    said = "What the player on the left got; green is more than the other, red is less."
    return (
        f'<section><h2>Cross table</h2><p class="soft">{said}</p>'
        f'<div class="scroll">{table}</div></section>'
    )


def crossed(scores: Sequence[float] | None) -> str:
    """What a player got against another, coloured where that is more or less than the other got."""
    if not scores:
        return '<td class="n">&middot;</td>'
    lead = 2 * sum(scores) - len(scores)
    kind = " won" if lead > 0 else " lost" if lead < 0 else ""
    return f'<td class="n{kind}">{halves(sum(scores))}</td>'


def halves(number: float) -> str:
    whole, rest = divmod(number, 1)
    return f"{whole:.0f}" if not rest else f"{whole:.0f}½".removeprefix("0")


def openings_table(games: Sequence[Row]) -> str:
    """How often each opening was played, and what the first player got out of it."""
    scores: dict[str, list[float]] = defaultdict(list)
    for game in games:
        scores["".join(map(str, game["opening"]))].append(game["score"])
    rows = "".join(
        f'<tr><td>{opening}</td><td class="n">{len(found)}</td>'
        f'<td class="n">{mean(found):.0%}</td></tr>'
        for opening, found in sorted(scores.items(), key=lambda entry: (-len(entry[1]), entry[0]))
    )
    heads = '<th>Columns</th><th class="n">Games</th><th class="n">Who begins gets</th>'
    said = "With perfect play each of them leads to a draw."
    return (
        f'<section><h2>Openings</h2><p class="soft">{said}</p><details><summary>All '
        f"{len(scores)}</summary><table><tr>{heads}</tr>{rows}</table></details></section>"
    )


def replay(games: Sequence[Row]) -> str:
    """The games, one at a time, move by move."""
    data = json.dumps(list(games)).replace("<", "\\u003c")
    solved = all("lost" in game for game in games)
    return (
        f'<section><h2>Games</h2><p class="soft">{MARKED if solved else UNMARKED}</p>'
        '<p><select id="who" aria-label="player"><option value="">all players</option></select> '
        '<select id="game" aria-label="game"></select></p>'
        '<div class="replay"><table class="board" id="board"></table><div>'
        '<p><button id="back">&larr;</button> '
        '<input type="range" id="ply" min="0" aria-label="move"> <button id="on">'
        '&rarr;</button></p><p id="says"></p><p id="marks"></p></div></div>'
        f'<script type="application/json" id="games">{data}</script>'
        f"<script>{SCRIPT}</script></section>"
    )
