// SPDX-License-Identifier: BSD-3-Clause
// Pictures and films of what is seen, with title, time and scale.
View.save = function (blob, name) {
  const link = View.make("a", { download: name });
  link.href = URL.createObjectURL(blob);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
};

View.fileName = (ending) => `${(View.shown[0].label || "view").replace(/[^\w.-]+/g, "_")}.${ending}`;

/** Draws the stage on a canvas of its own. */
View.compose = function (canvas) {
  const source = View.canvas;
  if (canvas.width !== source.width) canvas.width = source.width;
  if (canvas.height !== source.height) canvas.height = source.height;
  const ratio = source.width / source.clientWidth;
  const pen = canvas.getContext("2d");
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.fillStyle = View.cssColor("--space");
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(source, 0, 0);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.drawImage(View.byId("triad"), source.clientWidth - 104, source.clientHeight - 104, 100, 100);
  pen.fillStyle = View.cssColor("--text");
  pen.textBaseline = "top";
  pen.font = "bold 17px system-ui, sans-serif";
  pen.fillText(View.byId("title").textContent, 12, 10, source.clientWidth - 24);
  pen.font = "14px system-ui, sans-serif";
  pen.fillText(View.byId("clock").textContent, 12, 33);
  for (const label of View.labels.pool) if (!label.hidden) composeLabel(pen, label);
  if (!View.byId("scale").hidden) composeScale(pen, source.clientHeight);
};

function composeLabel(pen, label) {
  const [x, y] = label.style.transform.match(/-?\d+/g).map(Number);
  const { backgroundColor, color, font } = getComputedStyle(label);
  pen.fillStyle = backgroundColor;
  pen.fillRect(x, y, label.offsetWidth, label.offsetHeight);
  pen.fillStyle = color;
  pen.font = font;
  pen.textBaseline = "middle";
  pen.fillText(label.textContent, x + 5, y + label.offsetHeight / 2 + 1, label.offsetWidth - 8);
  pen.textBaseline = "top";
  pen.fillStyle = View.cssColor("--text");
}

function composeScale(pen, height) {
  const scale = View.byId("scale");
  const [label, map, ends] = scale.children;
  pen.font = "13px system-ui, sans-serif";
  pen.fillText(label.textContent, 12, height - 70);
  pen.drawImage(map, 12, height - 50, 210, 12);
  [...ends.children].forEach((end, k) => {
    pen.textAlign = ["left", "center", "right"][k];
    pen.fillText(end.textContent, 12 + 105 * k, height - 34);
  });
  pen.textAlign = "left";
}

View.savePicture = function () {
  View.draw();
  const canvas = View.make("canvas");
  View.compose(canvas);
  canvas.toBlob((blob) => View.save(blob, View.fileName("png")));
};

/** One pass of the timeline, or one swing of a mode, as it plays; the name of the kind of file, or null. */
View.film = { recorder: null };
View.toggleFilm = function () {
  const button = View.byId("filmButton");
  if (View.film.recorder) {
    View.film.recorder.stop();
    return;
  }
  const type = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"].find(
    (one) => window.MediaRecorder && MediaRecorder.isTypeSupported(one)
  );
  if (!type || !View.canvas.captureStream) {
    View.show("This browser cannot record films.", true);
    return;
  }
  const canvas = View.make("canvas");
  View.compose(canvas);
  const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: type, videoBitsPerSecond: 6e6 });
  const parts = [];
  recorder.addEventListener("dataavailable", (event) => parts.push(event.data));
  recorder.addEventListener("stop", () => {
    View.film = { recorder: null };
    button.textContent = "Film";
    View.filmBytes = parts.reduce((sum, part) => sum + part.size, 0);
    View.save(new Blob(parts, { type: "video/webm" }), View.fileName("webm"));
  });
  const isMode = View.options.mode !== null;
  View.film = { recorder, canvas, until: null };
  if (!isMode) View.timeline.set(0);
  // A busy machine takes a while to begin; a short pass would be over by then.
  recorder.addEventListener("start", () => {
    if (isMode) View.film.until = performance.now() + 3400;
    View.timeline.play();
  });
  recorder.start();
  button.textContent = "Stop";
};

View.recordFrame = function (now) {
  const { recorder, canvas, until } = View.film;
  if (!recorder) return;
  View.compose(canvas);
  if (until && now > until) recorder.stop();
};
View.on("end", () => {
  if (View.film.recorder) View.film.recorder.stop();
});
