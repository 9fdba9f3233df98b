// @ts-check
import { AsyncResource, createHook, executionAsyncResource } from "node:async_hooks";
import { existsSync, openSync, readSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { bodyTimeMs } from "./machine-speed.mjs";

/**
 * The longest stretch of JavaScript without a return to the event loop, how long the thread worked at most in a turn of the loop, and
 * how long it takes for the yardstick (`machine-speed.mjs`), measured before and after; the longer counts.
 * @typedef {{ ms: number, where: string, turnMs: number, bodyMs: number }} Slice
 */
/** @typedef {{ fromUs: number, toUs: number, cpuUs: number }} Stretch on the clock of V8, which is also that of `process.hrtime` */
/** @typedef {import("node:inspector").Profiler.Profile} Profile */

const intervalUs = 1_000;
/** Shorter stretches are not looked at. */
const leastUs = 10_000;
/** A gap between two samples that is longer says that the thread did not run. */
const maxGapUs = 10_000;
/** Entries of V8 that are not functions. The collection of garbage is not counted. */
const notOurs = new Set(["(idle)", "(program)", "(garbage collector)", "(root)"]);

/** Tells how long this thread has had a processor (Linux). On a busy machine it often waits for one. */
const threadTimes = existsSync("/proc/thread-self/schedstat") ? openSync("/proc/thread-self/schedstat", "r") : undefined;
const timesText = Buffer.alloc(64);
const cpuUs = () =>
  threadTimes === undefined
    ? nowUs()
    : Number.parseInt(timesText.toString("latin1", 0, readSync(threadTimes, timesText, 0, 64, 0)), 10) / 1_000;

/** How often the timer ticks if the event loop is free. */
const tickMs = 10;

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
  #fromCpuUs = 0;
  #longestTurnUs = 0;
  #bodyMs = 0;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #hook = createHook({
    before: () => {
      this.#depth += 1;
      if (this.#depth > 1 || isContinuation(executionAsyncResource())) return;
      this.#endStretch();
      this.#fromCpuUs = cpuUs();
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
    this.#bodyMs = bodyTimeMs(cpuUs);
    this.#stretches = [];
    this.#depth = 0;
    this.#fromCpuUs = cpuUs();
    this.#fromUs = nowUs();
    this.#lastUs = this.#fromUs;
    this.#longestTurnUs = 0;
    let tickCpuUs = cpuUs();
    this.#timer = setInterval(() => {
      const now = cpuUs();
      this.#longestTurnUs = Math.max(this.#longestTurnUs, now - tickCpuUs);
      tickCpuUs = now;
    }, tickMs);
    this.#hook.enable();
  }

  /** @returns {Promise<Slice>} */
  async stop() {
    this.#hook.disable();
    clearInterval(this.#timer);
    this.#endStretch();
    const bodyMs = Math.max(this.#bodyMs, bodyTimeMs(cpuUs));
    const { profile } = await this.#session.post("Profiler.stop");
    this.#session.disconnect();
    return { ...longestSlice(profile, this.#stretches), turnMs: this.#longestTurnUs / 1_000, bodyMs };
  }

  #endStretch() {
    if (this.#lastUs - this.#fromUs < leastUs) return;
    this.#stretches.push({ fromUs: this.#fromUs, toUs: this.#lastUs, cpuUs: cpuUs() - this.#fromCpuUs });
  }
}

/** Whether it goes on with what the event loop called: a promise, a microtask or `process.nextTick`. */
const isContinuation = (/** @type {object} */ resource) =>
  resource instanceof Promise || resource instanceof AsyncResource || ("callback" in resource && "args" in resource);

/**
 * @param {Profile} profile
 * @param {readonly Stretch[]} stretches
 * @returns {Omit<Slice, "turnMs" | "bodyMs">}
 */
function longestSlice({ nodes, startTime, samples = [], timeDeltas = [] }, stretches) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  let longest = { us: 0, ids: /** @type {number[]} */ ([]) };
  let index = 0;
  let atUs = startTime + (timeDeltas[0] ?? 0);
  for (const { fromUs, toUs, cpuUs } of stretches) {
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
    us = Math.min(us, cpuUs);
    if (us > longest.us) longest = { us, ids };
  }
  /** @type {Map<string, number>} */
  const times = new Map();
  for (const id of longest.ids) {
    // The innermost function of the portal, rather than one of a package that it calls.
    let at = /** @type {number | undefined} */ (id);
    while (at !== undefined && !isOwn(byId.get(at)?.callFrame.url ?? "")) at = parents.get(at);
    const frame = byId.get(at ?? id)?.callFrame;
    const location = frame === undefined ? "?" : `${frame.functionName || "anonymous"} (${frame.url.split("/").slice(-2).join("/")})`;
    times.set(location, (times.get(location) ?? 0) + 1);
  }
  const [where = "nothing"] = [...times].toSorted(([, one], [, other]) => other - one).map(([location]) => location);
  return { ms: longest.us / 1_000, where };
}

const isOwn = (/** @type {string} */ url) => /\/(gateway|contract)\/dist\//.test(url);
