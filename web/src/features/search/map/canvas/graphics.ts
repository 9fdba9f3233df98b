import { worldSize } from "./projection.ts";
import type { View } from "./view.ts";

/** A program of the graphics card with its uniforms by name. */
export interface Program {
  readonly program: WebGLProgram;
  readonly uniform: (name: string) => WebGLUniformLocation | null;
}

/** Throws with the card's words where it does not compile; answers null while the context is lost. */
export function linkProgram(gl: WebGL2RenderingContext, vertices: string, fragments: string): Program | null {
  const program = gl.createProgram();
  const shaders = [
    [gl.VERTEX_SHADER, vertices],
    [gl.FRAGMENT_SHADER, fragments],
  ] as const;
  for (const [type, source] of shaders) {
    const shader = gl.createShader(type);
    if (shader === null) return null;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    // It lives as long as the program does.
    gl.deleteShader(shader);
  }
  gl.linkProgram(program);
  if (gl.isContextLost()) return null;
  if (gl.getProgramParameter(program, gl.LINK_STATUS) !== true) {
    const said = (gl.getAttachedShaders(program) ?? []).map((shader) => gl.getShaderInfoLog(shader)).join(" ");
    throw new Error(`The map cannot be drawn: ${gl.getProgramInfoLog(program)} ${said}`);
  }
  const locations = new Map<string, WebGLUniformLocation | null>();
  return {
    program,
    uniform: (name) => {
      let location = locations.get(name);
      if (location === undefined) {
        location = gl.getUniformLocation(program, name);
        locations.set(name, location);
      }
      return location;
    },
  };
}

/** Many parts of one buffer in one call, where the card can; else one call for each. */
export function drawParts(gl: WebGL2RenderingContext, mode: number, firsts: Int32Array, counts: Int32Array, parts: number): void {
  const many = gl.getExtension("WEBGL_multi_draw") as MultiDraw | null;
  if (many !== null) many.multiDrawArraysWEBGL(mode, firsts, 0, counts, 0, parts);
  else for (let part = 0; part < parts; part++) gl.drawArrays(mode, firsts[part] ?? 0, counts[part] ?? 0);
}

interface MultiDraw {
  multiDrawArraysWEBGL(
    mode: number,
    firsts: Int32Array,
    firstsOffset: number,
    counts: Int32Array,
    countsOffset: number,
    parts: number,
  ): void;
}

/** What of the world the program draws. */
export function placeView(gl: WebGL2RenderingContext, { uniform }: Program, view: View): void {
  const pixel = view.worldPixels / worldSize;
  gl.uniform2i(uniform("u_middle"), Math.round(view.x), Math.round(view.y));
  gl.uniform2f(uniform("u_scale"), (2 * pixel) / view.width, (-2 * pixel) / view.height);
}
