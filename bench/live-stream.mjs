// @ts-check
// What people cost the gateway who only have a tab open: told of changes by a stream, or asking once a minute.
import { readFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Caller, expectOk } from "./lib/caller.mjs";
import { median } from "./lib/statistics.mjs";

/**
 * @typedef {object} LiveStreamResult
 * @property {number} people
 * @property {number} seconds
 * @property {number} idleCpuMs CPU time of the gateway per minute without anybody
 * @property {number} streamCpuMs per person and minute, beyond that
 * @property {number} openCpuMs to open one stream
 * @property {number} pollCpuMs per person and minute, beyond that
 * @property {{ stream: number, poll: number }} callsPerMinute of one person
 * @property {number} changeMs from the answer to a change until the stream has told of it, median
 * @property {number} slowestChangeMs
 */

const pollIntervalMs = 60_000;
/** Until an access token of half an hour is about to expire. */
const streamMinutes = 29;
const changes = 20;

/**
 * @param {{ origin: string, pid: number, usernames: readonly string[], people: number, seconds: number }} options
 * @returns {Promise<LiveStreamResult>}
 */
export async function measureLiveStream({ origin, pid, usernames, people, seconds }) {
  const callers = await Promise.all(usernames.map((username) => Caller.signIn(origin, username)));
  /** @type {(person: number) => Caller} */
  const callerOf = (person) => /** @type {Caller} */ (callers[person % callers.length]);
  const cpuPerMinute = async (/** @type {() => Promise<unknown>} */ work) => {
    const before = await cpuMs(pid);
    await work();
    return ((await cpuMs(pid)) - before) / (seconds / 60);
  };
  const pause = () => sleep(seconds * 1_000);

  await sleep(2_000);
  const idle = await cpuPerMinute(pause);

  const polling = await cpuPerMinute(async () => {
    const until = performance.now() + seconds * 1_000;
    await Promise.all(
      Array.from({ length: people }, async (_, person) => {
        // Spread over the minute, as tabs are.
        await sleep((person / people) * pollIntervalMs);
        for (;;) {
          expectOk(await callerOf(person).call("GET", "/notifications"));
          if (performance.now() + pollIntervalMs > until) return;
          await sleep(pollIntervalMs);
        }
      }),
    );
  });

  const agent = new Agent({ keepAlive: true });
  const beforeOpening = await cpuMs(pid);
  const streams = await Promise.all(Array.from({ length: people }, (_, person) => openStream(origin, agent, callerOf(person).token ?? "")));
  await sleep(1_000);
  const opening = (await cpuMs(pid)) - beforeOpening;
  const streaming = await cpuPerMinute(pause);

  /** @type {number[]} */
  const delays = [];
  for (let turn = 0; turn < changes; turn++) {
    const told = /** @type {NonNullable<(typeof streams)[number]>} */ (streams[0]).next("notifications");
    expectOk(await callerOf(0).call("PUT", "/notifications/read", { all: true }));
    const answered = performance.now();
    delays.push((await told) - answered);
    await sleep(300);
  }
  agent.destroy();
  for (const caller of callers) caller.close();
  const openCpuMs = opening / people;
  return {
    people,
    seconds,
    idleCpuMs: idle,
    streamCpuMs: Math.max(0, streaming - idle) / people,
    openCpuMs,
    pollCpuMs: (polling - idle) / people,
    // While a stream is open, a tab asks every ten minutes in case that the stream misses something.
    callsPerMinute: { stream: 1 / streamMinutes + 1 / 10, poll: 1 },
    changeMs: median(delays),
    slowestChangeMs: Math.max(...delays),
  };
}

/**
 * Resolves once the stream is open. `next` resolves with the time at which the stream tells of the topic.
 * @param {string} origin
 * @param {Agent} agent
 * @param {string} token
 * @returns {Promise<{ next: (topic: string) => Promise<number> }>}
 */
function openStream(origin, agent, token) {
  /** @type {Set<(text: string) => void>} */
  const listeners = new Set();
  const next = (/** @type {string} */ topic) =>
    new Promise((resolve) => {
      const listener = (/** @type {string} */ text) => {
        if (!text.includes(`"topic":"${topic}"`)) return;
        listeners.delete(listener);
        resolve(performance.now());
      };
      listeners.add(listener);
    });
  return new Promise((resolve, reject) => {
    const call = request(`${origin}/api/live`, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`the stream was answered with ${response.statusCode}`));
      response.setEncoding("utf8");
      response.on("data", (text) => {
        if (text.includes('"kind":"open"')) resolve({ next: /** @type {(topic: string) => Promise<number>} */ (next) });
        for (const listener of listeners) listener(text);
      });
      response.on("error", () => undefined);
    });
    call.once("error", reject);
    call.end();
  });
}

/** User and system time of the process so far. @param {number} pid */
async function cpuMs(pid) {
  const text = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  // In ticks of ten milliseconds.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
