import { type Icon, MarkerPainter } from "./marker-painter.ts";
import type { Palette } from "./palette.ts";
import { PathPainter } from "./path-painter.ts";
import type { Scene } from "./scene.ts";
import type { View } from "./view.ts";

/** Draws a scene into a canvas. Uploads to the GPU only what has changed. */
export class Painter {
  readonly #gl: WebGL2RenderingContext;
  #paths: PathPainter | null = null;
  #markers: MarkerPainter | null = null;
  #palette: Palette;
  #icon: Icon | null = null;

  constructor(gl: WebGL2RenderingContext, palette: Palette) {
    this.#gl = gl;
    this.#palette = palette;
  }

  setPalette(palette: Palette): void {
    this.#palette = palette;
  }

  setIcon(icon: Icon): void {
    this.#icon = icon;
  }

  /** The context was lost: the next paint recreates everything. */
  reset(): void {
    [this.#paths, this.#markers] = [null, null];
  }

  release(): void {
    this.#paths?.release();
    this.#markers?.release();
    this.reset();
  }

  /** `ratio`: screen pixels per CSS pixel. */
  paint(scene: Scene, view: View, ratio: number): void {
    const gl = this.#gl;
    if (gl.isContextLost()) return;
    this.#paths ??= PathPainter.create(gl);
    this.#markers ??= MarkerPainter.create(gl);
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.#paths?.paint(scene, view, ratio, this.#palette);
    this.#markers?.paint(scene, view, ratio, { palette: this.#palette, icon: this.#icon });
    gl.bindVertexArray(null);
  }
}
