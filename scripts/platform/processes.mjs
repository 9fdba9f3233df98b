// @ts-check
import { once } from "node:events";
import { createServer } from "node:net";

/** @typedef {import("node:child_process").ChildProcess} ChildProcess */

/** @param {ChildProcess} child */
export const isRunning = (child) => child.exitCode === null && child.signalCode === null && child.pid !== undefined;

/**
 * Signals a process and waits until it has ended.
 * @param {ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
export async function end(child, signal) {
  if (!isRunning(child)) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

/**
 * Ends a process together with this one.
 * @param {ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
export function endWithThis(child, signal) {
  const kill = () => child.kill(signal);
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
}

/** A port of this machine that nobody listens on. */
export async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  return address === null || typeof address === "string" ? 0 : address.port;
}
