// @ts-check
/** A seeded random number generator (mulberry32), so that every run can be reproduced. */
export class Random {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed;
  }

  /** From 0 to below 1. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /**
   * @template T
   * @param {readonly T[]} values
   * @returns {T}
   */
  pick(values) {
    return /** @type {T} */ (values[Math.floor(this.next() * values.length)]);
  }

  /** @param {number} chance from 0 to 1 */
  isHit(chance) {
    return this.next() < chance;
  }
}
