import { rowLength } from "./path-store.ts";

const sizes = { looks: 1, ranks: 1, positions: 2, points: 3 } as const;
/** Values per entry: bytes, single numbers, pairs or triples of numbers. */
type Kind = keyof typeof sizes;

/** A list of integers on the GPU that vertices index by number, stored as a texture in rows of `rowLength`. */
export class DataTexture {
  readonly texture: WebGLTexture;
  readonly #gl: WebGL2RenderingContext;
  readonly #kind: Kind;
  #rows = 0;

  constructor(gl: WebGL2RenderingContext, kind: Kind) {
    this.#gl = gl;
    this.#kind = kind;
    this.texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  }

  get rows(): number {
    return this.#rows;
  }

  /** Uploads all values. */
  upload(values: Int32Array | Uint8Array): void {
    const gl = this.#gl;
    const entries = values.length / sizes[this.#kind];
    this.#rows = Math.ceil(entries / rowLength);
    if (entries === 0) return;
    const [internalFormat, format, type] = this.#layout();
    const [width, data] = this.#rows === 1 ? [entries, values] : [rowLength, padTo(values, this.#rows * rowLength * sizes[this.#kind])];
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.texImage2D(gl.TEXTURE_2D, 0, internalFormat, width, this.#rows, 0, format, type, data);
  }

  /** Uploads rows `from` (inclusive) to `to` (exclusive) of all values. */
  uploadRows(values: Int32Array, from: number, to: number): void {
    const gl = this.#gl;
    const [, format, type] = this.#layout();
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    const rowSize = rowLength * sizes[this.#kind];
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, from, rowLength, to - from, format, type, values.subarray(from * rowSize, to * rowSize));
  }

  release(): void {
    this.#gl.deleteTexture(this.texture);
  }

  #layout(): readonly [internalFormat: number, format: number, type: number] {
    const gl = this.#gl;
    const layouts = {
      looks: [gl.R8UI, gl.RED_INTEGER, gl.UNSIGNED_BYTE],
      ranks: [gl.R32I, gl.RED_INTEGER, gl.INT],
      positions: [gl.RG32I, gl.RG_INTEGER, gl.INT],
      points: [gl.RGB32I, gl.RGB_INTEGER, gl.INT],
    } as const;
    return layouts[this.#kind];
  }
}

function padTo(values: Int32Array | Uint8Array, length: number): Int32Array | Uint8Array {
  if (values.length === length) return values;
  const padded = values instanceof Uint8Array ? new Uint8Array(length) : new Int32Array(length);
  padded.set(values);
  return padded;
}
