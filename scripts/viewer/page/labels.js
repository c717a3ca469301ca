// SPDX-License-Identifier: BSD-3-Clause
// Names beside things: as many as find room, the chosen one always.
const MOST_LABELS = 80;

/** Where a thing is now, in the page's coordinates; null for what has no place. */
View.placeOf = function ({ run, kind, index }) {
  const item = run.scene[KINDS[kind]][index];
  const { pose } = run;
  if (kind === "node") return pose.point(index);
  if (kind === "body") return pose.point(item.node, item.center);
  if (kind === "support") return pose.point(item.node);
  if (kind === "load") return item.beam === undefined ? pose.point(item.node, item.point) : null;
  if (kind === "beam") {
    const at = 8 * (1 + pose.nodes + item.first + (item.count >> 1));
    const b = item.count % 2 === 0 ? at - 8 : at;
    return [0, 1, 2].map((c) => (pose.data[at + c] + pose.data[b + c]) / 2);
  }
  if (!item.points || !item.points.length) return null;
  const ends = item.nodes.map((node, side) => pose.point(node, item.points[side]));
  return ends.length === 2 && ["spring_damper", "distance"].includes(item.type)
    ? ends[0].map((c, k) => (c + ends[1][k]) / 2)
    : ends[item.carrier || 0];
};

/** Pixels of a point in the canvas: [x, y, depth], of the run's own part of the picture. */
View.project = function (run, point) {
  const v = new THREE.Vector3(...point);
  if (run.group) v.add(run.group.position);
  v.project(View.camera.camera);
  const [left, width] = View.sideOf(run);
  const height = View.canvas.clientHeight;
  return [left + (0.5 + v.x / 2) * width, (0.5 - v.y / 2) * height, v.z];
};

View.Labels = class {
  constructor(parent) {
    this.parent = parent;
    this.pool = [];
  }

  /** Things that get names, the most important first. */
  wanted(run) {
    const things = [];
    if (View.layers.names) {
      for (const kind of ["body", "joint", "beam", "force"]) {
        const list = run.scene[KINDS[kind]];
        for (let k = 0; k < Math.min(list.length, MOST_LABELS); ++k)
          things.push({ run, kind, index: k, name: list[k].name });
      }
    }
    return things.slice(0, MOST_LABELS);
  }

  update(runs) {
    let used = 0;
    const taken = [];
    const put = (thing, chosen) => {
      const place = View.placeOf(thing);
      if (!place) return;
      const [x, y, depth] = View.project(thing.run, place);
      const [left, width] = View.sideOf(thing.run);
      const text = thing.name.slice(0, 60);
      const wide = 7.8 * Math.min(text.length, 34) + 10;
      // At the right edge the name of what was chosen moves to the left of it.
      const start = chosen && x <= left + width && x + 9 + wide > left + width ? x - 9 - wide : x + 9;
      const box = [start, y - 24, start + wide, y - 4];
      if (depth > 1 || box[0] < left || box[2] > left + width || box[1] < 0 || box[3] > View.canvas.clientHeight) {
        if (!chosen || depth > 1) return;
      }
      if (!chosen && taken.some((b) => box[0] < b[2] && box[2] > b[0] && box[1] < b[3] && box[3] > b[1])) return;
      taken.push(box);
      const label = this.pool[used] || this.grow();
      ++used;
      if (label.textContent !== text) label.textContent = text;
      label.className = chosen ? "label chosen" : "label";
      label.style.transform = `translate(${Math.round(box[0])}px, ${Math.round(box[1])}px)`;
      label.hidden = false;
    };
    const { chosen, hovered } = View;
    if (chosen && chosen.kind !== "run" && runs.includes(chosen.run)) put(chosen, true);
    if (hovered && runs.includes(hovered.run) && !(chosen && chosen.id === hovered.id)) put(hovered, true);
    for (const run of runs) this.wanted(run).forEach((thing) => put(thing, false));
    for (let k = used; k < this.pool.length; ++k) this.pool[k].hidden = true;
  }

  grow() {
    const label = View.make("div", { class: "label" });
    this.parent.append(label);
    this.pool.push(label);
    return label;
  }
};
