import { partCount, partRange } from "@fairway/contract/fileset-uploads";
import { GatewayError } from "#lib/gateway/gateway-error.ts";
import { checksumOf } from "./checksum.ts";
import { isOwnAddress, percentOf, type Put, putContent, unreadable } from "./put-content.ts";

/** Where the parts of one file go. */
export interface PartsTarget {
  /** Bytes of every part but the last. */
  readonly partBytes: number;
  /** Numbers of the parts that are stored, from 1. */
  readonly received: readonly number[];
  /** Where a part with this checksum is sent. */
  readonly partUrl: (
    part: string,
    crc32c: string,
    signal: AbortSignal,
  ) => Promise<{ uploadUrl: string; headers?: Record<string, string> | undefined }>;
  /** Says that a part was sent to a file store, which the portal does not see. */
  readonly confirmPart: (part: string, etag: string | undefined, signal: AbortSignal) => Promise<unknown>;
}

type Sending = Pick<Put, "file" | "signal" | "onPercent">;

/** Sends the parts that are missing, one after the other. */
export async function sendMissingParts(target: PartsTarget, { file, signal, onPercent }: Sending): Promise<void> {
  const { partBytes, received } = target;
  const done = new Set(received);
  const bytesOf = (part: number): number => {
    const { start, end } = partRange(part, file.size, partBytes);
    return end - start;
  };
  let sentBytes = received.reduce((sum, part) => sum + bytesOf(part), 0);
  onPercent(percentOf(sentBytes, file.size));
  for (let part = 1; part <= partCount(file.size, partBytes); part += 1) {
    if (done.has(part)) continue;
    const { start, end } = partRange(part, file.size, partBytes);
    const content = file.slice(start, end);
    const sendThis = () => sendPart(target, String(part), { file, signal, onPercent, content, sentBytes, onSent: () => undefined });
    await sendThis().catch((error: unknown) => {
      // Damaged on its way, or a connection that lost its end.
      if (error instanceof GatewayError && error.status === 400) return sendThis();
      throw error;
    });
    sentBytes += end - start;
  }
}

/** Its checksum is named before, so that nothing but this content is stored. */
async function sendPart(target: PartsTarget, part: string, sending: Omit<Put, "headers">): Promise<void> {
  const { file, content, signal } = sending;
  const crc32c = await checksumOf(content, signal).catch(async (error: unknown) => {
    signal.throwIfAborted();
    throw (await unreadable(file)) ?? error;
  });
  const { uploadUrl, headers = {} } = await target.partUrl(part, crc32c, signal);
  const etag = await putContent(uploadUrl, { ...sending, headers });
  if (!isOwnAddress(uploadUrl)) await target.confirmPart(part, etag, signal);
}
