import { gapFlag, rowLength } from "./path-store.ts";
import { worldSize } from "./projection.ts";
import { movesFlag } from "./scene.ts";

/** From whole numbers of the projection to the screen. The difference is taken before anything is rounded: at the closest zoom nothing trembles. */
const project = `
uniform highp ivec2 u_middle;
uniform highp vec2 u_scale;
/** How far this copy of the world stands beside the first, in it. */
uniform highp float u_turn;
vec2 project(ivec2 place) {
  return (vec2(place - u_middle) + vec2(u_turn, 0.0)) * u_scale;
}
`;

export const markerVertices = `#version 300 es
precision highp float;
precision highp int;
${project}
layout(location = 0) in ivec2 a_place;
layout(location = 1) in uint a_look;
uniform float u_size;
uniform bool u_still;
uniform vec3 u_colours[3];
flat out vec3 v_colour;
void main() {
  bool elsewhere = u_still && a_look >= ${movesFlag}u;
  gl_Position = elsewhere ? vec4(2.0, 2.0, 2.0, 1.0) : vec4(project(a_place), 0.0, 1.0);
  gl_PointSize = u_size;
  v_colour = u_colours[min(a_look & ${movesFlag - 1}u, 2u)];
}
`;

export const markerFragments = `#version 300 es
precision highp float;
precision highp int;
flat in vec3 v_colour;
uniform float u_size;
/** Pixels of the screen: the edge in the colour of the ground, and the ring of what stands out. */
uniform float u_edge;
uniform float u_ring;
uniform vec3 u_ground;
uniform vec3 u_accent;
uniform bool u_hasIcon;
uniform sampler2D u_icon;
out vec4 colour;
void main() {
  float toEdge = u_size * 0.5 - length(gl_PointCoord - 0.5) * u_size;
  if (toEdge <= 0.0) discard;
  vec3 inside = v_colour;
  if (u_hasIcon) inside = mix(inside, u_ground, texture(u_icon, gl_PointCoord).a);
  vec3 edged = mix(u_ground, inside, clamp(toEdge - u_ring - u_edge + 0.5, 0.0, 1.0));
  vec3 ringed = u_ring > 0.0 ? mix(u_accent, edged, clamp(toEdge - u_ring + 0.5, 0.0, 1.0)) : edged;
  float alpha = clamp(toEdge, 0.0, 1.0);
  colour = vec4(ringed * alpha, alpha);
}
`;

/**
 * A path has no geometry of its own: each vertex looks its points up by its number. One segment is two vertices as a
 * line, six as a strip with a width; one point is a dot. `u_stride` is how far the next segment begins after this one.
 */
export const pathVertices = `#version 300 es
precision highp float;
precision highp int;
precision highp isampler2D;
${project}
uniform isampler2D u_points;
uniform int u_stride;
uniform int u_corners;
/** Of the screen, in its pixels. */
uniform vec2 u_screen;
uniform float u_width;
uniform vec4 u_colours[16];
uniform vec4 u_gap;
flat out vec4 v_colour;
flat out float v_isGap;
out float v_along;
out float v_across;
ivec3 pointAt(int number) {
  return texelFetch(u_points, ivec2(number % ${rowLength}, number / ${rowLength}), 0).xyz;
}
void main() {
  int segment = gl_VertexID / u_corners;
  int corner = gl_VertexID - segment * u_corners;
  ivec3 start = pointAt(segment * u_stride);
  v_along = 0.0;
  v_across = 0.0;
  v_isGap = 0.0;
  if (u_corners == 1) {
    int look = start.z & ${gapFlag - 1};
    v_colour = u_colours[look];
    gl_Position = vec4(project(start.xy), 0.0, 1.0);
    gl_PointSize = u_width * (look == 0 ? 1.6 : 2.4);
    return;
  }
  ivec3 end = pointAt(segment * u_stride + 1);
  int across = end.x - start.x;
  if (across > ${worldSize / 2}) end.x -= ${worldSize};
  if (across < -${worldSize / 2}) end.x += ${worldSize};
  bool isGap = end.z >= ${gapFlag};
  v_isGap = isGap ? 1.0 : 0.0;
  v_colour = isGap ? u_gap : u_colours[end.z & ${gapFlag - 1}];
  vec2 from = project(start.xy);
  vec2 to = project(end.xy);
  vec2 way = (to - from) * u_screen * 0.5;
  float pixels = length(way);
  bool atEnd = u_corners == 2 ? corner == 1 : corner == 2 || corner == 4 || corner == 5;
  v_along = atEnd ? pixels : 0.0;
  vec2 at = atEnd ? to : from;
  if (u_corners == 6) {
    // Half a pixel more on each side is where the edge fades.
    float reach = u_width * 0.5 + 0.5;
    v_across = (corner == 1 || corner == 3 || corner == 5 ? 1.0 : -1.0) * reach;
    vec2 along = pixels > 0.0 ? way / pixels : vec2(1.0, 0.0);
    at += (vec2(-along.y, along.x) * v_across) * 2.0 / u_screen;
  }
  gl_Position = vec4(at, 0.0, 1.0);
}
`;

export const pathFragments = `#version 300 es
precision highp float;
precision highp int;
flat in vec4 v_colour;
flat in float v_isGap;
in float v_along;
in float v_across;
uniform int u_corners;
uniform float u_width;
/** Pixels of a dash and of the space after it. */
uniform float u_dash;
out vec4 colour;
void main() {
  if (v_isGap > 0.5 && mod(v_along, 2.0 * u_dash) > u_dash) discard;
  float alpha = v_colour.a;
  if (u_corners == 6) alpha *= clamp(u_width * 0.5 + 0.5 - abs(v_across), 0.0, 1.0);
  if (u_corners == 1 && length(gl_PointCoord - 0.5) > 0.5) discard;
  colour = vec4(v_colour.rgb * alpha, alpha);
}
`;
