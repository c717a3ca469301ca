// SPDX-License-Identifier: BSD-3-Clause
// A grid on the ground as a measure, the road below tyres, and the axes with gravity in the corner.
View.Grid = class {
  constructor(look) {
    this.look = look;
    this.step = View.ticks(0, Math.max(look.radius, 1e-9), 4)[1] || look.radius || 1;
    this.group = new THREE.Group();
    this.paint();
    const up = new THREE.Vector3(...look.up);
    this.group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), up);
    // Below everything that the run reaches.
    const level = [0, 1, 2].map((c) => (look.up[c] > 0 ? look.low[c] : look.high[c]) - look.center[c]);
    this.level = up.dot(new THREE.Vector3(...level)) - 0.02 * look.radius;
    this.up = up;
    View.byId("gridText").textContent = `grid ${View.text(this.step, 3)} m`;
  }

  paint() {
    while (this.group.children.length) this.group.remove(this.group.children[0]);
    const color = new THREE.Color(View.cssColor("--grid"));
    const lines = new THREE.GridHelper(28 * this.step, 28, color, color);
    lines.material.transparent = true;
    lines.material.opacity = View.theme === "dark" ? 0.55 : 0.8;
    lines.material.vertexColors = THREE.NoColors;
    lines.material.color = color;
    this.group.add(lines);
  }

  /** Keeps the grid below the target, in whole steps. */
  update(target) {
    const flat = target.clone().addScaledVector(this.up, -target.dot(this.up));
    const snap = (c) => Math.round(c / this.step) * this.step;
    this.group.position.set(snap(flat.x), snap(flat.y), snap(flat.z)).addScaledVector(this.up, this.level);
  }
};

/** The road as far as wheels have been on it: heights over x, as the results have them. */
View.buildRoad = function (run) {
  const { scene, store, pose } = run;
  if (!store.has("forces/road")) return null;
  const road = store.get("forces/road");
  const ranges = store.get("forces/road.ranges").data;
  const vertices = [];
  const index = [];
  scene.forces.forEach((force) => {
    if (force.row < 0 || !ranges[2 * force.row + 1]) return;
    const rows = [];
    for (let i = 0; i < run.states; ++i) {
      const at = i * pose.position.columns + 3 * force.nodes[0];
      const [x, y] = [pose.position.data[at], pose.position.data[at + 1]];
      rows.push([x, y, road.data[i * road.columns + ranges[2 * force.row]] - scene.origin[2]]);
    }
    rows.sort((a, b) => a[0] - b[0]);
    const half = 0.5 * (scene.tyres[force.name] || 0.02 * scene.look.size);
    rows.forEach(([x, y, z], k) => {
      const first = vertices.length / 3;
      vertices.push(x, y - half, z, x, y + half, z);
      if (k + 1 < rows.length) index.push(first, first + 2, first + 1, first + 1, first + 2, first + 3);
    });
  });
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(vertices), 3));
  geometry.setIndex(index);
  const material = new THREE.MeshBasicMaterial({ color: 0x8a8f96, side: THREE.DoubleSide });
  const mesh = new THREE.Mesh(geometry, material);
  mesh.frustumCulled = false;
  return mesh;
};

/** Axes as seen by the camera, and gravity. */
View.drawTriad = function (camera, gravity) {
  const canvas = View.byId("triad");
  const pen = canvas.getContext("2d");
  pen.clearRect(0, 0, 200, 200);
  const right = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 0);
  const up = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 1);
  const back = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 2);
  const arrows = [
    [[1, 0, 0], "x", "#d55e00"],
    [[0, 1, 0], "y", "#009e73"],
    [[0, 0, 1], "z", "#2f7fd0"],
  ].map(([v, name, color]) => ({ v: new THREE.Vector3(...v), name, color, length: 52 }));
  const pull = Math.hypot(...gravity);
  if (pull > 0) {
    arrows.push({
      v: new THREE.Vector3(...gravity).divideScalar(pull),
      name: "g",
      color: View.cssColor("--text"),
      length: 40,
      dashed: true,
    });
  }
  arrows.sort((a, b) => a.v.dot(back) - b.v.dot(back));
  pen.font = "bold 24px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  for (const { v, name, color, length, dashed } of arrows) {
    const [x, y] = [100 + length * v.dot(right), 100 - length * v.dot(up)];
    pen.strokeStyle = pen.fillStyle = color;
    pen.lineWidth = 5;
    pen.setLineDash(dashed ? [6, 5] : []);
    pen.beginPath();
    pen.moveTo(100, 100);
    pen.lineTo(x, y);
    pen.stroke();
    const far = length + 22;
    pen.fillText(name, 100 + far * v.dot(right), 100 - far * v.dot(up));
  }
};
