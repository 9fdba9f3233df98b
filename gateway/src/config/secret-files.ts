import { readFileSync } from "node:fs";
import { systemCode } from "#process/system-code.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads secrets from files, as container platforms mount them: `NAME_FILE` is the path of a file with the value of `NAME`. The
 * line break at its end is not part of the value. Returns the environment without the `NAME_FILE` variables, and a sentence for
 * each problem.
 */
export function withSecretFiles(environment: Environment, names: readonly string[]): { env: Environment; problems: string[] } {
  const env: Record<string, string | undefined> = { ...environment };
  const problems: string[] = [];
  for (const name of names) {
    const fileVariable = `${name}_FILE`;
    const path = env[fileVariable];
    delete env[fileVariable];
    if (!path) continue;
    if (env[name]) {
      problems.push(`${name} and ${fileVariable} are both set: expected one of them.`);
      continue;
    }
    try {
      env[name] = readFileSync(path, "utf8").replace(/\r?\n$/, "");
    } catch (error) {
      problems.push(`${fileVariable} is ${JSON.stringify(path)}: the file cannot be read (${systemCode(error) ?? "unknown"}).`);
      continue;
    }
    if (!env[name]) problems.push(`${fileVariable} is ${JSON.stringify(path)}: the file is empty.`);
  }
  return { env, problems };
}
