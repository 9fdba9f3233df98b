import { worldSize } from "./projection.ts";
import type { View } from "./view.ts";

/** A shader program with its uniform locations by name. */
export interface Program {
  readonly program: WebGLProgram;
  readonly uniform: (name: string) => WebGLUniformLocation | null;
}

/** Throws the driver's messages if it does not compile; returns null while the context is lost. */
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
    // The shader is freed together with the program.
    gl.deleteShader(shader);
  }
  gl.linkProgram(program);
  if (gl.isContextLost()) return null;
  if (gl.getProgramParameter(program, gl.LINK_STATUS) !== true) {
    const shaderLogs = (gl.getAttachedShaders(program) ?? []).map((shader) => gl.getShaderInfoLog(shader)).join(" ");
    throw new Error(`The map cannot be drawn: ${gl.getProgramInfoLog(program)} ${shaderLogs}`);
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

/** Draws several ranges of a buffer in one call if the GPU supports it, otherwise one call per range. */
export function drawRanges(gl: WebGL2RenderingContext, mode: number, firsts: Int32Array, counts: Int32Array, parts: number): void {
  const multiDraw = gl.getExtension("WEBGL_multi_draw") as MultiDraw | null;
  if (multiDraw !== null) multiDraw.multiDrawArraysWEBGL(mode, firsts, 0, counts, 0, parts);
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

/** Sets the uniforms that position the view on the world. */
export function setViewUniforms(gl: WebGL2RenderingContext, { uniform }: Program, view: View): void {
  const pixel = view.worldPixels / worldSize;
  gl.uniform2i(uniform("u_middle"), Math.round(view.x), Math.round(view.y));
  gl.uniform2f(uniform("u_scale"), (2 * pixel) / view.width, (-2 * pixel) / view.height);
}
