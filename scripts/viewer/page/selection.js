// SPDX-License-Identifier: BSD-3-Clause
// The chosen thing: its name, its numbers now, a plot over time; following it, and its trail.
const KIND_TEXT = {
  body: "body",
  beam: "beam",
  joint: "joint",
  force: "force element",
  load: "load",
  support: "support",
  node: "node",
  run: "model",
};

View.kindText = function (thing) {
  const type = thing.item && thing.item.type;
  return type && type !== "undefined"
    ? `${type.replace(/_/g, " ")} (${KIND_TEXT[thing.kind]})`
    : KIND_TEXT[thing.kind];
};

View.nodeOf = function (thing) {
  const { kind, item, index } = thing;
  if (kind === "node") return { node: index, point: null };
  if (kind === "body") return { node: item.node, point: item.center };
  if (kind === "support" || kind === "load")
    return { node: item.node === undefined ? -1 : item.node, point: item.point || null };
  if (kind === "beam") return { node: thing.run.pose.sweepNodes[item.first + item.count - 1], point: null };
  if (item && item.nodes && item.nodes.length) {
    const side = item.nodes[item.carrier || 0] >= 0 ? item.carrier || 0 : item.nodes.findIndex((n) => n >= 0);
    return side >= 0 ? { node: item.nodes[side], point: item.points ? item.points[side] : null } : { node: -1 };
  }
  return { node: -1 };
};

View.choose = function (thing) {
  View.chosen = thing;
  View.common.uChosen.value = thing && thing.id ? thing.id : -1;
  const panel = View.byId("right");
  const before = panel.hidden;
  panel.hidden = !thing;
  if (before !== panel.hidden) View.resize();
  View.emit("chosen", thing);
  View.invalidate();
};

