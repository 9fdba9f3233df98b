import { DataTexture } from "./data-texture.ts";
import { linkProgram, setViewUniforms, type Program } from "./graphics.ts";
import { drawIcon, type Palette } from "./palette.ts";
import { worldSize } from "./projection.ts";
import { markColors } from "./item-looks.ts";
import type { Scene } from "./scene.ts";
import { dotFragments, markerFragments, markerVertices } from "./marker-shaders.ts";
import { worldCopies, type View } from "./view.ts";

/** Above this number of markers in view, dots are drawn: icons would only cover each other. */
const dotThreshold = 2_000;
/** The same for markers at their paths, which icons would cover. */
const movingDotThreshold = 150;
/** Above this number of dots, those almost covered by newer ones are skipped. */
const thinningThreshold = 20_000;
/** Cell size for skipping covered dots, which are 8 pixels wide. */
const cellPixels = 6;

export type Icon = Parameters<typeof drawIcon>[0];

interface MarkerLook {
  readonly palette: Palette;
  readonly icon: Icon | null;
}

/** In CSS pixels. */
interface MarkerStyle {
  readonly pixels: number;
  readonly edge: number;
  readonly ring: number;
  readonly withIcon: boolean;
}

/** Positions and looks of markers on the GPU. */
interface Markers {
  readonly positions: DataTexture;
  readonly looks: DataTexture;
}

/**
 * Draws the markers. Each is one triangle around its circle that looks up its own position: with software rendering, GL
 * points take five times as long.
 */
export class MarkerPainter {
  readonly #gl: WebGL2RenderingContext;
  readonly #program: Program;
  readonly #dots: Program;
  readonly #still: Markers;
  readonly #moving: Markers;
  readonly #listed: DataTexture;
  readonly #emptyVao: WebGLVertexArrayObject;
  readonly #iconTexture: WebGLTexture;
  #positionsVersion = -1;
  #looksVersion = -1;
  #icon: Icon | null = null;
  #iconSize = 0;

  private constructor(gl: WebGL2RenderingContext, program: Program, dots: Program) {
    this.#gl = gl;
    this.#program = program;
    this.#dots = dots;
    this.#still = { positions: new DataTexture(gl, "positions"), looks: new DataTexture(gl, "looks") };
    this.#moving = { positions: new DataTexture(gl, "positions"), looks: new DataTexture(gl, "looks") };
    this.#listed = new DataTexture(gl, "ranks");
    this.#emptyVao = gl.createVertexArray();
    this.#iconTexture = gl.createTexture();
  }

  /** Null while the context is lost. */
  static create(gl: WebGL2RenderingContext): MarkerPainter | null {
    const program = linkProgram(gl, markerVertices, markerFragments);
    const dots = linkProgram(gl, markerVertices, dotFragments);
    return program && dots && new MarkerPainter(gl, program, dots);
  }

