import type { CustomLayerInterface, Map as MapLibreMap } from "maplibre-gl";
import { cellColors, cellFragments, cellVertices } from "./cell-shaders.ts";
import { linkProgram, setViewUniforms, type Program } from "./graphics.ts";
import type { Color } from "./palette.ts";
import { worldLevel, worldSize } from "./projection.ts";
import { worldCopies, type View } from "./view.ts";

/** Colored cells of the world's grid, in parallel arrays. Immutable: other cells or colors are another object. */
export interface DrawnCells {
  /** The world is 2^level cells wide and high. */
  readonly level: number;
  /** Columns from the antimeridian eastward, and rows from the north. */
  readonly x: Int32Array;
  readonly y: Int32Array;
  /** Numbers of colors from 1 to 7; 0 without a value. */
  readonly colors: Uint8Array;
}

/** Below this width in CSS pixels, a gap of one would be more than a hairline. */
const minGapPixels = 6;

interface Uploaded {
  readonly program: Program;
  readonly vao: WebGLVertexArrayObject;
  readonly cells: WebGLBuffer;
  readonly colors: WebGLBuffer;
}

/**
 * Draws cells between the land and the lines of the base map. Cells are instances of one square that lie at whole numbers of the world's
 * grid: they are uploaded once, and moving the map changes uniforms only.
 */
export class CellLayer implements CustomLayerInterface {
  readonly id = "cells";
  readonly type = "custom";
  readonly #viewOf: (map: MapLibreMap) => View;
  #map: MapLibreMap | null = null;
  #uploaded: Uploaded | null = null;
  #drawn: DrawnCells | null = null;
  #isNew = false;
  #colors: readonly Color[] = [];

  constructor(viewOf: (map: MapLibreMap) => View) {
    this.#viewOf = viewOf;
  }

  setCells(cells: DrawnCells | null): void {
    if (cells === this.#drawn) return;
    this.#drawn = cells;
    this.#isNew = true;
    this.#map?.triggerRepaint();
  }

  /** That of the border of cells without a value, and those of the steps. */
  setColors(colors: readonly Color[]): void {
    this.#colors = colors;
    this.#map?.triggerRepaint();
  }

  onAdd(map: MapLibreMap): void {
    this.#map = map;
  }

  onRemove(_map: MapLibreMap, gl: WebGL2RenderingContext): void {
    if (this.#uploaded === null) return;
    const { program, vao, cells, colors } = this.#uploaded;
    gl.deleteProgram(program.program);
    gl.deleteVertexArray(vao);
    for (const buffer of [cells, colors]) gl.deleteBuffer(buffer);
    this.#uploaded = null;
  }

  /** The context was lost: the next frame creates everything again. */
  reset(): void {
    this.#uploaded = null;
  }

  render(gl: WebGL2RenderingContext): void {
    const [map, drawn] = [this.#map, this.#drawn];
    if (map === null || drawn === null || drawn.x.length === 0 || gl.isContextLost()) return;
    const isFirst = this.#uploaded === null;
    this.#uploaded ??= create(gl);
    if (this.#uploaded === null) return;
    const { program, vao } = this.#uploaded;
    if (this.#isNew || isFirst) upload(gl, this.#uploaded, drawn);
    this.#isNew = false;
    const view = this.#viewOf(map);
    const { uniform } = program;
    const cellPixels = view.worldPixels / 2 ** drawn.level;
    gl.useProgram(program.program);
    gl.bindVertexArray(vao);
    gl.disable(gl.DEPTH_TEST);
    gl.disable(gl.STENCIL_TEST);
    gl.disable(gl.CULL_FACE);
    gl.disable(gl.BLEND);
    setViewUniforms(gl, program, view);
    gl.uniform1i(uniform("u_shift"), worldLevel - drawn.level);
    gl.uniform2f(uniform("u_screen"), gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.uniform1f(
      uniform("u_gap"),
      cellPixels < minGapPixels ? Math.min(1, map.getPixelRatio()) : Math.max(1, Math.round(map.getPixelRatio())),
    );
    gl.uniform3fv(uniform("u_colors"), Array.from({ length: cellColors }, (_, index) => this.#colors[index] ?? [0, 0, 0]).flat());
    for (const worldCopy of worldCopies(view, 0, worldSize)) {
      gl.uniform1f(uniform("u_worldOffset"), worldCopy * worldSize);
      gl.drawArraysInstanced(gl.TRIANGLES, 0, 6, drawn.x.length);
    }
    gl.bindVertexArray(null);
  }
}

function create(gl: WebGL2RenderingContext): Uploaded | null {
  const program = linkProgram(gl, cellVertices, cellFragments);
  if (program === null) return null;
  const [vao, cells, colors] = [gl.createVertexArray(), gl.createBuffer(), gl.createBuffer()];
  gl.bindVertexArray(vao);
  for (const [name, buffer, size, type] of [
    ["a_cell", cells, 2, gl.INT],
    ["a_color", colors, 1, gl.UNSIGNED_BYTE],
  ] as const) {
    const location = gl.getAttribLocation(program.program, name);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(location);
    gl.vertexAttribIPointer(location, size, type, 0, 0);
    gl.vertexAttribDivisor(location, 1);
  }
  gl.bindVertexArray(null);
  return { program, vao, cells, colors };
}

function upload(gl: WebGL2RenderingContext, to: Uploaded, { x, y, colors }: DrawnCells): void {
  const cells = new Int32Array(2 * x.length);
  for (let index = 0; index < x.length; index++) {
    cells[2 * index] = x[index] ?? 0;
    cells[2 * index + 1] = y[index] ?? 0;
  }
  gl.bindBuffer(gl.ARRAY_BUFFER, to.cells);
  gl.bufferData(gl.ARRAY_BUFFER, cells, gl.STATIC_DRAW);
  gl.bindBuffer(gl.ARRAY_BUFFER, to.colors);
  gl.bufferData(gl.ARRAY_BUFFER, colors, gl.STATIC_DRAW);
}
