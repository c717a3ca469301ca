// SPDX-License-Identifier: BSD-3-Clause
// Where everything is: a pose (position, a spare number, quaternion x y z w) for the ground, each node, and each
// section of a beam at its nodes, in a texture that the shaders read. The spare number of a section is its color.
View.quaternions = {
  multiply(out, at, ax, ay, az, aw, bx, by, bz, bw) {
    out[at] = aw * bx + ax * bw + ay * bz - az * by;
    out[at + 1] = aw * by - ax * bz + ay * bw + az * bx;
    out[at + 2] = aw * bz + ax * by - ay * bx + az * bw;
    out[at + 3] = aw * bw - ax * bx - ay * by - az * bz;
  },
  /** The vector v turned by q = [x, y, z, w]. */
  turn(q, v) {
    const [x, y, z, w] = q;
    const tx = 2 * (y * v[2] - z * v[1]);
    const ty = 2 * (z * v[0] - x * v[2]);
    const tz = 2 * (x * v[1] - y * v[0]);
    return [v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx];
  },
  /** [x, y, z, w] of a rotation vector. */
  exp(x, y, z) {
    const angle = Math.hypot(x, y, z);
    const factor = angle > 1e-9 ? Math.sin(angle / 2) / angle : 0.5;
    return [x * factor, y * factor, z * factor, Math.cos(angle / 2)];
  },
  /** The rotation `factor` times as large about the same axis. */
  scaled(q, factor) {
    const sign = q[3] < 0 ? -1 : 1;
    const sine = Math.hypot(q[0], q[1], q[2]);
    if (sine < 1e-12) return [0, 0, 0, 1];
    const angle = 2 * Math.atan2(sine, sign * q[3]) * factor * sign;
    return View.quaternions.exp((q[0] / sine) * angle, (q[1] / sine) * angle, (q[2] / sine) * angle);
  },
  product(a, b) {
    const out = [0, 0, 0, 1];
    View.quaternions.multiply(out, 0, ...a, ...b);
    return out;
  },
};

const POSES_IN_ROW = 256;
const TURN = new Float64Array(4); // so that no frame of a film leaves garbage

