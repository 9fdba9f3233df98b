import { Readable } from "node:stream";
import { runCommand } from "#operate/command-line.ts";

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command for operators with this text on its standard input. */
export async function operatorCommand(args: string[], env: Record<string, string>, input = ""): Promise<Outcome> {
  let [out, err] = ["", ""];
  const code = await runCommand(args, env, {
    out: (text) => (out += text),
    err: (text) => (err += text),
    input: Readable.from([input]),
  });
  return { code, out, err };
}
