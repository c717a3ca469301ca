// SPDX-License-Identifier: BSD-3-Clause
// A camera that turns about a target: drag turns, right drag or shift moves, wheel or two fingers zoom.
View.Camera = class {
  constructor(look, element) {
    this.camera = new THREE.PerspectiveCamera(30, 1, 0.01, 1000);
    this.element = element;
    this.target = new THREE.Vector3();
    this.follow = null; // () => [x, y, z]
    this.pointers = new Map();
    this.setLook(look);
    this.listen();
  }

  setLook(look) {
    this.look = look;
    this.up = new THREE.Vector3(...look.up);
    const upAxis = look.up.findIndex((c) => Math.abs(c) > 0.5);
    const unit = (axis) => new THREE.Vector3(...[0, 1, 2].map((c) => (c === axis ? 1 : 0)));
    this.east = unit((upAxis + 1) % 3);
    this.north = this.up.clone().cross(this.east);
    this.lookFrom(look.from);
    this.fit();
  }

  lookFrom(direction) {
    const d = new THREE.Vector3(...direction).normalize();
    this.elevation = Math.asin(View.clamp(d.dot(this.up), -0.99999, 0.99999));
    const side = Math.hypot(d.dot(this.east), d.dot(this.north));
    if (side > 1e-6) this.azimuth = Math.atan2(d.dot(this.north), d.dot(this.east));
    View.invalidate();
  }

  direction() {
    const c = Math.cos(this.elevation);
    return new THREE.Vector3()
      .addScaledVector(this.east, c * Math.cos(this.azimuth))
      .addScaledVector(this.north, c * Math.sin(this.azimuth))
      .addScaledVector(this.up, Math.sin(this.elevation));
  }

  /** Half the field of view that is smaller, of width and height. */
  halfField() {
    const vertical = (this.camera.fov * Math.PI) / 360;
    return Math.min(vertical, Math.atan(Math.tan(vertical) * this.camera.aspect));
  }

  fit() {
    this.target.set(0, 0, 0);
    this.distance = this.fitting();
    this.offset = null;
    this.isFitted = true; // until somebody turns, moves or zooms; other sizes of the window then fit, too
    View.invalidate();
  }

  /** Distance from which the corners of the box around the model are just seen. */
  fitting() {
    const { low, high, center, radius, travels } = this.look;
    const vertical = Math.tan((this.camera.fov * Math.PI) / 360);
    if (travels) return (1.02 * radius) / Math.sin(this.halfField());
    const back = this.direction();
    const right = this.up.clone().cross(back).normalize();
    const up = back.clone().cross(right);
    let distance = 0.2 * radius;
    for (let k = 0; k < 8; ++k) {
      const corner = new THREE.Vector3(...[0, 1, 2].map((c) => ((k >> c) & 1 ? high[c] : low[c]) - center[c]));
      const across = Math.abs(corner.dot(right)) / (vertical * this.camera.aspect);
      const along = Math.abs(corner.dot(up)) / vertical;
      distance = Math.max(distance, 1.16 * Math.max(across, along) + corner.dot(back));
    }
    return distance;
  }

  setFollow(point) {
    this.follow = point;
    this.offset = null;
    View.invalidate();
  }

  resize(aspect) {
    const before = this.halfField();
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
    if (this.isFitted) this.fit();
    else this.distance *= Math.sin(before) / Math.sin(this.halfField());
  }

  update() {
    if (this.follow) {
      const point = new THREE.Vector3(...this.follow());
      if (!this.offset) this.offset = this.target.clone().sub(point).multiplyScalar(0);
      this.target.copy(point).add(this.offset);
    }
    const direction = this.direction();
    this.camera.position.copy(this.target).addScaledVector(direction, this.distance);
    const pole = Math.abs(this.elevation) > 1.55;
    const flat = this.east
      .clone()
      .multiplyScalar(-Math.cos(this.azimuth))
      .addScaledVector(this.north, -Math.sin(this.azimuth));
    this.camera.up.copy(pole ? flat.multiplyScalar(Math.sign(this.elevation)) : this.up);
    this.camera.lookAt(this.target);
    const reach = 60 * this.look.radius + this.distance;
    this.camera.near = Math.max(this.distance - 6 * this.look.radius, 0.004 * this.distance);
    this.camera.far = reach;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }

  turn(dx, dy) {
    this.isFitted = false;
    this.azimuth -= 0.008 * dx;
    this.elevation = View.clamp(this.elevation + 0.008 * dy, -Math.PI / 2 + 1e-4, Math.PI / 2 - 1e-4);
    View.invalidate();
  }

  move(dx, dy) {
    this.isFitted = false;
    const scale = (2 * this.distance * Math.tan((this.camera.fov * Math.PI) / 360)) / this.element.clientHeight;
    const right = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    const up = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    const shift = right.multiplyScalar(-dx * scale).addScaledVector(up, dy * scale);
    if (this.offset) this.offset.add(shift);
    else this.target.add(shift);
    View.invalidate();
  }

  zoom(factor) {
    this.isFitted = false;
    this.distance = View.clamp(this.distance * factor, 1e-4 * this.look.radius, 50 * this.look.radius);
    View.invalidate();
  }

  listen() {
    const element = this.element;
    element.addEventListener("contextmenu", (event) => event.preventDefault());
    element.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.zoom(Math.exp(View.clamp(event.deltaY, -200, 200) * 0.0015));
      },
      { passive: false }
    );
    element.addEventListener("pointerdown", (event) => {
      element.setPointerCapture(event.pointerId);
      this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
      this.moved = 0;
    });
    element.addEventListener("pointermove", (event) => this.onMove(event));
    const end = (event) => {
      if (
        !this.pointers.delete(event.pointerId) ||
        this.moved > 4 ||
        event.type !== "pointerup" ||
        event.button !== 0
      )
        return;
      View.emit("click", event);
    };
    element.addEventListener("pointerup", end);
    element.addEventListener("pointercancel", end);
  }

  onMove(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      View.emit("hover", event);
      return;
    }
    const [dx, dy] = [event.clientX - before[0], event.clientY - before[1]];
    this.moved += Math.abs(dx) + Math.abs(dy);
    if (this.pointers.size === 2) {
      const other = [...this.pointers].find(([id]) => id !== event.pointerId)[1];
      const apart = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]);
      this.zoom(apart(before) / Math.max(apart([event.clientX, event.clientY]), 1));
      this.move(dx / 2, dy / 2);
    } else if (event.buttons & 6 || event.shiftKey) {
      this.move(dx, dy);
    } else {
      this.turn(dx, dy);
    }
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
  }
};

/** Buttons of the standard views. */
View.buildViews = function () {
  const bar = View.byId("views");
  const camera = View.camera;
  const views = [
    ["Fit", () => camera.fit(), "Show all (0)"],
    ["Start", () => camera.setLook(camera.look), "As at first (7)"],
  ];
  for (const [name, direction, key] of [
    ["+x", [1, 0, 0], 1],
    ["−x", [-1, 0, 0], 2],
    ["+y", [0, 1, 0], 3],
    ["−y", [0, -1, 0], 4],
    ["+z", [0, 0, 1], 5],
    ["−z", [0, 0, -1], 6],
  ]) {
    views.push([name, () => camera.lookFrom(direction), `Seen from ${name} (${key})`]);
  }
  views.forEach(([name, action, title]) => {
    const button = View.make("button", { title }, name);
    button.addEventListener("click", action);
    bar.append(button);
  });
  View.views = views.map(([, action]) => action);
};
