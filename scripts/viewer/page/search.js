// SPDX-License-Identifier: BSD-3-Clause
// The list of everything that has a name, and the search in it.
const MOST_ROWS = 150;

View.findThing = function (run, kind, name) {
  if (kind === "run") return View.wholeModel(run);
  const index = run.scene[KINDS[kind]].findIndex((item) => (kind === "node" ? item : item.name) === name);
  return index < 0 ? null : run.thing(run.entity(kind, index));
};

View.wholeModel = (run) => ({ run, kind: "run", index: 0, id: 0, name: "Energy and momentum", item: null });

View.Search = class {
  constructor() {
    this.input = View.byId("search");
    this.list = View.byId("found");
    this.input.addEventListener("input", () => this.update());
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && this.list.querySelector("button")) this.list.querySelector("button").click();
      if (event.key === "ArrowDown" && this.list.querySelector("button")) {
        event.preventDefault();
        this.list.querySelector("button").focus();
      }
    });
    this.list.addEventListener("keydown", (event) => {
      const to = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
      if (!to) return;
      event.preventDefault();
      const next = document.activeElement[to];
      if (next && next.focus) next.focus();
      else if (event.key === "ArrowUp") this.input.focus();
    });
    View.on("chosen", () => this.mark());
    View.on("shown", () => this.update());
  }

  /** Things whose names contain all words that were typed; names that begin with them come first. */
  matches(run) {
    const words = this.input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = [];
    let more = 0;
    const isMatch = (text) => words.every((word) => text.includes(word));
    for (const kind of ["body", "beam", "joint", "force", "load", "support", "node"]) {
      const list = run.scene[KINDS[kind]];
      for (let k = 0; k < list.length; ++k) {
        const name = kind === "node" ? list[k] : list[k].name;
        const type = (list[k].type || "").replace(/_/g, " ");
        if (words.length && !isMatch(`${name} ${KIND_TEXT[kind]} ${type}`.toLowerCase())) continue;
        if (found.length < MOST_ROWS) found.push(run.thing(run.entity(kind, k)));
        else ++more;
      }
    }
    const first = words[0] || "";
    if (first) found.sort((a, b) => b.name.toLowerCase().startsWith(first) - a.name.toLowerCase().startsWith(first));
    return [found, more];
  }

  update() {
    const run = View.shown[0];
    const [found, more] = this.matches(run);
    this.list.textContent = "";
    if (!this.input.value && channelsOfRun(run).length) found.unshift(View.wholeModel(run));
    for (const thing of found) {
      const row = View.make("button", { class: "row", role: "option" });
      row.append(
        View.make("span", { class: "name" }, thing.name),
        View.make("span", { class: "kind" }, KIND_TEXT[thing.kind])
      );
      row.thing = thing;
      row.addEventListener("click", () => View.choose(thing));
      this.list.append(row);
    }
    if (more) this.list.append(View.make("div", { class: "more" }, `and ${more} more: type a part of a name`));
    if (!found.length) this.list.append(View.make("div", { class: "more" }, "nothing has such a name"));
    this.mark();
  }

  mark() {
    for (const row of this.list.querySelectorAll("button")) {
      const isOn = !!View.chosen && row.thing.id === View.chosen.id && row.thing.kind === View.chosen.kind;
      row.setAttribute("aria-selected", String(isOn));
    }
  }
};
