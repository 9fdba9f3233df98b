import { FairwayError } from "../client/index.ts";

/** A wrong call of the program. */
export class UsageError extends Error {}

export const exitCodes = { failed: 1, usage: 2, refused: 3, "not-found": 4, unreachable: 5, exists: 6, interrupted: 130 } as const;

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return exitCodes.usage;
  if (!(error instanceof FairwayError)) return exitCodes.failed;
  if (error.code === "invalid-argument") return exitCodes.usage;
  if (error.status === 401 || error.status === 403) return exitCodes.refused;
  if (error.code === "not-found" || error.code === "unreachable" || error.code === "exists") return exitCodes[error.code];
  return exitCodes.failed;
}

export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof FairwayError && error.status !== undefined ? `${message} (${error.status} ${error.code})` : message;
}
