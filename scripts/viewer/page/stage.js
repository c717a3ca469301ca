// SPDX-License-Identifier: BSD-3-Clause
// One run in the scene: its numbers, its clock, its things with their ids, and what is drawn of it.
const KINDS = {
  body: "bodies",
  beam: "beams",
  joint: "joints",
  force: "forces",
  load: "loads",
  support: "supports",
  node: "nodes",
};

View.Run = class {
  constructor(scene, bytes, number) {
    this.scene = scene;
    this.number = number;
    this.label = scene.label;
    this.store = new View.Store(bytes, scene.arrays);
    this.states = scene.time.length;
    this.tint = { value: new THREE.Vector4(0, 0, 0, 0) };
    this.opacity = { value: 1 };
    this.pose = new View.Pose(this);
    this.setIds();
    this.setClock();
    this.trails = [];
    this.place = 0;
    this.built = false;
    this.colors = new View.BeamColors(this);
    const moved = this.largestMotion();
    this.isSmall = moved < 0.3 * scene.look.size;
  }

  setIds() {
    this.firstId = {};
    let next = View.nextId || 1;
    for (const [kind, list] of Object.entries(KINDS)) {
      this.firstId[kind] = next;
      next += this.scene[list].length;
    }
    this.lastId = next - 1;
    View.nextId = next;
  }

  entity(kind, index) {
    return this.firstId[kind] + index;
  }

  /** {run, kind, index, name} of an id. */
  thing(id) {
    for (const [kind, list] of Object.entries(KINDS)) {
      const index = id - this.firstId[kind];
      if (index < 0 || index >= this.scene[list].length) continue;
      const item = this.scene[list][index];
      return { run: this, kind, index, id, item, name: kind === "node" ? item : item.name };
    }
    return null;
  }

  /** Seconds, or load steps; states at one time (of statics before a motion) have a share of their own. */
  setClock() {
    const time = this.scene.time.map((t) => t || 0);
    const span = time[this.states - 1] - time[0];
    this.clock = [0];
    for (let i = 1; i < this.states; ++i) {
      const step = time[i] - time[i - 1];
      this.clock.push(this.clock[i - 1] + (step > 0 ? step : (span || this.states) / 60));
    }
    this.duration = this.clock[this.states - 1];
  }

  placeAt(clock) {
    if (clock <= 0 || this.states < 2) return 0;
    if (clock >= this.duration) return this.states - 1;
    let low = 0;
    let high = this.states - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.clock[middle] <= clock) low = middle;
      else high = middle;
    }
    return low + (clock - this.clock[low]) / (this.clock[high] - this.clock[low]);
  }

  timeAt(place) {
    const i = View.clamp(Math.floor(place), 0, this.states - 1);
    const j = Math.min(i + 1, this.states - 1);
    const time = this.scene.time;
    return time[i] + (place - i) * (time[j] - time[i]);
  }

  largestMotion() {
    const { data, rows, columns } = this.pose.position;
    let largest = 0;
    for (let i = 0; i < rows; i += Math.max(1, Math.floor(rows / 40))) {
      for (let c = 0; c < columns; ++c) largest = Math.max(largest, Math.abs(data[i * columns + c] - data[c]));
    }
    return largest;
  }

  build() {
    if (this.built) return;
    this.built = true;
    this.group = new THREE.Group();
    this.decor = new THREE.Group(); // what cannot be picked
    this.group.add(this.decor);
    this.parts = {};
    const add = (layer, mesh) => {
      if (!mesh) return;
      (this.parts[layer] = this.parts[layer] || []).push(mesh);
      this.group.add(mesh);
    };
    add("bodies", View.buildBodies(this));
    add("bodies", View.buildArms(this));
    this.beamMesh = View.buildBeams(this);
    add("beams", this.beamMesh);
    add("joints", View.buildJoints(this));
    add("springs", View.buildLinks(this));
    add("springs", View.buildForceSymbols(this));
    add("supports", View.buildSupports(this));
    add("nodes", this.buildNodes());
    this.arrows = View.buildArrows(this);
    for (const [layer, list] of Object.entries(this.arrows)) list.forEach((arrows) => add(layer, arrows.mesh));
    const road = View.buildRoad(this);
    if (road) {
      (this.parts.ground = this.parts.ground || []).push(road);
      this.decor.add(road);
    }
  }

  buildNodes() {
    const builder = new View.Builder(View.CARRIED);
    const ball = View.solids.sphere(4, true);
    const names = this.scene.nodes.slice(0, 20000);
    names.forEach((name, k) =>
      builder.add(ball, {
        anchor: [0, 0, 0],
        pose: k + 1,
        color: [0.1, 0.1, 0.12],
        entity: this.entity("node", k),
        grow: 1,
      })
    );
    const material = View.material("carried", this);
    material.uniforms.uSymbol.value.set(0.004 * this.scene.look.size, 2.5, 4);
    return builder.mesh(material);
  }

  update(clock, options) {
    this.place = this.placeAt(clock);
    const whole =
      options.mode !== null ? { ...options, amplitude: options.amplitude * this.modeScale(options.mode) } : options;
    this.pose.update(options.mode !== null ? this.scene.modes[options.mode].state : this.place, whole);
    this.colors.update(this.place, options.colorBy);
    if (this.beamMesh) this.beamMesh.material.uniforms.uColored.value = this.colors.isOn ? 1 : 0;
    for (const [layer, list] of Object.entries(this.arrows)) {
      if (View.layers[layer]) list.forEach((arrows) => arrows.update(this.place, options.arrows));
    }
    for (const trail of this.trails) trail.update(this.place);
    for (const [layer, meshes] of Object.entries(this.parts)) {
      const isOn = View.layers[layer] && !(options.mode !== null && this.arrows[layer]);
      meshes.forEach((mesh) => {
        mesh.visible = isOn;
      });
    }
  }

  /** Frees the memory of the graphics card. */
  dispose() {
    this.pose.texture.dispose();
    if (!this.group) return;
    this.group.traverse((part) => {
      if (part.geometry) part.geometry.dispose();
      if (part.material) part.material.dispose();
    });
  }

  /** Length of the largest displacement of a mode whose shape has the amplitude 1. */
  modeScale(mode) {
    const shapes = this.store.get("modal/shapes");
    const start = mode * shapes.columns;
    let largest = 0;
    for (let n = 0; n < this.scene.nodes.length; ++n) {
      let square = 0;
      for (let k = 0; k < 6; ++k) square += shapes.data[start + 12 * n + k] ** 2;
      largest = Math.max(largest, square);
    }
    const size = this.scene.look.size;
    return largest > 1e-12 ? (0.12 * size) / Math.sqrt(largest) : 0.5; // rotations alone: half a radian
  }
};
