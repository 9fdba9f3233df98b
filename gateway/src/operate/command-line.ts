import { parseArgs } from "node:util";
import { StartFailure } from "#start-failure.ts";

interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** 0 = done, nothing wrong; 1 = problems found, or not done; 2 = wrong usage. */
export type ExitCode = 0 | 1 | 2;

const help = `Usage: npm run fairway -- COMMAND [options]

Commands for operators. They read the portal's environment variables and settings file: run them as the portal's user with
the same environment.

  doctor          Checks settings, address, folder, database, key, clocks, certificates and services, and says what to do.
                  Works while the portal runs and while it is stopped.
    --json        Prints the findings as JSON.
    --demo        Checks the demo (npm start) instead of a portal of npm run start:production.

  help            Prints this text.

Exit codes: 0 = done, no problems; 1 = there are problems, or the command could not do its work; 2 = wrong usage.
`;

/** Runs one command of `npm run fairway`. */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  { out, err }: Output,
): Promise<ExitCode> {
  const [command = "help", ...rest] = args;
  try {
    if (command === "doctor") return await doctor(rest, env, out);
    if (["help", "--help", "-h"].includes(command) || rest.includes("--help")) {
      out(help);
      return 0;
    }
    err(`There is no command '${command}'.\n\n${help}`);
    return 2;
  } catch (error) {
    if (error instanceof WrongUsage) {
      err(`${error.message}\nnpm run fairway -- help lists the commands and their options.\n`);
      return 2;
    }
    err(`${error instanceof StartFailure ? error.message : `The command failed unexpectedly: ${String(error)}`}\n`);
    return 1;
  }
}

class WrongUsage extends Error {}

async function doctor(args: readonly string[], env: Readonly<Record<string, string | undefined>>, out: Output["out"]): Promise<ExitCode> {
  const { values } = parsed(() =>
    parseArgs({ args: [...args], options: { json: { type: "boolean" }, demo: { type: "boolean" }, help: { type: "boolean" } } }),
  );
  if (values.help === true) {
    out(help);
    return 0;
  }
  const [{ examine }, { reportJson, reportText }] = await Promise.all([import("./doctor.ts"), import("./doctor-report.ts")]);
  const findings = await examine(env, { demo: values.demo === true });
  out(values.json === true ? reportJson(findings) : reportText(findings));
  return findings.some(({ level }) => level === "problem") ? 1 : 0;
}

function parsed<Parsed>(parse: () => Parsed): Parsed {
  try {
    return parse();
  } catch (error) {
    throw new WrongUsage(error instanceof Error ? error.message : String(error));
  }
}
