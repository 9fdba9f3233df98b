import { project } from "./view-shader.ts";

/** Colors of cells: that of the border of cells without a value, and seven steps. */
export const cellColors = 8;

export const cellVertices = `#version 300 es
precision highp float;
precision highp int;
${project}
/** The cell's column and row. */
in ivec2 a_cell;
in uint a_color;
/** Width of a cell in projection units, as a power of two. */
uniform int u_shift;
uniform vec2 u_screen;
/** Ground that parts cells, in screen pixels. */
uniform float u_gap;
uniform vec3 u_colors[${cellColors}];
flat out vec3 v_color;
flat out vec4 v_edges;
flat out float v_border;
const vec2 corners[6] = vec2[6](vec2(0.0), vec2(1.0, 0.0), vec2(0.0, 1.0), vec2(0.0, 1.0), vec2(1.0, 0.0), vec2(1.0));
/** The pixel at which the cell with this corner begins. Neighbors round the same edge, so that none overlap. */
vec2 pixelOf(ivec2 corner) {
  return floor((project(corner << u_shift) * 0.5 + 0.5) * u_screen + 0.5);
}
void main() {
  vec2 northwest = pixelOf(a_cell);
  vec2 southeast = pixelOf(a_cell + 1);
  // Screen coordinates go up. A cell keeps at least one pixel.
  vec2 from = vec2(northwest.x, min(southeast.y + u_gap, northwest.y - 1.0));
  vec2 to = vec2(max(southeast.x - u_gap, northwest.x + 1.0), northwest.y);
  gl_Position = vec4(mix(from, to, corners[gl_VertexID]) / u_screen * 2.0 - 1.0, 0.0, 1.0);
  v_edges = vec4(from, to);
  v_border = a_color == 0u ? max(1.0, u_gap) : 0.0;
  v_color = u_colors[a_color];
}
`;

export const cellFragments = `#version 300 es
precision highp float;
flat in vec3 v_color;
flat in vec4 v_edges;
/** Only a border of this many pixels is drawn; 0 fills the cell. */
flat in float v_border;
out vec4 color;
void main() {
  vec2 inside = min(gl_FragCoord.xy - v_edges.xy, v_edges.zw - gl_FragCoord.xy);
  if (v_border > 0.0 && min(inside.x, inside.y) > v_border) discard;
  color = vec4(v_color, 1.0);
}
`;
