// The order of what a search finds: prose before the pages of the reference. Points as in Sphinx,
// but a page of the reference gets a fifth of them.
var Scorer = {
  score: ([page, title, anchor, description, points]) =>
    page.startsWith("api/") || page === "genindex" ? points / 5 : points,
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
