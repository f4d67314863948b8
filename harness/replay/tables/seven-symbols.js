/* Seven Symbols: tricks with a trump colour; the seven cards of rank 7 are the symbols. */
const TABLE = {
  lines: 2, /* of a heading on a phone: there is much to count */
  scene(ctx) {
    const { state, geo, film } = ctx, centre = geo.centre, trump = SEVEN[state.display.slice(-1)];
    const side = seat => film.sides[seat], team = new Set(film.sides).size < film.seats.length;
    return handTable(ctx, {
      face: sevenCard,
      chips: seat => [
        chip(plural(state.tricks[side(seat)], "trick")), chip(plural(state.symbols[side(seat)], "symbol")),
        chip(plural(state.points[side(seat)], "point")), state.leader === seat && ctx.frame.seat >= 0 ? chip("leads") : "",
        team ? chip(`team ${side(seat) + 1}`) : "",
      ],
      centre(items, labels, described) {
        const slot = { x: centre.x, y: centre.y + 24, w: geo.cw, h: geo.ch };
        items.push({ ...slot, z: 50, key: `display-${state.deal}`, face: sevenCard(state.display), title: `${state.display}, turned up`, cls: "" });
        labels.push({ x: centre.x, y: centre.y, w: centre.w, cls: "mid hint", html: `deal ${state.deal} · trump is ${trump.word}${state.phase === "GIVE" && ctx.frame.seat >= 0 ? " · each seat gives three cards" : ""}` });
        const room = { x: centre.x + geo.cw * 1.3, y: centre.y + 24, w: centre.w - geo.cw * 1.3, h: geo.ch * 1.4 };
        if (state.phase === "GIVE") {
          const gifts = state.given.flatMap((cards, seat) => (cards || []).map(name => [seat, name]));
          spread(room, gifts.length, geo.cw, geo.ch).forEach((place, n) => items.push({ ...place, z: 60 + n, key: gifts[n][1], face: sevenCard(gifts[n][1]), cls: "", title: `${gifts[n][1]}, given by seat ${gifts[n][0]}` }));
          described.push(gifts.length ? `Given: ${gifts.map(([seat, name]) => `${name} by seat ${seat}`).join(", ")}.` : "");
        } else {
          spread(room, state.trick.length, geo.cw, geo.ch).forEach((place, n) => {
            const [seat, name] = state.trick[n];
            items.push({ ...place, z: 60 + n, key: name, face: sevenCard(name), cls: n === state.trick.length - 1 ? "new" : "", title: `${name}, by seat ${seat}` });
            labels.push({ x: place.x - 8, y: place.y + place.h + 1, w: place.w + 16, cls: "mid hint", html: `seat ${seat}` });
          });
          described.push(state.trick.length ? `Trick: ${state.trick.map(([seat, name]) => `${name} by seat ${seat}`).join(", ")}.` : "No open trick.");
        }
        described.push(`Turned up: ${state.display}; trump is ${trump.word}.`);
      },
    });
  },
};
