// SPDX-License-Identifier: BSD-3-Clause
// Starts the page, and draws it whenever something has changed.
View.options = { mode: null, amplitude: 1, phase: 0, magnify: 1, chords: false, arrows: 1, colorBy: null };
View.dirty = true;
View.invalidate = () => {
  View.dirty = true;
};
View.scriptTime = 0; // milliseconds of script for the last frame, without the browser's own drawing
View.drawTime = 0;

/** Calls `draw` with only these runs in the scene; `decor`: also what cannot be picked. */
View.drawRuns = function (runs, draw, decor) {
  const all = View.runs.filter((run) => run && run.group);
  all.forEach((run) => {
    run.group.visible = runs.includes(run);
    run.decor.visible = decor;
  });
  View.grid.group.visible = decor && View.layers.ground;
  draw();
};

View.draw = function () {
  const begin = performance.now();
  const { renderer, camera, canvas, timeline } = View;
  View.shown.forEach((run) => run.update(timeline.clock, View.options));
  camera.update();
  View.grid.update(camera.target);
  const height = canvas.clientHeight;
  View.common.uPixel.value = (2 * Math.tan((camera.camera.fov * Math.PI) / 360)) / height;
  const ready = performance.now();
  renderer.setClearColor(new THREE.Color(View.cssColor("--space")), 1);
  renderer.clear();
  const sides = View.isOverlaid() ? [View.shown] : View.shown.map((run) => [run]);
  renderer.setScissorTest(sides.length > 1);
  for (const runs of sides) {
    const [left, width] = View.sideOf(runs[0]);
    renderer.setViewport(left, 0, width, height);
    renderer.setScissor(left, 0, width, height);
    View.drawRuns(runs, () => renderer.render(View.scene, camera.camera), true);
  }
  renderer.setScissorTest(false);
  View.drawTime = performance.now() - ready;
  const after = performance.now();
  View.labels.update(View.shown);
  View.drawTriad(camera.camera, View.shown[0].scene.gravity);
  View.byId("clock").textContent = timeline.text();
  View.selection.update();
  View.scriptTime = ready - begin + (performance.now() - after);
  View.frames = (View.frames || 0) + 1;
};

View.resize = function () {
  const { canvas, renderer } = View;
  const box = View.byId("stage").getBoundingClientRect();
  renderer.setPixelRatio(window.devicePixelRatio || 1);
  renderer.setSize(Math.max(box.width, 1), Math.max(box.height, 1), false);
  const sides = View.isOverlaid() ? 1 : Math.max(View.shown.length, 1);
  View.camera.resize(canvas.clientWidth / sides / Math.max(canvas.clientHeight, 1));
  View.invalidate();
};

View.loop = function () {
  let before = performance.now();
  const frame = (now) => {
    const seconds = Math.min((now - before) / 1000, 0.1);
    before = now;
    if (View.timeline.isPlaying) View.timeline.advance(seconds);
    if (View.dirty || View.timeline.isPlaying) {
      View.dirty = false;
      View.draw();
      View.recordFrame(now);
    }
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
};

/** A context of WebGL in which vertex shaders can read floating-point textures; null where there is none. */
View.context = function (canvas) {
  const wish = { antialias: true, alpha: false, preserveDrawingBuffer: true };
  const second = canvas.getContext("webgl2", wish);
  if (second) return second;
  const first = canvas.getContext("webgl", wish);
  const isAble =
    first &&
    first.getExtension("OES_texture_float") &&
    first.getExtension("OES_element_index_uint") &&
    first.getParameter(first.MAX_VERTEX_TEXTURE_IMAGE_UNITS) > 0;
  return isAble ? first : null;
};

View.fail = function (text) {
  View.show(text, true);
  View.canvas.hidden = true;
  View.byId("still").hidden = false;
  for (const id of ["labels", "triad", "views", "scale"]) View.byId(id).hidden = true;
  View.failed = text;
};

View.buildRenderer = function () {
  const context = View.context(View.canvas);
  if (!context) {
    View.fail(
      "This browser cannot draw in three dimensions (no WebGL), so this is a still picture of the last state."
    );
    return false;
  }
  View.renderer = new THREE.WebGLRenderer({ canvas: View.canvas, context, preserveDrawingBuffer: true });
  View.renderer.autoClear = false;
  View.scene = new THREE.Scene();
  return true;
};

View.start = async function () {
  const begin = performance.now();
  View.canvas = View.byId("view");
  View.document = JSON.parse(View.byId("document").textContent);
  const prefersDark = window.matchMedia && matchMedia("(prefers-color-scheme: dark)").matches;
  View.setTheme(prefersDark ? "dark" : "light");
  if (!View.buildRenderer()) return;
  View.show("Unpacking …");
  const first = await View.loadRun(0);
  View.camera = new View.Camera(first.scene.look, View.canvas);
  View.grid = new View.Grid(first.scene.look);
  View.scene.add(View.grid.group);
  View.timeline = new View.Timeline();
  View.labels = new View.Labels(View.byId("labels"));
  View.picker = new View.Picker(View.renderer);
  View.selection = new View.Selection();
  View.search = new View.Search();
  const numbers = View.document.study ? [0] : View.document.runs.map((_, k) => k);
  View.compare = numbers.length > 1 ? "side" : "one-0";
  await View.showRuns(numbers);
  if (first.scene.look.travels) {
    View.camera.setFollow(() => View.shown[0].pose.middle()); // other cases and news have other poses
  }
  View.timeline.setSpeed();
  View.buildRuns();
  View.buildLayers();
  View.buildLooks();
  View.buildModes();
  View.buildViews();
  View.listenToPointer();
  View.listenToKeys();
  View.listenToButtons();
  View.show("");
  View.resize();
  View.camera.fit();
  if (first.states < 2 && first.scene.modes.length) View.setMode(0);
  View.loop();
  View.followRun();
  View.startTime = performance.now() - begin; // milliseconds from the scripts being read to the first frame being due
  View.isReady = true;
};

View.listenToButtons = function () {
  View.byId("themeButton").addEventListener("click", () => View.setTheme(View.theme === "dark" ? "light" : "dark"));
  View.byId("pictureButton").addEventListener("click", () => View.savePicture());
  View.byId("filmButton").addEventListener("click", () => View.toggleFilm());
  View.byId("helpButton").addEventListener("click", () => View.byId("help").showModal());
  View.on("theme", () => {
    View.grid.paint();
    if (View.options.colorBy) View.setColor(View.options.colorBy);
    View.invalidate();
  });
  new ResizeObserver(() => View.resize()).observe(View.byId("stage"));
};

View.start().catch((error) => {
  View.fail(error.message);
  throw error;
});
