// Draws the steps that plots/steps.py makes from a run: one picture for each step.
(function () {
  "use strict";
  if (window.embeddedHunter) return;
  const SVG = "http://www.w3.org/2000/svg";
  window.embeddedHunter = { start };

  function make(tag, attributes, parent) {
    const e = document.createElementNS(SVG, tag);
    for (const name in attributes) e.setAttribute(name, attributes[name]);
    if (parent) parent.append(e);
    return e;
  }
  function write(parent, x, y, text, anchor, type) {
    const e = make("text", { x, y, "text-anchor": anchor || "start", class: type || "" }, parent);
    text.split("ν_min").forEach((part, k) => {
      if (k) {
        make("tspan", { "font-style": "italic" }, e).textContent = "ν";
        make("tspan", { dy: ".25em", "font-size": "70%" }, e).textContent = "min";
        make("tspan", { dy: "-.18em" }, e).textContent = part;
      } else e.append(part);
    });
  }
  const TURN = 18;  // of plots/listing.py
  const number = (value) => (value === "inf" ? Infinity : value === "-inf" ? -Infinity : value);
  function shown(value) {
    if (value === null || value === Infinity) return "∞";
    if (value === -Infinity) return "−∞";
    const text = Math.abs(value) >= 1e-4 || value === 0 ? String(+value.toPrecision(4))
      : value.toExponential(1);
    return text.replace("-", "−");
  }
  const short = (value) => (isFinite(value) ? shown(+value.toPrecision(2)) : shown(value));

  // A run with what the pictures need of it: shades by rank, places in the tree.
  function prepared(run) {
    const values = run.evaluations.map((e) => (e[3] = number(e[3])));
    const ranks = [...new Set(values)].sort((a, b) => a - b);
    const rank = new Map(ranks.map((v, k) => [v, ranks.length > 1 ? 1 - k / (ranks.length - 1) : 1]));
    run.shade = (value) => Math.round(100 * (rank.get(value) ?? 0)) + "%";
    const finite = values.filter(isFinite);
    run.range = finite.length ? [Math.min(...finite), Math.max(...finite)] : [0, 1];
    run.depth = 0;
    run.children = run.nodes.map(() => []);
    run.nodes.forEach((node, k) => {
      node.f.forEach((pair) => { pair[1] = number(pair[1]); });
      run.depth = Math.max(run.depth, node.h);
      if (node.parent !== null) run.children[node.parent].push(k);
    });
    let leaves = 0;
    run.place = [];
    function walk(k) {
      const below = run.children[k];
      below.forEach(walk);
      run.place[k] = below.length
        ? below.reduce((sum, c) => sum + run.place[c], 0) / below.length : leaves++ + .5;
    }
    run.nodes.forEach((node, k) => { if (node.parent === null) walk(k); });
    run.width = leaves;
    run.sweeps = run.steps.flatMap((s, k) => (s[0][0] === 1 ? [k] : []));
    return run;
  }
  function sentence(text) {  // with nu_min as a formula
    const out = document.createElement("span");
    text.split("ν_min").forEach((part, k) => {
      if (k) {
        const sub = document.createElement("sub"), nu = document.createElement("i");
        sub.textContent = "min";
        nu.textContent = "ν";
        out.append(nu, sub);
      }
      out.append(part);
    });
    return out;
  }
  function valueAt(node, k) {
    let value = Infinity;
    for (const [step, f] of node.f) if (step <= k) value = f;
    return value;
  }

  // The tree of the leaf that is expanded, or that of the least value so far.
  function treeAt(run, k, now) {
    if (now.leaf !== null) return run.nodes[now.leaf].tree;
    const made = run.evaluations.filter((e) => e[0] <= k && e[1] !== null);
    const best = made.reduce((b, e) => (b && b[3] <= e[3] ? b : e), null);
    return best ? run.nodes[best[1]].tree : 0;
  }

  const SIDE = 100;
  function drawY(svg, run, k, now) {
    svg.replaceChildren();
    const several = run.trees.length > 1, tree = treeAt(run, k, now), [d, R] = run.trees[tree];
    if (d > 2) {
      if (several) write(svg, SIDE / 2, SIDE / 2 - 7, `Tree ${tree + 1}:`, "middle");
      write(svg, SIDE / 2, SIDE / 2, `Y has ${d} dimensions: its cells are not drawn.`, "middle");
      return;
    }
    const scale = SIDE / (2 * R), flat = d === 1;
    const at = (node) => [
      SIDE / 2 + scale * node.y[0], flat ? SIDE / 2 : SIDE / 2 - scale * node.y[1]];
    const last = [];
    run.nodes.forEach((node, n) => {
      const leaf = node.born !== null && node.born <= k && (node.split === null || k < node.split);
      const cut = node.made <= k && !leaf && node.parent !== null && node.parent === now.leaf &&
        (node.born === null || k < node.born);
      if ((!leaf && !cut) || node.tree !== tree) return;
      const [x, y] = at(node), w = scale * node.widths[0], h = flat ? SIDE / 4 : scale * node.widths[1];
      const active = n === now.leaf || cut || node.born === k;
      const e = make("rect", { x: x - w / 2, y: y - h / 2, width: w, height: h,
        class: active ? "eh-cell eh-now" : "eh-cell" });
      const value = valueAt(node, k);
      e.style.setProperty("--s", run.shade(value));
      make("title", {}, e).textContent = `${node.name}: f* = ${shown(value)}`;
      if (active) last.push(e); else svg.append(e);
    });
    svg.append(...last);
    if (several) write(svg, 2, 5, `tree ${tree + 1}`, "start", "eh-said");
    if (now.classes && now.j !== null) {
      const group = now.classes[now.j - 1].filter((n) => run.nodes[n].tree === tree);
      const norms = new Set(group.map((n) => run.nodes[n].norm));
      if (!flat && norms.size === 1) {
        make("circle", { cx: SIDE / 2, cy: SIDE / 2, r: scale * [...norms][0], class: "eh-ring" }, svg);
      }
      for (const n of group) {
        const [cx, cy] = at(run.nodes[n]);
        make("circle", { cx, cy, r: 1.1, class: "eh-dot" }, svg);
      }
    }
    const point = now.child ?? now.leaf;
    if (point !== null) {
      const [cx, cy] = at(run.nodes[point]);
      make("circle", { cx, cy, r: 1.7, class: "eh-dot eh-now" }, svg);
    }
  }

  function drawValues(svg, run, k) {
    svg.replaceChildren();
    const several = run.kinds.length > 1, [low, high] = run.range;
    const left = 7, right = SIDE - 2, top = 4;
    const bottom = svg.viewBox.baseVal.height - (several ? 20 : 11);
    const log = low > 0, scaled = (f) => (log ? Math.log(f) : f);
    const X = (n) => left + (right - left) * (n + 1) / Math.max(run.v, run.evaluations.length);
    const Y = (f) => (f === Infinity ? top : f === -Infinity ? bottom : bottom - 2 - (bottom - top - 4) *
      (high > low ? (scaled(f) - scaled(low)) / (scaled(high) - scaled(low)) : .5));
    make("path", { d: `M${left} ${top}V${bottom}H${right}`, class: "eh-axis" }, svg);
    write(svg, (left + right) / 2, bottom + 6, `evaluations${log ? " (values: logarithmic scale)" : ""}`, "middle");
    write(svg, left - 1, Y(low) + 1.5, short(low), "end");
    write(svg, left - 1, Y(high) + 1.5, short(high), "end");
    if (several) {
      run.kinds.forEach(([name, color], n) => {
        const x = left + (right - left) * (n % 2) / 2, y = bottom + 13 + 5 * Math.floor(n / 2);
        make("circle", { cx: x + 2, cy: y - 1.2, r: 1.4, fill: color }, svg);
        write(svg, x + 5, y, name);
      });
    }
    let best = Infinity, path = "";
    run.evaluations.forEach((e, n) => {
      if (e[0] > k) return;
      const dot = make("circle", { cx: X(n), cy: Y(e[3]), r: e[0] === k ? 1.4 : .7,
        class: e[0] === k ? "eh-dot eh-now" : "eh-dot" }, svg);
      if (several && e[0] !== k) dot.style.fill = run.kinds[e[5]][1];
      make("title", {}, dot).textContent = `f = ${shown(e[3])}` + (several ? `, ${run.kinds[e[5]][0]}` : "");
      path += path ? `H${X(n)}` : `M${X(n)} ${Y(e[3])}`;
      if (e[3] < best) path += `V${Y(best = e[3])}`;
    });
    make("path", { d: path, class: "eh-nu", fill: "none" }, svg);
  }

  // Who has made how many evaluations, and the best value of each.
  function drawMembers(svg, run, k) {
    const made = run.evaluations.filter((e) => e[0] <= k), most = Math.max(made.length, 1);
    const now = made.filter((e) => e[0] === k).map((e) => e[5]);
    run.kinds.forEach(([name, color], n) => {
      const own = made.filter((e) => e[5] === n), y = 6 + 17 * n;
      const best = own.reduce((least, e) => Math.min(least, e[3]), Infinity);
      write(svg, -6, y, name, "start", now.includes(n) ? "eh-said" : "");
      write(svg, SIDE - 2, y, own.length ? `best ${short(best)}` : "", "end");
      make("rect", { x: -6, y: y + 2, width: Math.max(.3, 88 * own.length / most), height: 5,
        fill: color }, svg);
      write(svg, SIDE - 2, y + 6, String(own.length), "end");
    });
  }

  function drawClasses(svg, run, k, now) {
    svg.replaceChildren();
    if (!now.classes) { (run.kinds.length > 1 ? drawMembers : drawValues)(svg, run, k); return; }
    const corner = Math.max(...run.trees.map(([d, R]) => R * Math.sqrt(d)));
    const left = 7, right = SIDE - 2, top = 7, bottom = 65;
    const X = (norm) => left + 3 + (right - left - 6) * norm / corner;
    const [low, high] = run.range;
    const Y = (f) => (f === Infinity ? top : f === -Infinity ? bottom
      : bottom - 3 - (bottom - top - 8) * (high > low ? (f - low) / (high - low) : .5));
    make("path", { d: `M${left} ${top}V${bottom}H${right}`, class: "eh-axis" }, svg);
    write(svg, (left + right) / 2, 75, "norm ‖y‖ of the base points", "middle");
    write(svg, left + 3, 75, "0", "middle");
    write(svg, right - 3, 75, shown(corner), "middle");
    write(svg, left - 1, bottom + 4.5, "class", "end");
    write(svg, left - 1, Y(low) + 1.5, short(low), "end");
    write(svg, left - 1, Y(high) + 1.5, short(high), "end");
    write(svg, left - 4, top - 2, "f*", "middle");
    now.classes.forEach((group, j) => {
      const all = group.map((n) => X(run.nodes[n].norm)), active = j + 1 === now.j;
      const first = Math.min(...all), last = Math.max(...all), x = (first + last) / 2;
      if (active) make("rect", { x: first - 2.4, y: top, width: last - first + 4.8, height: bottom - top, class: "eh-band" }, svg);
      make("path", { d: `M${x} ${bottom}v-2`, class: "eh-axis" }, svg);
      if (now.classes.length < 13) write(svg, x, bottom + 4.5, String(j + 1), "middle", active ? "eh-said" : "");
      for (const n of group) {
        const type = n === now.leaf ? "eh-dot eh-now" : "eh-dot";
        const e = make("circle", { cx: X(run.nodes[n].norm), cy: Y(valueAt(run.nodes[n], k)), r: n === now.leaf ? 2.2 : 1.4, class: type }, svg);
        make("title", {}, e).textContent = `${run.nodes[n].name}: f* = ${shown(valueAt(run.nodes[n], k))}`;
      }
    });
    if (now.nu !== null) {
      const y = Y(number(now.nu));
      make("path", { d: `M${left} ${y}H${right}`, class: "eh-nu" }, svg);
      write(svg, right, y - 2.4, `ν_min = ${shown(number(now.nu))}`, "end", "eh-said");
    }
  }

  function drawX(svg, run, k) {
    svg.replaceChildren();
    if (run.plane) {
      const side = Math.round(Math.sqrt(run.plane.length)), w = SIDE / side;
      [...run.plane].forEach((digit, n) => {
        const e = make("rect", { x: w * (n % side), y: SIDE - w * (1 + Math.floor(n / side)),
          width: w + .1, height: w + .1, class: "eh-cell", "stroke-opacity": 0 }, svg);
        e.style.setProperty("--s", Math.round(70 * parseInt(digit, 16) / 15) + "%");
      });
    }
    const made = run.evaluations.filter((e) => e[0] <= k && e[4]);
    const best = made.reduce((b, e) => (b && b[3] <= e[3] ? b : e), null);
    made.forEach((e) => {
      const type = e[0] === k ? "eh-dot eh-now" : e === best ? "eh-dot eh-best" : "eh-dot";
      const dot = make("circle", { cx: 50 + 50 * e[4][0], cy: 50 - 50 * e[4][1],
        r: e[0] === k || e === best ? 2 : 1.1, class: type }, svg);
      make("title", {}, dot).textContent = `f(x) = ${shown(e[3])}`;
    });
    make("rect", { x: 0, y: 0, width: SIDE, height: SIDE, class: "eh-axis" }, svg);
  }

  function drawTree(svg, run, k, now) {
    svg.replaceChildren();
    const wide = svg.viewBox.baseVal.width, high = svg.viewBox.baseVal.height, left = 34;
    const X = (n) => left + (wide - left - 4) * run.place[n] / run.width;
    const Y = (h) => 8 + (high - 16) * (run.depth ? h / run.depth : .5);
    const r = Math.max(1.2, Math.min(3.4, .42 * (wide - left) / run.width));
    if (now.l !== null) {
      make("rect", { x: 0, y: Y(now.l) - 6, width: wide, height: 12, class: "eh-band" }, svg);
    }
    const each = Math.ceil(12 * run.depth / (high - 16)) || 1;
    for (let h = 0; h <= run.depth; h += each) {
      write(svg, 2, Y(h) + 2.4, h ? String(h) : "depth 0", "start", h === now.l ? "eh-said" : "");
    }
    const circles = [];
    run.nodes.forEach((node, n) => {
      if (node.made > k) return;
      const active = n === now.leaf || n === now.child || (node.born === k && node.parent !== null);
      if (node.parent !== null) {
        make("line", { x1: X(node.parent), y1: Y(node.h - 1), x2: X(n), y2: Y(node.h),
          class: node.parent === now.leaf || active ? "eh-edge eh-now" : "eh-edge" }, svg);
      }
      const split = node.split !== null && node.split <= k;
      const e = make("circle", { cx: X(n), cy: Y(node.h), r: active ? r * 1.3 : r,
        class: "eh-node" + (split ? " eh-split" : "") + (active ? " eh-now" : "") });
      const value = valueAt(node, k);
      e.style.setProperty("--s", run.shade(value));
      make("title", {}, e).textContent = `${node.name}: f* = ${shown(value)}`;
      circles.push(e);
    });
    svg.append(...circles);
  }

  function start(box) {
    if (box.dataset.started) return;
    box.dataset.started = "yes";
    const find = (selector) => box.querySelector(selector);
    const slider = find(".eh-bar input"), play = find(".eh-play"), pre = find(".eh-code pre");
    const speed = find(".eh-speed select");
    const pictures = { y: drawY, values: drawValues, classes: drawClasses, x: drawX, tree: drawTree };
    let run = null, timer = null;

    function show() {
      const k = +slider.value;
      const [lines, says, sweep, visit, j, nu, leaf, child] = run.steps[k];
      const [t, l, classes] = visit === null ? [null, null, null] : run.visits[visit];
      const now = { sweep, l, j, nu, leaf, child, classes };
      box.dataset.line = lines.join(" ");
      box.dataset.step = k;
      find(".eh-says").replaceChildren(sentence(says));
      const made = run.evaluations.filter((e) => e[0] <= k);
      const best = made.reduce((least, e) => Math.min(least, e[3]), Infinity);
      find(".eh-state").replaceChildren(sentence([
        `step ${k + 1} of ${run.steps.length}`, `sweep ${sweep}`, t === null ? "" : `t = ${t}`,
        lines.includes(TURN) ? "" : `ν_min = ${shown(number(nu))}`, `${made.length} of ${run.v} evaluations`,
        `best value ${shown(best)}`,
      ].filter(Boolean).join(" · ")));
      slider.setAttribute("aria-valuetext", says);
      for (const e of box.querySelectorAll("[data-lines]")) {
        const on = e.dataset.lines.split(" ").some((line) => lines.includes(+line));
        e.classList.toggle("eh-now", on);
        if (on) e.setAttribute("aria-current", "step"); else e.removeAttribute("aria-current");
      }
      const code = find(".eh-code .eh-now");  // scroll the code, not the page
      if (code) {
        const above = code.offsetTop - 24, below = code.offsetTop + code.offsetHeight + 24;
        if (above < pre.scrollTop) pre.scrollTop = above;
        else if (below > pre.scrollTop + pre.clientHeight) pre.scrollTop = below - pre.clientHeight;
      }
      for (const name in pictures) {
        const svg = find(`.eh-${name} svg`);
        if (svg) pictures[name](svg, run, k, now);
      }
    }
    function to(k) {
      slider.value = Math.max(0, Math.min(run.steps.length - 1, k));
      show();
    }
    function stop() {
      clearInterval(timer);
      timer = null;
      play.textContent = "Play";
    }
    const at = () => +slider.value;
    const acts = {
      first: () => to(0),
      last: () => to(run.steps.length - 1),
      back: () => to(at() - 1),
      next: () => to(at() + 1),
      sweepback: () => to([...run.sweeps].reverse().find((k) => k < at()) ?? 0),
      sweepnext: () => to(run.sweeps.find((k) => k > at()) ?? run.steps.length - 1),
    };
    function go() {
      stop();
      play.textContent = "Pause";
      timer = setInterval(() => {
        acts.next();
        if (at() === run.steps.length - 1) stop();
      }, 1000 / speed.value);
    }
    function act(name) {
      if (!run) return;
      if (name !== "play") { stop(); acts[name](); return; }
      if (timer) { stop(); return; }
      if (at() === run.steps.length - 1) to(0);
      go();
    }

    slider.addEventListener("input", () => { stop(); show(); });
    speed.addEventListener("change", () => { if (timer) go(); });
    box.querySelectorAll("button").forEach((button) => {
      button.addEventListener("click", () => act(button.dataset.act));
    });
    find(".eh-listing").addEventListener("click", (event) => {  // the next step of a line or rule
      const lines = event.target.closest("li")?.dataset.lines.split(" ").map(Number) ?? [];
      const k = run ? run.steps.findIndex((s, n) => n > at() && lines.some((l) => s[0].includes(l))) : -1;
      if (k >= 0) { stop(); to(k); }
    });
    const KEYS = { ArrowLeft: "back", ArrowRight: "next", PageUp: "sweepback", PageDown: "sweepnext",
      Home: "first", End: "last", " ": "play" };
    // On a page of its own the player has the keys of the whole page.
    (box.dataset.keys === "page" ? document : box).addEventListener("keydown", (event) => {
      const name = KEYS[event.key], tag = event.target.tagName;
      const taken = tag === "SELECT" || (tag === "BUTTON" && event.key === " ");
      if (!name || taken || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      act(event.shiftKey && name === "back" ? "sweepback" : event.shiftKey && name === "next" ? "sweepnext" : name);
    });
    find(".eh-bar").hidden = false;
    box.querySelectorAll("figure, .eh-hint").forEach((figure) => { figure.hidden = false; });
    run = prepared(JSON.parse(find("script[type='application/json']").textContent));
    slider.max = run.steps.length - 1;
    find(".eh-x").hidden = !run.evaluations.some((e) => e[4]);
    to(0);
  }

  function all() { document.querySelectorAll("div.eh-player").forEach(start); }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", all);
  else all();
})();
