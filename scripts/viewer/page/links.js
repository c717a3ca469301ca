// SPDX-License-Identifier: BSD-3-Clause
// What connects two points: springs as coils, dampers and actuators in them, distances as rods.
View.LINKED = { poseA: 1, pointA: 3, poseB: 1, pointB: 3, shape: 4, color: 3, entity: 1 };

/** Vertices of a straight wire: [place along, normal across]. */
View.rod = function (sides) {
  const rows = [];
  for (const s of [0, 1]) {
    for (let k = 0; k <= sides; ++k) {
      const angle = (2 * Math.PI * k) / sides;
      rows.push([s, 0, 0, [0, Math.cos(angle), Math.sin(angle)]]);
    }
  }
  return { rows, width: sides + 1 };
};

/** Vertices of a coil with straight ends. */
View.coil = function (turns, radius, sides, steps) {
  const rows = [];
  const path = (i) => {
    const f = i / steps;
    const inside = View.clamp((f - 0.12) / 0.76, 0, 1);
    const grow = Math.min(1, 14 * Math.min(inside, 1 - inside));
    const angle = 2 * Math.PI * turns * inside;
    return { s: f, y: radius * grow * Math.cos(angle), z: radius * grow * Math.sin(angle), angle };
  };
  for (let i = 0; i <= steps; ++i) {
    const { s, y, z, angle } = path(i);
    for (let k = 0; k <= sides; ++k) {
      const a = (2 * Math.PI * k) / sides;
      rows.push([s, y, z, [Math.sin(a), Math.cos(a) * Math.cos(angle), Math.cos(a) * Math.sin(angle)]]);
    }
  }
  return { rows, width: sides + 1 };
};

View.addLink = function (builder, wire, shared, radius) {
  const first = builder.count;
  for (const [s, y, z, normal] of wire.rows) {
    builder.vertex({ ...shared, position: [0, 0, 0], normal, shape: [s, y, z, radius] });
  }
  for (let k = first; k + wire.width < builder.count; ++k) {
    if ((k - first) % wire.width === wire.width - 1) continue;
    builder.quad(k, k + 1, k + wire.width + 1, k + wire.width);
  }
};

View.buildLinks = function (run) {
  const builder = new View.Builder(View.LINKED);
  const size = run.scene.look.size;
  const { joints, forces } = run.scene;
  const springs = forces.filter((force) => force.type === "spring_damper");
  const few = springs.length < 200;
  const add = (one, wire, color, entity, radius) =>
    View.addLink(
      builder,
      wire,
      {
        poseA: one.nodes[0] + 1,
        pointA: one.points[0],
        poseB: one.nodes[1] + 1,
        pointB: one.points[1],
        color,
        entity,
      },
      radius
    );
  const coil = View.coil(9, 0.012 * size, few ? 6 : 3, few ? 120 : 40);
  const rod = View.rod(8);
  forces.forEach((force, k) => {
    if (force.type === "spring_damper" && force.nodes.length === 2) {
      add(force, coil, View.colors.spring, run.entity("force", k), 0.002 * size);
    }
  });
  joints.forEach((joint, k) => {
    if (joint.type === "distance" && joint.points) {
      add(joint, rod, joint.driven ? View.colors.driven : View.colors.rod, run.entity("joint", k), 0.004 * size);
    }
  });
  return builder.mesh(View.material("linked", run));
};

/** Bushings and torsional springs have symbols, like joints. */
View.buildForceSymbols = function (run) {
  const builder = new View.Builder(View.CARRIED);
  run.scene.forces.forEach((force, k) => {
    if (!["bushing", "torsional_spring_damper"].includes(force.type) || !force.points) return;
    addSymbolOf(builder, force, View.colors.spring, run.entity("force", k));
  });
  return symbolMesh(builder, run);
};
