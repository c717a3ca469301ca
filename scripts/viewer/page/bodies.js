// SPDX-License-Identifier: BSD-3-Clause
// Rigid bodies by shape, and thin arms from their centers of mass to the points where something is attached to them.
View.CARRIED = { anchor: 3, pose: 1, color: 3, entity: 1, grow: 1 };

View.buildBodies = function (run) {
  const builder = new View.Builder(View.CARRIED);
  const many = run.scene.bodies.length > 300;
  const templates = { box: View.solids.box(), ellipsoid: View.solids.sphere(many ? 6 : 12) };
  run.scene.bodies.forEach((body, k) => {
    const { kind, half, turn, inner } = body.solid;
    const template = templates[kind] || View.solids.tube(kind === "tube" ? inner : 0, many ? 16 : 40);
    const color = View.colors.bodies[k % View.colors.bodies.length];
    builder.add(View.solids.moved(template, half, turn, [0, 0, 0]), {
      anchor: body.center,
      pose: body.node + 1,
      color,
      entity: run.entity("body", k),
      grow: 0,
    });
  });
  for (const [name, radius] of Object.entries(run.scene.tyres)) addTyre(run, builder, name, radius);
  return builder.mesh(View.material("carried", run));
};

/** A tyre does not turn in the model: a ring about y, which is across the road. */
function addTyre(run, builder, name, radius) {
  const place = run.scene.forces.findIndex((force) => force.name === name);
  if (place < 0 || !run.scene.forces[place].nodes.length) return;
  const force = run.scene.forces[place];
  const ring = View.solids.tube(0.62, 40, true);
  const turn = [Math.SQRT1_2, Math.SQRT1_2, 0, 0];
  builder.add(View.solids.moved(ring, [radius, radius, 0.22 * radius], turn, [0, 0, 0]), {
    anchor: force.points[0],
    pose: force.nodes[0] + 1,
    color: [0.28, 0.29, 0.31],
    entity: run.entity("force", place),
    grow: 0,
  });
}

/** Whether a point in the node's frame lies in the body's solid. */
function isInside(body, point) {
  const { half, turn } = body.solid;
  const local = View.quaternions.turn(
    [-turn[1], -turn[2], -turn[3], turn[0]],
    point.map((c, k) => c - body.center[k])
  );
  const ratio = local.map((c, k) => Math.abs(c) / (half[k] || 1e-12));
  return body.solid.kind === "box" ? Math.max(...ratio) < 1.02 : Math.hypot(...ratio) < 1.05;
}

View.buildArms = function (run) {
  const builder = new View.Builder(View.LINKED);
  const ofNode = new Map(run.scene.bodies.map((body, k) => [body.node, [body, k]]));
  const wire = View.rod(8);
  const seen = new Set();
  for (const one of [...run.scene.joints, ...run.scene.forces]) {
    one.nodes.forEach((node, side) => {
      const point = (one.points || [])[side];
      const [body, k] = ofNode.get(node) || [];
      // Force elements that act at the node itself need no arm.
      if (!body || !point || isInside(body, point)) return;
      const key = `${node} ${point.map((c) => c.toPrecision(6))}`;
      if (seen.has(key)) return;
      seen.add(key);
      const color = View.colors.bodies[k % View.colors.bodies.length].map((c) => 0.8 * c);
      View.addLink(
        builder,
        wire,
        {
          poseA: node + 1,
          pointA: body.center,
          poseB: node + 1,
          pointB: point,
          color,
          entity: run.entity("body", k),
        },
        0.004 * run.scene.look.size
      );
    });
  }
  return builder.mesh(View.material("linked", run));
};
