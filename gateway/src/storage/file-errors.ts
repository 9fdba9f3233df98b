import { systemCode } from "#process/system-code.ts";

export const isCode = (error: unknown, ...codes: readonly string[]): boolean => codes.includes(systemCode(error) ?? "");

/** Also true if a part of the path is a file instead of a folder. */
export const isMissing = (error: unknown): boolean => isCode(error, "ENOENT", "ENOTDIR", "EISDIR");

/** For `catch`: undefined for what does not exist. */
export function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}
