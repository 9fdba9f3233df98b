import { Readable } from "node:stream";
import { runCommand } from "#operate/command-line.ts";
import type { Finding } from "#operate/finding.ts";

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command for operators with this text on its standard input. */
export async function operatorCommand(args: string[], env: Record<string, string> = {}, input = ""): Promise<Outcome> {
  let [out, err] = ["", ""];
  const code = await runCommand(args, env, {
    out: (text) => (out += text),
    err: (text) => (err += text),
    input: Readable.from([input]),
  });
  return { code, out, err };
}

interface Report {
  readonly code: number;
  readonly findings: readonly Finding[];
  readonly problems: number;
  /** The findings of a check at a level, a line each. */
  readonly of: (check: string, level?: Finding["level"]) => string;
}

/** Runs the doctor on no fixed port. */
export async function doctor(env: Record<string, string>): Promise<Report> {
  const { code, out } = await operatorCommand(["doctor", "--json"], { PORT: "0", ...env });
  const { findings, problems } = JSON.parse(out) as Report;
  const of: Report["of"] = (check, level) =>
    findings
      .filter((finding) => finding.check === check && (level === undefined || finding.level === level))
      .map(({ what }) => what)
      .join("\n");
  return { code, findings, problems, of };
}
