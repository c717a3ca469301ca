// SPDX-License-Identifier: BSD-3-Clause
// What is shown, by kind, and how: colors of beams with a scale, magnified deflections, lengths of arrows.
const LAYERS = [
  ["bodies", "bodies"],
  ["beams", "beams"],
  ["joints", "joints"],
  ["springs", "springs, bushings"],
  ["supports", "supports"],
  ["loads", "loads"],
  ["reactions", "reactions (forces)"],
  ["moments", "reactions (moments)"],
  ["nodes", "nodes"],
  ["ground", "ground grid"],
  ["names", "names"],
];

View.buildLayers = function () {
  const box = View.byId("layers");
  const run = View.shown[0];
  const { scene } = run;
  const crowd = scene.bodies.length + scene.joints.length + scene.beams.length;
  const isBare = !scene.bodies.length && !scene.beams.length;
  const start = {
    bodies: true,
    beams: true,
    joints: true,
    springs: true,
    supports: true,
    loads: true,
    reactions: false,
    moments: false,
    nodes: isBare,
    ground: true,
    names: crowd <= 14,
  };
  const counts = {
    bodies: scene.bodies.length,
    beams: scene.beams.length,
    joints: scene.joints.length,
    springs: scene.forces.length,
    loads: scene.loads.length,
    nodes: scene.nodes.length,
  };
  for (const [name, text] of LAYERS) {
    if (!(name in View.layers)) View.layers[name] = start[name];
    if (counts[name] === 0 || (run.arrows && ["reactions", "moments"].includes(name) && !run.arrows[name])) continue;
    const label = View.make("label", { class: "check" });
    const input = View.make("input", { type: "checkbox", checked: View.layers[name], id: `layer-${name}` });
    input.addEventListener("change", () => View.setLayer(name, input.checked));
    label.append(input, document.createTextNode(` ${text}${counts[name] ? ` (${counts[name]})` : ""}`));
    box.append(label);
  }
};

View.setLayer = function (name, isOn) {
  View.layers[name] = isOn;
  const input = View.byId(`layer-${name}`);
  if (input) input.checked = isOn;
  View.invalidate();
};

function field(parent, text, input) {
  const row = View.make("div", { class: "field" });
  input.id = input.id || `field-${parent.childElementCount}`;
  row.append(View.make("label", { for: input.id }, text), input);
  parent.append(row);
  return row;
}

function slider(parent, text, id, [low, high, value], onChange, textOf) {
  const input = View.make("input", { type: "range", min: String(low), max: String(high), step: "any", id });
  input.value = String(value);
  const row = field(parent, text, input);
  const output = View.make("output", { for: id }, textOf(value));
  row.append(output);
  const change = () => {
    output.textContent = textOf(Number(input.value));
    onChange(Number(input.value));
    View.invalidate();
  };
  input.addEventListener("input", change);
  return (next) => {
    input.value = String(next);
    change();
  };
}

View.buildLooks = function () {
  const box = View.byId("looks");
  const run = View.shown[0];
  const choices = run.colors.choices();
  const { options } = View;
  if (choices.length) {
    const select = View.make("select", { id: "colorBy" });
    select.append(View.make("option", { value: "" }, "plain"));
    for (const [key, label] of choices) select.append(View.make("option", { value: key }, label));
    select.addEventListener("change", () => View.setColor(select.value));
    field(box, "beams by", select);
  }
  if (run.states > 1 && (run.isSmall || run.scene.beams.length)) {
    const mode = View.make("select", { id: "magnifyFrom" });
    mode.append(View.make("option", { value: "first" }, "first state"));
    if (run.scene.beams.length) mode.append(View.make("option", { value: "chords" }, "beam chords"));
    options.chords = !run.isSmall && run.scene.beams.length > 0;
    mode.value = options.chords ? "chords" : "first";
    mode.addEventListener("change", () => {
      options.chords = mode.value === "chords";
      View.invalidate();
    });
    View.setMagnification = slider(
      box,
      "deflection",
      "magnify",
      [0, 3, 0],
      (v) => {
        options.magnify = magnification(v);
      },
      (v) => `× ${View.text(magnification(v), 2)}`
    );
    field(box, "from", mode);
  }
  if (run.scene.bodies.length) {
    const clear = View.make("input", { type: "checkbox", id: "clearBodies" });
    clear.addEventListener("change", () => View.setClearBodies(clear.checked));
    const label = View.make("label", { class: "check" });
    label.append(clear, document.createTextNode(" bodies see-through"));
    box.append(label);
  }
  if (run.arrows && Object.keys(run.arrows).length) {
    slider(
      box,
      "arrows",
      "arrowSize",
      [-1, 1.3, 0],
      (v) => {
        options.arrows = Math.pow(10, v);
      },
      (v) => `× ${View.text(Math.pow(10, v), 2)}`
    );
  }
  View.byId("looks").parentElement.hidden = !box.childElementCount;
};

/** Bodies let what is in and behind them be seen. */
View.setClearBodies = function (isClear) {
  for (const run of View.runs.filter((one) => one && one.built)) {
    for (const mesh of run.parts.bodies || []) {
      mesh.material.uniforms.uOpacity = isClear ? { value: 0.35 } : run.opacity;
      mesh.material.transparent = isClear || run.opacity.value < 1;
      mesh.material.depthWrite = !isClear;
      mesh.renderOrder = isClear ? 2 : 0;
    }
  }
  View.invalidate();
};

const magnification = (v) => Number(Math.pow(10, v).toPrecision(2));

/** Colors of the beams by a quantity; "" for plain ones. */
View.setColor = function (key) {
  View.options.colorBy = key || null;
  const scale = View.byId("scale");
  scale.hidden = !key;
  View.colorRange = null;
  if (View.byId("colorBy")) View.byId("colorBy").value = key || "";
  if (key) {
    const able = View.shown.filter((run) => run.colors.choices().some(([name]) => name === key));
    const ranges = able.map((run) => run.colors.range(key));
    const signed = ranges.some((range) => range.signed);
    let [low, high] = [Math.min(...ranges.map((r) => r.low)), Math.max(...ranges.map((r) => r.high))];
    if (signed) [low, high] = [-Math.max(high, -low), Math.max(high, -low)];
    View.colorRange = { low, high, signed };
    View.setMap(signed);
    View.drawScale(
      able[0].colors.choices().find(([name]) => name === key),
      View.colorRange
    );
  }
  View.invalidate();
};

View.drawScale = function ([, label, units], { low, high, signed }) {
  const scale = View.byId("scale");
  scale.textContent = "";
  const canvas = View.make("canvas", { width: "256", height: "1" });
  canvas.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(View.mapBytes(signed)), 256, 1), 0, 0);
  const ends = View.make("div", { class: "ends" });
  for (const value of [low, (low + high) / 2, high]) ends.append(View.make("span", {}, View.text(value, 3)));
  scale.append(View.make("div", {}, `${label}${units ? ` [${units}]` : ""}`), canvas, ends);
};
