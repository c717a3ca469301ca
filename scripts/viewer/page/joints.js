// SPDX-License-Identifier: BSD-3-Clause
// Joints and supports by symbol, in units of the symbol's radius; the joint's axis is the symbol's z.
const ROD = [0.13, 0.13, 2.6]; // thin and long: the axis

/** Parts of a symbol: [solid, half sizes, place]. */
function symbol(type) {
  const ball = View.solids.sphere(10, true);
  const cylinder = View.solids.cylinder();
  const box = View.solids.box();
  const axis = [cylinder, ROD, [0, 0, 0]];
  switch (type) {
    case "revolute":
      return [[cylinder, [0.8, 0.8, 1.0], [0, 0, 0]], axis];
    case "cylindrical":
      return [
        [cylinder, [0.7, 0.7, 1.6], [0, 0, 0]],
        [cylinder, [0.25, 0.25, 3.0], [0, 0, 0]],
      ];
    case "prismatic":
      return [
        [box, [0.75, 0.75, 1.2], [0, 0, 0]],
        [box, [0.25, 0.25, 2.8], [0, 0, 0]],
      ];
    case "screw":
      return [
        ...[-0.9, -0.3, 0.3, 0.9].map((z) => [cylinder, [0.8, 0.8, 0.13], [0, 0, z]]),
        axis,
        [cylinder, [0.45, 0.45, 1.3], [0, 0, 0]],
      ];
    case "universal":
      return [
        [cylinder, [0.3, 0.3, 1.6], [0, 0, 0]],
        [box, [1.5, 0.28, 0.28], [0, 0, 0]],
      ];
    case "planar":
      return [[box, [1.6, 1.6, 0.1], [0, 0, 0]], [ball, [0.6, 0.6, 0.6], [0, 0, 0]], axis];
    case "point_on_plane":
      return [
        [box, [1.6, 1.6, 0.08], [0, 0, 0]],
        [ball, [0.55, 0.55, 0.55], [0, 0, 0]],
      ];
    case "point_on_line":
      return [
        [ball, [0.7, 0.7, 0.7], [0, 0, 0]],
        [cylinder, [0.13, 0.13, 3.2], [0, 0, 0]],
      ];
    case "fixed":
      return [[box, [0.7, 0.7, 0.7], [0, 0, 0]]];
    case "motion":
      return [
        [box, [0.9, 0.9, 0.3], [0, 0, 0]],
        [box, [0.3, 0.3, 0.9], [0, 0, 0]],
      ];
    case "bushing":
      return [[cylinder, [1.0, 1.0, 0.8], [0, 0, 0]]];
    case "torsional_spring_damper":
      return [[View.solids.tube(0.6, 24, true), [1.1, 1.1, 0.3], [0, 0, 0]], axis];
    default:
      return [[ball, [0.85, 0.85, 0.85], [0, 0, 0]]];
  }
}

function addSymbol(builder, type, place, color, entity) {
  for (const [solid, half, shift] of symbol(type)) {
    const turned = View.quaternions.turn([place.turn[1], place.turn[2], place.turn[3], place.turn[0]], shift);
    builder.add(View.solids.moved(solid, half, place.turn, turned), {
      anchor: place.point,
      pose: place.node + 1,
      color,
      entity,
      grow: 1,
    });
  }
}

/** The symbol of a joint or a force element, where it is drawn. */
function addSymbolOf(builder, one, color, entity) {
  const side = one.carrier || 0;
  const place = { node: one.nodes[side], point: one.points[side], turn: one.turn || UPRIGHT };
  addSymbol(builder, one.type, place, color, entity);
}

function symbolMesh(builder, run) {
  const material = View.material("carried", run);
  const crowd = run.scene.joints.length + run.scene.supports.length;
  const radius = (0.017 * run.scene.look.size) / Math.pow(1 + crowd / 100, 0.5);
  material.uniforms.uSymbol.value.set(radius, crowd > 300 ? 2 : 4, 11);
  return builder.mesh(material);
}

View.buildJoints = function (run) {
  const builder = new View.Builder(View.CARRIED);
  run.scene.joints.forEach((joint, k) => {
    if (!joint.points) return;
    const color = joint.driven ? View.colors.driven : View.colors.joint;
    const id = run.entity("joint", k);
    if (joint.type === "distance") {
      joint.nodes.forEach((node, side) =>
        addSymbol(builder, "ball", { node, point: joint.points[side], turn: UPRIGHT }, color, id)
      );
      return;
    }
    addSymbolOf(builder, joint, color, id);
  });
  return symbolMesh(builder, run);
};

/** Where the ground holds something: a cone that stands on a plate below the point. */
View.buildSupports = function (run) {
  const builder = new View.Builder(View.CARRIED);
  const up = run.scene.look.up;
  const turn = turnTo(up);
  const place = (node, point, id) => {
    const shared = { anchor: point, pose: node + 1, color: View.colors.ground, entity: id, grow: 1 };
    builder.add(View.solids.moved(View.solids.cone(0.9), [1, 1, 2.0], turn, [0, 0, 0]), shared);
    builder.add(
      View.solids.moved(
        View.solids.box(),
        [1.5, 1.5, 0.2],
        turn,
        up.map((c) => -2.1 * c)
      ),
      shared
    );
  };
  const origin = run.scene.origin;
  run.scene.supports.forEach((support, k) => {
    const at = run.pose.point(support.node).map((c, i) => c + origin[i]);
    place(-1, at, run.entity("support", k));
  });
  run.scene.joints.forEach((joint, k) => {
    const side = joint.nodes.indexOf(-1);
    if (side >= 0 && joint.points) place(-1, joint.points[side], run.entity("joint", k));
  });
  run.scene.forces.forEach((force, k) => {
    const side = force.nodes.indexOf(-1);
    if (side >= 0 && force.points) place(-1, force.points[side], run.entity("force", k));
  });
  return symbolMesh(builder, run);
};

/** The rotation [w, x, y, z] that takes z to a direction. */
function turnTo([x, y, z]) {
  if (z < -0.999999) return [0, 1, 0, 0];
  const w = 1 + z;
  const norm = Math.hypot(w, x, y);
  return [w / norm, -y / norm, x / norm, 0];
}
