// SPDX-License-Identifier: BSD-3-Clause
// What is below the pointer: the scene is drawn once more around it, each thing in the color of its number.
const REACH = 9; // pixels, odd: thin things are hit near by, too

View.Picker = class {
  constructor(renderer) {
    this.renderer = renderer;
    this.target = new THREE.WebGLRenderTarget(REACH, REACH);
    this.bytes = new Uint8Array(4 * REACH * REACH);
  }

  /** The thing at a place of the canvas, or null. */
  pick(x, y) {
    const run = View.shown.find((one) => {
      const [left, width] = View.sideOf(one);
      return x >= left && x < left + width;
    });
    if (!run) return null;
    const overlaid = View.isOverlaid() ? View.shown : [run];
    const [left, width] = View.sideOf(run);
    const height = View.canvas.clientHeight;
    const { camera } = View.camera;
    const half = (REACH - 1) / 2;
    camera.setViewOffset(width, height, Math.round(x - left) - half, Math.round(y) - half, REACH, REACH);
    View.common.uPicking.value = 1;
    View.drawRuns(
      overlaid,
      () => {
        this.renderer.setRenderTarget(this.target);
        this.renderer.setClearColor(0x000000, 0);
        this.renderer.clear();
        this.renderer.render(View.scene, camera);
        this.renderer.setRenderTarget(null);
      },
      false
    );
    View.common.uPicking.value = 0;
    camera.clearViewOffset();
    this.renderer.readRenderTargetPixels(this.target, 0, 0, REACH, REACH, this.bytes);
    return this.nearest(half);
  }

  nearest(half) {
    let best = null;
    let closest = Infinity;
    for (let row = 0; row < REACH; ++row) {
      for (let column = 0; column < REACH; ++column) {
        const at = 4 * (row * REACH + column);
        const id = this.bytes[at] + 256 * this.bytes[at + 1] + 65536 * this.bytes[at + 2];
        const apart = Math.hypot(row - half, column - half);
        if (id > 0 && this.bytes[at + 3] === 255 && apart < closest) [best, closest] = [id, apart];
      }
    }
    return best === null ? null : View.thingOf(best);
  }
};

View.thingOf = function (id) {
  const run = View.runs.find((one) => one && id >= one.firstId.body && id <= one.lastId);
  return run ? run.thing(id) : null;
};

View.listenToPointer = function () {
  const place = (event) => {
    const box = View.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  View.on("click", (event) => View.choose(View.picker.pick(...place(event))));
  let waiting = false;
  View.on("hover", (event) => {
    if (waiting || View.drawTime > 15 || event.pointerType === "touch") return;
    waiting = true;
    setTimeout(() => {
      waiting = false;
      const found = View.picker.pick(...place(event));
      if ((found && found.id) === (View.hovered && View.hovered.id)) return;
      View.hovered = found;
      View.common.uHovered.value = found ? found.id : -1;
      View.canvas.style.cursor = found ? "pointer" : "";
      View.invalidate();
    }, 50);
  });
};
