import { DataTexture } from "./data-texture.ts";
import { drawRanges, linkProgram, setViewUniforms, type Program } from "./graphics.ts";
import { firstPathMark } from "./item-looks.ts";
import { pointSize } from "./path-details.ts";
import type { PointRange } from "./path-store.ts";
import type { Palette } from "./palette.ts";
import { worldSize } from "./projection.ts";
import type { Scene, VisiblePath } from "./scene.ts";
import { pathFragments, pathVertices } from "./path-shaders.ts";
import { boxIsInView, worldCopies, type View } from "./view.ts";

/** Above this number of points in view, lines are one pixel wide, at a third of the cost. */
const maxWidePoints = 60_000;
/** Above this number of points in view, points are not drawn as dots. */
const maxDottedPoints = 10_000;

/** The visible path ranges in one copy of the world. */
interface WorldCopyRanges {
  readonly worldCopy: number;
  readonly lines: readonly PointRange[];
  readonly partialSegments: number;
}

/** Draws the paths from their points, which are uploaded once. */
export class PathPainter {
  readonly #gl: WebGL2RenderingContext;
  readonly #program: Program;
  readonly #points: DataTexture;
  readonly #partialSegments: DataTexture;
  readonly #emptyVao: WebGLVertexArrayObject;
  #isNew = true;

  private constructor(gl: WebGL2RenderingContext, program: Program) {
    this.#gl = gl;
    this.#program = program;
    this.#points = new DataTexture(gl, "points");
    this.#partialSegments = new DataTexture(gl, "points");
    this.#emptyVao = gl.createVertexArray();
  }

  /** Null while the context is lost. */
  static create(gl: WebGL2RenderingContext): PathPainter | null {
    const program = linkProgram(gl, pathVertices, pathFragments);
    return program && new PathPainter(gl, program);
  }

  release(): void {
    this.#gl.deleteProgram(this.#program.program);
    this.#points.release();
    this.#partialSegments.release();
    this.#gl.deleteVertexArray(this.#emptyVao);
  }

