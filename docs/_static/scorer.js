// The order of what a search finds: prose before the pages of the reference, what a page explains
// before the glossary, and titles that contain all that was asked before others. Points as in
// Sphinx, but a page of the reference gets a fifth of them, unless it is asked for by the name that
// a module and its function share, such as minimize.
const heading = (page, id) => {
  const of = ([, places]) => places.some(([file, at]) => at === id && Search._index.docnames[file] === page);
  const found = Object.entries(Search._index.alltitles).find(of);
  if (found) return ` > ${found[0]}`;
  return /^index-\d+$/.test(id) ? "" : ` > ${id.replace(/^term-/, "").replaceAll("-", " ")}`;
};
var Scorer = {
  score: (item) => {
    const [page, title, anchor, , points, , kind] = item;
    const asked = new URLSearchParams(location.search).get("q").trim();
    if (title.endsWith(`.${asked}.${asked}`)) return 110;
    if (kind === "index") item[1] = title + heading(page, anchor.slice(1));
    item[1] = readable(item[1]); // site.js
    if (page.startsWith("api/") || page === "genindex") return points / 5;
    const named = title.toLowerCase().includes(asked.toLowerCase()) ? 5 : 0;
    return (points + named) * (page === "glossary" ? 0.9 : 1);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
