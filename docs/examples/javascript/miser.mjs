// A bot in JavaScript for the Kozyri games: beats with its cheapest card, and leads its cheapest.
//
//     command = ["node", "miser.mjs"]
import { createInterface } from "node:readline";

const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];

/** What a move costs: the rank of its card, more where it is a trump; taking and passing cost most. */
function price(name, view, seat) {
  const card = name.split(" ")[1];
  if (!card || name.startsWith("TAKE")) return name === "PASS" ? 30 : 100;
  const suit = card.at(-1);
  const trump = view.trumps?.[seat] === suit ? 14 : 0;
  return RANKS.indexOf(card.slice(0, -1)) + trump;
}

function say(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

let seat = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  if (asked.type === "hello") {
    seat = asked.seat;
    say({ type: "ready", protocol: 1 });
  } else if (asked.type === "act") {
    const prices = asked.moves.map((name) => price(name, asked.view, seat));
    const move = asked.moves[prices.indexOf(Math.min(...prices))];
    say({ type: "move", id: asked.id, move });
  } else {
    process.exit(0); // end
  }
}
