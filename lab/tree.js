// A tree that fits into the window, zooms, pans and follows its active node. d3 (see vendor/) lays it
// out and moves the view; the nodes come with their pictures.

function render({ model, el }) {
  const LEGIBLE = 0.7; // the smallest scale at which one reads what stands in a node
  const BETWEEN = 34; // the height between a node and its children
  const pace = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 250;
  let mode = "follow"; // or "fit", or "free" once one has moved the view by hand
  let drawn = null; // what was laid out last: its root, left, width and height

  const bar = d3.select(el).append("div").attr("class", "stepper");
  const svg = d3.select(el).append("svg").attr("class", "drawing tree").attr("tabindex", 0);
  const view = svg.append("g");
  const edges = view.append("g");
  const size = () => [svg.node().clientWidth || 1, svg.node().clientHeight || 1]; // 1: hidden
  const zoom = d3
    .zoom()
    .extent(() => [[0, 0], size()])
    .scaleExtent([0.02, 4])
    .filter((event) => (event.type === "wheel" ? event.ctrlKey : !event.button)) // else scroll
    .on("zoom", ({ transform, sourceEvent }) => {
      view.attr("transform", transform);
      if (sourceEvent) turnTo("free");
    });
  svg.call(zoom).on("dblclick.zoom", null);

  const buttons = { follow: () => look("follow"), fit: () => look("fit") };
  const by = (factor) => () => (turnTo("free"), moving().call(zoom.scaleBy, factor));
  const shift = (x, y) => () => (turnTo("free"), moving().call(zoom.translateBy, x, y));
  const keys = { "+": by(1.4), "-": by(1 / 1.4), ArrowLeft: shift(80, 0), ArrowRight: shift(-80, 0) };
  Object.assign(keys, { ArrowUp: shift(0, 80), ArrowDown: shift(0, -80) });
  for (const [name, act] of [...Object.entries(buttons), ["+", keys["+"]], ["−", keys["-"]]])
    bar.append("button").attr("type", "button").text(name).on("click", act)
      .attr("aria-label", { "+": "zoom in", "−": "zoom out" }[name] ?? null);
  svg.on("keydown", (event) => {
    if (!keys[event.key] || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    keys[event.key]();
  });

  const moving = () => (pace ? svg.transition().duration(pace) : svg);

  function turnTo(next) {
    mode = next;
    bar.selectAll("button").attr("aria-pressed", function () {
      return this.textContent in buttons ? String(this.textContent === mode) : null;
    });
  }

  function look(next) {
    turnTo(next);
    const [width, height] = size();
    if (!drawn || width === 1 || mode === "free") return;
    const fit = Math.min(1, width / drawn.width, height / drawn.height);
    const active = drawn.root.find((node) => node.data.active) ?? drawn.root;
    const scale = mode === "follow" ? Math.max(fit, LEGIBLE) : fit;
    // The active node is in the middle, as far as no room is left unused at the sides.
    const centre = (at, first, length, room) =>
      length < room ? first + length / 2
        : Math.min(Math.max(at, first + room / 2), first + length - room / 2);
    const x = centre(active.x, drawn.left, drawn.width, width / scale);
    const middle = active.y + active.data.height / 2;
    const y = centre(middle, 0, drawn.height, height / scale);
    const to = d3.zoomIdentity.translate(width / 2 - x * scale, height / 2 - y * scale).scale(scale);
    moving().call(zoom.transform, to);
  }

  function draw() {
    const rows = model.get("rows").map((row, id) => ({ ...row, id }));
    svg.attr("role", "img").attr("aria-label", "the tree of the search so far");
    el.hidden = !rows.length;
    if (!rows.length) return;
    const root = d3.stratify().parentId((row) => row.parent)(rows);
    const half = (node) => node.data.width / 2;
    d3.tree().nodeSize([1, 1]).separation((a, b) => half(a) + half(b))(root);
    const tall = []; // the height of each ply
    root.each(({ depth, data }) => (tall[depth] = Math.max(tall[depth] ?? 0, data.height)));
    const top = (depth) => tall.slice(0, depth).reduce((sum, one) => sum + one + BETWEEN, 0);
    root.each((node) => (node.y = top(node.depth)));
    const left = Math.min(...root.descendants().map((node) => node.x - half(node)));
    const right = Math.max(...root.descendants().map((node) => node.x + half(node)));
    drawn = { root, left, width: right - left, height: top(tall.length) - BETWEEN + 8 };

    const place = (node) => `translate(${node.x},${node.y})`;
    view.selectAll("g.place").data(root.descendants(), (node) => node.data.key)
      .join((enter) => enter.append("g").attr("class", "place").attr("transform", place))
      .html((node) => node.data.svg)
      .attr("transform", place);
    edges.selectAll("path").data(root.links(), (link) => link.target.data.key).join("path")
      .classed("faded", (link) => link.target.data.faded)
      .attr("d", ({ source, target }) =>
        `M${source.x} ${source.y + source.data.height}` +
        `L${target.x} ${target.y + target.data.top}`);
    const wanted = Math.min(drawn.height + 24, 0.62 * innerHeight);
    svg.style("height", `${Math.max(wanted, Math.min(300, innerHeight / 2))}px`);
    look(mode);
  }

  const watcher = new ResizeObserver(() => look(mode));
  watcher.observe(svg.node());
  model.on("change:rows", draw);
  draw();
  return () => watcher.disconnect();
}

export default { render };
