// @ts-check
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Failure } from "./failure.mjs";

const execute = promisify(execFile);

/** @param {string} name */
export async function hasProgram(name) {
  return execute("sh", ["-c", 'command -v "$1"', "sh", name]).then(
    () => true,
    () => false,
  );
}

/**
 * Output of a program on stdout. Throws Failure with the end of what it wrote to stderr.
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<string>}
 */
export async function outputOf(program, args, options = {}) {
  try {
    const { stdout } = await execute(program, args, { maxBuffer: 256 * 1_048_576, ...options });
    return stdout.trim();
  } catch (error) {
    const { stderr = "" } = /** @type {{ stderr?: string }} */ (error);
    throw new Failure(`${program} ${args[0] ?? ""} failed.\n${stderr.slice(-2_000)}`);
  }
}
