// SPDX-License-Identifier: BSD-3-Clause
// Loads, reactions of joints and of supports as arrows: forces with one head, moments with two.
const MOST_ARROWS = 3000;
const LONGEST = 0.22; // of the model's size: the largest force of the run

/** One arrow along z as rings of vertices; `heads`: one or two. */
function arrowGeometry(heads) {
  const sides = 10;
  const rings = [
    [0, 0, 0, 0],
    [0, 0, 1.5, 0],
    [1, 0, 1.5, 0],
    [1, 0, 4.6, 0.5],
  ];
  if (heads === 2) rings.push([1, 0.5, 1.5, 0.5], [1, 0.5, 4.6, 0.5]);
  rings.push([1, 1, 0, 0.5]);
  const positions = [];
  const parts = [];
  const normals = [];
  const index = [];
  rings.forEach(([shaft, head, radius, slope], r) => {
    for (let k = 0; k <= sides; ++k) {
      const angle = (2 * Math.PI * k) / sides;
      positions.push(Math.cos(angle), Math.sin(angle), 0);
      normals.push(0, 0, slope);
      parts.push(shaft, head, radius);
      if (r > 0 && k < sides) {
        const a = (r - 1) * (sides + 1) + k;
        const b = r * (sides + 1) + k;
        index.push(a, a + 1, b + 1, a, b + 1, b);
      }
    }
  });
  const geometry = new THREE.InstancedBufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(positions), 3));
  geometry.setAttribute("normal", new THREE.BufferAttribute(new Float32Array(normals), 3));
  geometry.setAttribute("part", new THREE.BufferAttribute(new Float32Array(parts), 3));
  geometry.setIndex(index);
  return geometry;
}

View.Arrows = class {
  /** `items`: {entity, color, node, point, vector(place) -> [x, y, z] or null}. */
  constructor(run, items, heads) {
    this.run = run;
    this.items = items.slice(0, MOST_ARROWS);
    const count = this.items.length;
    const geometry = arrowGeometry(heads);
    this.start = new THREE.InstancedBufferAttribute(new Float32Array(3 * count), 3);
    this.vector = new THREE.InstancedBufferAttribute(new Float32Array(3 * count), 3);
    const color = new Float32Array(this.items.flatMap((item) => item.color));
    geometry.setAttribute("start", this.start);
    geometry.setAttribute("vector", this.vector);
    geometry.setAttribute("color", new THREE.InstancedBufferAttribute(color, 3));
    geometry.setAttribute(
      "entity",
      new THREE.InstancedBufferAttribute(new Float32Array(this.items.map((i) => i.entity)), 1)
    );
    geometry.maxInstancedCount = count;
    this.mesh = new THREE.Mesh(geometry, View.material("arrow", run));
    this.mesh.frustumCulled = false;
    this.scale = 0;
  }

  update(place, factor) {
    if (!this.scale) this.scale = this.findScale();
    const scale = this.scale * factor;
    this.items.forEach((item, k) => {
      const force = item.vector(place) || [0, 0, 0];
      const start = this.run.pose.point(item.node, item.point);
      for (let c = 0; c < 3; ++c) {
        this.vector.array[3 * k + c] = force[c] * scale;
        this.start.array[3 * k + c] = start[c];
      }
    });
    this.start.needsUpdate = true;
    this.vector.needsUpdate = true;
  }

  /** The largest of all arrows over the run has a given length; some hundred states are enough to find it. */
  findScale() {
    let largest = 0;
    const states = this.run.states;
    const step = Math.max(1, Math.floor(states / (this.items.length > 50 ? 25 : 200)));
    for (let i = 0; i < states; i += step) {
      for (const item of this.items) {
        const force = item.vector(i);
        if (force) largest = Math.max(largest, Math.hypot(...force));
      }
    }
    return largest > 0 ? (LONGEST * this.run.scene.look.size) / largest : 1;
  }
};

/** A column of a history, between states. */
function between({ data, rows, columns }, place, column) {
  const i = View.clamp(Math.floor(place), 0, rows - 1);
  const j = Math.min(i + 1, rows - 1);
  const a = data[i * columns + column];
  return a + (place - i) * (data[j * columns + column] - a);
}

/** Reader of three columns of a history. */
function reader(run, array, first) {
  const history = run.store.get(array);
  return (place) => [0, 1, 2].map((c) => between(history, place, first + c));
}

function loadItems(run, key) {
  const factors = run.store.get("loads/factors");
  const items = [];
  run.scene.loads.forEach((load, k) => {
    if (!load[key].some((c) => c !== 0)) return;
    const factor = (place) => between(factors, place, k);
    const shared = { entity: run.entity("load", k), color: View.colors.load };
    if (load.beam === undefined) {
      items.push({
        ...shared,
        node: load.node,
        point: load.point,
        vector: (place) => {
          const now = load[key].map((c) => c * factor(place));
          return load.follower ? run.pose.direction(load.node, now) : now;
        },
      });
      return;
    }
    const beam = run.scene.beams.find((one) => one.name === load.beam);
    if (!beam) return;
    const arrows = Math.min(beam.count, 9);
    for (let a = 0; a < arrows; ++a) {
      const m = beam.first + Math.round((a * (beam.count - 1)) / Math.max(arrows - 1, 1));
      const node = run.pose.sweepNodes[m];
      items.push({
        ...shared,
        node,
        point: null,
        vector: (place) => {
          const now = load[key].map((c) => c * factor(place));
          return load.follower ? run.pose.direction(run.pose.nodes + m, now) : now;
        },
      });
    }
  });
  return items;
}

function reactionItems(run, key) {
  const items = [];
  const jointArray = `joints/${key}`;
  if (run.store.has(jointArray)) {
    const ranges = run.store.get(`${jointArray}.ranges`).data;
    run.scene.joints.forEach((joint, k) => {
      if (joint.row < 0 || !joint.points || ranges[2 * joint.row + 1] < 3) return;
      const side = joint.carrier || 0;
      items.push({
        entity: run.entity("joint", k),
        color: View.colors.reaction,
        node: joint.nodes[side],
        point: joint.points[side],
        vector: reader(run, jointArray, ranges[2 * joint.row]),
      });
    });
  }
  const supportArray = `reactions/${key}`;
  if (run.store.has(supportArray)) {
    const ranges = run.store.get(`${supportArray}.ranges`).data;
    run.scene.supports.forEach((support, k) => {
      if (support.row < 0 || ranges[2 * support.row + 1] < 3) return;
      items.push({
        entity: run.entity("support", k),
        color: View.colors.reaction,
        node: support.node,
        point: null,
        vector: reader(run, supportArray, ranges[2 * support.row]),
      });
    });
  }
  return items;
}

View.buildArrows = function (run) {
  const groups = {};
  const add = (layer, items, heads) => {
    if (!items.length) return;
    (groups[layer] = groups[layer] || []).push(new View.Arrows(run, items, heads));
  };
  add("loads", loadItems(run, "force"), 1);
  add("loads", loadItems(run, "moment"), 2);
  add("reactions", reactionItems(run, "force"), 1);
  add("moments", reactionItems(run, "moment"), 2);
  return groups;
};
