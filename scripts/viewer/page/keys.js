// SPDX-License-Identifier: BSD-3-Clause
// The keyboard, and the page of help that lists it.
View.keys = [
  [[" "], "space", "play or pause", () => View.timeline.toggle()],
  [["ArrowRight", "."], "→", "next state", () => View.timeline.step(1)],
  [["ArrowLeft", ","], "←", "state before", () => View.timeline.step(-1)],
  [["Home"], "Home", "first state", () => View.timeline.set(0)],
  [["End"], "End", "last state", () => View.timeline.set(View.timeline.duration)],
  [["+", "="], "+", "faster", () => changeSpeed(1)],
  [["-"], "−", "slower", () => changeSpeed(-1)],
  [["0"], "0", "show all", () => View.views[0]()],
  [["1", "2", "3", "4", "5", "6"], "1 … 6", "views along the axes", (key) => View.views[1 + Number(key)]()],
  [["7"], "7", "view as at first", () => View.views[1]()],
  [["f", "F"], "F", "follow the chosen thing, or stop", () => View.followThing(View.chosen)],
  [["t", "T"], "T", "trail of the chosen thing", () => trailOfChosen()],
  [["n", "N"], "N", "names", () => View.setLayer("names", !View.layers.names)],
  [["g", "G"], "G", "ground grid", () => View.setLayer("ground", !View.layers.ground)],
  [["d", "D"], "D", "dark or light", () => View.setTheme(View.theme === "dark" ? "light" : "dark")],
  [["s", "S"], "S", "save a picture", () => View.savePicture()],
  [["/"], "/", "find by name", () => View.byId("search").focus()],
  [["Escape"], "Esc", "choose nothing", () => View.choose(null)],
  [["?"], "?", "this help", () => View.byId("help").showModal()],
];

const MOUSE = [
  ["drag", "turn (one finger)"],
  ["right drag, shift + drag", "move (two fingers)"],
  ["wheel", "zoom (pinch)"],
  ["click", "choose a thing: its numbers and plots"],
  ["click on a plot", "go to a time"],
];

function changeSpeed(by) {
  const { speed } = View.timeline;
  speed.selectedIndex = View.clamp(speed.selectedIndex + by, 0, speed.options.length - 1);
}

function trailOfChosen() {
  if (!View.chosen) return;
  const { node, point } = View.nodeOf(View.chosen);
  if (node >= 0) View.toggleTrail(View.chosen.run, node, point);
  View.emit("chosen", View.chosen);
}

View.listenToKeys = function () {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || View.byId("help").open) return;
    const { tagName, type } = event.target;
    if (tagName === "SELECT" || (tagName === "INPUT" && type === "search")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    // Space and arrows belong to a button or a slider that has the focus; the timeline's own is the page's.
    const isOwn =
      ["BUTTON", "INPUT", "TR", "CANVAS"].includes(tagName) && event.target.id !== "time" && tagName !== "CANVAS";
    if (isOwn && ([" ", "Enter", "Home", "End"].includes(event.key) || event.key.startsWith("Arrow"))) return;
    const entry = View.keys.find(([keys]) => keys.includes(event.key));
    if (!entry) return;
    event.preventDefault();
    entry[3](event.key);
  });
  const table = View.byId("keys");
  for (const [, name, text] of View.keys) addHelp(table, name, text, true);
  for (const [name, text] of MOUSE) addHelp(table, name, text, false);
  View.byId("closeHelp").addEventListener("click", () => View.byId("help").close());
};

function addHelp(table, name, text, isKey) {
  const row = View.make("tr");
  const head = View.make("th", { scope: "row" });
  head.append(View.make(isKey ? "kbd" : "span", {}, name));
  row.append(head, View.make("td", {}, text));
  table.append(row);
}
