// SPDX-License-Identifier: BSD-3-Clause
// Numbers of a run: decompressed once, decoded when first asked for. The form is that of packing.py.
View.decompress = async function (text) {
  if (typeof DecompressionStream === "undefined") {
    throw new Error(
      "This browser cannot unpack the page's numbers. Firefox 113, Chrome 80, Safari 16.4 or newer can."
    );
  }
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};

View.Store = class {
  constructor(bytes, index) {
    this.buffer = bytes.buffer;
    this.index = index;
    this.decoded = {};
  }

  has(name) {
    return name in this.index;
  }

  /** {data, rows, columns}: numbers row after row. */
  get(name) {
    if (!(name in this.decoded)) this.decoded[name] = this.decode(this.index[name]);
    return this.decoded[name];
  }

  decode(entry) {
    const [rows, ...rest] = entry.shape;
    const columns = rest.reduce((a, b) => a * b, 1);
    const count = rows * columns;
    if (entry.kind === "f4") return { data: new Float32Array(this.buffer, entry.at, count), rows, columns };
    if (entry.kind === "i4") return { data: new Int32Array(this.buffer, entry.at, count), rows, columns };
    return { data: this.decodeHistory(entry, rows, columns), rows, columns };
  }

  decodeHistory(entry, rows, columns) {
    const count = rows * columns;
    const planes = new Uint8Array(this.buffer, entry.at, count * entry.depth);
    const low = new Float32Array(this.buffer, entry.low, columns);
    const step = new Float32Array(this.buffer, entry.step, columns);
    const data = new Float32Array(count);
    const mask = Math.pow(2, 8 * entry.depth) - 1;
    for (let column = 0; column < columns; ++column) {
      let whole = 0;
      for (let row = 0; row < rows; ++row) {
        const place = column * rows + row;
        let code = planes[place];
        for (let k = 1; k < entry.depth; ++k) code |= planes[place + k * count] << (8 * k);
        whole = (whole + (code & 1 ? -((code + 1) >> 1) : code >> 1)) & mask;
        data[row * columns + column] = low[column] + whole * step[column];
      }
    }
    return data;
  }
};
