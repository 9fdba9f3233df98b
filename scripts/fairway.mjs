// @ts-check
// `npm run fairway -- COMMAND`: commands for operators. What installing and building say goes to stderr, so that stdout is the
// command's own.
import process from "node:process";
import { ensureBuilt } from "./lib/build.mjs";
import { Failure } from "./lib/failure.mjs";
import { ensureInstalled } from "./lib/install.mjs";

/** @param {string} line */
const log = (line) => console.error(line);

try {
  await ensureInstalled(log);
  await ensureBuilt(log);
  // Makes all files private.
  process.umask(0o077);
  const { runCommand } = await import("@fairway/gateway/operate/command-line");
  process.exitCode = await runCommand(process.argv.slice(2), process.env, {
    out: (text) => void process.stdout.write(text),
    input: process.stdin,
    err: (text) => void process.stderr.write(text),
  });
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
