/* Who sits where, and how hands are laid out. All in pixels of the table, so that text keeps its size. */
const RATIO = 1.4;

function geometry(count, viewer, W, room, lines = 1) {
  const narrow = W < 720, pad = narrow ? 8 : 16, gap = narrow ? 8 : 14;
  const head = narrow ? 27 : innerWidth >= 1700 ? 36 : 32;
  const first = Math.max(viewer, 0), boxes = [];
  /* A seat at the side has its name and its chips in two lines. */
  const box = (turn, x, y, w, h, lines = 1) => { boxes[(first + turn) % count] = { x, y: y + head * lines, w, h: h - head * (lines - 1), lines, top: y }; };
  if (narrow) {
    const cw = clamp(W / (count > 3 ? 9 : 8), 36, 60), ch = cw * RATIO, tall = ch * (count > 3 ? 1.25 : 1.5);
    let y = pad;
    for (let turn = 1; turn < count; turn++) { box(turn, pad, y, W - 2 * pad, tall + head * (lines - 1), lines); y += head * lines + tall + gap; }
    const centre = { x: pad, y, w: W - 2 * pad, h: ch * 1.15 + 48 };
    y += centre.h + gap;
    box(0, pad, y, W - 2 * pad, tall + head * (lines - 1), lines);
    return { cw, ch, boxes, centre, height: y + head * lines + tall + pad, narrow };
  }
  const rows = count > 3 ? 3 : 2, middle = count > 3 ? 0 : 1.55;
  const ch = clamp((room - (rows + (count > 3 ? 1 : 0)) * head - 2 * pad - 3 * gap) / (rows * 1.5 + middle), 64, W / 11), cw = ch / RATIO;
  const tall = ch * 1.5, row = head + tall, inner = W - 2 * pad;
  const y1 = pad, y2 = y1 + row + gap, midHeight = count > 3 ? row + head : ch * middle, y3 = y2 + midHeight + gap;
  const side = inner * 0.29, wing = inner * 0.62, half = (inner - gap) / 2;
  let centre = { x: pad, y: y2, w: inner, h: midHeight };
  if (count === 2) { box(0, pad, y3, inner, tall); box(1, pad, y1, inner, tall); }
  else {
    box(0, pad + (inner - wing) / 2, y3, wing, tall);
    if (count === 3) { box(1, pad, y1, half, tall); box(2, pad + half + gap, y1, half, tall); }
    else {
      box(1, pad, y2, side, tall + head, 2);
      if (count === 4) box(2, pad + (inner - wing) / 2, y1, wing, tall);
      else { box(2, pad, y1, half, tall); box(3, pad + half + gap, y1, half, tall); }
      box(count - 1, W - pad - side, y2, side, tall + head, 2);
      centre = { x: pad + side + gap, y: y2, w: inner - 2 * side - 2 * gap, h: midHeight };
    }
  }
  return { cw, ch, boxes, centre, height: y3 + row + pad, narrow };
}

/* Places for `count` cards in a box, in as few rows as leave their corners to be read. */
function spread(box, count, cw, ch, centred = true) {
  const fit = Math.max(1, Math.floor((box.w - cw) / (cw * 0.44)) + 1);
  const rows = clamp(Math.ceil(count / fit), 1, 3), per = Math.ceil(count / rows), places = [];
  const dy = rows > 1 ? Math.min(ch * 0.5, (box.h - ch) / (rows - 1)) : 0;
  const top = box.y + Math.max(0, (box.h - ch - dy * (rows - 1)) / (rows > 1 ? 2 : 2.6));
  for (let n = 0; n < count; n++) {
    const r = Math.floor(n / per), here = Math.min(per, count - r * per);
    const step = per > 1 ? Math.min(cw * 1.05, (box.w - cw) / (per - 1)) : 0;
    const left = box.x + (centred ? (box.w - cw - step * (here - 1)) / 2 : 0);
    places.push({ x: left + (n - r * per) * step, y: top + r * dy, w: cw, h: ch, z: n + 1 });
  }
  return places;
}

