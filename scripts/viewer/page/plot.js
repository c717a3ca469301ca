// SPDX-License-Identifier: BSD-3-Clause
// Curves of one channel over time, with a cursor that is the page's clock.
View.Plot = class {
  constructor(canvas) {
    this.canvas = canvas;
    this.pen = canvas.getContext("2d", { willReadFrequently: true });
    this.curves = null;
    const go = (event) => {
      if (!this.curves || !(event.buttons & 1)) return;
      const box = canvas.getBoundingClientRect();
      const share = (event.clientX - box.left - this.left) / (box.width - this.left - this.right);
      View.timeline.pause();
      View.timeline.set(View.clamp(share, 0, 1) * this.curves.duration);
    };
    canvas.addEventListener("pointerdown", go);
    canvas.addEventListener("pointermove", go);
    this.left = 58;
    this.right = 10;
    this.bottom = 30;
    this.top = 8;
  }

  /** `series`: [{run, name, values, dashed}], the first run's clock is the axis; `units`: of the numbers. */
  set(series, units) {
    if (!series || !series.length) {
      this.curves = null;
      return;
    }
    let low = Infinity;
    let high = -Infinity;
    for (const one of series) {
      for (const value of one.values) {
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
    if (!Number.isFinite(low)) [low, high] = [0, 1];
    // What differs by round-off only is a straight line.
    const least = 1e-9 * Math.max(Math.abs(low), Math.abs(high)) || 1e-30;
    if (high - low < least) [low, high] = [low - (Math.abs(low) || 1) * 0.1, high + (Math.abs(high) || 1) * 0.1];
    const margin = 0.06 * (high - low);
    this.curves = {
      series,
      units,
      low: low - margin,
      high: high + margin,
      duration: Math.max(...series.map((one) => one.run.duration)),
    };
    this.background = null;
  }

  draw(clock) {
    const { canvas, pen } = this;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (!width) return;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
      this.background = null;
    }
    if (!this.curves) {
      pen.clearRect(0, 0, canvas.width, canvas.height);
      return;
    }
    if (!this.background) {
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      pen.clearRect(0, 0, width, height);
      this.drawCurves(width, height);
      this.background = pen.getImageData(0, 0, canvas.width, canvas.height);
    }
    pen.putImageData(this.background, 0, 0);
    const x =
      this.left + (width - this.left - this.right) * (this.curves.duration ? clock / this.curves.duration : 0);
    pen.strokeStyle = View.cssColor("--mark");
    pen.lineWidth = 1.5;
    pen.setLineDash([]);
    pen.beginPath();
    pen.moveTo(x, this.top);
    pen.lineTo(x, height - this.bottom);
    pen.stroke();
  }

  drawCurves(width, height) {
    const { pen } = this;
    const { series, low, high, duration } = this.curves;
    const inner = [width - this.left - this.right, height - this.top - this.bottom];
    const yOf = (value) => this.top + inner[1] * (1 - (value - low) / (high - low));
    const xOf = (clock) => this.left + inner[0] * (duration ? clock / duration : 0.5);
    pen.font = "12px system-ui, sans-serif";
    pen.fillStyle = View.cssColor("--text");
    pen.strokeStyle = View.cssColor("--line");
    pen.lineWidth = 1;
    pen.setLineDash([]);
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const tick of View.ticks(low, high, 5)) {
      const value = Math.abs(tick) < 1e-12 * Math.max(Math.abs(low), Math.abs(high)) ? 0 : tick;
      pen.beginPath();
      pen.moveTo(this.left, yOf(tick));
      pen.lineTo(width - this.right, yOf(tick));
      pen.stroke();
      pen.fillText(View.text(value, 4), this.left - 5, yOf(tick));
    }
    this.drawClockTicks(xOf, height);
    const colors = View.lineColors();
    series.forEach((one) => {
      pen.strokeStyle = colors[one.color % colors.length];
      pen.lineWidth = 1.7;
      pen.setLineDash(one.dashed ? [5, 4] : []);
      pen.beginPath();
      one.values.forEach((value, i) => {
        if (i === 0) pen.moveTo(xOf(one.run.clock[i]), yOf(value));
        else pen.lineTo(xOf(one.run.clock[i]), yOf(value));
      });
      pen.stroke();
      if (one.values.length === 1) pen.strokeRect(xOf(0) - 3, yOf(one.values[0]) - 3, 6, 6);
    });
  }

  drawClockTicks(xOf, height) {
    const { pen } = this;
    const { run } = this.curves.series[0];
    const isStatic = run.scene.static;
    pen.textAlign = "center";
    pen.textBaseline = "top";
    const first = run.timeAt(0);
    const ticks = isStatic
      ? View.ticks(0, run.duration, 5).filter((t) => Number.isInteger(t))
      : View.ticks(first, run.timeAt(run.states - 1), 5);
    for (const tick of ticks) {
      const place = isStatic ? tick : placeOfTime(run, tick);
      if (place === null) continue;
      const text = isStatic ? View.text(run.scene.loadFactor[tick], 3) : View.text(tick, 3);
      pen.fillText(
        text,
        View.clamp(xOf(isStatic ? tick : run.clock[0] + place), this.left, this.canvas.clientWidth - 22),
        height - this.bottom + 3
      );
    }
    pen.fillText(
      isStatic ? "load factor" : `time [${run.scene.units.time}]`,
      this.left + (this.canvas.clientWidth - this.left) / 2,
      height - 14
    );
  }
};

/** Clock of a time. */
function placeOfTime(run, time) {
  const times = run.scene.time;
  for (let i = 1; i < run.states; ++i) {
    if (times[i] >= time) {
      const step = times[i] - times[i - 1];
      const share = step > 0 ? (time - times[i - 1]) / step : 1;
      return run.clock[i - 1] + Math.max(share, 0) * (run.clock[i] - run.clock[i - 1]);
    }
  }
  return null;
}
