"use strict";
/* Cards and tiles, drawn here: every piece is one SVG of 60 × 84 (tiles 60 × 72), made of paths and text. */
const esc = text => String(text).replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`);
const clamp = (x, low, high) => Math.max(low, Math.min(high, x));

const SUITS = {
  S: { word: "spades", ink: "#1a1d21", path: "M50 6C70 34 93 46 93 65 93 77 84 84 74 84 65 84 58 80 54 74 55 83 59 89 65 95H35C41 89 45 83 46 74 42 80 35 84 26 84 16 84 7 77 7 65 7 46 30 34 50 6Z" },
  H: { word: "hearts", ink: "#c2182b", path: "M50 92C20 64 6 48 6 31 6 16 17 7 29 7 38 7 46 12 50 22 54 12 62 7 71 7 83 7 94 16 94 31 94 48 80 64 50 92Z" },
  D: { word: "diamonds", ink: "#1b5dbb", path: "M50 4C60 23 73 39 88 50 73 61 60 77 50 96 40 77 27 61 12 50 27 39 40 23 50 4Z" },
  C: { word: "clubs", ink: "#177038", path: "M50 5A21 21 0 0 1 66 39 21.5 21.5 0 1 1 54 72C55 82 58 89 64 95H36C42 89 45 82 46 72A21.5 21.5 0 1 1 34 39 21 21 0 0 1 50 5Z" },
};
const suitMark = (suit, x, y, size, extra = "") =>
  `<path d="${SUITS[suit].path}" fill="${SUITS[suit].ink}" transform="translate(${x} ${y}) scale(${size / 100})${extra}"/>`;
const suitIcon = suit => `<svg viewBox="0 0 100 100" role="img" aria-label="${SUITS[suit].word}"><circle cx="50" cy="50" r="70" fill="#fff"/><path d="${SUITS[suit].path}" fill="${SUITS[suit].ink}" transform="translate(14 14) scale(.72)"/></svg>`;

const svg = (width, height, inside) => `<svg viewBox="0 0 ${width} ${height}" aria-hidden="true">${inside}</svg>`;
const blank = (fill, line) => `<rect x=".6" y=".6" width="58.8" height="82.8" rx="6" fill="${fill}" stroke="${line}" stroke-width="1.2"/>`;

/* Where the pips of a number card stand, as (column, height) in hundredths of the middle field. */
const PIPS = {
  2: [[50, 8], [50, 92]], 3: [[50, 8], [50, 50], [50, 92]], 4: [[22, 8], [78, 8], [22, 92], [78, 92]],
  5: [[22, 8], [78, 8], [50, 50], [22, 92], [78, 92]], 6: [[22, 8], [78, 8], [22, 50], [78, 50], [22, 92], [78, 92]],
  7: [[22, 8], [78, 8], [50, 29], [22, 50], [78, 50], [22, 92], [78, 92]],
  8: [[22, 8], [78, 8], [50, 29], [22, 50], [78, 50], [50, 71], [22, 92], [78, 92]],
  9: [[22, 8], [78, 8], [22, 36], [78, 36], [50, 50], [22, 64], [78, 64], [22, 92], [78, 92]],
  10: [[22, 8], [78, 8], [50, 22], [22, 36], [78, 36], [22, 64], [78, 64], [50, 78], [22, 92], [78, 92]],
};

/* A card of the Kozyri games: `QC`. */
function card(name) {
  const suit = name.slice(-1), rank = name.slice(0, -1), ink = SUITS[suit].ink;
  const corner = `<text x="10.5" y="17" text-anchor="middle" font-size="${rank === "10" ? 15 : 17}" font-weight="700" letter-spacing="${rank === "10" ? -1.5 : 0}" font-family="Georgia,'DejaVu Serif',serif" fill="${ink}">${rank}</text>${suitMark(suit, 4.8, 20, 11.5)}`;
  let middle;
  if (PIPS[rank]) {
    middle = PIPS[rank].map(([x, y]) => {
      const px = 15 + x * 0.36, py = 16 + y * 0.56;
      return suitMark(suit, px - 5.2, py - 5.2 + 2, 10.4, y > 50 ? " rotate(180 50 50)" : "");
    }).join("");
  } else if (rank === "A") {
    middle = suitMark(suit, 17, 30, 30);
  } else {
    middle = `<rect x="19" y="16" width="33" height="54" rx="4" fill="${ink}" opacity=".09"/><rect x="21.5" y="18.5" width="28" height="49" rx="3" fill="none" stroke="${ink}" stroke-width=".8" opacity=".6"/>` +
      `<text x="35.5" y="45" text-anchor="middle" font-size="29" font-weight="700" font-family="Georgia,'DejaVu Serif',serif" fill="${ink}">${rank}</text>${suitMark(suit, 29.5, 50, 12)}`;
  }
  return svg(60, 84, blank("#fffdf8", "#b9b2a3") + corner + middle);
}

const back = () => svg(60, 84, blank("#7d2431", "#571722") +
  `<rect x="4.5" y="4.5" width="51" height="75" rx="4" fill="none" stroke="#e9c9a8" stroke-width="1"/>` +
  Array.from({ length: 15 }, (_, n) => `<path d="M${15 + (n % 3) * 15} ${12 + Math.floor(n / 3) * 15}l5 7-5 7-5-7z" fill="#e9c9a8" opacity=".55"/>`).join(""));

/* Seven Symbols: every colour has its own shape too, for eyes that do not tell colours apart. */
const SEVEN = {
  R: { word: "red", ink: "#b3182a", sides: 0 }, O: { word: "orange", ink: "#c25700", sides: 3 },
  Y: { word: "yellow", ink: "#8f6f00", sides: 4 }, G: { word: "green", ink: "#1b7837", sides: 5 },
  B: { word: "blue", ink: "#1b63b8", sides: 6 }, I: { word: "indigo", ink: "#3d3591", sides: -5 },
  V: { word: "violet", ink: "#8b2a9b", sides: -4 },
};
function polygon(sides, cx, cy, r) {
  if (sides === 0) return `<circle cx="${cx}" cy="${cy}" r="${(r * 0.9).toFixed(1)}"`;
  const count = sides < 0 ? -2 * sides : sides, points = [];
  for (let n = 0; n < count; n++) {
    const far = sides < 0 && n % 2 ? r * 0.45 : r, angle = (n / count) * 2 * Math.PI - Math.PI / 2 + (sides === 4 ? Math.PI / 4 : 0);
    points.push(`${(cx + far * Math.cos(angle)).toFixed(1)},${(cy + far * Math.sin(angle)).toFixed(1)}`);
  }
  return `<polygon points="${points.join(" ")}"`;
}
function sevenCard(name) {
  const colour = name.slice(-1), rank = name.slice(0, -1), look = SEVEN[colour];
  const symbol = rank === "7", sherman = name === "AR";
  const edge = `<rect x="4" y="4" width="52" height="76" rx="4" fill="none" stroke="#fff" stroke-width="1" opacity=".65"/>`;
  const corner = `<text x="15" y="23" text-anchor="middle" font-size="19" font-weight="700" letter-spacing="${rank.length > 1 ? -1 : 0}" fill="#fff">${rank}</text>${polygon(look.sides, 15, 32, 5.5)} fill="#fff"/>`;
  let middle = `${polygon(look.sides, 34, 54, look.sides < 0 ? 18 : 15)} fill="#fff" opacity=".92"/>`;
  if (look.sides >= 0) middle += `<text x="34" y="59" text-anchor="middle" font-size="13" font-weight="700" fill="${look.ink}">${rank}</text>`;
  if (symbol) middle = `<circle cx="34" cy="54" r="19" fill="#ffd76a" stroke="#fff" stroke-width="1.5"/>${polygon(look.sides, 34, 54, 13)} fill="${look.ink}"/>`;
  if (sherman) middle = `${polygon(-5, 34, 54, 20)} fill="#ffd76a" stroke="#fff" stroke-width="1"/><text x="34" y="59" text-anchor="middle" font-size="13" font-weight="700" fill="#5d0d16">A</text>`;
  return svg(60, 84, blank(look.ink, "#0006") + edge + corner + middle);
}

/* Code 777: tiles with a number, their colour and its letter. */
const TILE = {
  G: ["green", "#1f8a45", "#fff"], Y: ["yellow", "#f4cf3a", "#332900"], K: ["black", "#25292d", "#fff"], B: ["brown", "#7c4a21", "#fff"],
  R: ["red", "#c2182b", "#fff"], P: ["pink", "#f193b8", "#3c0f22"], C: ["blue", "#1f66c1", "#fff"],
};
function tile(name) {
  if (!name) return svg(60, 72, `<rect x="1" y="1" width="58" height="70" rx="8" fill="#d8cdb8" stroke="#a3967c" stroke-width="1.2"/><text x="30" y="49" text-anchor="middle" font-size="36" font-weight="700" fill="#8b7d61">?</text>`);
  const [word, fill, ink] = TILE[name.slice(-1)];
  return svg(60, 72, `<rect x="1" y="1" width="58" height="70" rx="8" fill="${fill}" stroke="#0007" stroke-width="1.2"/><rect x="4.5" y="4.5" width="51" height="63" rx="6" fill="none" stroke="${ink}" opacity=".4"/>` +
    `<text x="30" y="49" text-anchor="middle" font-size="38" font-weight="700" fill="${ink}">${name.slice(0, -1)}</text><text x="30" y="15.5" text-anchor="middle" font-size="11" font-weight="600" fill="${ink}">${word}</text>`);
}
