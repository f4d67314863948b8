/* The film: frames made from patches, and the controls that move through them. */
const film = JSON.parse(document.getElementById("film").textContent);
const $ = id => document.getElementById(id);

/* What a patch makes of a value; the value itself stays, and what did not change is shared (patches.py). */
function patched(value, patch) {
  if (patch === null || patch === undefined) return value;
  if ("v" in patch) return patch.v;
  if ("s" in patch) { const [at, gone, items] = patch.s; return [...value.slice(0, at), ...items, ...value.slice(at + gone)]; }
  if ("e" in patch) { const next = value.slice(); for (const n in patch.e) next[n] = patched(next[n], patch.e[n]); return next; }
  const next = { ...value };
  for (const key in patch.d || {}) next[key] = patched(next[key], patch.d[key]);
  for (const key of patch.x || []) delete next[key];
  return next;
}
const frames = [];
film.patches.reduce((before, patch) => {
  const next = patched(before, patch);
  frames.push({ ...next, views: next.views.map(other => patched(next.state, other)) });
  return next;
}, {});
delete film.patches;
const END = frames.length - 1;

let at = 0, viewer = -1, timer = null;
const nodes = new Map(), labelNodes = [];

const sealed = (made, seat) => !made[3] && viewer >= 0 && made[0] !== seat;
const moveName = made => (sealed(made, viewer) ? "a sealed choice" : made[1]);
const seatName = seat => `seat ${seat} (${film.seats[seat].name})`;

function draw(quick) {
  const frame = frames[at], table = $("table"), W = table.clientWidth;
  const state = viewer < 0 ? frame.state : frame.views[viewer];
  const boxes = TABLE.racks ? TABLE.racks(film) : film.seats.length;
  const ctx = { film, frame, state, at, viewer, W, geo: geometry(boxes, viewer, W, Math.max(460, innerHeight * 0.7), TABLE.lines) };
  const scene = TABLE.scene(ctx);
  table.style.height = scene.height ? `${scene.height}px` : "auto";
  table.classList.toggle("quick", Boolean(quick));
  table.setAttribute("aria-label", scene.text);
  pieces(table, scene.items);
  labels(table, scene.labels);
  if (TABLE.extra) $("extra").innerHTML = TABLE.extra(ctx);
  tell(frame);
  controls();
  log();
}

/* Pieces keep their elements from frame to frame, so that a card that moves is seen to move. */
function pieces(table, items) {
  const kept = new Set();
  for (const item of items) {
    let node = nodes.get(item.key);
    if (!node) {
      node = document.createElement("div");
      table.append(node);
      nodes.set(item.key, node);
    }
    kept.add(item.key);
    if (node.face !== item.face) { node.innerHTML = item.face; node.face = item.face; }
    node.className = `piece ${item.cls}`;
    node.title = item.title;
    node.style.cssText = `width:${item.w.toFixed(1)}px;height:${item.h.toFixed(1)}px;transform:translate(${item.x.toFixed(1)}px,${item.y.toFixed(1)}px);z-index:${item.z}`;
  }
  for (const [key, node] of nodes) if (!kept.has(key)) { node.remove(); nodes.delete(key); }
}

function labels(table, items) {
  while (labelNodes.length > items.length) labelNodes.pop().remove();
  items.forEach((item, n) => {
    const node = labelNodes[n] || table.appendChild(document.createElement("div"));
    labelNodes[n] = node;
    node.className = `label ${item.cls}`;
    node.innerHTML = item.html;
    node.style.cssText = item.cls.startsWith("json") ? "position:static" : `left:${item.x}px;top:${item.y}px;width:${item.w}px;z-index:300`;
  });
}

/* The line under the table: what was played, and what comes. */
function tell(frame) {
  const parts = [];
  if (at > 0) {
    const made = film.moves[at - 1], who = made[5] ? `a substitute for ${seatName(made[0])}` : seatName(made[0]);
    const how = made[2] === 1 ? "forced" : sealed(made, viewer) ? "" : `one of ${made[2]} choices`;
    const cpu = made[4] === null || made[2] === 1 ? "" : `${made[4] < 1000 ? `${made[4]} µs` : `${(made[4] / 1000).toFixed(made[4] < 10000 ? 1 : 0)} ms`} of CPU time`;
    const notes = [how, cpu].filter(Boolean).join(", ");
    parts.push(`<b>${esc(who)}: ${esc(moveName(made))}.</b> <span class="soft">${notes}${notes ? "." : ""}</span>`);
  } else parts.push("<b>The deal.</b>");
  if (frame.seat >= 0) parts.push(`<span class="soft">Next: ${esc(seatName(frame.seat))}, ${frame.choices === 1 ? "one move" : `${frame.choices} choices`}.</span>`);
  else if (film.reason) parts.push(`<b>Ended by ${esc(film.reason)}:</b> ${film.seats.map((s, n) => `${esc(s.name)} ${s.score}`).join(", ")}.`);
  $("told").innerHTML = parts.join(" ");
  const faults = film.faults.filter(fault => fault[0] === at);
  $("fault").hidden = !faults.length;
  $("fault").textContent = faults.map(([, seat, kind, detail]) => `⚠ Fault of ${seatName(seat)}: ${kind}. ${detail}`).join("  ");
}

