"use strict";
// Rows beyond the first come from JSON beside each table. Text is only ever set as text.
const STEP = 100;

function element(name, parent, text, kind) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (kind) made.className = kind;
  parent.append(made);
  return made;
}

function fill(parent, cell) {
  if (typeof cell !== "object") parent.textContent = cell;
  else if ("q" in cell) {
    const details = element("details", parent);
    element("summary", details, cell.t);
    const pre = element("pre", details, cell.q[0]);
    pre.tabIndex = 0;
    element("mark", pre, cell.q[1]);
    pre.append(cell.q[2]);
  } else if ("i" in cell) {
    const plot = document.getElementById("plot").content.firstElementChild.cloneNode(true);
    plot.setAttribute("aria-label", cell.t);
    plot.querySelector(".inside").setAttribute("d", cell.i);
    plot.querySelector(".outside").setAttribute("d", cell.o);
    parent.append(plot);
  } else if ("k" in cell) element("span", parent, cell.t, cell.k);
  else parent.textContent = cell.t;
}

function addRow(body, row, labels) {
  const tr = element("tr", body);
  row.forEach((cell, n) => {
    const td = element("td", tr);
    td.dataset.label = labels[n];
    fill(td, cell);
  });
}

function addHunk(parent, hunk) {
  const article = element("article", parent, undefined, "hunk");
  const header = element("header", article);
  element("code", header, `${hunk.f}:${hunk.n}`);
  for (const [reason, rule, until] of hunk.w) {
    const why = element("p", header, `${reason} `);
    element("code", why, rule);
    if (until) element("small", why, `Remove when: ${until}`);
  }
  const pre = element("pre", article);
  pre.tabIndex = 0;
  for (const [kind, text] of hunk.b) element("span", pre, text, kind);
}

const textOf = (cell) => String(typeof cell === "object" ? cell.t : cell);
const wordsOf = (row) => (Array.isArray(row) ? row.map(textOf).join("\n") : JSON.stringify(row)).toLowerCase();

const { compare } = new Intl.Collator("en", { numeric: true });

function manage(section) {
  const source = document.getElementById(section.dataset.rows);
  if (!source) return;
  const body = section.querySelector("tbody, .hunks");
  const labels = [...section.querySelectorAll("th")].map((th) => th.textContent);
  const search = section.querySelector("[data-search]");
  const selects = [...section.querySelectorAll("[data-column]")];
  const order = section.querySelector("[data-sort]");
  const more = section.querySelector("[data-more]");
  const status = section.querySelector(".count");
  let rows, words;
  let shown = body.childElementCount;

  function draw(limit, keep) {
    rows ??= JSON.parse(source.textContent);
    words ??= rows.map(wordsOf);
    const wanted = search ? search.value.toLowerCase() : "";
    const chosen = rows.filter((row, n) => words[n].includes(wanted)
      && selects.every((s) => !s.selectedIndex || textOf(row[s.dataset.column]) === s.value));
    if (order?.value) chosen.sort((a, b) => compare(textOf(a[order.value]), textOf(b[order.value])));
    if (!keep) body.replaceChildren();
    for (const row of chosen.slice(keep, limit)) {
      if (Array.isArray(row)) addRow(body, row, labels);
      else addHunk(body, row);
    }
    shown = Math.min(limit, chosen.length);
    status.textContent = `${shown} of ${chosen.length} shown`;
    if (!more) return;
    if (document.activeElement === more && shown >= chosen.length) status.focus();
    more.hidden = shown >= chosen.length;
  }

  for (const control of section.querySelectorAll(".controls, [data-more]")) control.hidden = false;
  search?.addEventListener("input", () => draw(STEP, 0));
  for (const control of [order, ...selects]) control?.addEventListener("change", () => draw(STEP, 0));
  more?.addEventListener("click", () => draw(shown + STEP, shown));
}

// A quoted source is as wide as the table: in a cell it would move all columns.
function placeQuote({ target }) {
  const row = target.closest("tr");
  if (!row) return;
  if (target.open) {
    const quote = document.createElement("tr");
    quote.className = "quote";
    const cell = element("td", quote);
    cell.colSpan = row.cells.length;
    cell.append(target.querySelector("pre"));
    row.after(quote);
  } else if (row.nextElementSibling?.className === "quote") {
    target.append(row.nextElementSibling.querySelector("pre"));
    row.nextElementSibling.remove();
  }
}

document.querySelectorAll("[data-rows]").forEach(manage);
document.addEventListener("toggle", placeQuote, true);
