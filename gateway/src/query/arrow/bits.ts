/** One bit per row, the first one in the lowest bit. */
export class Bits {
  #bytes = new Uint8Array(4_096);
  length = 0;
  ones = 0;

  /** A missing source stands for ones. */
  append(isSet: ((row: number) => boolean) | null, rows: number): void {
    const end = this.length + rows;
    if (end > this.#bytes.length * 8) {
      const grown = new Uint8Array(Math.max(this.#bytes.length * 2, Math.ceil(end / 8)));
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    for (let row = 0, at = this.length; row < rows; row++, at++) {
      if (isSet !== null && !isSet(row)) continue;
      // oxlint-disable-next-line typescript/no-non-null-assertion -- within the bytes, see above
      this.#bytes[at >> 3]! |= 1 << (at & 7);
      this.ones++;
    }
    this.length = end;
  }

  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, Math.ceil(this.length / 8));
    this.#bytes = new Uint8Array(this.#bytes.length);
    this.length = 0;
    this.ones = 0;
    return taken;
  }
}
