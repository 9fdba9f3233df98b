import { firstPathMark } from "./item-looks.ts";
import { gapFlag } from "./path-details.ts";
import { worldSize } from "./projection.ts";
import { aroundCircle, project } from "./view-shader.ts";

/**
 * Paths have no vertex buffers: each vertex looks up its points by number. A segment is two vertices as a line or six
 * as a strip with a width; a dot is three. `u_stride` is the distance between the starts of consecutive segments.
 */
export const pathVertices = `#version 300 es
precision highp float;
precision highp int;
precision highp isampler2D;
${project}${aroundCircle}
uniform isampler2D u_points;
uniform int u_stride;
uniform int u_corners;
/** Screen size in pixels. */
uniform vec2 u_screen;
uniform float u_width;
/** Of lines in the colors of markers, and of those where the value is missing. */
uniform float u_markWidth;
uniform float u_missingWidth;
uniform int u_missing;
uniform vec4 u_colors[16];
uniform vec4 u_gap;
flat out vec4 v_color;
flat out float v_isGap;
/** Width of a line, in screen pixels. */
flat out float v_width;
/** Radius of a dot, in screen pixels. */
flat out float v_radius;
out float v_along;
out float v_across;
ivec3 pointAt(int number) {
  return texelFetch(u_points, entryAt(number), 0).xyz;
}
float widthOf(int look) {
  if (look < ${firstPathMark}) return u_width;
  return look == u_missing ? u_missingWidth : u_markWidth;
}
void main() {
  int segment = gl_VertexID / u_corners;
  int corner = gl_VertexID - segment * u_corners;
  ivec3 start = pointAt(segment * u_stride);
  v_along = 0.0;
  v_across = 0.0;
  v_isGap = 0.0;
  v_radius = 0.0;
  if (u_corners == 3) {
    int look = start.z & ${gapFlag - 1};
    v_color = u_colors[look];
    v_width = widthOf(look);
    // Lines in the colors of markers are as wide as their dots.
    v_radius = v_width * (look == 0 ? 0.8 : look < ${firstPathMark} ? 1.2 : 0.5);
    vec2 around = aroundCircle[corner] * v_radius;
    v_along = around.x;
    v_across = around.y;
    gl_Position = vec4(project(start.xy) + around * 2.0 / u_screen, 0.0, 1.0);
    return;
  }
  ivec3 end = pointAt(segment * u_stride + 1);
  int across = end.x - start.x;
  if (across > ${worldSize / 2}) end.x -= ${worldSize};
  if (across < -${worldSize / 2}) end.x += ${worldSize};
  bool isGap = end.z >= ${gapFlag};
  v_isGap = isGap ? 1.0 : 0.0;
  int look = end.z & ${gapFlag - 1};
  v_width = isGap ? u_width : widthOf(look);
  v_color = isGap ? u_gap : u_colors[look];
  vec2 from = project(start.xy);
  vec2 to = project(end.xy);
  vec2 direction = (to - from) * u_screen * 0.5;
  float pixels = length(direction);
  bool atEnd = u_corners == 2 ? corner == 1 : corner == 2 || corner == 4 || corner == 5;
  v_along = atEnd ? pixels : 0.0;
  vec2 at = atEnd ? to : from;
  if (u_corners == 6) {
    // Half a pixel more on each side for antialiasing.
    float reach = v_width * 0.5 + 0.5;
    v_across = (corner == 1 || corner == 3 || corner == 5 ? 1.0 : -1.0) * reach;
    vec2 along = pixels > 0.0 ? direction / pixels : vec2(1.0, 0.0);
    at += (vec2(-along.y, along.x) * v_across) * 2.0 / u_screen;
  }
  gl_Position = vec4(at, 0.0, 1.0);
}
`;

export const pathFragments = `#version 300 es
precision highp float;
precision highp int;
flat in vec4 v_color;
flat in float v_isGap;
flat in float v_width;
flat in float v_radius;
in float v_along;
in float v_across;
uniform int u_corners;
/** Length of a dash, and of the space after it, in pixels. */
uniform float u_dash;
out vec4 color;
void main() {
  if (v_isGap > 0.5 && mod(v_along, 2.0 * u_dash) > u_dash) discard;
  float alpha = v_color.a;
  if (u_corners == 6) alpha *= clamp(v_width * 0.5 + 0.5 - abs(v_across), 0.0, 1.0);
  if (u_corners == 3 && length(vec2(v_along, v_across)) > v_radius) discard;
  color = vec4(v_color.rgb * alpha, alpha);
}
`;
