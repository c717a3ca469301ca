// SPDX-License-Identifier: BSD-3-Clause
// Small solids as lists of vertices, and a builder that joins them into one geometry.
View.Builder = class {
  /** `sizes`: attribute name -> numbers a vertex, besides position and normal. */
  constructor(sizes) {
    this.sizes = { position: 3, normal: 3, ...sizes };
    this.values = Object.fromEntries(Object.keys(this.sizes).map((name) => [name, []]));
    this.index = [];
    this.count = 0;
  }

  vertex(values) {
    for (const name of Object.keys(this.sizes)) {
      const value = values[name];
      if (typeof value === "number") this.values[name].push(value);
      else for (let k = 0; k < this.sizes[name]; ++k) this.values[name].push(value[k]);
    }
    return this.count++;
  }

  triangle(a, b, c) {
    this.index.push(a, b, c);
  }

  quad(a, b, c, d) {
    this.index.push(a, b, c, a, c, d);
  }

  /** Adds a solid {points, normals, faces, shades} with what its vertices have in common. */
  add(solid, shared) {
    const first = this.count;
    solid.points.forEach((position, k) => {
      const color = solid.shades ? shared.color.map((c) => c * solid.shades[k]) : shared.color;
      this.vertex({ ...shared, color, position, normal: solid.normals[k] });
    });
    for (const face of solid.faces) this.index.push(...face.map((k) => first + k));
  }

  geometry() {
    const geometry = new THREE.BufferGeometry();
    for (const [name, size] of Object.entries(this.sizes)) {
      geometry.setAttribute(name, new THREE.BufferAttribute(new Float32Array(this.values[name]), size));
    }
    geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(this.index), 1));
    return geometry;
  }

  mesh(material) {
    if (!this.count) return null;
    const mesh = new THREE.Mesh(this.geometry(), material);
    mesh.frustumCulled = false; // where its vertices are, only the shader knows
    return mesh;
  }
};

const DARK = 0.66; // of the quarters of round solids, by which a spin is seen

View.solids = {
  /** Box with half edges 1. */
  box() {
    const points = [];
    const normals = [];
    const faces = [];
    for (let axis = 0; axis < 3; ++axis) {
      for (const side of [-1, 1]) {
        const first = points.length;
        for (const [p, q] of [
          [-1, -1],
          [1, -1],
          [1, 1],
          [-1, 1],
        ]) {
          const point = [0, 0, 0];
          point[axis] = side;
          point[(axis + 1) % 3] = p;
          point[(axis + 2) % 3] = q;
          points.push(point);
          const normal = [0, 0, 0];
          normal[axis] = side;
          normals.push(normal);
        }
        faces.push([first, first + 1, first + 2], [first, first + 2, first + 3]);
      }
    }
    return { points, normals, faces };
  },

  /** Sphere of radius 1, with eight fields in two shades. */
  sphere(detail = 12, plain = false) {
    const points = [];
    const shades = [];
    const faces = [];
    const across = 2 * detail;
    const patch = (i0, i1, j0, j1, shade) => {
      const first = points.length;
      const width = j1 - j0 + 1;
      for (let i = i0; i <= i1; ++i) {
        for (let j = j0; j <= j1; ++j) {
          const latitude = (i / detail - 0.5) * Math.PI;
          const longitude = (j / across) * 2 * Math.PI;
          points.push([
            Math.cos(latitude) * Math.cos(longitude),
            Math.cos(latitude) * Math.sin(longitude),
            Math.sin(latitude),
          ]);
          shades.push(shade);
          if (i < i1 && j < j1) {
            const k = first + (i - i0) * width + (j - j0);
            faces.push([k, k + 1, k + width + 1], [k, k + width + 1, k + width]);
          }
        }
      }
    };
    if (plain) {
      patch(0, detail, 0, across, 1);
    } else {
      for (let half = 0; half < 2; ++half) {
        for (let quarter = 0; quarter < 4; ++quarter) {
          patch(
            (half * detail) / 2,
            ((half + 1) * detail) / 2,
            (quarter * across) / 4,
            ((quarter + 1) * across) / 4,
            (half + quarter) % 2 ? DARK : 1
          );
        }
      }
    }
    return { points, normals: points, faces, shades };
  },

  /** Tube along z: radius 1, half length 1, `inner` of the radius open; ends in quarters of two shades. */
  tube(inner = 0, sides = 32, plain = false) {
    const points = [];
    const normals = [];
    const shades = [];
    const faces = [];
    const ring = (k, radius, z, normal, shade) => {
      const angle = (k / sides) * 2 * Math.PI;
      points.push([radius * Math.cos(angle), radius * Math.sin(angle), z]);
      normals.push(normal || [Math.cos(angle), Math.sin(angle), 0]);
      shades.push(shade);
      return points.length - 1;
    };
    const shadeOf = (k) => (!plain && Math.floor((4 * k) / sides) % 2 ? DARK : 1);
    for (let k = 0; k < sides; ++k) {
      const shade = shadeOf(k);
      const strip = (r0, z0, r1, z1, normal) => {
        const [a, b] = [ring(k, r0, z0, normal, shade), ring(k + 1, r0, z0, normal, shade)];
        const [c, d] = [ring(k + 1, r1, z1, normal, shade), ring(k, r1, z1, normal, shade)];
        faces.push([a, b, c], [a, c, d]);
      };
      strip(1, -1, 1, 1, null);
      strip(inner, 1, 1, 1, [0, 0, 1]);
      strip(inner, -1, 1, -1, [0, 0, -1]);
      if (inner > 0) strip(inner, -1, inner, 1, null);
    }
    return { points, normals, faces, shades };
  },

  cylinder(sides = 24) {
    return View.solids.tube(0, sides, true);
  },

  /** Cone along z from its tip at 0 to its base at -1 with radius r. */
  cone(radius, sides = 16) {
    const points = [];
    const normals = [];
    const faces = [];
    for (let k = 0; k < sides; ++k) {
      const at = (j) => [
        radius * Math.cos((2 * Math.PI * j) / sides),
        radius * Math.sin((2 * Math.PI * j) / sides),
        -1,
      ];
      const first = points.length;
      const normal = (j) => [Math.cos((2 * Math.PI * j) / sides), Math.sin((2 * Math.PI * j) / sides), radius];
      points.push([0, 0, 0], at(k), at(k + 1), [0, 0, -1], at(k), at(k + 1));
      normals.push(normal(k + 0.5), normal(k), normal(k + 1), [0, 0, -1], [0, 0, -1], [0, 0, -1]);
      faces.push([first, first + 1, first + 2], [first + 3, first + 5, first + 4]);
    }
    return { points, normals, faces };
  },

  /** A solid stretched by `scale`, turned by q = [w, x, y, z], moved; normals stay normal. */
  moved(solid, scale, turn, shift) {
    const q = [turn[1], turn[2], turn[3], turn[0]];
    const turned = (v) => View.quaternions.turn(q, v);
    return {
      ...solid,
      points: solid.points.map((p) => turned(p.map((c, k) => c * scale[k])).map((c, k) => c + shift[k])),
      normals: solid.normals.map((n) => turned(n.map((c, k) => c / (scale[k] || 1)))),
    };
  },
};
const UPRIGHT = [1, 0, 0, 0]; // no rotation
