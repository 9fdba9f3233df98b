import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { StartFailure } from "#process/start-failure.ts";

/** Source of a password. */
export type PasswordInput = NodeJS.ReadableStream & { readonly isTTY?: boolean };

/** The first line of the input; asked for, without showing it, if the input is a terminal. Throws StartFailure for an empty one. */
export async function readPassword(input: PasswordInput, ask: (question: string) => void): Promise<string> {
  const isTerminal = input.isTTY === true;
  if (isTerminal) ask("New password, which is not shown: ");
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: isTerminal });
  try {
    for await (const line of lines) {
      if (line !== "") return line;
      break;
    }
  } finally {
    lines.close();
    if (isTerminal) ask("\n");
  }
  throw new StartFailure("There is no password on standard input: pipe it in, or use --one-time-password.");
}
