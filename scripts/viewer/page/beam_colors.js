// SPDX-License-Identifier: BSD-3-Clause
// Color values of the beams' sections: a section force, a strain or the speed of the nodes.
View.BeamColors = class {
  constructor(run) {
    this.run = run;
    this.ranges = {};
    this.isOn = false;
  }

  /** Names of what can be shown: [key, label, units]. */
  choices() {
    const found = [];
    for (const channel of this.run.scene.channels) {
      if (channel.group !== "beams") continue;
      const units = channel.units.split(",").map((u) => u.trim());
      channel.components.forEach((name, c) =>
        found.push([
          `${channel.key}.${c}`,
          channel.key === "forces" ? `section force ${name}` : `strain: ${name}`,
          units[c] === "1" ? "" : units[c] || "",
        ])
      );
    }
    if (this.run.pose.sweepNodes.length && this.run.store.has("nodes/velocity"))
      {
      const { length, time } = this.run.scene.units;
      found.push(["speed", "speed", `${length}/${time}`]);
    }
    return found;
  }

  /** Points on both sides of each node of a beam, and the share of the second. */
  neighbors(array) {
    if (this.between && this.between.array === array) return this.between;
    const ranges = this.run.store.get(`${array}.ranges`).data;
    const count = this.run.pose.sweepNodes.length;
    const between = {
      array,
      low: new Int32Array(count),
      high: new Int32Array(count),
      share: new Float32Array(count),
    };
    for (const beam of this.run.scene.beams) {
      const first = ranges[2 * beam.row] / 6;
      const points = ranges[2 * beam.row + 1] / 6;
      for (let k = 0; k < beam.count; ++k) {
        const at = View.clamp((k / Math.max(beam.count - 1, 1)) * points - 0.5, 0, points - 1);
        const low = Math.min(Math.floor(at), Math.max(points - 2, 0));
        between.low[beam.first + k] = first + low;
        between.high[beam.first + k] = first + Math.min(low + 1, points - 1);
        between.share[beam.first + k] = at - low;
      }
    }
    this.between = between;
    return between;
  }

  /** Values at state i, one a section. */
  values(key, i, out) {
    const { store, pose } = this.run;
    if (key === "speed") {
      const { data, columns } = store.get("nodes/velocity");
      for (let m = 0; m < out.length; ++m) {
        const at = i * columns + 3 * pose.sweepNodes[m];
        out[m] = Math.hypot(data[at], data[at + 1], data[at + 2]);
      }
      return out;
    }
    const [quantity, component] = key.split(".");
    const { data, columns } = store.get(`beams/${quantity}`);
    const { low, high, share } = this.neighbors(`beams/${quantity}`);
    const start = i * columns + Number(component);
    for (let m = 0; m < out.length; ++m) {
      const a = data[start + 6 * low[m]];
      out[m] = a + share[m] * (data[start + 6 * high[m]] - a);
    }
    return out;
  }

  /** Smallest and largest value over the run; around 0 for numbers of both signs. */
  range(key) {
    if (key in this.ranges) return this.ranges[key];
    const out = new Float32Array(this.run.pose.sweepNodes.length);
    let low = Infinity;
    let high = -Infinity;
    const step = Math.max(1, Math.floor((this.run.states * out.length) / 4e6));
    for (let i = 0; i < this.run.states; i += step) {
      for (const value of this.values(key, i, out)) {
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
    const signed = low < -0.02 * Math.max(high, 0) && high > 0.02 * -low;
    if (signed) {
      high = Math.max(high, -low);
      low = -high;
    } else if (Math.abs(low) < 0.5 * high) {
      low = 0;
    } else if (Math.abs(high) < 0.5 * -low) {
      high = 0;
    }
    this.ranges[key] = { low, high, signed };
    return this.ranges[key];
  }

  update(place, key) {
    const { pose } = this.run;
    if (!this.keys) this.keys = new Set(this.choices().map(([name]) => name));
    this.isOn = this.keys.has(key);
    if (!this.isOn) return;
    const range = View.colorRange || this.range(key);
    const count = pose.sweepNodes.length;
    if (!this.now) [this.now, this.next] = [new Float32Array(count), new Float32Array(count)];
    const i = Math.floor(place);
    const f = place - i;
    this.values(key, i, this.now);
    if (f > 0) this.values(key, Math.min(i + 1, this.run.states - 1), this.next);
    const scale = range.high > range.low ? 1 / (range.high - range.low) : 0;
    for (let m = 0; m < count; ++m) {
      const value = f > 0 ? this.now[m] + f * (this.next[m] - this.now[m]) : this.now[m];
      pose.data[8 * (1 + pose.nodes + m) + 3] = scale ? (value - range.low) * scale : 0.5;
    }
  }
};
