// SPDX-License-Identifier: BSD-3-Clause
// Several runs: cases of a study to pick from, or files to compare, side by side or on top of each other.
View.isOverlaid = () => View.compare === "over" && View.shown.length > 1;

/** Left edge and width of a run's part of the canvas. */
View.sideOf = function (run) {
  const width = View.canvas.clientWidth;
  const k = View.shown.indexOf(run);
  if (View.shown.length < 2 || View.isOverlaid() || k < 0) return [0, width];
  return [(k * width) / View.shown.length, width / View.shown.length];
};

/** Unpacks a run when it is first shown. */
View.loadRun = async function (k) {
  if (!View.runs[k]) {
    const block = View.byId(`block-${k}`);
    const bytes = await View.decompress(block.textContent);
    block.textContent = ""; // its memory is of use elsewhere
    View.runs[k] = new View.Run(View.document.runs[k], bytes, k);
  }
  return View.runs[k];
};

View.showRuns = async function (numbers) {
  const runs = [];
  for (const k of numbers) runs.push(await View.loadRun(k));
  View.shown.forEach((run) => {
    run.group.visible = false;
  });
  View.shown = runs;
  const base = runs[0].scene.origin;
  runs.forEach((run, k) => {
    run.build();
    if (!run.group.parent) View.scene.add(run.group);
    run.group.position.set(...run.scene.origin.map((c, i) => c - base[i]));
    run.group.updateMatrixWorld();
    paintRun(run, k);
  });
  const { scene } = runs[0];
  View.byId("title").textContent = View.document.study ? View.document.study.title : scene.title;
  View.byId("subtitle").textContent =
    runs.length === 1 ? scene.subtitle : runs.map((run) => run.label).join("   against   ");
  showNotes(runs);
  View.timeline.setRuns(runs);
  if (View.options.colorBy) View.setColor(View.options.colorBy);
  const same = View.chosen && View.findThing(runs[0], View.chosen.kind, View.chosen.name);
  View.emit("shown", runs);
  if (View.chosen) View.choose(same || null);
  nameSides();
  View.resize();
};

/** In a comparison on top of each other, all runs but the first have one color each, and are clear. */
function paintRun(run, k) {
  const isLater = View.isOverlaid() && k > 0;
  const color = View.colors.bodies[(k + 3) % View.colors.bodies.length];
  run.tint.value.set(...color, isLater ? 0.85 : 0);
  run.opacity.value = isLater ? 0.6 : 1;
  run.group.traverse((part) => {
    if (!part.material || !part.material.uniforms) return;
    part.material.transparent = isLater;
    part.renderOrder = isLater ? 1 : 0;
  });
}

function nameSides() {
  const box = View.byId("sides");
  box.textContent = "";
  if (View.shown.length < 2) return;
  View.shown.forEach((run, k) => {
    const side = View.make("div", { class: "side" }, run.label);
    const [left] = View.sideOf(run);
    side.style.left = `${left + 10 + (View.isOverlaid() ? 150 * k : 0)}px`;
    if (View.isOverlaid() && k > 0) {
      const [r, g, b] = run.tint.value.toArray().map((c) => Math.round(255 * c));
      side.style.borderBottom = `4px solid rgb(${r}, ${g}, ${b})`;
    }
    box.append(side);
  });
}

function showNotes(runs) {
  const list = View.byId("notes");
  list.textContent = "";
  const notes = runs.flatMap((run) =>
    run.scene.notes.map((note) => (runs.length > 1 ? `${run.label}: ${note}` : note))
  );
  if (View.document.study && View.document.study.note) notes.unshift(View.document.study.note);
  View.byId("notesPanel").hidden = !notes.length;
  for (const note of notes) list.append(View.make("li", {}, note));
}

View.buildRuns = function () {
  const { runs, study } = View.document;
  View.byId("runsPanel").hidden = runs.length < 2;
  if (study && runs.length > 1) buildCases(study);
  else if (runs.length > 1) buildComparison(runs);
};

function buildCases(study) {
  View.byId("runsTitle").textContent = "Cases";
  const table = View.make("table");
  const head = View.make("tr");
  head.append(
    View.make("th", {}, "case"),
    ...study.columns.map(({ name, units }) => {
      const unit = units && units !== "1" ? ` [${units}]` : "";
      return View.make("th", { title: name }, name.split(".").slice(-2).join(".") + unit);
    })
  );
  const body = View.make("tbody");
  study.rows.forEach((row, k) => {
    const line = View.make("tr", { tabindex: "0", title: row.status });
    line.append(
      View.make("td", {}, String(row.case)),
      ...row.values.map((value) =>
        View.make("td", {}, typeof value === "number" ? View.text(value, 4) : value === null ? "–" : String(value))
      )
    );
    const pick = () => View.showRuns([k]);
    line.addEventListener("click", pick);
    line.addEventListener("keydown", (event) => {
      if (event.key === "Enter") pick();
    });
    body.append(line);
  });
  View.on("shown", ([run]) =>
    [...body.children].forEach((line, k) => line.classList.toggle("chosen", k === run.number))
  );
  View.emit("shown", View.shown);
  const top = View.make("thead");
  top.append(head);
  table.append(top, body);
  View.byId("runs").append(table);
}

function buildComparison(runs) {
  const box = View.byId("runs");
  const all = runs.map((_, k) => k);
  const choices = [
    ["side", "side by side", all],
    ["over", "on top of each other", all],
    ...runs.map((run, k) => [`one-${k}`, `only ${run.label}`, [k]]),
  ];
  for (const [key, text, numbers] of choices) {
    const button = View.make("button", { class: "row", "aria-pressed": String(key === View.compare) }, text);
    button.dataset.key = key;
    button.addEventListener("click", () => {
      View.compare = key;
      View.showRuns(numbers);
      for (const other of box.children) other.setAttribute("aria-pressed", String(other === button));
    });
    box.append(button);
  }
}
