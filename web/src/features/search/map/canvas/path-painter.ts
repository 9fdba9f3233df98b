import { CardData } from "./card-data.ts";
import { drawParts, linkProgram, placeView, type Program } from "./graphics.ts";
import { pointSize } from "./path-details.ts";
import type { PointRange } from "./path-store.ts";
import type { Palette } from "./palette.ts";
import { worldSize } from "./projection.ts";
import type { Scene, ShownPath } from "./scene.ts";
import { pathFragments, pathVertices } from "./path-shaders.ts";
import { boxIsInView, turnsOf, type View } from "./view.ts";

/** With more points than this in view, lines are a pixel wide and cost a third. */
const widePoints = 60_000;
/** With more points than this in view, they are not dotted. */
const dottedPoints = 10_000;

/** Paths of one look, as far as they are in view. */
interface Sight {
  readonly turn: number;
  readonly lines: readonly PointRange[];
  readonly ends: number;
}

/** Draws the paths out of their points, which go to the graphics card once. */
export class PathPainter {
  readonly #gl: WebGL2RenderingContext;
  readonly #program: Program;
  readonly #points: CardData;
  readonly #ends: CardData;
  readonly #bare: WebGLVertexArrayObject;
  #isNew = true;

  private constructor(gl: WebGL2RenderingContext, program: Program) {
    this.#gl = gl;
    this.#program = program;
    this.#points = new CardData(gl, "points");
    this.#ends = new CardData(gl, "points");
    this.#bare = gl.createVertexArray();
  }

  /** Null while the card is lost. */
  static make(gl: WebGL2RenderingContext): PathPainter | null {
    const program = linkProgram(gl, pathVertices, pathFragments);
    return program && new PathPainter(gl, program);
  }

  release(): void {
    this.#gl.deleteProgram(this.#program.program);
    this.#points.release();
    this.#ends.release();
    this.#gl.deleteVertexArray(this.#bare);
  }

  paint(scene: Scene, view: View, ratio: number, palette: Palette): void {
    this.#send(scene);
    const shown = scene.shownPaths();
    if (shown.length === 0) return;
    const gl = this.#gl;
    const { uniform } = this.#program;
    gl.useProgram(this.#program.program);
    gl.bindVertexArray(this.#bare);
    gl.activeTexture(gl.TEXTURE0);
    gl.uniform1i(uniform("u_points"), 0);
    gl.uniform2f(uniform("u_screen"), gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.uniform1f(uniform("u_dash"), 5 * ratio);
    gl.uniform4f(uniform("u_gap"), ...palette.rose, 1);
    placeView(gl, this.#program, view);
    const standsOut = ({ stored }: ShownPath) => stored.path.id === scene.selected || stored.path.id === scene.hovered;
    for (const isFront of [false, true]) {
      const paths = shown.filter((path) => standsOut(path) === isFront);
      if (paths.length === 0) continue;
      const colours = new Float32Array(64);
      colours.set([...palette.path, isFront ? 1 : 0.75]);
      for (const [index, highlight] of palette.highlights.slice(0, 15).entries()) colours.set([...highlight, 1], 4 * (index + 1));
      gl.uniform4fv(uniform("u_colours"), colours);
      gl.uniform1f(uniform("u_width"), (isFront ? 3 : 1.5) * ratio);
      this.#paintLines(scene, paths, view, isFront);
    }
  }

  #send(scene: Scene): void {
    const { points } = scene.paths;
    const changed = scene.paths.takeChanged();
    if (this.#isNew || points.length !== this.#points.rows * scene.paths.rowSize) this.#points.send(points);
    else if (changed) this.#points.sendRows(points, changed.from, changed.to);
    this.#isNew = false;
  }

  #paintLines(scene: Scene, paths: readonly ShownPath[], view: View, isFront: boolean): void {
    const gl = this.#gl;
    const { uniform } = this.#program;
    const [west, east] = [Math.min(...paths.map(({ stored }) => stored.box.west)), Math.max(...paths.map(({ stored }) => stored.box.east))];
    const sights = turnsOf(view, west, east).map((turn): Sight & { dots: readonly PointRange[] } => {
      const inView = paths.filter(({ stored }) => boxIsInView(stored.box, view, turn));
      const ranges = inView.map(({ stored }) => ({ ranges: scene.paths.rangesInView(stored, scene.window, view, turn), stored }));
      return {
        turn,
        lines: ranges.flatMap((one) => one.ranges),
        // Where points were left out, what is drawn are no longer the positions.
        dots: ranges.flatMap((one) => (scene.paths.isWhole(one.stored, view) ? one.ranges : [])),
        ends: inView.length,
      };
    });
    const countOf = (ranges: readonly PointRange[]) => ranges.reduce((sum, [from, to]) => sum + to - from, 0);
    const points = sights.reduce((sum, { lines }) => sum + countOf(lines), 0);
    const dots = sights.reduce((sum, sight) => sum + countOf(sight.dots), 0);
    const corners = isFront || points <= widePoints ? 6 : 2;
    const mode = corners === 6 ? gl.TRIANGLES : gl.LINES;
    const ends = sights.some((sight) => sight.ends > 0) ? this.#sendEnds(scene, paths) : 0;
    for (const sight of sights) {
      gl.uniform1f(uniform("u_turn"), sight.turn * worldSize);
      gl.uniform1i(uniform("u_corners"), corners);
      gl.uniform1i(uniform("u_stride"), 1);
      gl.bindTexture(gl.TEXTURE_2D, this.#points.texture);
      this.#draw(mode, sight.lines, ([from, to]) => [from * corners, (to - from - 1) * corners]);
      if (ends > 0) {
        gl.uniform1i(uniform("u_stride"), 2);
        gl.bindTexture(gl.TEXTURE_2D, this.#ends.texture);
        gl.drawArrays(mode, 0, ends * corners);
      }
      if (!isFront && dots > dottedPoints) continue;
      gl.uniform1i(uniform("u_corners"), 3);
      gl.uniform1i(uniform("u_stride"), 1);
      gl.bindTexture(gl.TEXTURE_2D, this.#points.texture);
      this.#draw(gl.TRIANGLES, sight.dots, ([from, to]) => [3 * from, 3 * (to - from)]);
    }
  }

  #draw(mode: number, ranges: readonly PointRange[], verticesOf: (range: PointRange) => [first: number, count: number]): void {
    const parts = ranges.map(verticesOf).filter(([, count]) => count > 0);
    if (parts.length === 0) return;
    const [firsts, counts] = [Int32Array.from(parts, ([first]) => first), Int32Array.from(parts, ([, count]) => count)];
    drawParts(this.#gl, mode, firsts, counts, parts.length);
  }

  /** The ends of lines where the window cuts them: two points for each, answers how many. */
  #sendEnds(scene: Scene, paths: readonly ShownPath[]): number {
    const found: number[] = [];
    for (const shown of paths) found.push(...scene.paths.ends(shown.stored, shown));
    this.#ends.send(Int32Array.from(found));
    return found.length / (2 * pointSize);
  }
}
