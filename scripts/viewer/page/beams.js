// SPDX-License-Identifier: BSD-3-Clause
// Beams as swept sections. Each vertex belongs to a place between two neighboring nodes of a beam.

/** Outline of a section: corners [y, z] and their normals; doubled where there is an edge. */
View.outline = function (kind, [y, z, flange, web], round) {
  if (kind === "rectangle")
    return sharp([
      [-y, -z],
      [y, -z],
      [y, z],
      [-y, z],
    ]);
  if (kind === "I") {
    const w = web / 2;
    const f = z - flange;
    return sharp([
      [-y, -z],
      [y, -z],
      [y, -f],
      [w, -f],
      [w, f],
      [y, f],
      [y, z],
      [-y, z],
      [-y, f],
      [-w, f],
      [-w, -f],
      [-y, -f],
    ]);
  }
  const points = [];
  for (let k = 0; k < round; ++k) {
    const angle = (2 * Math.PI * k) / round;
    points.push({
      at: [y * Math.cos(angle), z * Math.sin(angle)],
      normal: [z * Math.cos(angle), y * Math.sin(angle)],
      joins: true,
    });
  }
  return points;
};

function sharp(corners) {
  const points = [];
  corners.forEach((corner, k) => {
    const next = corners[(k + 1) % corners.length];
    const normal = [next[1] - corner[1], corner[0] - next[0]];
    points.push({ at: corner, normal, joins: true }, { at: next, normal, joins: false });
  });
  return points;
}

/** Whether the curve between two nodes may follow the sections' x axes: not where a polyline has a corner. */
function bends(pose, a, b, turnA, turnB) {
  const first = pose.first;
  const chord = [0, 1, 2].map((c) => first[8 * b + c] - first[8 * a + c]);
  const length = Math.hypot(...chord) || 1;
  const cosine = (node, t) => {
    const q = View.quaternions.product(pose.quaternionOf(first, 8 * node), [t[1], t[2], t[3], t[0]]);
    const x = View.quaternions.turn(q, [1, 0, 0]);
    return (x[0] * chord[0] + x[1] * chord[1] + x[2] * chord[2]) / length;
  };
  return cosine(a, turnA) > 0.94 && cosine(b, turnB) > 0.94;
}

View.buildBeams = function (run) {
  const { scene, pose, store } = run;
  if (!scene.beams.length) return null;
  const dimensions = store.get("sweep/dimensions").data;
  const elements = pose.sweepNodes.length - scene.beams.length;
  const pieces = elements <= 400 ? 4 : elements <= 2500 ? 2 : 1;
  const round = scene.corners;
  const isClosed = elements <= 3000; // in a lattice the ends of beams are within others
  const sweep = new SweepArrays();
  scene.beams.forEach((beam, k) => {
    const id = run.entity("beam", k);
    for (let e = 0; e + 1 < beam.count; ++e) {
      const m = beam.first + e;
      const turnOf = (i) => pose.sweepTurns.subarray(4 * i, 4 * i + 4);
      const isSmooth = bends(pose, pose.sweepNodes[m], pose.sweepNodes[m + 1], turnOf(m), turnOf(m + 1));
      const bend = isSmooth ? (beam.count === 2 ? 2 : 1) : 0;
      const cut = bend ? pieces : 1;
      const [a, b] = [1 + pose.nodes + m, 2 + pose.nodes + m];
      const poses = [a, b, e > 0 ? a - 1 : a, e + 2 < beam.count ? b + 1 : b];
      for (let piece = 0; piece <= cut; ++piece) {
        const s = piece / cut;
        const size = [0, 1, 2, 3].map((c) => (1 - s) * dimensions[4 * m + c] + s * dimensions[4 * m + 4 + c]);
        const outline = View.outline(beam.kind, size, round);
        const thick = Math.max(size[0], size[1]);
        const ring = outline.map(({ at, normal }) => sweep.vertex(poses, s, bend, at, thick, [0, ...normal], id));
        if (piece > 0) sweep.walls(ring, outline);
        if (isClosed && e === 0 && piece === 0) sweep.cap(poses, s, bend, outline, thick, -1, id);
        if (isClosed && e + 2 === beam.count && piece === cut) sweep.cap(poses, s, bend, outline, thick, 1, id);
        sweep.last = ring;
      }
    }
  });
  return sweep.mesh(run);
};

/** Growing arrays: lattices have some hundred thousand vertices. */
class SweepArrays {
  constructor() {
    this.builder = new View.Builder({ poses: 2, along: 4, outline: 3, color: 3, entity: 1 });
  }

  vertex(poses, s, bend, at, thick, normal, id) {
    const { values } = this.builder; // without Builder.vertex, which is for small numbers of them
    values.position.push(0, 0, 0);
    values.normal.push(normal[0], normal[1], normal[2]);
    values.poses.push(poses[0], poses[1]);
    values.along.push(s, bend, poses[2], poses[3]);
    values.outline.push(at[0], at[1], thick);
    values.color.push(...View.colors.beam);
    values.entity.push(id);
    return this.builder.count++;
  }

  walls(ring, outline) {
    for (let k = 0; k < ring.length; ++k) {
      const next = (k + 1) % ring.length;
      if (outline[k].joins) this.builder.quad(this.last[k], this.last[next], ring[next], ring[k]);
    }
  }

  cap(poses, s, bend, outline, thick, side, id) {
    const middle = this.vertex(poses, s, bend, [0, 0], thick, [side, 0, 0], id);
    const rim = outline.map(({ at }) => this.vertex(poses, s, bend, at, thick, [side, 0, 0], id));
    for (let k = 0; k < rim.length; ++k) this.builder.triangle(middle, rim[k], rim[(k + 1) % rim.length]);
  }

  mesh(run) {
    return this.builder.mesh(View.material("swept", run));
  }
}
