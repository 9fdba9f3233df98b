import { rowLength } from "./path-store.ts";

/** From whole numbers of the projection to the screen. The difference is taken before anything is rounded: at the closest zoom nothing trembles. */
export const project = `
uniform highp ivec2 u_middle;
uniform highp vec2 u_scale;
/** How far this copy of the world stands beside the first, in it. */
uniform highp float u_turn;
vec2 project(ivec2 place) {
  return (vec2(place - u_middle) + vec2(u_turn, 0.0)) * u_scale;
}
/** Where an entry of a list stands. */
ivec2 entryAt(int number) {
  return ivec2(number % ${rowLength}, number / ${rowLength});
}
`;

/** The corners of a triangle about a circle of radius 1. */
export const aroundCircle = `
const vec2 aroundCircle[3] = vec2[3](vec2(0.0, 2.0), vec2(-1.7320508, -1.0), vec2(1.7320508, -1.0));
`;
