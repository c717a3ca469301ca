// SPDX-License-Identifier: BSD-3-Clause
// Colors that people with any color vision can tell apart: Okabe & Ito for things, viridis and a blue-orange map for
// numbers.
View.colors = {
  bodies: [
    [0.9, 0.62, 0.0],
    [0.34, 0.71, 0.91],
    [0.0, 0.62, 0.45],
    [0.8, 0.47, 0.65],
    [0.84, 0.37, 0.0],
    [0.6, 0.6, 0.62],
  ],
  beam: [0.0, 0.45, 0.7],
  joint: [0.45, 0.49, 0.54],
  driven: [0.84, 0.37, 0.0],
  spring: [0.0, 0.56, 0.42],
  rod: [0.5, 0.53, 0.57],
  ground: [0.42, 0.4, 0.38],
  load: [0.84, 0.2, 0.1],
  reaction: [0.55, 0.3, 0.7],
  highlight: [1.0, 0.75, 0.1],
  lines: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b58900", "#56b4e9"],
  linesDark: ["#56b4e9", "#ff8c42", "#2fd1a5", "#e6a0c8", "#f0d24b", "#9ad0f5"],
};

View.lineColors = () => (View.theme === "dark" ? View.colors.linesDark : View.colors.lines);

// Samples of viridis; and of a map that is pale in its middle, for numbers of both signs.
const VIRIDIS = ["440154", "482878", "3e4989", "31688e", "26828e", "1f9e89", "35b779", "6ece58", "b5de2b", "fde725"];
const DIVERGING = [
  "0a3d7a",
  "2166ac",
  "4393c3",
  "92c5de",
  "d9e3e8",
  "e8e0d8",
  "fdbf86",
  "f08c3a",
  "c8590d",
  "7f2f04",
];

View.mapBytes = function (signed) {
  // On a dark ground the darkest blues of viridis would not be seen.
  const plain = View.theme === "dark" ? VIRIDIS.slice(2) : VIRIDIS;
  const samples = (signed ? DIVERGING : plain).map((hex) => [0, 2, 4].map((k) => parseInt(hex.slice(k, k + 2), 16)));
  const bytes = new Uint8Array(256 * 4);
  for (let i = 0; i < 256; ++i) {
    const place = (i / 255) * (samples.length - 1);
    const k = Math.min(Math.floor(place), samples.length - 2);
    for (let c = 0; c < 3; ++c) {
      bytes[4 * i + c] = Math.round(samples[k][c] + (place - k) * (samples[k + 1][c] - samples[k][c]));
    }
    bytes[4 * i + 3] = 255;
  }
  return bytes;
};

View.cssColor = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

View.setTheme = function (theme) {
  View.theme = theme;
  document.documentElement.dataset.theme = theme;
  View.emit("theme", theme);
};