View.Selection = class {
  constructor() {
    this.plot = new View.Plot(View.byId("plot"));
    this.select = View.byId("plotChannel");
    this.select.addEventListener("change", () => this.setChannel(Number(this.select.value)));
    View.byId("closeSelection").addEventListener("click", () => View.choose(null));
    View.on("chosen", (thing) => this.set(thing));
    View.on("theme", () => {
      this.plot.background = null;
    });
  }

  set(thing) {
    if (!thing) return;
    View.byId("selectedName").textContent = thing.name;
    const label = View.runs.length > 1 ? ` · ${thing.run.label}` : "";
    View.byId("selectedKind").textContent = View.kindText(thing) + label;
    this.channels = View.channelsOf(thing);
    this.select.textContent = "";
    this.channels.forEach((one, k) => this.select.append(View.make("option", { value: String(k) }, one.label)));
    View.byId("plotHead").hidden = View.byId("plot").hidden = !this.channels.length;
    const before = this.channels.findIndex((one) => one.label === this.lastLabel);
    this.setTools(thing);
    this.setConstants(thing);
    this.setChannel(Math.max(before, 0));
  }

  setTools(thing) {
    const tools = View.byId("selectedTools");
    tools.textContent = "";
    const { node, point } = View.nodeOf(thing);
    if (node < 0 || node === undefined || thing.kind === "run") return;
    const button = (text, title, isOn, action) => {
      const one = View.make("button", { title, "aria-pressed": String(isOn) }, text);
      one.addEventListener("click", () => one.setAttribute("aria-pressed", String(action())));
      tools.append(one);
    };
    button("Follow", "The camera goes with it (F)", View.followed === thing.id, () => View.followThing(thing));
    const key = `${node}:${point || ""}`;
    button(
      "Trail",
      "Its path (T)",
      thing.run.trails.some((trail) => trail.key === key),
      () => View.toggleTrail(thing.run, node, point)
    );
  }

  setConstants(thing) {
    this.constants = [];
    const { item, kind } = thing;
    const names = thing.run.scene.nodes;
    if (kind === "body" && item.mass !== undefined) {
      this.constants.push(["mass", `${View.text(item.mass)} kg`]);
      if (item.inertia)
        this.constants.push(["principal inertia", `${item.inertia.map((i) => View.text(i)).join(", ")} kg m²`]);
      if (!item.given && !item.solid.point) this.constants.push(["drawn as", "its ellipsoid of inertia"]);
    }
    if (kind === "beam") {
      this.constants.push(
        ["length", `${View.text(item.length)} m`],
        ["section", item.section],
        ["nodes", String(item.count)]
      );
    }
    if (item && Array.isArray(item.nodes) && item.nodes.length) {
      this.constants.push(["on", item.nodes.map((n) => (n < 0 ? "ground" : names[n])).join(" – ")]);
    }
  }

  setChannel(k) {
    const thing = View.chosen;
    this.select.value = String(k);
    this.current = this.channels[k] || null;
    const legend = View.byId("plotLegend");
    legend.textContent = "";
    this.rows = null;
    if (!this.current) {
      this.plot.set(null);
      legend.textContent = "The results hold no history of it.";
      this.update();
      return;
    }
    this.lastLabel = this.current.label;
    const series = this.seriesOf(thing, this.current, false);
    const others = View.shown.filter((run) => run !== thing.run);
    others.forEach((run) => {
      const same = View.findThing(run, thing.kind, thing.name);
      const one = same && View.channelsOf(same).find((c) => c.label === this.current.label);
      if (one) series.push(...this.seriesOf(same, one, true));
    });
    this.plot.set(series, this.current.units);
    const colors = View.lineColors();
    const names = View.namesOf(thing, this.current);
    names.forEach(({ name, unit }, c) => {
      const key = View.make("span", { class: "key" });
      const swatch = View.make("span", { class: "swatch" });
      swatch.style.borderColor = colors[c % colors.length];
      key.append(swatch, document.createTextNode([name, unit && `[${unit}]`].filter(Boolean).join(" ")));
      legend.append(key);
    });
    if (series.some((one) => one.dashed)) {
      legend.append(View.make("span", { class: "key" }, `dashed: ${others.map((run) => run.label).join(", ")}`));
    }
    this.update();
  }

  seriesOf(thing, one, dashed) {
    const series = Array.from({ length: one.count }, (_, c) => ({ run: thing.run, color: c, dashed, values: [] }));
    for (let i = 0; i < thing.run.states; ++i) one.read(i).forEach((value, c) => series[c].values.push(value));
    return series;
  }

  /** Numbers of the state that is nearest to the clock. */
  update() {
    const thing = View.chosen;
    if (!thing || View.byId("right").hidden) return;
    this.plot.draw(View.timeline.clock);
    const state = Math.round(thing.run.place);
    if (!this.rows) this.makeRows(thing);
    this.rows.forEach(({ cell, one, component }) => {
      const text = View.text(one.read(state)[component], 5);
      if (cell.textContent !== text) cell.textContent = text;
    });
  }

  makeRows(thing) {
    const table = View.byId("numbers");
    table.textContent = "";
    this.rows = [];
    for (const [name, value] of this.constants) {
      const row = View.make("tr");
      row.append(View.make("th", { scope: "row" }, name), View.make("td", {}, value));
      table.append(row);
    }
    for (const one of this.channels.slice(0, 9)) {
      View.namesOf(thing, one).forEach(({ name, unit }, component) => {
        const row = View.make("tr");
        const head = [one.label, name, unit && `[${unit}]`].filter(Boolean).join(" ");
        const cell = View.make("td");
        row.append(View.make("th", { scope: "row" }, head), cell);
        table.append(row);
        this.rows.push({ cell, one, component });
      });
    }
  }
};

/** The camera goes with a thing; once more: it stays. */
View.followThing = function (thing) {
  if (!thing || View.followed === thing.id) {
    View.followed = null;
    View.camera.setFollow(null);
    return false;
  }
  View.followed = thing.id;
  View.camera.setFollow(() => View.placeOf(thing));
  return true;
};
