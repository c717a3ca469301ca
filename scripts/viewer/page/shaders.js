// SPDX-License-Identifier: BSD-3-Clause
// Materials. Vertices are given in frames of nodes or of sections; the shader looks up where these are now, so a frame
// of the film costs the script one small texture, whatever the number of vertices.
const POSES = `
uniform sampler2D uPose;
uniform vec2 uPoseSize;
uniform float uPixel;   // size of a pixel at distance 1
vec4 texel(float index) {
  float row = floor((index + 0.5) / uPoseSize.x);
  return texture2D(uPose, (vec2(index - row * uPoseSize.x, row) + 0.5) / uPoseSize);
}
vec4 place(float pose) { return texel(2.0 * pose); }
vec4 turn(float pose) { return texel(2.0 * pose + 1.0); }
vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
float pixelAt(vec3 point) { return uPixel * max(-(modelViewMatrix * vec4(point, 1.0)).z, 1e-6); }
`;

const VARYINGS = `
varying vec3 vNormal;
varying vec3 vPlace;
varying vec3 vColor;
varying float vValue;
varying float vEntity;
`;

const FINISH = `
void finish(vec3 point, vec3 normal) {
  vec4 seen = modelViewMatrix * vec4(point, 1.0);
  vNormal = normalMatrix * normal;
  vPlace = seen.xyz;
  gl_Position = projectionMatrix * seen;
}
`;

const FRAGMENT = `
precision highp float;
${VARYINGS}
uniform float uPicking;
uniform float uChosen;
uniform float uHovered;
uniform float uColored;
uniform float uOpacity;
uniform vec4 uTint;
uniform vec3 uHighlight;
uniform sampler2D uMap;
void main() {
  if (uPicking > 0.5) {
    float id = floor(vEntity + 0.5);
    gl_FragColor = vec4(mod(id, 256.0), mod(floor(id / 256.0), 256.0), floor(id / 65536.0), 255.0) / 255.0;
    return;
  }
  vec3 base = uColored > 0.5 ? texture2D(uMap, vec2(clamp(vValue, 0.0, 1.0) * 0.996 + 0.002, 0.5)).rgb : vColor;
  base = mix(base, uTint.rgb, uTint.a);
  bool chosen = abs(vEntity - uChosen) < 0.5;
  if (chosen) base = mix(base, uHighlight, 0.75);
  else if (abs(vEntity - uHovered) < 0.5) base = mix(base, uHighlight, 0.35);
  vec3 n = normalize(vNormal);
  if (dot(n, vPlace) > 0.0) n = -n; // what is seen looks at the camera
  float key = max(dot(n, normalize(vec3(0.35, 0.55, 0.75))), 0.0);
  float fill = 0.5 + 0.5 * n.y;
  float shine = pow(max(dot(n, normalize(vec3(0.2, 0.35, 1.0))), 0.0), 40.0);
  float light = 0.46 + 0.18 * fill + 0.46 * key;
  if (uColored > 0.5) light = mix(light, 1.0, 0.6); // colors that mean numbers stay close to those of the scale
  vec3 lit = base * light + 0.08 * shine;
  gl_FragColor = vec4(chosen ? mix(lit, uHighlight, 0.25) : lit, uOpacity);
}
`;

// Fixed to a node: bodies (grow = 0, position in the node's frame from the anchor) and symbols (grow = 1: position in
// radii of the symbol, whose size on the screen stays within bounds).
const CARRIED = `
attribute vec3 anchor;
attribute float pose;
attribute vec3 color;
attribute float entity;
attribute float grow;
uniform vec3 uSymbol; // radius in the model, smallest and largest radius on the screen
${POSES}${VARYINGS}${FINISH}
void main() {
  vec4 q = turn(pose);
  vec3 base = place(pose).xyz + turned(q, anchor);
  float radius = 1.0;
  if (grow > 0.5) {
    float pixel = pixelAt(base);
    radius = clamp(uSymbol.x, uSymbol.y * pixel, uSymbol.z * pixel);
  }
  vColor = color;
  vEntity = entity;
  vValue = 0.0;
  finish(base + turned(q, position * radius), turned(q, normal));
}
`;