function controls() {
  $("at").value = at;
  $("at").setAttribute("aria-valuetext", `after ${at} of ${END} moves`);
  $("where").textContent = `${at} / ${END}`;
  $("first").disabled = $("back").disabled = at === 0;
  $("last").disabled = $("next").disabled = at === END;
  $("run").textContent = timer ? "❚❚ Pause" : "▶ Play";
  $("run").setAttribute("aria-pressed", String(Boolean(timer)));
  $("seat").value = viewer;
}

/* Only the lines in sight exist: a match may have thousands. */
const list = $("log"), filler = document.createElement("li");
filler.setAttribute("aria-hidden", "true");
let tall = 27;
function log(follow = true) {
  tall = innerWidth >= 1700 ? 30 : 27;
  filler.style.cssText = `top:${(END + 1) * tall}px;height:8px`;
  if (!filler.isConnected) list.append(filler);
  if (follow) {
    const y = at * tall;
    if (y < list.scrollTop + tall || y > list.scrollTop + list.clientHeight - 3 * tall) list.scrollTop = Math.max(0, y - list.clientHeight / 2);
  }
  const from = Math.max(0, Math.floor(list.scrollTop / tall) - 5), to = Math.min(END, from + Math.ceil(list.clientHeight / tall) + 10);
  const lines = [];
  for (let n = from; n <= to; n++) {
    const made = n ? film.moves[n - 1] : null, faults = film.faults.filter(f => f[0] === n);
    const text = made ? esc(moveName(made)) + (made[5] ? " (substitute)" : "") : "the deal";
    const who = made ? `${made[0]} ${esc(film.seats[made[0]].name)}` : "";
    const bad = faults.map(f => ` ⚠ ${esc(f[2])} by seat ${f[1]}`).join("");
    const cls = [n > at ? "ahead" : "", faults.length ? "bad" : ""].join(" ");
    lines.push(`<li data-n="${n}" class="${cls}" style="top:${n * tall + 4}px" ${n === at ? 'aria-current="step"' : ""}><span class="n">${n}</span><span class="w">${who}</span><span class="m">${text}${bad}</span></li>`);
  }
  list.innerHTML = lines.join("");
  list.append(filler);
}

function go(to, keep = false) {
  if (!keep) stop();
  const next = clamp(to, 0, END), quick = Math.abs(next - at) > 3;
  at = next;
  draw(quick);
}
function stop() { if (timer) { clearInterval(timer); timer = null; controls(); } }
function play() {
  if (timer) return stop();
  if (at === END) at = 0;
  timer = setInterval(() => (at < END ? go(at + 1, true) : stop()), Number($("speed").value));
  controls();
}
function see(seat) { viewer = seat; draw(true); }
function nextFault() {
  const found = film.faults.map(f => f[0]).filter(n => n > at).sort((a, b) => a - b);
  if (found.length) go(found[0]); else if (film.faults.length) go(film.faults[0][0]);
}

const KEYS = {
  ArrowRight: () => go(at + 1), ArrowLeft: () => go(at - 1), Home: () => go(0), End: () => go(END),
  PageDown: () => go(at + 10), PageUp: () => go(at - 10), " ": play, a: () => see(-1), f: nextFault,
};
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const inSelect = event.target.tagName === "SELECT", onButton = event.target.tagName === "BUTTON";
  if (inSelect || (onButton && event.key === " ")) return;
  const seat = /^[0-9]$/.test(event.key) && Number(event.key) < film.seats.length ? Number(event.key) : null;
  if (seat === null && !KEYS[event.key]) return;
  event.preventDefault();
  if (seat !== null) see(seat); else KEYS[event.key]();
});
$("first").onclick = KEYS.Home; $("last").onclick = KEYS.End; $("next").onclick = KEYS.ArrowRight; $("back").onclick = KEYS.ArrowLeft;
$("run").onclick = play;
$("at").oninput = event => go(Number(event.target.value));
$("seat").onchange = event => see(Number(event.target.value));
$("speed").onchange = () => { if (timer) { stop(); play(); } };
list.addEventListener("click", event => { const line = event.target.closest("li[data-n]"); if (line) go(Number(line.dataset.n)); });
list.addEventListener("scroll", () => log(false));
$("ticks").innerHTML = film.faults.map(f => `<i style="left:${END ? (100 * f[0]) / END : 0}%"></i>`).join("");
let resized = null;
addEventListener("resize", () => { clearTimeout(resized); resized = setTimeout(() => draw(true), 60); });
/* `#12` or `#12,seat=1` opens a page at a move, or with a seat's view. */
const wanted = /^#(\d+)(?:,seat=(\d))?$/.exec(location.hash);
if (wanted) { at = clamp(Number(wanted[1]), 0, END); if (wanted[2] !== undefined && film.seats[wanted[2]]) viewer = Number(wanted[2]); }
draw(true);
