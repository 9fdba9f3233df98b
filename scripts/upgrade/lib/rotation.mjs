// @ts-check

/** @typedef {import("./portal.mjs").Portal} Portal */

/** The gateways that a balancer without affinity sends calls to, in turn. */
export class Rotation {
  /** @type {Portal[]} */
  #members = [];
  #turn = 0;
  /** @type {Map<Portal, number>} */
  #running = new Map();
  /** @type {Map<Portal, () => void>} */
  #onIdle = new Map();

  /** @param {Portal} portal */
  add(portal) {
    this.#members.push(portal);
  }

  /**
   * Resolves once the gateway has answered the calls that it had received.
   * @param {Portal} portal
   * @returns {Promise<void>}
   */
  remove(portal) {
    this.#members = this.#members.filter((member) => member !== portal);
    if (!this.#running.has(portal)) return Promise.resolve();
    return new Promise((resolve) => this.#onIdle.set(portal, resolve));
  }

  /**
   * @template Result
   * @param {(portal: Portal) => Promise<Result>} work that one gateway does
   * @returns {Promise<Result>}
   */
  async use(work) {
    const portal = this.#members[this.#turn++ % this.#members.length];
    if (portal === undefined) throw new Error("no gateway serves");
    this.#running.set(portal, (this.#running.get(portal) ?? 0) + 1);
    try {
      return await work(portal);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(`at ${portal.name}: ${message}\n${await portal.logAbout(message)}`.trim(), { cause: error });
    } finally {
      const left = (this.#running.get(portal) ?? 0) - 1;
      if (left > 0) this.#running.set(portal, left);
      else {
        this.#running.delete(portal);
        this.#onIdle.get(portal)?.();
        this.#onIdle.delete(portal);
      }
    }
  }
}