// Between two sections of a beam: a straight line (bend = 0), a cubic curve through the nodes before and after (1), or,
// in a beam of two nodes, one along the sections' x axes (2); and the rotation in between.
const SWEPT = `
attribute vec2 poses;
attribute vec4 along; // from 0 to 1, bend, and the poses before and after (those of the ends where there are none)
attribute vec3 outline; // y, z, and the section's largest half dimension
attribute vec3 color;
attribute float entity;
${POSES}${VARYINGS}${FINISH}
void main() {
  vec4 a = place(poses.x);
  vec4 b = place(poses.y);
  vec4 qa = turn(poses.x);
  vec4 qb = turn(poses.y);
  if (dot(qa, qb) < 0.0) qb = -qb;
  float s = along.x;
  vec4 q = normalize(mix(qa, qb, s));
  vec3 chord = b.xyz - a.xyz;
  vec3 center = a.xyz + s * chord;
  if (along.y > 0.5) {
    vec3 ta;
    vec3 tb;
    if (along.y > 1.5) {
      float l = length(chord);
      ta = turned(qa, vec3(l, 0.0, 0.0));
      tb = turned(qb, vec3(l, 0.0, 0.0));
    } else {
      ta = 0.5 * (b.xyz - place(along.z).xyz);
      tb = 0.5 * (place(along.w).xyz - a.xyz);
      if (along.z == poses.x) ta = 2.0 * chord - tb;
      if (along.w == poses.y) tb = 2.0 * chord - ta;
    }
    center += s * (1.0 - s) * ((1.0 - s) * (ta - chord) - s * (tb - chord));
  }
  float wide = max(1.0, 1.9 * pixelAt(center) / max(outline.z, 1e-12));
  vColor = color;
  vEntity = entity;
  vValue = mix(a.w, b.w, s);
  finish(center + turned(q, vec3(0.0, outline.xy * wide)), turned(q, normal));
}
`;

// Between points of two nodes: springs (coil = radius of the helix there), rods, arms.
const LINKED = `
attribute float poseA;
attribute vec3 pointA;
attribute float poseB;
attribute vec3 pointB;
attribute vec4 shape; // place along the link, its two offsets from the axis, radius of the wire
attribute vec3 color;
attribute float entity;
${POSES}${VARYINGS}${FINISH}
void main() {
  vec3 a = place(poseA).xyz + turned(turn(poseA), pointA);
  vec3 b = place(poseB).xyz + turned(turn(poseB), pointB);
  vec3 axis = b - a;
  float l = length(axis);
  axis = l > 1e-12 ? axis / l : vec3(0.0, 0.0, 1.0);
  vec3 u = normalize(cross(axis, abs(axis.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0)));
  vec3 v = cross(axis, u);
  vec3 center = mix(a, b, shape.x) + u * shape.y + v * shape.z;
  vec3 out_ = axis * normal.x + u * normal.y + v * normal.z;
  vColor = color;
  vEntity = entity;
  vValue = 0.0;
  finish(center + out_ * max(shape.w, 1.1 * pixelAt(center)), out_);
}
`;

// Arrows, one instance each: part = (0 to 1 along the shaft, heads along, radius in pixels).
const ARROW = `
attribute vec3 part;
attribute vec3 start;
attribute vec3 vector;
attribute vec3 color;
attribute float entity;
${POSES}${VARYINGS}${FINISH}
void main() {
  float l = length(vector);
  float pixel = pixelAt(start);
  vec3 axis = l > 0.0 ? vector / l : vec3(0.0, 0.0, 1.0);
  vec3 u = normalize(cross(axis, abs(axis.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0)));
  vec3 v = cross(axis, u);
  float shown = step(2.0 * pixel, l);
  float head = min(15.0 * pixel, 0.45 * l);
  float radius = part.z * min(pixel, l / 25.0) * shown;
  vec3 out_ = u * position.x + v * position.y;
  vColor = color;
  vEntity = entity;
  vValue = 0.0;
  finish(start + axis * (part.x * (l - head) + part.y * head) * shown + out_ * radius, out_ + axis * normal.z);
}
`;

View.map = { texture: null, signed: null };
View.setMap = function (signed) {
  View.map.signed = signed;
  const image = View.mapBytes(signed);
  if (!View.map.texture) {
    View.map.texture = new THREE.DataTexture(image, 256, 1, THREE.RGBAFormat);
    View.map.texture.magFilter = THREE.LinearFilter;
  } else {
    View.map.texture.image.data.set(image);
  }
  View.map.texture.needsUpdate = true;
};

/** Uniforms that all materials of the page have in common. */
View.common = {
  uPixel: { value: 0.001 },
  uPicking: { value: 0 },
  uChosen: { value: -1 },
  uHovered: { value: -1 },
  uHighlight: { value: new THREE.Vector3(...View.colors.highlight) },
};

/** A material for one run; kind: carried, swept, linked, arrow. */
View.material = function (kind, run) {
  if (!View.map.texture) View.setMap(false);
  const shader = { carried: CARRIED, swept: SWEPT, linked: LINKED, arrow: ARROW }[kind];
  const material = new THREE.ShaderMaterial({
    vertexShader: shader,
    fragmentShader: FRAGMENT,
    side: THREE.DoubleSide,
    uniforms: {
      ...View.common,
      uPose: { value: run.pose.texture },
      uPoseSize: { value: new THREE.Vector2(512, run.pose.height) },
      uColored: { value: 0 },
      uMap: { value: View.map.texture },
      uTint: run.tint,
      uOpacity: run.opacity,
      uSymbol: { value: new THREE.Vector3(1, 5, 12) },
    },
  });
  return material;
};
