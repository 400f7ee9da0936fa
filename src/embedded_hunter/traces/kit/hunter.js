// Algorithm 1 of EmbeddedHunter in JavaScript: from a trace it makes the trace of its own run.
// Indices, norms and the cap are BigInt, hence exact.
"use strict";

// "3/10" or "5" as numerator and denominator.
function fraction(text) {
  const [p, q = "1"] = text.split("/");
  return [BigInt(p), BigInt(q)];
}

// Split coordinate h mod d. The center child keeps base point, f* and count of its parent.
function children(node, K, d) {
  return Array.from({ length: K }, (_, digit) => {
    const c = [...node.c], j = node.h % d, center = digit === (K - 1) / 2;
    c[j] = BigInt(K) * c[j] + BigInt(digit - (K - 1) / 2);
    return { h: node.h + 1, i: BigInt(K) * node.i + BigInt(digit), c,
             fStar: center ? node.fStar : Infinity, count: center ? node.count : 0 };
  });
}

// ||y||^2 K^(2 m) / (2 R)^2 with m = ceil(h / d): coordinate j was split at depths j, j + d, ...
function squaredNorm(node, K, d) {
  const m = Math.ceil(node.h / d);
  return node.c.reduce((sum, c, j) => {
    const splits = Math.floor((node.h - j + d - 1) / d);
    return sum + (c * BigInt(K) ** BigInt(m - splits)) ** 2n;
  }, 0n);
}

// Yield the events of a run; the answer to `evaluate` is its value.
function* hunt(settings) {
  const { K, d, v, h_max } = settings;
  const [M, M_below] = fraction(settings.M), [eta, eta_below] = fraction(settings.eta);
  const above = (M * 2n * BigInt(d) * eta_below) ** 2n, below = (M_below * eta) ** 2n; // (2 R M)^2
  let best = Infinity, made = 0;

  function* evaluate(node) {
    made += 1, node.count += 1;
    const value = yield { event: "evaluate", h: node.h, i: node.i, c: node.c, p: node.count };
    best = Math.min(best, value);
    node.fStar = Math.min(node.fStar, value);
  }
  function mayBeEvaluated(node) {
    const past = (BigInt(node.count) * BigInt(K) ** BigInt(Math.ceil(node.h / d))) ** 2n;
    return node.count === 0 || past * below <= above * squaredNorm(node, K, d);
  }
  const depth = () => leaves.reduce((most, leaf) => Math.max(most, leaf.h), 0);
  const before = (a, b) => a.fStar < b.fStar || (a.fStar === b.fStar && a.i < b.i);

  const root = { h: 0, i: 0n, c: Array(d).fill(0n), fStar: Infinity, count: 0 };
  yield* evaluate(root);
  let leaves = [root], t = 0, sweep = 0, expanded = true;
  while (made < v && expanded) {
    let nuMin = null;
    expanded = false;
    const limit = Math.min(depth(), h_max);
    yield { event: "sweep", sweep: ++sweep, limit };
    for (let l = 0; l <= limit && made < v; l++) {
      yield { event: "visit", t: ++t, l };
      const classes = new Map(); // norm: the best leaf
      for (const leaf of leaves.filter((leaf) => leaf.h === l)) {
        const norm = squaredNorm(leaf, K, d), other = classes.get(norm);
        if (other === undefined || before(leaf, other)) classes.set(norm, leaf);
      }
      for (const norm of [...classes.keys()].sort((a, b) => (a > b ? -1 : 1))) {
        const leaf = classes.get(norm);
        if (made === v || !(nuMin === null || leaf.fStar < nuMin)) continue;
        [nuMin, expanded] = [leaf.fStar, true];
        yield { event: "expand", h: leaf.h, i: leaf.i, nu_min: nuMin };
        const family = children(leaf, K, d);
        const wanted = family.filter(mayBeEvaluated), left = v - made;
        for (const child of wanted.slice(0, left)) yield* evaluate(child);
        if (wanted.length <= left) leaves = leaves.filter((x) => x !== leaf).concat(family);
      }
    }
  }
  yield { event: "end", answer: best, evaluations: made, t, sweeps: sweep, depth: depth(),
          leaves: leaves.length, reason: made === v ? "maxfun" : "h_max" };
}

// JSON in which a BigInt is a plain integer and an infinite number a string.
function text(x) {
  if (typeof x === "bigint") return x.toString();
  if (Array.isArray(x)) return `[${x.map(text)}]`;
  if (x === Infinity || x === -Infinity) return x > 0 ? '"inf"' : '"-inf"';
  if (typeof x !== "object") return JSON.stringify(x);
  return `{${Object.entries(x).map(([name, field]) => `"${name}": ${text(field)}`)}}`;
}

const lines = require("fs").readFileSync(0, "utf8").trim().split("\n");
const [header, ...events] = lines.map((line) => JSON.parse(line));
const number = (value) => ({ inf: Infinity, "-inf": -Infinity })[value] ?? value;
const values = events.filter((event) => "value" in event).map(({ value }) => number(value));
console.log(JSON.stringify(header));
const run = hunt(header.settings);
for (let { value: event } = run.next(); event; { value: event } = run.next(event.value)) {
  if (event.event === "evaluate") event.value = values.shift();
  console.log(text(event));
}