View.Pose = class {
  constructor(run) {
    this.run = run;
    this.nodes = run.scene.nodes.length;
    const store = run.store;
    this.position = store.get("nodes/position");
    this.rotation = store.has("nodes/rotation") ? store.get("nodes/rotation") : null;
    this.sweepNodes = store.has("sweep/nodes") ? store.get("sweep/nodes").data : new Int32Array(0);
    this.sweepTurns = store.has("sweep/turns") ? store.get("sweep/turns").data : new Float32Array(0);
    this.count = 1 + this.nodes + this.sweepNodes.length;
    this.height = Math.max(1, Math.ceil(this.count / POSES_IN_ROW));
    this.data = new Float32Array(POSES_IN_ROW * 2 * this.height * 4);
    this.texture = new THREE.DataTexture(this.data, POSES_IN_ROW * 2, this.height, THREE.RGBAFormat, THREE.FloatType);
    this.texture.minFilter = THREE.NearestFilter;
    this.texture.magFilter = THREE.NearestFilter;
    this.texture.generateMipmaps = false;
    this.setGround();
    this.first = new Float32Array(8 * this.nodes);
    this.readState(0);
    this.first.set(this.data.subarray(8, 8 + 8 * this.nodes));
    this.at = -1;
  }

  setGround() {
    const origin = this.run.scene.origin;
    this.data.set([-origin[0], -origin[1], -origin[2], 0, 0, 0, 0, 1], 0);
  }

  /** Poses of the nodes at a place between two states. */
  readState(place) {
    const { data: x, rows, columns } = this.position;
    const i = View.clamp(Math.floor(place), 0, rows - 1);
    const j = Math.min(i + 1, rows - 1);
    const f = place - i;
    const q = this.rotation && this.rotation.data;
    const width = 4 * this.nodes;
    const out = this.data;
    for (let n = 0; n < this.nodes; ++n) {
      const to = 8 * (n + 1);
      for (let c = 0; c < 3; ++c) {
        const a = x[i * columns + 3 * n + c];
        out[to + c] = f > 0 ? a + f * (x[j * columns + 3 * n + c] - a) : a;
      }
      if (!q) {
        out[to + 7] = 1;
        continue;
      }
      const a = i * width + 4 * n;
      const b = j * width + 4 * n;
      let w = q[a];
      let u = q[a + 1];
      let v = q[a + 2];
      let t = q[a + 3];
      if (f > 0) {
        const sign = w * q[b] + u * q[b + 1] + v * q[b + 2] + t * q[b + 3] < 0 ? -1 : 1;
        w += f * (sign * q[b] - w);
        u += f * (sign * q[b + 1] - u);
        v += f * (sign * q[b + 2] - v);
        t += f * (sign * q[b + 3] - t);
      }
      const length = Math.sqrt(w * w + u * u + v * v + t * t) || 1;
      out[to + 4] = u / length;
      out[to + 5] = v / length;
      out[to + 6] = t / length;
      out[to + 7] = w / length;
    }
  }

  quaternionOf(array, at) {
    return [array[at + 4], array[at + 5], array[at + 6], array[at + 7]];
  }

  /** Deflections from the first state, `factor` times as large. */
  magnify(factor) {
    const { first, data } = this;
    for (let n = 0; n < this.nodes; ++n) {
      const from = 8 * n;
      const to = from + 8;
      for (let c = 0; c < 3; ++c) data[to + c] = first[from + c] + factor * (data[to + c] - first[from + c]);
      // The rotation since then, q * conjugate(q0), as a rotation vector, made larger, times q0.
      View.quaternions.multiply(
        TURN,
        0,
        data[to + 4],
        data[to + 5],
        data[to + 6],
        data[to + 7],
        -first[from + 4],
        -first[from + 5],
        -first[from + 6],
        first[from + 7]
      );
      const sine = Math.sqrt(TURN[0] * TURN[0] + TURN[1] * TURN[1] + TURN[2] * TURN[2]);
      if (sine < 1e-9) continue;
      const half = Math.atan2(sine, Math.abs(TURN[3])) * factor * (TURN[3] < 0 ? -1 : 1);
      const scale = Math.sin(half) / sine;
      View.quaternions.multiply(
        data,
        to + 4,
        TURN[0] * scale,
        TURN[1] * scale,
        TURN[2] * scale,
        Math.cos(half),
        first[from + 4],
        first[from + 5],
        first[from + 6],
        first[from + 7]
      );
    }
  }

  /** A mode's shape at a phase, added to the state. */
  addMode(mode, amplitude, phase) {
    const shapes = this.run.store.get("modal/shapes");
    const cosine = Math.cos(phase) * amplitude;
    const sine = Math.sin(phase) * amplitude;
    const start = mode * shapes.columns;
    const Q = View.quaternions;
    for (let n = 0; n < this.nodes; ++n) {
      const to = 8 * (n + 1);
      const at = start + 12 * n;
      const part = (k) => shapes.data[at + 2 * k] * cosine - shapes.data[at + 2 * k + 1] * sine;
      for (let c = 0; c < 3; ++c) this.data[to + c] += part(c);
      const q = Q.product(this.quaternionOf(this.data, to), Q.exp(part(3), part(4), part(5)));
      this.data.set(q, to + 4);
    }
  }

  /** Sections of the beams follow their nodes. */
  placeSections() {
    const out = this.data;
    const turns = this.sweepTurns;
    for (let m = 0; m < this.sweepNodes.length; ++m) {
      const from = 8 * (this.sweepNodes[m] + 1);
      const to = 8 * (1 + this.nodes + m);
      out[to] = out[from];
      out[to + 1] = out[from + 1];
      out[to + 2] = out[from + 2];
      View.quaternions.multiply(
        out,
        to + 4,
        out[from + 4],
        out[from + 5],
        out[from + 6],
        out[from + 7],
        turns[4 * m + 1],
        turns[4 * m + 2],
        turns[4 * m + 3],
        turns[4 * m]
      );
    }
    for (const beam of this.run.scene.beams) if (beam.isCable) this.placeCable(beam);
  }

  /** Nodes of cables do not turn: sections stand across the line of their neighbors. */
  placeCable({ first, count }) {
    const out = this.data;
    const start = 8 * (1 + this.nodes + first);
    for (let k = 0; k < count; ++k) {
      const before = start + 8 * Math.max(k - 1, 0);
      const after = start + 8 * Math.min(k + 1, count - 1);
      const way = [0, 1, 2].map((c) => out[after + c] - out[before + c]);
      const length = Math.hypot(...way);
      if (length === 0) continue;
      // The shortest turn from x to the line: (w, 0, -z, y) with w = length + x, of any size.
      const w = Math.max(length + way[0], 1e-6 * length);
      const size = Math.hypot(w, way[1], way[2]);
      out.set([0, -way[2] / size, way[1] / size, w / size], start + 8 * k + 4);
    }
  }

  /** Deflections of each beam from the chord between its ends, `factor` times as large; nodes stay where they are. */
  magnifyFromChords(factor) {
    for (const beam of this.run.scene.beams) View.magnifyBeam(this, beam, factor);
  }

  update(place, options) {
    this.readState(place);
    if (options.mode !== null && options.mode !== undefined)
      this.addMode(options.mode, options.amplitude, options.phase);
    else if (options.magnify !== 1 && !options.chords) this.magnify(options.magnify);
    this.placeSections();
    if (options.mode === null && options.magnify !== 1 && options.chords) this.magnifyFromChords(options.magnify);
    this.texture.needsUpdate = true;
  }

  /** A point in a node's frame (-1: the ground), in the page's coordinates. */
  point(node, local) {
    const at = 8 * (node + 1);
    const turned = local ? View.quaternions.turn(this.quaternionOf(this.data, at), local) : [0, 0, 0];
    return [this.data[at] + turned[0], this.data[at + 1] + turned[1], this.data[at + 2] + turned[2]];
  }

  direction(node, local) {
    return View.quaternions.turn(this.quaternionOf(this.data, 8 * (node + 1)), local);
  }

  /** The middle of the box around all nodes, as it is now. */
  middle() {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let n = 1; n <= this.nodes; ++n) {
      for (let c = 0; c < 3; ++c) {
        low[c] = Math.min(low[c], this.data[8 * n + c]);
        high[c] = Math.max(high[c], this.data[8 * n + c]);
      }
    }
    return [0, 1, 2].map((c) => (low[c] + high[c]) / 2);
  }
};