  release(): void {
    const gl = this.#gl;
    for (const { program } of [this.#program, this.#dots]) gl.deleteProgram(program);
    this.#listed.release();
    for (const { positions, looks } of [this.#still, this.#moving]) {
      positions.release();
      looks.release();
    }
    gl.deleteVertexArray(this.#emptyVao);
    gl.deleteTexture(this.#iconTexture);
  }

  paint(scene: Scene, view: View, ratio: number, look: MarkerLook): void {
    if (scene.items.size === 0) return;
    const gl = this.#gl;
    this.#uploadStill(scene);
    const moving = this.#uploadMoving(scene);
    const asDots =
      (scene.grouped?.singles.length ?? scene.countInView(view, dotThreshold + 1)) + moving > dotThreshold || moving > movingDotThreshold;
    const [from, to] = scene.items.range(scene.window);
    const listed = scene.grouped ? scene.grouped.singles : to - from > thinningThreshold ? scene.newestInCells(view, cellPixels) : null;
    gl.bindVertexArray(this.#emptyVao);
    gl.activeTexture(gl.TEXTURE0);
    this.#uploadIcon(look.icon, Math.round(32 * ratio));
    const all = { pixels: asDots ? 8 : look.icon ? 24 : 14, edge: asDots ? 1 : 2, ring: 0, withIcon: !asDots };
    const program = asDots ? this.#dots : this.#program;
    this.#use(program, view, ratio, { ...look, ...all });
    if (listed) this.#listed.upload(listed);
    this.#draw(program, view, this.#still, listed ? [0, listed.length] : [from, to], listed !== null);
    this.#draw(program, view, this.#moving, [0, moving]);
    for (const [id, pixels, ring] of [[scene.hovered, 32, 2] as const, [scene.selected, 36, 3] as const]) {
      const center = id === null ? null : scene.positionOf(id);
      if (id === null || center === null) continue;
      this.#upload(this.#moving, Int32Array.from(center), Uint8Array.of(scene.colorOfItem(id)));
      this.#use(this.#program, view, ratio, { ...look, pixels, edge: 2, ring, withIcon: true });
      this.#draw(this.#program, view, this.#moving, [0, 1]);
    }
  }

  #use(program: Program, view: View, ratio: number, { palette, icon, pixels, edge, ring, withIcon }: MarkerLook & MarkerStyle): void {
    const gl = this.#gl;
    const { uniform } = program;
    gl.useProgram(program.program);
    setViewUniforms(gl, program, view);
    for (const [unit, name] of ["u_icon", "u_positions", "u_looks", "u_listed"].entries()) gl.uniform1i(uniform(name), unit);
    gl.uniform2f(uniform("u_screen"), gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.uniform3fv(uniform("u_colors"), [
      ...palette.path,
      ...palette.amber,
      ...palette.rose,
      ...palette.marks.slice(0, markColors - 3).flat(),
    ]);
    gl.uniform3f(uniform("u_ground"), ...palette.ground);
    gl.uniform3f(uniform("u_accent"), ...palette.accent);
    gl.uniform1f(uniform("u_size"), pixels * ratio);
    gl.uniform1f(uniform("u_edge"), edge * ratio);
    gl.uniform1f(uniform("u_ring"), ring * ratio);
    gl.uniform1i(uniform("u_hasIcon"), withIcon && icon ? 1 : 0);
  }

  #draw({ uniform }: Program, view: View, markers: Markers, [from, to]: readonly [number, number], isListed = false): void {
    if (to <= from) return;
    const gl = this.#gl;
    const textures = [this.#iconTexture, markers.positions.texture, markers.looks.texture, this.#listed.texture];
    for (const [unit, texture] of textures.entries()) {
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, texture);
    }
    gl.activeTexture(gl.TEXTURE0);
    gl.uniform1i(uniform("u_still"), markers === this.#still ? 1 : 0);
    gl.uniform1i(uniform("u_isListed"), isListed ? 1 : 0);
    for (const worldCopy of worldCopies(view, 0, worldSize)) {
      gl.uniform1f(uniform("u_worldOffset"), worldCopy * worldSize);
      gl.drawArrays(gl.TRIANGLES, 3 * from, 3 * (to - from));
    }
  }

  #uploadStill(scene: Scene): void {
    if (this.#positionsVersion !== scene.positionsVersion) this.#still.positions.upload(scene.items.positions);
    if (this.#looksVersion !== scene.looksVersion) this.#still.looks.upload(scene.looks);
    [this.#positionsVersion, this.#looksVersion] = [scene.positionsVersion, scene.looksVersion];
  }

  /** Uploads the markers that are on paths and returns their number. */
  #uploadMoving(scene: Scene): number {
    const shown = scene.visiblePaths();
    const positions = new Int32Array(2 * shown.length);
    const looks = new Uint8Array(shown.length);
    let count = 0;
    for (const path of shown) {
      const { stored, position } = path;
      const rank = position === null ? -1 : scene.items.rankOf(stored.path.id);
      if (position === null || rank < 0) continue;
      positions.set(position, 2 * count);
      looks[count] = scene.colorOf(rank, path);
      count += 1;
    }
    if (count > 0) this.#upload(this.#moving, positions.subarray(0, 2 * count), looks.subarray(0, count));
    return count;
  }

  #upload({ positions, looks }: Markers, newPositions: Int32Array, newLooks: Uint8Array): void {
    positions.upload(newPositions);
    looks.upload(newLooks);
  }

  #uploadIcon(icon: Icon | null, size: number): void {
    if (icon === null || (icon === this.#icon && size === this.#iconSize)) return;
    const gl = this.#gl;
    gl.bindTexture(gl.TEXTURE_2D, this.#iconTexture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, drawIcon(icon, size));
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    gl.generateMipmap(gl.TEXTURE_2D);
    [this.#icon, this.#iconSize] = [icon, size];
  }
}
