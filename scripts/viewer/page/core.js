// SPDX-License-Identifier: BSD-3-Clause
"use strict";
// One name for all parts of the page. Each file adds what it is about; main.js starts them.
const View = { runs: [], shown: [], layers: {}, listeners: {} };

View.byId = (id) => document.getElementById(id);

/** A new element. Text from decks is only ever set as text. */
View.make = function (tag, attributes, text) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "class") element.className = value;
    else if (name in element && typeof value !== "string") element[name] = value;
    else element.setAttribute(name, value);
  }
  if (text !== undefined) element.textContent = text;
  return element;
};

/** What others want to know when something happens: View.on("selection", listener), View.emit("selection", thing). */
View.on = function (event, listener) {
  (View.listeners[event] = View.listeners[event] || []).push(listener);
};
View.emit = function (event, value) {
  for (const listener of View.listeners[event] || []) listener(value);
};

View.clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/** A number in few letters: 0.00123, 12.3, 4.56e7. */
View.text = function (value, digits = 4) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(digits - 1).replace("e+", "e");
  return String(Number(value.toPrecision(digits)));
};

/** Ticks at 1, 2 or 5 times a power of ten. */
View.ticks = function (low, high, most) {
  const span = high - low;
  if (!(span > 0)) return [low];
  const raw = span / most;
  const power = Math.pow(10, Math.floor(Math.log10(raw)));
  const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= raw * 0.999);
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) found.push(k * step);
  return found;
};

View.show = function (text, up) {
  const message = View.byId("message");
  message.textContent = text || "";
  message.hidden = !text;
  message.classList.toggle("up", !!up);
};
