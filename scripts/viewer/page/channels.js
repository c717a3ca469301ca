// SPDX-License-Identifier: BSD-3-Clause
// Numbers of a thing: what the results have of it, as channels {label, units, names, read(state) -> numbers}.
View.channelsOf = function (thing) {
  const { run, kind, index } = thing;
  if (kind === "run") return channelsOfRun(run);
  if (kind === "node") return channelsOfNode(run, index);
  const item = run.scene[KINDS[kind]][index];
  if (kind === "body") return channelsOfNode(run, item.node);
  if (kind === "beam") return channelsOfBeam(run, item);
  if (kind === "load") return channelsOfLoad(run, index);
  if (kind === "support") return [...stored(run, "reactions", item.row), ...channelsOfNode(run, item.node)];
  const own = stored(run, kind === "joint" ? "joints" : "forces", item.row);
  return own.length || !item.nodes.length || item.nodes[item.carrier || 0] < 0
    ? own
    : channelsOfNode(run, item.nodes[item.carrier || 0]);
};

const NAMES_OF_COORDINATES = {
  revolute: ["angle"],
  prismatic: ["displacement"],
  cylindrical: ["angle", "displacement"],
  screw: ["angle", "displacement"],
  universal: ["angle on a", "angle on b"],
  planar: ["t1", "t2", "angle"],
};

function channel(run, meta, first, count, names) {
  const history = run.store.get(meta.array);
  return {
    key: meta.array,
    label: meta.label,
    units: meta.units,
    names: names || (count === 3 ? ["x", "y", "z"] : null),
    count,
    read: (i) => Array.from(history.data.subarray(i * history.columns + first, i * history.columns + first + count)),
  };
}

function stored(run, group, row) {
  if (row < 0) return [];
  const found = [];
  for (const meta of run.scene.channels) {
    if (meta.group !== group) continue;
    const ranges = run.store.get(`${meta.array}.ranges`).data;
    const [first, count] = [ranges[2 * row], ranges[2 * row + 1]];
    if (count > 0) found.push(channel(run, meta, first, count, count === 3 ? ["x", "y", "z"] : null));
  }
  return found;
}

function channelsOfRun(run) {
  return run.scene.channels
    .filter((meta) => meta.group === "run")
    .map((meta) => channel(run, meta, 0, run.store.get(meta.array).columns));
}

function channelsOfNode(run, node) {
  const { position, rotation } = run.pose;
  const { origin } = run.scene;
  const at = (i) => [0, 1, 2].map((c) => position.data[i * position.columns + 3 * node + c]);
  const xyz = ["x", "y", "z"];
  const found = [
    {
      key: "position",
      label: "position",
      units: "m",
      names: xyz,
      count: 3,
      read: (i) => at(i).map((c, k) => c + origin[k]),
    },
    {
      key: "displacement",
      label: "displacement since the start",
      units: "m",
      names: xyz,
      count: 3,
      read: (i) => at(i).map((c, k) => c - at(0)[k]),
    },
  ];
  if (rotation)
    found.push({
      key: "rotation",
      label: "rotation since the start",
      units: "rad",
      names: xyz,
      count: 3,
      read: (i) => rotationVector(rotation, node, i),
    });
  for (const meta of run.scene.channels) {
    if (meta.group === "nodes") found.push(channel(run, meta, 3 * node, 3));
  }
  return found;
}

function rotationVector(rotation, node, i) {
  const read = (row) => {
    const at = row * rotation.columns + 4 * node;
    return [rotation.data[at + 1], rotation.data[at + 2], rotation.data[at + 3], rotation.data[at]];
  };
  const before = read(0);
  const q = View.quaternions.product(read(i), [-before[0], -before[1], -before[2], before[3]]);
  const sine = Math.hypot(q[0], q[1], q[2]);
  if (sine < 1e-9) return [0, 0, 0];
  const angle = 2 * Math.atan2(sine * Math.sign(q[3] || 1), Math.abs(q[3]));
  return [0, 1, 2].map((c) => (q[c] / sine) * angle);
}

function channelsOfBeam(run, beam) {
  const found = [];
  for (const meta of run.scene.channels) {
    if (meta.group !== "beams") continue;
    const ranges = run.store.get(`${meta.array}.ranges`).data;
    const first = ranges[2 * beam.row];
    const points = ranges[2 * beam.row + 1] / 6;
    if (!points) continue;
    const places =
      points === 1
        ? [["", 0]]
        : [
            [", at its start", 0],
            [", middle", points >> 1],
            [", at its end", points - 1],
          ];
    for (const [text, point] of places) {
      found.push(channel(run, { ...meta, label: meta.label + text }, first + 6 * point, 6, meta.components));
    }
  }
  const nodes = run.pose.sweepNodes;
  const ends = channelsOfNode(run, nodes[beam.first + beam.count - 1]);
  return [...found, ...ends.slice(0, 3).map((one) => ({ ...one, label: `${one.label}, its end node` }))];
}

function channelsOfLoad(run, index) {
  const load = run.scene.loads[index];
  const factors = run.store.get("loads/factors");
  const one = (key, units) => ({
    key,
    label: load.follower ? `${key} (turns with its node)` : key,
    units,
    names: ["x", "y", "z"],
    count: 3,
    read: (i) => load[key].map((c) => c * factors.data[i * factors.columns + index]),
  });
  const per = load.beam === undefined ? "" : "/m";
  return [one("force", `N${per}`), one("moment", `N m${per}`)].filter((c) => load[c.key].some((x) => x !== 0));
}

/** Names of a channel's numbers, with the units of each where they differ. */
View.namesOf = function (thing, one) {
  const units = one.units.split(",").map((u) => u.trim());
  const known =
    thing.kind === "joint" && one.key.endsWith("coordinates") ? NAMES_OF_COORDINATES[thing.item.type] : null;
  const ofDeformation = one.count === 6 && units.length === 2;
  return Array.from({ length: one.count }, (_, k) => {
    const name = (one.names && one.names[k]) || (known && known[k]) || (one.count > 1 ? String(k + 1) : "");
    let unit =
      units.length === one.count
        ? units[k]
        : units.length === 1
          ? units[0]
          : ofDeformation
            ? units[k < 3 ? 0 : 1]
            : "";
    if (unit === "1") unit = "";
    return { name, unit };
  });
};
