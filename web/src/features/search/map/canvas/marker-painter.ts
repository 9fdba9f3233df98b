import { CardData } from "./card-data.ts";
import { linkProgram, placeView, type Program } from "./graphics.ts";
import { drawnIcon, type Palette } from "./palette.ts";
import { worldSize } from "./projection.ts";
import type { Scene } from "./scene.ts";
import { dotFragments, markerFragments, markerVertices } from "./marker-shaders.ts";
import { turnsOf, type View } from "./view.ts";

/** With more markers than this in view they are dots: icons would only cover each other. */
const crowd = 2_000;
/** With more dots than this, those that newer ones all but cover are not drawn. */
const denseCrowd = 20_000;
/** A dot is 8 pixels wide. */
const cellPixels = 6;

export type Icon = Parameters<typeof drawnIcon>[0];

interface Look {
  readonly palette: Palette;
  readonly icon: Icon | null;
}

/** In pixels as CSS has them. */
interface MarkerStyle {
  readonly pixels: number;
  readonly edge: number;
  readonly ring: number;
  readonly withIcon: boolean;
}

/** Places and looks of markers, on the graphics card. */
interface Markers {
  readonly places: CardData;
  readonly looks: CardData;
}

/**
 * Draws the markers. Each is one triangle about its circle, which looks its place up: where the processor draws, points
 * of the graphics interface take five times as long.
 */
export class MarkerPainter {
  readonly #gl: WebGL2RenderingContext;
  readonly #program: Program;
  readonly #dots: Program;
  readonly #still: Markers;
  readonly #moving: Markers;
  readonly #listed: CardData;
  readonly #bare: WebGLVertexArrayObject;
  readonly #iconTexture: WebGLTexture;
  #placesVersion = -1;
  #looksVersion = -1;
  #icon: Icon | null = null;
  #iconSize = 0;

  private constructor(gl: WebGL2RenderingContext, program: Program, dots: Program) {
    this.#gl = gl;
    this.#program = program;
    this.#dots = dots;
    this.#still = { places: new CardData(gl, "places"), looks: new CardData(gl, "looks") };
    this.#moving = { places: new CardData(gl, "places"), looks: new CardData(gl, "looks") };
    this.#listed = new CardData(gl, "ranks");
    this.#bare = gl.createVertexArray();
    this.#iconTexture = gl.createTexture();
  }

  /** Null while the card is lost. */
  static make(gl: WebGL2RenderingContext): MarkerPainter | null {
    const program = linkProgram(gl, markerVertices, markerFragments);
    const dots = linkProgram(gl, markerVertices, dotFragments);
    return program && dots && new MarkerPainter(gl, program, dots);
  }

  release(): void {
    const gl = this.#gl;
    for (const { program } of [this.#program, this.#dots]) gl.deleteProgram(program);
    this.#listed.release();
    for (const { places, looks } of [this.#still, this.#moving]) {
      places.release();
      looks.release();
    }
    gl.deleteVertexArray(this.#bare);
    gl.deleteTexture(this.#iconTexture);
  }

  paint(scene: Scene, view: View, ratio: number, look: Look): void {
    if (scene.items.size === 0) return;
    const gl = this.#gl;
    this.#sendStill(scene);
    const moving = this.#sendMoving(scene);
    const crowded = scene.countInView(view, crowd + 1) + moving > crowd;
    const [from, to] = scene.items.range(scene.window);
    const listed = to - from > denseCrowd ? scene.newestInCells(view, cellPixels) : null;
    gl.bindVertexArray(this.#bare);
    gl.activeTexture(gl.TEXTURE0);
    this.#sendIcon(look.icon, Math.round(32 * ratio));
    const all = { pixels: crowded ? 8 : look.icon ? 24 : 14, edge: crowded ? 1 : 2, ring: 0, withIcon: !crowded };
    const program = crowded ? this.#dots : this.#program;
    this.#use(program, view, ratio, { ...look, ...all });
    if (listed) this.#listed.send(listed);
    this.#draw(program, view, this.#still, listed ? [0, listed.length] : [from, to], listed !== null);
    this.#draw(program, view, this.#moving, [0, moving]);
    for (const [id, pixels, ring] of [[scene.hovered, 32, 2] as const, [scene.selected, 36, 3] as const]) {
      const place = id === null ? null : scene.placeOf(id);
      if (id === null || place === null) continue;
      this.#send(this.#moving, Int32Array.from(place), Uint8Array.of(scene.colourOf(scene.items.rankOf(id))));
      this.#use(this.#program, view, ratio, { ...look, pixels, edge: 2, ring, withIcon: true });
      this.#draw(this.#program, view, this.#moving, [0, 1]);
    }
  }

  #use(program: Program, view: View, ratio: number, { palette, icon, pixels, edge, ring, withIcon }: Look & MarkerStyle): void {
    const gl = this.#gl;
    const { uniform } = program;
    gl.useProgram(program.program);
    placeView(gl, program, view);
    for (const [unit, name] of ["u_icon", "u_places", "u_looks", "u_listed"].entries()) gl.uniform1i(uniform(name), unit);
    gl.uniform2f(uniform("u_screen"), gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.uniform3fv(uniform("u_colours"), [...palette.path, ...palette.amber, ...palette.rose]);
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
    const textures = [this.#iconTexture, markers.places.texture, markers.looks.texture, this.#listed.texture];
    for (const [unit, texture] of textures.entries()) {
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, texture);
    }
    gl.activeTexture(gl.TEXTURE0);
    gl.uniform1i(uniform("u_still"), markers === this.#still ? 1 : 0);
    gl.uniform1i(uniform("u_isListed"), isListed ? 1 : 0);
    for (const turn of turnsOf(view, 0, worldSize)) {
      gl.uniform1f(uniform("u_turn"), turn * worldSize);
      gl.drawArrays(gl.TRIANGLES, 3 * from, 3 * (to - from));
    }
  }

  #sendStill(scene: Scene): void {
    if (this.#placesVersion !== scene.placesVersion) this.#still.places.send(scene.items.places);
    if (this.#looksVersion !== scene.looksVersion) this.#still.looks.send(scene.looks);
    [this.#placesVersion, this.#looksVersion] = [scene.placesVersion, scene.looksVersion];
  }

  /** The markers on their paths; answers how many. */
  #sendMoving(scene: Scene): number {
    const shown = scene.shownPaths();
    const places = new Int32Array(2 * shown.length);
    const looks = new Uint8Array(shown.length);
    let count = 0;
    for (const { stored, position } of shown) {
      const rank = position === null ? -1 : scene.items.rankOf(stored.path.id);
      if (position === null || rank < 0) continue;
      places.set(position, 2 * count);
      looks[count] = scene.colourOf(rank);
      count += 1;
    }
    if (count > 0) this.#send(this.#moving, places.subarray(0, 2 * count), looks.subarray(0, count));
    return count;
  }

  #send({ places, looks }: Markers, at: Int32Array, as: Uint8Array): void {
    places.send(at);
    looks.send(as);
  }

  #sendIcon(icon: Icon | null, size: number): void {
    if (icon === null || (icon === this.#icon && size === this.#iconSize)) return;
    const gl = this.#gl;
    gl.bindTexture(gl.TEXTURE_2D, this.#iconTexture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, drawnIcon(icon, size));
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    gl.generateMipmap(gl.TEXTURE_2D);
    [this.#icon, this.#iconSize] = [icon, size];
  }
}
