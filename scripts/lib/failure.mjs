// @ts-check

/** An error that is printed to the terminal without a stack trace. */
export class Failure extends Error {}

/** @param {unknown} error */
export function isMissing(error) {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
