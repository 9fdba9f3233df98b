import { runCommand } from "#operate/command-line.ts";

/** Entry point of a command for operators, for tests that kill one. */
process.exitCode = await runCommand(process.argv.slice(2), process.env, {
  out: (text) => void process.stdout.write(text),
  input: process.stdin,
  err: (text) => void process.stderr.write(text),
});
