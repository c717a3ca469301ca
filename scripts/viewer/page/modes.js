// SPDX-License-Identifier: BSD-3-Clause
// Modes: a list of frequencies; the chosen shape swings about the state that it belongs to.
View.buildModes = function () {
  const run = View.shown[0];
  const { modes } = run.scene;
  const panel = View.byId("modesPanel");
  panel.hidden = !modes.length;
  const box = View.byId("modes");
  box.textContent = "";
  if (!modes.length) return;
  const last = modes[modes.length - 1].analysis;
  const several = modes.some((mode) => mode.analysis !== last);
  const row = (text, kind, index) => {
    const button = View.make("button", {
      class: "row",
      "aria-pressed": "false",
      title: index === null ? "" : modes[index].text,
    });
    button.append(View.make("span", { class: "name" }, text), View.make("span", { class: "kind" }, kind));
    button.addEventListener("click", () => View.setMode(index));
    button.mode = index;
    box.append(button);
  };
  if (run.states > 1) row("the states themselves", "", null);
  modes.forEach((mode, k) => {
    const damping = Math.abs(mode.damping) > 1e-9 ? `damping ${View.text(mode.damping, 3)}` : "";
    const analysis = several ? `analysis ${mode.analysis + 1}` : "";
    row(`${mode.number}: ${View.text(mode.frequency, 5)} Hz`, [damping, analysis].filter(Boolean).join(", "), k);
  });
  if (!View.byId("modeSize")) {
    slider(
      View.byId("looks"),
      "mode shape",
      "modeSize",
      [-1.5, 0.7, 0],
      (v) => {
        View.options.amplitude = Math.pow(10, v);
      },
      (v) => `× ${View.text(Math.pow(10, v), 2)}`
    );
    View.byId("looks").parentElement.hidden = false;
  }
};

View.setMode = function (index) {
  const { options } = View;
  options.mode = index;
  options.phase = index === null ? 0 : options.phase;
  for (const button of View.byId("modes").querySelectorAll("button")) {
    button.setAttribute("aria-pressed", String(button.mode === index));
  }
  const text = index === null ? "" : View.shown[0].scene.modes[index].text;
  View.show(text, true);
  if (index !== null) View.timeline.play();
  else View.timeline.pause();
};
