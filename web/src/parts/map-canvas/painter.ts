import { drawParts, linkProgram, type Program } from "./graphics.ts";
import { drawnIcon, type Palette } from "./palette.ts";
import { pointSize, rowLength } from "./path-store.ts";
import { worldSize } from "./projection.ts";
import type { Scene, ShownPath, View } from "./scene.ts";
import { markerFragments, markerVertices, pathFragments, pathVertices } from "./shaders.ts";

/** With more markers than this in view they are dots: icons would only cover each other. */
const crowd = 2_000;
/** With more segments than this at once, lines are a pixel wide and cost a third. */
const wideSegments = 60_000;
/** With more points than this at once, they are not dotted. */
const dottedPoints = 20_000;

interface Parts {
  readonly firsts: Int32Array;
  readonly counts: Int32Array;
  count: number;
}

/** What is on the graphics card. Made anew after the card has lost it. */
class Card {
  readonly markers: Program;
  readonly paths: Program;
  readonly places: WebGLBuffer;
  readonly looks: WebGLBuffer;
  readonly movingPlaces: WebGLBuffer;
  readonly movingLooks: WebGLBuffer;
  readonly still: WebGLVertexArrayObject;
  readonly moving: WebGLVertexArrayObject;
  readonly bare: WebGLVertexArrayObject;
  readonly points: WebGLTexture;
  readonly ends: WebGLTexture;
  readonly icon: WebGLTexture;
  pointRows = 0;
  placesVersion = -1;
  looksVersion = -1;
  iconSize = 0;

  private constructor(gl: WebGL2RenderingContext, markers: Program, paths: Program) {
    this.markers = markers;
    this.paths = paths;
    [this.places, this.looks, this.movingPlaces, this.movingLooks] = [
      gl.createBuffer(),
      gl.createBuffer(),
      gl.createBuffer(),
      gl.createBuffer(),
    ];
    this.still = markerArrays(gl, this.places, this.looks);
    this.moving = markerArrays(gl, this.movingPlaces, this.movingLooks);
    this.bare = gl.createVertexArray();
    [this.points, this.ends, this.icon] = [gl.createTexture(), gl.createTexture(), gl.createTexture()];
    for (const texture of [this.points, this.ends]) {
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    }
  }

  static make(gl: WebGL2RenderingContext): Card | null {
    const markers = linkProgram(gl, markerVertices, markerFragments);
    const paths = linkProgram(gl, pathVertices, pathFragments);
    return markers && paths && new Card(gl, markers, paths);
  }

  release(gl: WebGL2RenderingContext): void {
    for (const { program } of [this.markers, this.paths]) gl.deleteProgram(program);
    for (const buffer of [this.places, this.looks, this.movingPlaces, this.movingLooks]) gl.deleteBuffer(buffer);
    for (const arrays of [this.still, this.moving, this.bare]) gl.deleteVertexArray(arrays);
    for (const texture of [this.points, this.ends, this.icon]) gl.deleteTexture(texture);
  }
}

function markerArrays(gl: WebGL2RenderingContext, places: WebGLBuffer, looks: WebGLBuffer): WebGLVertexArrayObject {
  const arrays = gl.createVertexArray();
  gl.bindVertexArray(arrays);
  gl.bindBuffer(gl.ARRAY_BUFFER, places);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribIPointer(0, 2, gl.INT, 0, 0);
  gl.bindBuffer(gl.ARRAY_BUFFER, looks);
  gl.enableVertexAttribArray(1);
  gl.vertexAttribIPointer(1, 1, gl.UNSIGNED_BYTE, 0, 0);
  gl.bindVertexArray(null);
  return arrays;
}

/** Draws a scene into a canvas. Sends to the graphics card only what has changed. */
export class Painter {
  readonly #gl: WebGL2RenderingContext;
  #card: Card | null = null;
  #firsts = new Int32Array(256);
  #counts = new Int32Array(256);
  #palette: Palette;
  #icon: Parameters<typeof drawnIcon>[0] | null = null;

  constructor(gl: WebGL2RenderingContext, palette: Palette) {
    this.#gl = gl;
    this.#palette = palette;
  }

