// @ts-check

/** Something the person at the terminal can mend; the message is what they read. */
export class Failure extends Error {}

/** @param {unknown} error */
export function isMissing(error) {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
