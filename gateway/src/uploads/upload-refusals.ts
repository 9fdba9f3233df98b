import type { Limits } from "@fairway/contract/limits";
import type { FastifyBaseLogger } from "fastify";
import { Refusal } from "#http/refusal.ts";
import { isCode } from "#storage/file-errors.ts";
import { FileInfected } from "#storage/file-scanner.ts";
import { FileTooLarge, NameTaken, PartDamaged } from "#storage/storage.ts";

export const infectedMessage = "The scanner of this portal found something harmful in this file, so it was not stored.";

/** The message to a user about a file that could not be stored. */
export function uploadRefusal(error: unknown, path: string, { uploadMaxBytes }: Pick<Limits, "uploadMaxBytes">): unknown {
  if (error instanceof FileTooLarge) return Refusal.fileTooLarge(uploadMaxBytes, "file");
  if (error instanceof FileInfected) return new Refusal("infected", infectedMessage, { path: "file", cause: error });
  if (error instanceof PartDamaged) {
    return new Refusal("invalid-value", "The part does not match its checksum. Send it again.", {
      path: "part",
      cause: error,
    });
  }
  if (error instanceof NameTaken) {
    return new Refusal("conflict", `There is a folder '${path}', or a file with the name of one of its folders.`, { path: "file" });
  }
  if (isCode(error, "ENOSPC", "EDQUOT")) {
    return new Refusal("no-room", "The portal's storage is full, so the file cannot be stored. Tell an administrator.", { path: "file" });
  }
  return error;
}

/** The audit log has the call; this has the file and what the scanner says. */
export function noteInfected(error: unknown, log: Pick<FastifyBaseLogger, "warn">, file: Readonly<Record<string, string>>): void {
  if (error instanceof FileInfected) log.warn({ ...file, scanner: error.message }, "an infected file was refused");
}

export const addressNotValid = () =>
  new Refusal("forbidden", "This upload address is not valid or has expired. Request a new one.", { path: "signature" });

export const noRoom = ({ userDailyUploadBytes }: Pick<Limits, "userDailyUploadBytes">) =>
  new Refusal(
    "no-room",
    `You may upload ${userDailyUploadBytes.toLocaleString("en-US")} bytes within 24 hours, and this file would exceed that. Try again later.`,
    { path: "file" },
  );
