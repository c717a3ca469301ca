// SPDX-License-Identifier: BSD-3-Clause
// The clock of the page: play, pause, step, speed, loop. All runs that are shown follow the same clock.
const SPEEDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

View.Timeline = class {
  constructor() {
    this.clock = 0;
    this.isPlaying = false;
    this.slider = View.byId("time");
    this.loop = View.byId("loop");
    this.speed = View.byId("speed");
    for (const speed of SPEEDS) this.speed.append(View.make("option", { value: String(speed) }, `${speed}×`));
    this.slider.addEventListener("input", () => this.set(Number(this.slider.value)));
    View.byId("play").addEventListener("click", () => this.toggle());
    View.byId("toStart").addEventListener("click", () => this.set(0));
    View.byId("back").addEventListener("click", () => this.step(-1));
    View.byId("next").addEventListener("click", () => this.step(1));
  }

  /** After other runs are shown. */
  setRuns(runs) {
    this.runs = runs;
    this.duration = Math.max(...runs.map((run) => run.duration));
    this.slider.max = String(this.duration || 1);
    this.slider.disabled = !(this.duration > 0);
    for (const id of ["play", "toStart", "back", "next"])
      View.byId(id).disabled = !(this.duration > 0) && id !== "play";
    this.set(Math.min(this.clock, this.duration));
  }

  /** A run takes from 3 to 30 seconds to look at, unless that is not its own time. */
  setSpeed() {
    const own = this.runs[0].scene.static ? 0 : this.duration;
    const wish = own >= 3 && own <= 30 ? 1 : this.duration / 8;
    const nearest = SPEEDS.reduce((a, b) => (Math.abs(Math.log(b / wish)) < Math.abs(Math.log(a / wish)) ? b : a));
    this.speed.value = String(this.duration > 0 ? nearest : 1);
  }

  set(clock) {
    this.clock = View.clamp(clock, 0, this.duration);
    this.slider.value = String(this.clock);
    View.invalidate();
  }

  /** To the next stored state of the first run. */
  step(by) {
    const run = this.runs[0];
    const place = run.placeAt(this.clock);
    const next = by > 0 ? Math.floor(place + 1e-6) + by : Math.ceil(place - 1e-6) + by;
    this.pause();
    this.set(run.clock[View.clamp(next, 0, run.states - 1)]);
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  play() {
    if (!(this.duration > 0) && View.options.mode === null) return;
    if (this.clock >= this.duration && View.options.mode === null) this.set(0);
    this.isPlaying = true;
    this.show();
  }

  pause() {
    this.isPlaying = false;
    this.show();
  }

  show() {
    const button = View.byId("play");
    button.textContent = this.isPlaying ? "❚❚" : "▶";
    button.setAttribute("aria-label", this.isPlaying ? "Pause" : "Play");
    View.invalidate();
  }

  advance(seconds) {
    if (View.options.mode !== null) {
      View.options.phase += seconds * 2 * Math.PI * 0.6;
      return;
    }
    let clock = this.clock + seconds * Number(this.speed.value);
    if (clock >= this.duration) {
      View.emit("end");
      if (this.loop.checked) {
        clock = 0;
      } else {
        clock = this.duration;
        this.pause();
      }
    }
    this.set(clock);
  }

  text() {
    const run = this.runs[0];
    const { scene } = run;
    const place = run.placeAt(this.clock);
    const count = `${Math.round(place) + 1} of ${run.states}`;
    const i = Math.round(place);
    const factor = scene.loadFactor && scene.loadFactor[i] !== null ? scene.loadFactor[i] : null;
    if (scene.static) return `load factor ${View.text(factor, 4)} · state ${count}`;
    const isLoading = factor !== null && factor !== 1;
    const time = run.timeAt(place).toFixed(this.digits(run));
    return `t = ${time} s · ${isLoading ? `load factor ${View.text(factor, 3)}` : `state ${count}`}`;
  }

  digits(run) {
    const span = run.timeAt(run.states - 1) - run.timeAt(0);
    return span > 0 ? View.clamp(Math.ceil(3 - Math.log10(span)), 0, 9) : 3;
  }
};
