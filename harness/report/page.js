"use strict";
/* Tables that sort by their headings; everything else on the page works without a script. */
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  const key = (row, column) => {
    const text = row.cells[column].dataset.key, number = Number(text);
    return text === "" || Number.isNaN(number) ? text : number;
  };
  const compare = (a, b) => {
    const numbers = typeof a === "number" && typeof b === "number";
    if (numbers) return a - b;
    if (a === "" || b === "") return a === b ? 0 : a === "" ? 1 : -1;
    return String(a).localeCompare(String(b));
  };
  const sort = (column, down) => {
    const rows = [...body.rows].map((row, at) => [row, at]);
    rows.sort(([a, i], [b, j]) => {
      const x = key(a, column), y = key(b, column), unknown = x === "" || y === "";
      return (unknown || !down ? compare(x, y) : compare(y, x)) || i - j;
    });
    body.append(...rows.map(([row]) => row));
    heads.forEach((head, n) => (n === column ? head.setAttribute("aria-sort", down ? "descending" : "ascending") : head.removeAttribute("aria-sort")));
    table.classList.toggle("by-rank", column === 0 && !down);
  };
  heads.forEach((head, column) => {
    const button = head.querySelector("button");
    if (!button) return;
    button.addEventListener("click", () => {
      const now = head.getAttribute("aria-sort");
      const text = head.classList.contains("left") || column === 0;
      sort(column, now ? now === "ascending" : !text);
    });
  });
  table.classList.add("by-rank");
}
