// What scrolls can be reached by the keyboard.
function focusable() {
  for (const e of document.querySelectorAll("pre, .table-wrapper, .math-wrapper, .listed, .math")) {
    if (e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight + 1) e.tabIndex = 0;
    else e.removeAttribute("tabindex");
    e.classList.toggle("scrolls", e.scrollWidth > e.clientWidth);
  }
}
document.addEventListener("DOMContentLoaded", focusable);
document.addEventListener("toggle", focusable, true); // what was folded has a width now
window.addEventListener("load", focusable);
window.addEventListener("resize", focusable);

// What a search finds, without LaTeX: h_{\max} becomes h_max, \(d \ge d_e\) becomes d ≥ d_e.
const SIGNS = {
  ge: "≥", le: "≤", ne: "≠", cdot: "·", infty: "∞", sqrt: "√", lVert: "‖", rVert: "‖", lvert: "|", rvert: "|",
  delta: "δ", epsilon: "ε", eta: "η", nu: "ν", sigma: "σ", tau: "τ", Gamma: "Γ", lambda: "λ", max: "max", min: "min", sup: "sup",
};
const readable = text => text.replace(/\\[()[\]]/g, "")
  .replace(/\\([A-Za-z]+)/g, (_, name) => SIGNS[name] ?? "")
  .replace(/(?<!\\)[{}]/g, "").replace(/\\/g, "");
document.addEventListener("DOMContentLoaded", () => {
  if (typeof Search === "undefined") return;
  const text = Search.htmlToText;
  // The id of a section can stand on an empty element at its beginning.
  Search.htmlToText = (page, anchor) => readable(
    text(page, anchor) || text(page, `section:has(> ${anchor})`));
});

// Pages of long tables: their families, sections of one subject, are folds, and a filter above the
// first one leaves the rows (of the hypotheses: the claims) that contain a text or have one of the
// chosen verdicts, the words of the list of verdicts. Without JavaScript everything is shown.
const WITH_A_TABLE = "section:has(> .table-wrapper tr:nth-child(8))";
const LONG = [ // page, families, what is filtered
  [/\/claims\.html$/, "section:has(> .table-wrapper table.claims)", "tbody tr"],
  [/\/paper\/hypotheses\.html$/, "article > section > section", "section section section"],
  [/\/proofs\/theorems\.html$/, "article > section > section", "li"],
  [/\/results\/((paper|released)\/report|benchmark\/tables)\.html$/, WITH_A_TABLE, "tbody tr"],
];
const element = (tag, fields, ...inside) => {
  const made = Object.assign(document.createElement(tag), fields);
  made.append(...inside);
  return made;
};

function folded(section, count) {
  const heading = section.querySelector(":scope > :is(h2, h3, h4)");
  const number = element("span", { className: "count", textContent: ` ${count}` });
  const fold = element("details", { className: "family" }, element("summary", {}, number));
  for (const inner of section.querySelectorAll("details:has(tr)")) inner.open = true; // one fold is enough
  while (heading.nextSibling) fold.append(heading.nextSibling);
  section.append(fold);
  fold.firstChild.prepend(heading);
  return fold;
}

function filterable(families, selector) {
  const units = families.map(family => [...family.querySelectorAll(selector)]);
  const folds = families.map((family, k) => folded(family, units[k].length));
  const verdicts = unit => [...unit.querySelectorAll(".verdict")].map(e => e.textContent);
  const chosen = new Set();
  const text = element("input", { type: "search", size: 30 });
  const said = element("output");
  const open = element("button", { type: "button" });
  const all = units.flat();
  function show() {
    const asked = text.value.trim().toLowerCase();
    for (const unit of all) {
      unit.hidden = chosen.size > 0 && !verdicts(unit).some(v => chosen.has(v))
        || !unit.textContent.toLowerCase().includes(asked);
    }
    families.forEach((family, k) => {
      for (const part of [family, ...family.querySelectorAll("section")]) {
        const inside = part.matches(selector) ? [part] : [...part.querySelectorAll(selector)];
        part.hidden = inside.length > 0 && inside.every(unit => unit.hidden);
      }
      folds[k].open = !family.hidden && (chosen.size > 0 || asked !== "");
    });
    said.value = ` ${all.filter(unit => !unit.hidden).length} of ${all.length}`;
    for (const made of document.querySelectorAll("button.verdict")) {
      made.setAttribute("aria-pressed", chosen.has(made.textContent));
    }
    name();
  }
  const name = () => {
    open.textContent = folds.every(fold => fold.open) ? "close all" : "open all";
  };
  for (const badge of document.querySelectorAll(".claims-summary .verdict")) {
    const made = element("button", {
      type: "button", className: badge.className, textContent: badge.textContent,
      title: "Show the rows with this verdict alone",
    });
    made.addEventListener("click", () => {
      if (!chosen.delete(made.textContent)) chosen.add(made.textContent);
      show();
    });
    badge.replaceWith(made);
  }
  text.addEventListener("input", show);
  open.addEventListener("click", () => {
    const next = !folds.every(fold => fold.open);
    for (const fold of folds) fold.open = next;
  });
  for (const fold of folds) fold.addEventListener("toggle", name);
  // A link to what is folded or not shown shows it.
  function arrive() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.closest("[hidden]")) {
      chosen.clear();
      text.value = "";
      show();
    }
    folds.filter(fold => fold.contains(target) || fold.parentNode === target)
      .forEach(fold => { fold.open = true; });
    target.scrollIntoView();
  }
  window.addEventListener("hashchange", arrive);
  families[0].before(element("p", { className: "filter" },
    element("label", {}, "Filter ", text), said, open));
  show();
  arrive();
}

document.addEventListener("DOMContentLoaded", () => {
  const [, families, rows] = LONG.find(([page]) => page.test(location.pathname)) ?? [];
  if (families) filterable([...document.querySelectorAll(families)], rows);
});
