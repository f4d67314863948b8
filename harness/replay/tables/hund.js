/* Hund: no trumps until the first Queen. */
const TABLE = {
  scene: ctx => kozyriTable(ctx, { START: "the two of clubs starts", TURN: ctx.state.pile.length ? "to beat the top card, or take" : "to lead", SECOND: "a second card may follow", QUEEN: "a card must follow the first Queen" }),
};
