/** The portal cannot start, or cannot go on, for a reason the operator can act on. The message is the one sentence they read. */
export class StartFailure extends Error {
  override readonly name = "StartFailure";
}

/** The system's code of a failed call, such as `ENOSPC`. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
