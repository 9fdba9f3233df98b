// @ts-check
import { spawn } from "node:child_process";
import { checkout } from "./checkout.mjs";
import { Failure } from "./failure.mjs";

/**
 * Runs a program to completion; its output is printed only if it fails.
 * @param {string} what for the error message, such as "The build"
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<void>}
 */
export async function run(what, program, args, { cwd = checkout, env = process.env } = {}) {
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], shell: process.platform === "win32" });
  /** @type {Buffer[]} */
  const output = [];
  child.stdout.on("data", (chunk) => output.push(chunk));
  child.stderr.on("data", (chunk) => output.push(chunk));
  const outcome = await new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => resolve(code === 0 ? "done" : (signal ?? `code ${code}`)));
  });
  if (outcome === "done") return;
  process.stderr.write(Buffer.concat(output));
  throw new Failure(`${what} failed (${outcome}).`);
}
