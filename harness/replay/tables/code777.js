/* Code 777: three tiles on every rack; nobody sees the own one. */
const TABLE = {
  scene(ctx) {
    const { state, geo, film } = ctx, items = [], labels = [], described = [], players = film.seats.length;
    const tw = geo.cw * (geo.narrow ? 0.95 : 1.02), th = tw * 1.2;
    state.racks.forEach((rack, seat) => {
      const box = geo.boxes[seat], left = box.x + (geo.narrow ? 10 : (box.w - 3.2 * tw) / 2), top = box.y + (box.h - th - 12) / 3;
      items.push({ x: left - 8, y: top + th * 0.74, w: 3.2 * tw + 12, h: th * 0.5, z: 5, key: `stand-${seat}`, cls: "", title: "", face: `<svg viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden="true"><path d="M3 3H97L100 20H0Z" fill="#8a5a32"/><path d="M3 3H97L97.4 6H2.6Z" fill="#b07a48"/></svg>` });
      const tiles = rack || [null, null, null];
      tiles.forEach((name, n) => items.push({ x: left + n * 1.06 * tw, y: top, w: tw, h: th, z: 3, key: `tile-${seat}-${n}-${state.refills[seat]}`, face: tile(name), cls: "", title: name || "not known" }));
      const chips = seat < players ? [
        chip(plural(state.scores[seat], "point")), state.reader === seat ? chip("reads") : "",
        state.sealed.some(([who]) => who === seat) ? chip("has chosen") : "", state.done.includes(seat) ? chip("announced") : "",
      ] : [];
      labels.push(heading(ctx, seat, chips));
      described.push(`${seat < players ? `Seat ${seat}, ${film.seats[seat].name}` : `Open rack ${seat}`}: ${rack ? rack.join(" ") : "a rack it does not see"}.`);
    });
    const count = pile => (Array.isArray(pile) ? pile.length : pile), c = geo.centre;
    const text = state.question === null ? "" : film.legend[`question ${state.question}`] || `Question ${state.question}`;
    const asked = text ? `<div class="question"><b>${state.question}.</b> ${esc(text)}<br><span class="answer">${esc(answer(state.question, state.answer))}</span></div>` : "";
    const facts = `question ${state.asked_total} · ${plural(count(state.draw), "tile")} to draw · ${count(state.away)} out of play`;
    labels.push({ x: c.x, y: c.y, w: c.w, cls: "mid", html: `<div class="hint">${facts}</div>${asked}` });
    described.push(text ? `${text} ${answer(state.question, state.answer)}, says seat ${state.reader}.` : "");
    return { items, labels, height: geo.height, text: described.join(" ") };
  },
  racks: film => Math.max(4, film.seats.length),
  extra(ctx) {
    const rows = ctx.state.log.slice(-14).reverse().map(entry => {
      const name = seat => `${seat} ${esc(ctx.film.seats[seat].name)}`;
      if ("q" in entry) return `<tr><td>${name(entry.reader)}</td><td>${entry.q}. ${esc(ctx.film.legend[`question ${entry.q}`] || "")}</td><td>${esc(answer(entry.q, entry.answer))}</td></tr>`;
      if ("announce" in entry) return `<tr><td>${name(entry.seat)}</td><td>announces ${esc(entry.announce.join(" "))}</td><td>${entry.right ? "right" : "wrong"}</td></tr>`;
      const out = entry.out ? entry.out.map(t => t || "?").join(" ") : "three tiles";
      return `<tr><td>rack ${entry.refill}</td><td>${esc(out)} leave; ${entry.pile} left to draw${entry.refresh ? ", tiles out of play came back" : ""}</td><td></td></tr>`;
    });
    return `<h2>Heard so far, newest first</h2><table class="heard"><thead><tr><th scope="col">Who</th><th scope="col">What</th><th scope="col">Answer</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
  },
};

/* LEFT and RIGHT are the first and second things that a question compares. */
const answer = (question, value) => ({ LEFT: "more of the first", RIGHT: "more of the second", EQUAL: "equally many" })[value] || String(value);
