const games = JSON.parse(document.getElementById("games").textContent);
const pick = document.getElementById("game"), at = document.getElementById("ply");
const board = document.getElementById("board"), says = document.getElementById("says");
const who = document.getElementById("who");
function show() {
  const g = games[pick.value], n = +at.value, columns = [[], [], [], [], [], [], []];
  g.moves.slice(0, n).forEach((c, i) => columns[c].push([i, i % 2 ? "o" : "x"]));
  let html = "";
  for (let row = 5; row >= 0; row--) {
    html += "<tr>" + columns.map(c => {
      const s = c[row];
      const last = s && s[0] === n - 1 ? " last" : "";
      return s ? `<td class="${s[1]}${last}">${s[0] + 1}</td>` : "<td></td>";
    }).join("") + "</tr>";
  }
  board.innerHTML = `${html}<tr>${columns.map((_, i) => `<th>${i}</th>`).join("")}</tr>`;
  const book = g.opening.length, players = [g.first, g.second];
  let text = `move ${n} of ${g.moves.length}`;
  if (n > 0 && n <= book) text += ": opening";
  if (n > book) {
    const mover = players[(n - 1 - book) % 2], took = g.seconds[n - 1 - book];
    text += `: ${mover} plays ${g.moves[n - 1]}, in ${took.toFixed(2)} s`;
  }
  if (n === g.moves.length) {
    const [winner, loser] = g.score ? players : [...players].reverse();
    const result = g.mistake ? `${loser} loses` : `${winner} wins`;
    text += `. ${g.score === 0.5 ? "A draw" : result}: ${g.mistake || g.end}`;
  }
  says.textContent = text;
}
function go(n) { at.value = n; show(); }
function chosen() {
  at.max = games[pick.value].moves.length;
  go(at.max);
}
function listed() {
  pick.replaceChildren(...games.flatMap((g, i) =>
    who.value && who.value !== g.first && who.value !== g.second ? [] : new Option(
      `${g.first} - ${g.second}  ${g.score} : ${1 - g.score}  (round ${g.round})`, i)).reverse());
  chosen();
}
document.getElementById("back").onclick = () => go(+at.value - 1);
document.getElementById("on").onclick = () => go(+at.value + 1);
who.onchange = listed; pick.onchange = chosen; at.oninput = show;
for (const name of [...new Set(games.flatMap(g => [g.first, g.second]))].sort())
  who.add(new Option(name));
if (games.length) listed();
