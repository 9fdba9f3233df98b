import { type Icon, MarkerPainter } from "./marker-painter.ts";
import type { Palette } from "./palette.ts";
import { PathPainter } from "./path-painter.ts";
import type { Scene } from "./scene.ts";
import type { View } from "./view.ts";

/** Draws a scene into a canvas. Sends to the graphics card only what has changed. */
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

  /** The card has lost everything: with the next drawing all of it is made anew. */
  forget(): void {
    [this.#paths, this.#markers] = [null, null];
  }

  release(): void {
    this.#paths?.release();
    this.#markers?.release();
    this.forget();
  }

  /** `ratio`: pixels of the screen in one of CSS. */
  paint(scene: Scene, view: View, ratio: number): void {
    const gl = this.#gl;
    if (gl.isContextLost()) return;
    this.#paths ??= PathPainter.make(gl);
    this.#markers ??= MarkerPainter.make(gl);
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
