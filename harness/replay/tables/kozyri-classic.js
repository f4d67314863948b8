/* Kozyri for two to four. */
const TABLE = {
  scene: ctx => kozyriTable(ctx, { TRUMP: "to choose a trump", TURN: ctx.state.pile.length ? "to beat the top card, or take" : "to lead", SECOND: "a second card may follow" }),
};