const chip = (html, cls = "") => `<span class="chip ${cls}">${html}</span>`;
const plural = (n, one) => `${n} ${one}${n === 1 ? "" : "s"}`;

/* The heading of a seat: whose it is, and what there is to know. */
function heading(ctx, seat, chips) {
  const b = ctx.geo.boxes[seat], who = ctx.film.seats[seat];
  const bad = ctx.film.faults.filter(f => f[1] === seat && f[0] <= ctx.at).map(f => chip(`⚠ ${esc(f[2])}`, "bad"));
  const turn = ctx.frame.seat === seat ? " turn" : "";
  const name = who ? `<span class="name">${seat} ${esc(who.name)}</span>` : `<span class="name">open rack ${seat}</span>`;
  return { x: b.x, y: b.top, w: b.w, cls: `who${turn}${b.lines > 1 ? " two" : ""}`, html: `${name}${bad.join("")}<span class="rest">${chips.join("")}</span>` };
}

/* Cards that the seat to move may play, by the names of its moves (`BEAT QC`). */
const playable = frame => new Set(frame.legal.filter(name => name.includes(" ")).map(name => name.split(" ").pop()));

/* A table at which everybody holds a hand: what is alike in the Kozyri games and Seven Symbols. */
function handTable(ctx, look) {
  const { state, frame, geo } = ctx, items = [], labels = [], described = [];
  const may = playable(frame);
  for (let seat = 0; seat < ctx.film.seats.length; seat++) {
    const hand = state.hands[seat], known = hand || (state.known ? state.known[seat] : []) || [];
    const size = hand ? hand.length : state.sizes[seat], places = spread(geo.boxes[seat], size, geo.cw, geo.ch);
    places.forEach((place, n) => {
      const name = n < known.length ? known[n] : null;
      const classes = [hand ? "" : name ? "inferred" : "", hand && frame.seat === seat && name && may.has(name) ? "may" : ""];
      items.push({ ...place, key: name || `back-${seat}-${n}`, face: name ? look.face(name) : back(), cls: classes.join(" "), title: name || "" });
    });
    labels.push(heading(ctx, seat, [chip(size === 0 ? "no cards" : plural(size, "card")), ...look.chips(seat)]));
    const shown = hand ? hand.join(" ") : `${plural(size, "card")}${known.length ? `, among them ${known.join(" ")}` : ""}`;
    described.push(`Seat ${seat}, ${ctx.film.seats[seat].name}: ${shown || "no cards"}.`);
  }
  look.centre(items, labels, described);
  return { items, labels, height: geo.height, text: described.join(" ") };
}

/* What the Kozyri games share: trumps, the pile. */
function kozyriTable(ctx, hints) {
  const { state, geo } = ctx, centre = geo.centre;
  return handTable(ctx, {
    face: card,
    chips: seat => [
      state.trumps && state.trumps[seat] ? chip(`trump ${suitIcon(state.trumps[seat])}`) : "",
      state.seconds && state.seconds[seat] ? chip(`second ${suitIcon(state.seconds[seat])}`) : "",
      state.dealer === seat ? chip("dealer") : "",
      state.out && state.out.includes(seat) ? chip(`out, ${["first", "second", "third"][state.out.indexOf(seat)] || "last"}`) : "",
    ],
    centre(items, labels, described) {
      const pile = state.pile, hint = ctx.frame.seat < 0 ? "the game is over" : hints[state.phase] || state.phase;
      const row = { x: centre.x, y: centre.y + 24, w: centre.w, h: centre.h - 24 };
      spread(row, pile.length, geo.cw, geo.ch).forEach((place, n) => {
        items.push({ ...place, z: 100 + n, key: pile[n], face: card(pile[n]), cls: n === pile.length - 1 ? "new" : "", title: pile[n] });
      });
      const what = pile.length ? `pile of ${pile.length}` : "empty table";
      labels.push({ x: centre.x, y: centre.y, w: centre.w, cls: "mid hint", html: `${what} · ${hint}` });
      described.push(pile.length ? `Pile, bottom to top: ${pile.join(" ")}.` : "The table is empty.", `${hint}.`);
    },
  });
}
