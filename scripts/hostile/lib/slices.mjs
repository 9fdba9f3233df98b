// @ts-check
import { AsyncResource, createHook, executionAsyncResource } from "node:async_hooks";
import { Session } from "node:inspector/promises";

/** @typedef {{ ms: number, where: string }} Slice the longest stretch of JavaScript without a return to the event loop */
/** @typedef {{ fromUs: number, toUs: number }} Stretch on the clock of V8, which is also that of `process.hrtime` */
/** @typedef {import("node:inspector").Profiler.Profile} Profile */

const intervalUs = 1_000;
/** Shorter stretches are not looked at. */
const leastUs = 10_000;
/** A gap between two samples that is longer says that the thread did not run. */
const maxGapUs = 10_000;
/** What V8 names besides functions. The collection of garbage is not counted. */
const notOurs = new Set(["(idle)", "(program)", "(garbage collector)", "(root)"]);

const nowUs = () => Number(process.hrtime.bigint() / 1_000n);

/**
 * Traces this process: when the event loop calls into JavaScript and gets control back, by hooks, and which functions ran meanwhile,
 * by samples.
 */
export class SliceTrace {
  #session = new Session();
  /** @type {Stretch[]} */
  #stretches = [];
  #depth = 0;
  #fromUs = 0;
  #lastUs = 0;
  #hook = createHook({
    before: () => {
      this.#depth += 1;
      if (this.#depth > 1 || isContinuation(executionAsyncResource())) return;
      this.#endStretch();
      this.#fromUs = nowUs();
    },
    after: () => {
      this.#depth -= 1;
      if (this.#depth <= 0) this.#lastUs = nowUs();
    },
  });

  async start() {
    this.#session.connect();
    await this.#session.post("Profiler.enable");
    await this.#session.post("Profiler.setSamplingInterval", { interval: intervalUs });
    await this.#session.post("Profiler.start");
    this.#stretches = [];
    this.#depth = 0;
    this.#fromUs = nowUs();
    this.#lastUs = this.#fromUs;
    this.#hook.enable();
  }

  /** @returns {Promise<Slice>} */
  async stop() {
    this.#hook.disable();
    this.#endStretch();
    const { profile } = await this.#session.post("Profiler.stop");
    this.#session.disconnect();
    return longestSlice(profile, this.#stretches);
  }

  #endStretch() {
    if (this.#lastUs - this.#fromUs >= leastUs) this.#stretches.push({ fromUs: this.#fromUs, toUs: this.#lastUs });
  }
}

/** Whether it goes on with what the event loop called: a promise, a microtask or `process.nextTick`. */
const isContinuation = (/** @type {object} */ resource) =>
  resource instanceof Promise || resource instanceof AsyncResource || ("callback" in resource && "args" in resource);

/**
 * @param {Profile} profile
 * @param {readonly Stretch[]} stretches
 * @returns {Slice}
 */
export function longestSlice({ nodes, startTime, samples = [], timeDeltas = [] }, stretches) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  let longest = { us: 0, ids: /** @type {number[]} */ ([]) };
  let index = 0;
  let atUs = startTime + (timeDeltas[0] ?? 0);
  for (const { fromUs, toUs } of stretches) {
    let us = 0;
    /** @type {number[]} */
    const ids = [];
    for (; index < samples.length && atUs < toUs; index += 1) {
      const id = samples[index] ?? 0;
      // The time until the next sample was spent in this one.
      const gapUs = timeDeltas[index + 1] ?? 0;
      if (atUs >= fromUs && !notOurs.has(byId.get(id)?.callFrame.functionName ?? "(root)")) {
        us += Math.min(gapUs, maxGapUs);
        ids.push(id);
      }
      atUs += gapUs;
    }
    if (us > longest.us) longest = { us, ids };
  }
  /** @type {Map<string, number>} */
  const times = new Map();
  for (const id of longest.ids) {
    // The innermost function of the portal, rather than one of a package that it calls.
    let at = /** @type {number | undefined} */ (id);
    while (at !== undefined && !isOwn(byId.get(at)?.callFrame.url ?? "")) at = parents.get(at);
    const frame = byId.get(at ?? id)?.callFrame;
    const place = frame === undefined ? "?" : `${frame.functionName || "anonymous"} (${frame.url.split("/").slice(-2).join("/")})`;
    times.set(place, (times.get(place) ?? 0) + 1);
  }
  const [where = "nothing"] = [...times].toSorted(([, one], [, other]) => other - one).map(([place]) => place);
  return { ms: longest.us / 1_000, where };
}

const isOwn = (/** @type {string} */ url) => /\/(gateway|contract)\/dist\//.test(url);
