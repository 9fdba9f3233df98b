import { markColors, movesFlag, sizeShift } from "./item-looks.ts";
import { aroundCircle, project } from "./view-shader.ts";

export const markerVertices = `#version 300 es
precision highp float;
precision highp int;
precision highp isampler2D;
precision highp usampler2D;
${project}${aroundCircle}
uniform isampler2D u_positions;
uniform usampler2D u_looks;
/** Indexes of the markers to draw, if not all in the range are drawn. */
uniform isampler2D u_listed;
uniform bool u_isListed;
uniform vec2 u_screen;
uniform float u_size;
uniform bool u_still;
uniform vec3 u_colors[${markColors}];
flat out vec3 v_color;
flat out float v_size;
/** Offset from the center of the marker, in screen pixels. */
out vec2 v_at;
void main() {
  ivec2 entry = entryAt(gl_VertexID / 3);
  if (u_isListed) entry = entryAt(texelFetch(u_listed, entry, 0).x);
  uint look = texelFetch(u_looks, entry, 0).x;
  uint size = (look & ${movesFlag - 1}u) >> ${sizeShift};
  v_size = size == 0u ? u_size : u_size * (0.4 + 0.25 * float(size));
  v_at = aroundCircle[gl_VertexID % 3] * v_size * 0.5;
  vec2 at = project(texelFetch(u_positions, entry, 0).xy) + v_at * 2.0 / u_screen;
  bool isHidden = u_still && look >= ${movesFlag}u;
  gl_Position = isHidden ? vec4(2.0, 2.0, 2.0, 1.0) : vec4(at, 0.0, 1.0);
  v_color = u_colors[look & ${markColors - 1}u];
}
`;

export const markerFragments = `#version 300 es
precision highp float;
precision highp int;
flat in vec3 v_color;
in vec2 v_at;
flat in float v_size;
/** Screen pixels: the edge in the ground color, and the ring of hovered and selected markers. */
uniform float u_edge;
uniform float u_ring;
uniform vec3 u_ground;
uniform vec3 u_accent;
uniform bool u_hasIcon;
uniform sampler2D u_icon;
out vec4 color;
void main() {
  float toEdge = v_size * 0.5 - length(v_at);
  if (toEdge <= 0.0) discard;
  vec3 inside = v_color;
  if (u_hasIcon) inside = mix(inside, u_ground, texture(u_icon, vec2(v_at.x, -v_at.y) / v_size + 0.5).a);
  vec3 edged = mix(u_ground, inside, clamp(toEdge - u_ring - u_edge + 0.5, 0.0, 1.0));
  vec3 ringed = u_ring > 0.0 ? mix(u_accent, edged, clamp(toEdge - u_ring + 0.5, 0.0, 1.0)) : edged;
  float alpha = clamp(toEdge, 0.0, 1.0);
  color = vec4(ringed * alpha, alpha);
}
`;

/** Simplified shader for dots, twice as fast as markers. */
export const dotFragments = `#version 300 es
precision highp float;
precision highp int;
flat in vec3 v_color;
in vec2 v_at;
flat in float v_size;
uniform float u_edge;
uniform vec3 u_ground;
out vec4 color;
void main() {
  float toEdge = v_size * 0.5 - length(v_at);
  float alpha = clamp(toEdge, 0.0, 1.0);
  color = vec4(mix(u_ground, v_color, clamp(toEdge - u_edge + 0.5, 0.0, 1.0)) * alpha, alpha);
}
`;