/** Deflections of one beam from its chord: the undeformed beam lies on the chord as it is now, turned with its first
    node. */
View.magnifyBeam = function (pose, beam, factor) {
  const Q = View.quaternions;
  const { first, data } = pose;
  const nodes = pose.sweepNodes.subarray(beam.first, beam.first + beam.count);
  const a = nodes[0];
  const b = nodes[nodes.length - 1];
  const minus = (p, at, q, from) => [p[at] - q[from], p[at + 1] - q[from + 1], p[at + 2] - q[from + 2]];
  const before = minus(first, 8 * b, first, 8 * a);
  const now = minus(data, 8 * (b + 1), data, 8 * (a + 1));
  const lengths = [Math.hypot(...before), Math.hypot(...now)];
  if (lengths[0] < 1e-6 * beam.length || lengths[1] < 1e-6 * beam.length) return;
  const qa = pose.quaternionOf(first, 8 * a);
  let turn = Q.product(pose.quaternionOf(data, 8 * (a + 1)), [-qa[0], -qa[1], -qa[2], qa[3]]);
  const carried = Q.turn(turn, before).map((c) => c / lengths[0]);
  const chord = now.map((c) => c / lengths[1]);
  const cross = [
    carried[1] * chord[2] - carried[2] * chord[1],
    carried[2] * chord[0] - carried[0] * chord[2],
    carried[0] * chord[1] - carried[1] * chord[0],
  ];
  const w = 1 + carried[0] * chord[0] + carried[1] * chord[1] + carried[2] * chord[2];
  const norm = Math.hypot(...cross, w);
  if (norm < 1e-9) return;
  turn = Q.product([cross[0] / norm, cross[1] / norm, cross[2] / norm, w / norm], turn);
  const back = [-turn[0], -turn[1], -turn[2], turn[3]];
  for (let k = 0; k < nodes.length; ++k) {
    const n = nodes[k];
    const to = 8 * (1 + pose.nodes + beam.first + k);
    const rest = Q.turn(turn, minus(first, 8 * n, first, 8 * a));
    for (let c = 0; c < 3; ++c) {
      // stretched with the chord, so that the ends stay where they are
      const reference = data[8 * (a + 1) + c] + (rest[c] * lengths[1]) / lengths[0];
      data[to + c] = reference + factor * (data[to + c] - reference);
    }
    const qn = pose.quaternionOf(first, 8 * n);
    const total = Q.product(pose.quaternionOf(data, 8 * (n + 1)), [-qn[0], -qn[1], -qn[2], qn[3]]);
    const bigger = Q.product(Q.scaled(Q.product(total, back), factor), Q.product(turn, qn));
    const t = pose.sweepTurns.subarray(4 * (beam.first + k), 4 * (beam.first + k) + 4);
    data.set(Q.product(bigger, [t[1], t[2], t[3], t[0]]), to + 4);
  }
};
