/* A game without a drawing of its own: its position as it is written. */
const TABLE = {
  scene(ctx) {
    const text = JSON.stringify(ctx.state, null, 1).replace(/\n\s+(?=[^\]}]*[\]}])/g, " ");
    return { items: [], labels: [{ x: 0, y: 0, w: ctx.W, cls: "json mono", html: esc(text) }], height: 0, text };
  },
};
