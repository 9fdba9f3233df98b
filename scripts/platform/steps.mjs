// @ts-check
// Steps of the checks that call both gateways of a platform.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { demoAccounts } from "@fairway/demo/accounts";
import { call, expectCall } from "../harness/calls.mjs";

/** A change reaches the other gateway by NOTIFY, or after 5 seconds if that is lost; longer on a busy machine. */
export const changeMs = 30_000;
/** Three million rows of a table take a minute, and several on a busy machine. */
export const jobMs = 600_000;
const pollMs = 50;

/** @typedef {{ a: string, b: string, administrator: string }} Gateways the origins of both, and a token */
/** @typedef {Readonly<Record<string, (gateways: Gateways) => Promise<void>>>} Checks by their names */

/** @param {string} name */
export function accountNamed(name) {
  const account = demoAccounts.users.find(({ username }) => username === name);
  return { username: account?.username ?? "", password: account?.password ?? "" };
}

/**
 * @param {string} origin
 * @param {string} token an administrator's
 * @param {object} [more] fields of the account
 */
export async function createAccount(origin, token, more = {}) {
  const account = { username: `guest-${randomUUID()}`, password: randomUUID() };
  const password = { setPassword: true, value: account.password, requirePasswordChange: false };
  const { id } = await expectCall(origin, "POST", "/admin/users", { token, body: { username: account.username, password, ...more } });
  return { id, account };
}

/**
 * @param {number} expected
 * @param {Parameters<typeof call>} args
 */
export async function expectStatus(expected, ...args) {
  const { status, text } = await call(...args);
  if (status !== expected) throw new Error(`${args[1]} ${args[2]} answered ${status} instead of ${expected}: ${text.slice(0, 300)}`);
}

/** Repeats a call that another one holds up. @param {Parameters<typeof call>} args */
export async function untilOk(...args) {
  await until(async () => {
    const { status, text } = await call(...args);
    if (status >= 300 && status !== 503) throw new Error(`${args[1]} ${args[2]} answered ${status}: ${text.slice(0, 300)}`);
    return status < 300;
  }, jobMs);
}

/**
 * @param {() => Promise<boolean>} isDone
 * @param {number} withinMs
 */
export async function until(isDone, withinMs) {
  for (const endMs = Date.now() + withinMs; Date.now() < endMs;) {
    if (await isDone()) return;
    await sleep(pollMs);
  }
  throw new Error(`it did not happen within ${withinMs / 1_000} s`);
}

/** @param {unknown} actual @param {unknown} expected */
export function expectEqual(actual, expected) {
  if (actual !== expected) throw new Error(`${String(actual).slice(0, 100)} instead of ${String(expected).slice(0, 100)}`);
}
