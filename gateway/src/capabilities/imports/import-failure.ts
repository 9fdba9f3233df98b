import type { ImportFailure } from "@fairway/contract/imports";
import { Refusal } from "#http/refusal.ts";
import { EngineFailed, UnreadableData } from "#query/engine.ts";
import { isCode } from "#storage/file-errors.ts";
import { StoreFailed } from "#storage/storage.ts";

/** The failure as users see it. */
export function failureOf(error: unknown): ImportFailure {
  if (error instanceof Refusal) {
    const [first] = error.errors;
    return { kind: error.code, message: error.message, ...(first?.path === undefined ? {} : { path: first.path }) };
  }
  if (error instanceof UnreadableData) return { kind: "invalid-request", message: `The file cannot be read: ${error.detail}.` };
  if (error instanceof EngineFailed) {
    if (error.cause instanceof StoreFailed) return { kind: "not-ready", message: error.message };
    const cause = error.cause instanceof UnreadableData ? error.cause : undefined;
    return { kind: "invalid-request", message: cause === undefined ? error.message : `The file cannot be read: ${cause.detail}.` };
  }
  if (error instanceof StoreFailed) return { kind: "not-ready", message: error.message };
  if (isCode(error, "ENOSPC", "EDQUOT"))
    return { kind: "no-room", message: "The portal's storage is full, so the file cannot be stored. Tell an administrator." };
  return { kind: "internal", message: "Something went wrong. Try again; if this continues, tell an administrator." };
}
