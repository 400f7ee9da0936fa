// What scrolls can be reached by the keyboard.
function focusable() {
  for (const e of document.querySelectorAll("pre, .table-wrapper, .math-wrapper, .listed, .math")) {
    if (e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight + 1) e.tabIndex = 0;
    else e.removeAttribute("tabindex");
  }
}
document.addEventListener("DOMContentLoaded", focusable);
window.addEventListener("load", focusable);
window.addEventListener("resize", focusable);

// Graphs of claims: as wide as the page; two buttons make them larger and smaller.
function zoomable(box) {
  const svg = box.querySelector("svg");
  const natural = parseFloat(svg.getAttribute("width")) * 4 / 3; // points to pixels
  const bar = document.createElement("p");
  bar.className = "claims-zoom";
  let scale = 0; // 0: as wide as the page
  const show = () => {
    svg.style.maxWidth = scale ? "none" : "";
    svg.style.width = scale ? `${natural * scale}px` : "";
  };
  const button = (text, name, next) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.setAttribute("aria-label", name);
    made.addEventListener("click", () => { scale = next(); show(); });
    bar.append(made);
  };
  const now = () => svg.getBoundingClientRect().width / natural;
  button("+", "larger", () => Math.min(3, now() * 1.4));
  button("−", "smaller", () => Math.max(0.2, now() / 1.4));
  button("fit", "as wide as the page", () => 0);
  box.before(bar);
}

// Tables of claims and of sentences: the words of the list of verdicts are buttons; only the rows
// with a chosen verdict stay.
const FILTERED = "table.claims, table.sentences";
function filterable(list) {
  const rows = [...document.querySelectorAll(FILTERED)].flatMap(t => [...t.tBodies[0].rows]);
  const verdicts = row => [...row.querySelectorAll(".verdict")].map(e => e.textContent);
  const chosen = new Set();
  const show = () => {
    for (const row of rows) row.hidden = chosen.size > 0 && !verdicts(row).some(v => chosen.has(v));
    for (const table of document.querySelectorAll(FILTERED)) {
      table.closest("section").hidden = !table.querySelector("tbody tr:not([hidden])");
    }
    for (const made of list.querySelectorAll("button")) {
      made.setAttribute("aria-pressed", chosen.has(made.textContent));
    }
  };
  for (const badge of list.querySelectorAll(".verdict")) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = badge.className;
    made.textContent = badge.textContent;
    made.title = "Show the rows with this verdict alone";
    made.addEventListener("click", () => {
      if (!chosen.delete(made.textContent)) chosen.add(made.textContent);
      show();
    });
    badge.replaceWith(made);
  }
  // A link to a row that is not shown shows all rows again.
  window.addEventListener("hashchange", () => {
    const target = document.getElementById(location.hash.slice(1));
    if (target && target.closest("[hidden]")) {
      chosen.clear();
      show();
      target.scrollIntoView();
    }
  });
  show();
}

document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll(".claims-graph").forEach(zoomable);
  if (document.querySelector(FILTERED)) {
    document.querySelectorAll(".claims-summary").forEach(filterable);
  }
});
