/* Kozyri for two: all cards lie open. */
const TABLE = {
  scene: ctx => kozyriTable(ctx, { LEAD: "to lead", RESPOND: "to beat the top card, or take", TRUMP: "to choose a trump", SECOND: "to choose a second suit" }),
};