  setPalette(palette: Palette): void {
    this.#palette = palette;
  }

  setIcon(icon: Parameters<typeof drawnIcon>[0]): void {
    this.#icon = icon;
    if (this.#card) this.#card.iconSize = 0;
  }

  /** The card has lost everything. */
  forget(): void {
    this.#card = null;
  }

  release(): void {
    this.#card?.release(this.#gl);
    this.#card = null;
  }

  /** `ratio`: pixels of the screen in one of CSS. */
  paint(scene: Scene, view: View, ratio: number): void {
    const gl = this.#gl;
    if (gl.isContextLost()) return;
    const isNew = this.#card === null;
    this.#card ??= Card.make(gl);
    const card = this.#card;
    if (card === null) return;
    this.#send(card, scene, isNew);
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.#paintPaths(card, scene, view, ratio);
    this.#paintMarkers(card, scene, view, ratio);
    gl.bindVertexArray(null);
  }

  #send(card: Card, scene: Scene, isNew: boolean): void {
    const gl = this.#gl;
    if (card.placesVersion !== scene.placesVersion) {
      gl.bindBuffer(gl.ARRAY_BUFFER, card.places);
      gl.bufferData(gl.ARRAY_BUFFER, scene.items.places, gl.STATIC_DRAW);
      card.placesVersion = scene.placesVersion;
    }
    if (card.looksVersion !== scene.looksVersion) {
      gl.bindBuffer(gl.ARRAY_BUFFER, card.looks);
      gl.bufferData(gl.ARRAY_BUFFER, scene.looks, gl.DYNAMIC_DRAW);
      card.looksVersion = scene.looksVersion;
    }
    const { points } = scene.paths;
    const rows = points.length / (pointSize * rowLength);
    const changed = scene.paths.takeChanged();
    gl.bindTexture(gl.TEXTURE_2D, card.points);
    if ((isNew || rows !== card.pointRows) && rows > 0) {
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB32I, rowLength, rows, 0, gl.RGB_INTEGER, gl.INT, points);
      card.pointRows = rows;
    } else if (changed) {
      const part = points.subarray(changed.from * rowLength * pointSize, changed.to * rowLength * pointSize);
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, changed.from, rowLength, changed.to - changed.from, gl.RGB_INTEGER, gl.INT, part);
    }
  }

  #paintPaths(card: Card, scene: Scene, view: View, ratio: number): void {
    const shown = scene.shownPaths();
    if (shown.length === 0) return;
    const gl = this.#gl;
    const { uniform } = card.paths;
    gl.useProgram(card.paths.program);
    gl.bindVertexArray(card.bare);
    gl.activeTexture(gl.TEXTURE0);
    gl.uniform1i(uniform("u_points"), 0);
    gl.uniform2f(uniform("u_screen"), gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.uniform1f(uniform("u_dash"), 5 * ratio);
    gl.uniform4f(uniform("u_gap"), ...this.#palette.rose, 1);
    this.#place(card.paths, view);
    const standsOut = ({ stored }: ShownPath) => stored.path.id === scene.selected || stored.path.id === scene.hovered;
    const [back, front] = [shown.filter((path) => !standsOut(path)), shown.filter(standsOut)];
    const segments = back.reduce((sum, { from, to }) => sum + Math.max(0, to - from - 1), 0);
    this.#paintLines(card, scene, back, view, {
      width: 1.5 * ratio,
      opacity: 0.75,
      wide: segments <= wideSegments,
      dots: segments <= dottedPoints,
    });
    this.#paintLines(card, scene, front, view, { width: 3 * ratio, opacity: 1, wide: true, dots: true });
  }

  #paintLines(
    card: Card,
    scene: Scene,
    paths: readonly ShownPath[],
    view: View,
    { width, opacity, wide, dots }: { width: number; opacity: number; wide: boolean; dots: boolean },
  ): void {
    if (paths.length === 0) return;
    const gl = this.#gl;
    const { uniform } = card.paths;
    const { path, highlights } = this.#palette;
    const colours = new Float32Array(64);
    colours.set([...path, opacity]);
    for (const [index, highlight] of highlights.slice(0, 15).entries()) colours.set([...highlight, 1], 4 * (index + 1));
    gl.uniform4fv(uniform("u_colours"), colours);
    gl.uniform1f(uniform("u_width"), width);
    const ends = this.#sendEnds(card, scene, paths);
    const turns = turnsOf(
      view,
      Math.min(...paths.map(({ stored }) => stored.box.west)),
      Math.max(...paths.map(({ stored }) => stored.box.east)),
    );
    for (const turn of turns) {
      gl.uniform1f(uniform("u_turn"), turn * worldSize);
      const inView = paths.filter(({ stored }) => isInView(stored.box, view, turn));
      const corners = wide ? 6 : 2;
      const mode = wide ? gl.TRIANGLES : gl.LINES;
      gl.uniform1i(uniform("u_corners"), corners);
      gl.uniform1i(uniform("u_stride"), 1);
      gl.bindTexture(gl.TEXTURE_2D, card.points);
      this.#drawParts(
        mode,
        this.#partsOf(inView, (from, to) => [from * corners, (to - from - 1) * corners]),
      );
      if (ends > 0) {
        gl.uniform1i(uniform("u_stride"), 2);
        gl.bindTexture(gl.TEXTURE_2D, card.ends);
        gl.drawArrays(mode, 0, ends * corners);
      }
      if (dots) {
        gl.uniform1i(uniform("u_corners"), 1);
        gl.uniform1i(uniform("u_stride"), 1);
        gl.bindTexture(gl.TEXTURE_2D, card.points);
        this.#drawParts(
          gl.POINTS,
          this.#partsOf(inView, (from, to) => [from, to - from]),
        );
      }
    }
  }

  #drawParts(mode: number, { firsts, counts, count }: Parts): void {
    if (count > 0) drawParts(this.#gl, mode, firsts, counts, count);
  }

  #partsOf(paths: readonly ShownPath[], part: (from: number, to: number) => [first: number, count: number]): Parts {
    if (this.#firsts.length < paths.length)
      [this.#firsts, this.#counts] = [new Int32Array(2 * paths.length), new Int32Array(2 * paths.length)];
    const parts: Parts = { firsts: this.#firsts, counts: this.#counts, count: 0 };
    for (const { stored, from, to } of paths) {
      const [first, count] = part(stored.start + from, stored.start + to);
      if (count <= 0) continue;
      parts.firsts[parts.count] = first;
      parts.counts[parts.count] = count;
      parts.count += 1;
    }
    return parts;
  }

  /** The ends of lines where the window cuts them: two points for each, answers how many. */
  #sendEnds(card: Card, scene: Scene, paths: readonly ShownPath[]): number {
    const found: number[] = [];
    for (const shown of paths) found.push(...scene.paths.ends(shown.stored, shown));
    const segments = found.length / (2 * pointSize);
    if (segments === 0) return 0;
    const gl = this.#gl;
    const rows = Math.ceil((2 * segments) / rowLength);
    const room = new Int32Array(rows * rowLength * pointSize);
    room.set(found);
    gl.bindTexture(gl.TEXTURE_2D, card.ends);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB32I, rowLength, rows, 0, gl.RGB_INTEGER, gl.INT, room);
    return segments;
  }

  #paintMarkers(card: Card, scene: Scene, view: View, ratio: number): void {
    if (scene.items.size === 0) return;
    const gl = this.#gl;
    const { uniform } = card.markers;
    const moving = this.#sendMoving(card, scene);
    const crowded = scene.countInView(view, crowd) + moving > crowd;
    const size = (crowded ? 8 : this.#icon ? 24 : 14) * ratio;
    gl.useProgram(card.markers.program);
    this.#place(card.markers, view);
    gl.uniform3fv(uniform("u_colours"), [...this.#palette.path, ...this.#palette.amber, ...this.#palette.rose]);
    gl.uniform3f(uniform("u_ground"), ...this.#palette.ground);
    gl.uniform3f(uniform("u_accent"), ...this.#palette.accent);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, card.icon);
    this.#sendIcon(card, Math.round(32 * ratio));
    gl.uniform1i(uniform("u_icon"), 0);
    const style = (pixels: number, icon: boolean, ring: number) => {
      gl.uniform1f(uniform("u_size"), pixels);
      gl.uniform1f(uniform("u_edge"), (crowded && ring === 0 ? 1 : 2) * ratio);
      gl.uniform1f(uniform("u_ring"), ring * ratio);
      gl.uniform1i(uniform("u_hasIcon"), icon && this.#icon ? 1 : 0);
    };
    style(size, !crowded, 0);
    const turns = turnsOf(view, 0, worldSize);
    const [from, to] = scene.items.range(scene.window);
    for (const [arrays, first, count, isStill] of [[card.still, from, to - from, 1] as const, [card.moving, 0, moving, 0] as const]) {
      if (count === 0) continue;
      gl.bindVertexArray(arrays);
      gl.uniform1i(uniform("u_still"), isStill);
      for (const turn of turns) {
        gl.uniform1f(uniform("u_turn"), turn * worldSize);
        gl.drawArrays(gl.POINTS, first, count);
      }
    }
    gl.bindVertexArray(card.moving);
    gl.uniform1i(uniform("u_still"), 0);
    for (const [id, pixels, ring] of [[scene.hovered, 32, 2] as const, [scene.selected, 36, 3] as const]) {
      const place = id === null ? null : scene.placeOf(id);
      if (id === null || place === null) continue;
      this.#sendMarkers(card, Int32Array.from(place), Uint8Array.of(scene.colourOf(scene.items.rankOf(id))));
      style(pixels * ratio, true, ring);
      for (const turn of turns) {
        gl.uniform1f(uniform("u_turn"), turn * worldSize);
        gl.drawArrays(gl.POINTS, 0, 1);
      }
    }
  }

  /** The markers on their paths; answers how many. */
  #sendMoving(card: Card, scene: Scene): number {
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
    if (count > 0) this.#sendMarkers(card, places, looks);
    return count;
  }

  #sendMarkers(card: Card, places: Int32Array, looks: Uint8Array): void {
    const gl = this.#gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, card.movingPlaces);
    gl.bufferData(gl.ARRAY_BUFFER, places, gl.STREAM_DRAW);
    gl.bindBuffer(gl.ARRAY_BUFFER, card.movingLooks);
    gl.bufferData(gl.ARRAY_BUFFER, looks, gl.STREAM_DRAW);
  }

  #sendIcon(card: Card, size: number): void {
    if (this.#icon === null || card.iconSize === size) return;
    const gl = this.#gl;
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, drawnIcon(this.#icon, size));
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    gl.generateMipmap(gl.TEXTURE_2D);
    card.iconSize = size;
  }

  #place({ uniform }: Program, view: View): void {
    const gl = this.#gl;
    const pixel = view.worldPixels / worldSize;
    gl.uniform2i(uniform("u_middle"), Math.round(view.x), Math.round(view.y));
    gl.uniform2f(uniform("u_scale"), (2 * pixel) / view.width, (-2 * pixel) / view.height);
  }
}

/** The copies of the world in which something between these two x can be seen. */
function turnsOf(view: View, west: number, east: number): number[] {
  const half = (view.width / 2 / view.worldPixels) * worldSize;
  // A marker's breadth more: one at the edge is seen where its middle is not.
  const margin = (20 / view.worldPixels) * worldSize;
  const first = Math.ceil((view.x - half - margin - east) / worldSize);
  const last = Math.floor((view.x + half + margin - west) / worldSize);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

function isInView(box: ShownPath["stored"]["box"], view: View, turn: number): boolean {
  const pixel = worldSize / view.worldPixels;
  const [halfWidth, halfHeight] = [(view.width / 2 + 8) * pixel, (view.height / 2 + 8) * pixel];
  return (
    box.east + turn * worldSize >= view.x - halfWidth &&
    box.west + turn * worldSize <= view.x + halfWidth &&
    box.south >= view.y - halfHeight &&
    box.north <= view.y + halfHeight
  );
}
