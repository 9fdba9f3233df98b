import { rowLength } from "./path-store.ts";

/** Projects integer coordinates to the screen. Subtracting before converting to floats avoids jitter at high zooms. */
export const project = `
uniform highp ivec2 u_middle;
uniform highp vec2 u_scale;
/** Offset of this copy of the world. */
uniform highp float u_worldOffset;
vec2 project(ivec2 position) {
  return (vec2(position - u_middle) + vec2(u_worldOffset, 0.0)) * u_scale;
}
/** Texture coordinates of a list entry. */
ivec2 entryAt(int number) {
  return ivec2(number % ${rowLength}, number / ${rowLength});
}
`;

/** The corners of a triangle around a circle of radius 1. */
export const aroundCircle = `
const vec2 aroundCircle[3] = vec2[3](vec2(0.0, 2.0), vec2(-1.7320508, -1.0), vec2(1.7320508, -1.0));
`;