  paint(scene: Scene, view: View, ratio: number, palette: Palette): void {
    this.#upload(scene);
    const shown = scene.visiblePaths();
    if (shown.length === 0) return;
    const gl = this.#gl;
    const { uniform } = this.#program;
    gl.useProgram(this.#program.program);
    gl.bindVertexArray(this.#emptyVao);
    gl.activeTexture(gl.TEXTURE0);
    gl.uniform1i(uniform("u_points"), 0);
    gl.uniform2f(uniform("u_screen"), gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.uniform1f(uniform("u_dash"), 5 * ratio);
    gl.uniform4f(uniform("u_gap"), ...palette.rose, 1);
    setViewUniforms(gl, this.#program, view);
    const isHighlighted = ({ stored }: VisiblePath) => stored.path.id === scene.selected || stored.path.id === scene.hovered;
    for (const isFront of [false, true]) {
      const paths = shown.filter((path) => isHighlighted(path) === isFront);
      if (paths.length === 0) continue;
      const colors = new Float32Array(64);
      colors.set([...palette.path, isFront ? 1 : 0.75]);
      for (const [index, highlight] of palette.highlights.slice(0, firstPathMark - 1).entries())
        colors.set([...highlight, 1], 4 * (index + 1));
      for (const [index, mark] of palette.marks.entries()) colors.set([...mark, 1], 4 * (index + firstPathMark));
      gl.uniform4fv(uniform("u_colors"), colors);
      gl.uniform1f(uniform("u_width"), (isFront ? 3 : 1.5) * ratio);
      gl.uniform1f(uniform("u_markWidth"), (isFront ? 5 : 3) * ratio);
      gl.uniform1f(uniform("u_missingWidth"), (isFront ? 2 : 1) * ratio);
      // The last color of markers is the one of missing values.
      gl.uniform1i(uniform("u_missing"), firstPathMark + palette.marks.length - 1);
      this.#paintLines(scene, paths, view, isFront);
    }
  }

  #upload(scene: Scene): void {
    const { points } = scene.paths;
    const changed = scene.paths.takeChanged();
    if (this.#isNew || points.length !== this.#points.rows * scene.paths.rowSize) this.#points.upload(points);
    else if (changed) this.#points.uploadRows(points, changed.from, changed.to);
    this.#isNew = false;
  }

  #paintLines(scene: Scene, paths: readonly VisiblePath[], view: View, isFront: boolean): void {
    const gl = this.#gl;
    const { uniform } = this.#program;
    const [west, east] = [Math.min(...paths.map(({ stored }) => stored.box.west)), Math.max(...paths.map(({ stored }) => stored.box.east))];
    const copies = worldCopies(view, west, east).map((worldCopy): WorldCopyRanges & { dots: readonly PointRange[] } => {
      const inView = paths.filter(({ stored }) => boxIsInView(stored.box, view, worldCopy));
      const ranges = inView.map(({ stored }) => ({ ranges: scene.paths.rangesInView(stored, scene.window, view, worldCopy), stored }));
      return {
        worldCopy,
        lines: ranges.flatMap((range) => range.ranges),
        // Simplified levels do not contain every position, so they get no dots.
        dots: ranges.flatMap((range) => (scene.paths.isFullDetail(range.stored, view) ? range.ranges : [])),
        partialSegments: inView.length,
      };
    });
    const countOf = (ranges: readonly PointRange[]) => ranges.reduce((sum, [from, to]) => sum + to - from, 0);
    const points = copies.reduce((sum, { lines }) => sum + countOf(lines), 0);
    const dots = copies.reduce((sum, copy) => sum + countOf(copy.dots), 0);
    const corners = isFront || points <= maxWidePoints ? 6 : 2;
    const mode = corners === 6 ? gl.TRIANGLES : gl.LINES;
    const partialSegments = copies.some((copy) => copy.partialSegments > 0) ? this.#uploadPartialSegments(scene, paths) : 0;
    for (const copy of copies) {
      gl.uniform1f(uniform("u_worldOffset"), copy.worldCopy * worldSize);
      gl.uniform1i(uniform("u_corners"), corners);
      gl.uniform1i(uniform("u_stride"), 1);
      gl.bindTexture(gl.TEXTURE_2D, this.#points.texture);
      this.#draw(mode, copy.lines, ([from, to]) => [from * corners, (to - from - 1) * corners]);
      if (partialSegments > 0) {
        gl.uniform1i(uniform("u_stride"), 2);
        gl.bindTexture(gl.TEXTURE_2D, this.#partialSegments.texture);
        gl.drawArrays(mode, 0, partialSegments * corners);
      }
      if (!isFront && dots > maxDottedPoints) continue;
      gl.uniform1i(uniform("u_corners"), 3);
      gl.uniform1i(uniform("u_stride"), 1);
      gl.bindTexture(gl.TEXTURE_2D, this.#points.texture);
      this.#draw(gl.TRIANGLES, copy.dots, ([from, to]) => [3 * from, 3 * (to - from)]);
    }
  }

  #draw(mode: number, ranges: readonly PointRange[], verticesOf: (range: PointRange) => [first: number, count: number]): void {
    const parts = ranges.map(verticesOf).filter(([, count]) => count > 0);
    if (parts.length === 0) return;
    const [firsts, counts] = [Int32Array.from(parts, ([first]) => first), Int32Array.from(parts, ([, count]) => count)];
    drawRanges(this.#gl, mode, firsts, counts, parts.length);
  }

  /** Uploads the segments cut by the window (two points each) and returns their number. */
  #uploadPartialSegments(scene: Scene, paths: readonly VisiblePath[]): number {
    const values: number[] = [];
    for (const shown of paths) values.push(...scene.paths.partialSegments(shown.stored, shown));
    this.#partialSegments.upload(Int32Array.from(values));
    return values.length / (2 * pointSize);
  }
}
