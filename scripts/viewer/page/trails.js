// SPDX-License-Identifier: BSD-3-Clause
// Paths of chosen points: bright where they have been, pale where they will go.
View.Trail = class {
  constructor(run, node, point, colorAt) {
    this.run = run;
    this.node = node;
    this.point = point;
    this.key = `${node}:${point || ""}`;
    const { position, rotation } = run.pose;
    const places = new Float32Array(3 * run.states);
    for (let i = 0; i < run.states; ++i) {
      const x = position.data.subarray(i * position.columns + 3 * node, i * position.columns + 3 * node + 3);
      let shift = [0, 0, 0];
      if (rotation && point) {
        const q = rotation.data.subarray(i * rotation.columns + 4 * node, i * rotation.columns + 4 * node + 4);
        shift = View.quaternions.turn([q[1], q[2], q[3], q[0]], point);
      }
      for (let c = 0; c < 3; ++c) places[3 * i + c] = x[c] + shift[c];
    }
    this.geometry = new THREE.BufferGeometry();
    this.geometry.setAttribute("position", new THREE.BufferAttribute(places, 3));
    const color = new THREE.Color(View.lineColors()[colorAt % View.lineColors().length]);
    this.past = new THREE.Line(this.geometry, new THREE.LineBasicMaterial({ color }));
    this.whole = new THREE.Line(
      this.geometry.clone(),
      new THREE.LineBasicMaterial({ color, transparent: true, opacity: 0.3 })
    );
    this.past.frustumCulled = false;
    this.whole.frustumCulled = false;
    this.group = new THREE.Group();
    this.group.add(this.past, this.whole);
  }

  update(place) {
    this.geometry.setDrawRange(0, Math.floor(place) + 1);
  }
};

/** Trail of a thing's node on or off; true if it is on afterwards. */
View.toggleTrail = function (run, node, point) {
  const key = `${node}:${point || ""}`;
  const at = run.trails.findIndex((trail) => trail.key === key);
  if (at >= 0) {
    run.decor.remove(run.trails[at].group);
    run.trails.splice(at, 1);
  } else {
    const trail = new View.Trail(run, node, point, run.trails.length);
    run.trails.push(trail);
    run.decor.add(trail.group);
  }
  View.invalidate();
  return at < 0;
};
