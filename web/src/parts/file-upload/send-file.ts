import { filesetUploads, partCount, partRange } from "@fairway/contract/fileset-uploads";
import { filesets } from "@fairway/contract/filesets";
import { call } from "#lib/gateway/call.ts";
import { checkConnection } from "#lib/gateway/connection.ts";
import { parseErrors } from "#lib/gateway/error-response.ts";
import { GatewayError } from "#lib/gateway/gateway-error.ts";
import { checksumOf } from "./checksum.ts";

interface Sending {
  readonly fileset: string;
  /** Path from the root of the fileset. */
  readonly path: string;
  readonly file: File;
  readonly signal: AbortSignal;
  /** Files of this size or larger are sent in parts. */
  readonly partsFromBytes: number;
  /** Receives 0 to 99: only the answer completes the file. */
  readonly onPercent: (percent: number) => void;
  /** Called when everything is sent, and the portal works on the file. */
  readonly onSent: () => void;
  /** Receives the id of an upload in parts, which continues if this file is sent again. */
  readonly onStarted: (uploadId: string) => void;
  /** An upload in parts of which everything is sent, if only the answer was lost. */
  readonly sentUploadId: string | undefined;
}

/** The transfer failed without an answer. */
export class TransferBroken extends Error {
  override readonly name = "TransferBroken";
}

/** The browser can no longer read the file. */
export class FileUnreadable extends Error {
  override readonly name = "FileUnreadable";
}

/** Uploads one file. Rejects with a GatewayError, TransferBroken or FileUnreadable; an abort rejects with the signal's reason. */
export async function sendFile(sending: Sending): Promise<void> {
  const { fileset, path, file, signal, onSent, sentUploadId } = sending;
  if (sentUploadId !== undefined) return complete(fileset, sentUploadId, signal);
  if (file.size >= sending.partsFromBytes) return sendParts(sending);
  const { uploadUrl } = await call(filesets.uploadUrl, { params: { id: fileset }, query: { file: path } }, { signal });
  await put(uploadUrl, { ...sending, content: file, sentBytes: 0, headers: {}, onSent });
}

/** Skips the parts that an earlier attempt has sent, also before a reload of the page. */
async function sendParts(sending: Sending): Promise<void> {
  try {
    await sendMissingParts(sending);
  } catch (error) {
    const isIncomplete = error instanceof GatewayError && error.status === 409 && error.errors[0]?.path === "uploadId";
    if (!isIncomplete) throw error;
    // The rest of an interrupted part may have arrived late at the store, in place of the part that was sent again.
    await sendMissingParts(sending);
  }
}

async function sendMissingParts(sending: Sending): Promise<void> {
  const { fileset, path, file, signal, onPercent, onSent, onStarted } = sending;
  const body = { file: path, size: file.size, version: String(file.lastModified) };
  const { uploadId, partBytes, received } = await call(filesetUploads.start, { params: { id: fileset }, body }, { signal });
  onStarted(uploadId);
  const params = { id: fileset, uploadId };
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
    const partParams = { ...params, part: String(part) };
    const sendThis = () => sendPart(partParams, { ...sending, content, sentBytes, onSent: () => undefined });
    await sendThis().catch((error: unknown) => {
      // Damaged on its way, or a connection that lost its end.
      if (error instanceof GatewayError && error.status === 400) return sendThis();
      throw error;
    });
    sentBytes += end - start;
  }
  onSent();
  await complete(fileset, uploadId, signal);
}

/** Its checksum is named before, so that nothing but this content is stored. */
async function sendPart(params: { id: string; uploadId: string; part: string }, sending: Omit<Put, "headers">): Promise<void> {
  const { file, content, signal } = sending;
  const crc32c = await checksumOf(content, signal).catch(async (error: unknown) => {
    signal.throwIfAborted();
    throw (await unreadable(file)) ?? error;
  });
  const { uploadUrl, headers = {} } = await call(filesetUploads.partUrl, { params, query: { crc32c } }, { signal });
  const etag = await put(uploadUrl, { ...sending, headers });
  // The portal does not see what goes to the store.
  if (!isOwn(uploadUrl)) await call(filesetUploads.confirmPart, { params, body: { etag } }, { signal });
}

async function complete(fileset: string, uploadId: string, signal: AbortSignal): Promise<void> {
  await call(filesetUploads.complete, { params: { id: fileset, uploadId } }, { signal });
}

/** Discards what was sent of an upload in parts. */
export const discardUpload = (fileset: string, uploadId: string): Promise<void> =>
  call(filesetUploads.abort, { params: { id: fileset, uploadId } });

const isOwn = (address: string): boolean => new URL(address, location.origin).origin === location.origin;

const percentOf = (bytes: number, size: number): number => Math.min(99, Math.floor((bytes * 100) / Math.max(1, size)));

interface Put extends Pick<Sending, "file" | "signal" | "onPercent" | "onSent"> {
  readonly content: Blob;
  /** Bytes of the file that are sent already. */
  readonly sentBytes: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Resolves with the ETag of the answer, if the page may read it. */
function put(address: string, { file, content, sentBytes, headers, signal, onPercent, onSent }: Put): Promise<string | undefined> {
  // fetch reports no upload progress.
  const request = new XMLHttpRequest();
  let percent = percentOf(sentBytes, file.size);
  const abort = () => request.abort();
  return new Promise<string | undefined>((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener("abort", abort);
    request.upload.addEventListener("progress", ({ loaded, total, lengthComputable }) => {
      if (!lengthComputable) return;
      percent = percentOf(sentBytes + (loaded / Math.max(1, total)) * content.size, file.size);
      onPercent(percent);
    });
    request.upload.addEventListener("load", onSent);
    request.addEventListener("load", () => {
      const { status, responseText } = request;
      // A store does not expose it, and the browser would complain in its console.
      const seconds = Number((isOwn(address) ? request.getResponseHeader("retry-after") : null) ?? Number.NaN);
      const retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined;
      if (status < 300) resolve(/^etag: *(\S+)/im.exec(request.getAllResponseHeaders())?.[1]);
      else reject(new GatewayError(status, parseErrors(responseText), { retryAfterSeconds }));
    });
    request.addEventListener("abort", () => reject(signal.reason as Error));
    request.addEventListener("error", () => void failureOf(file, percent).then(reject, reject));
    request.open("PUT", new URL(address, location.origin).href);
    if (isOwn(address)) request.setRequestHeader("accept", "application/json");
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    onPercent(percent);
    request.send(content);
  }).finally(() => signal.removeEventListener("abort", abort));
}

/** Browsers report every failure alike. A file that has changed since it was chosen can no longer be read. */
async function failureOf(file: File, percent: number): Promise<Error> {
  const failure = await unreadable(file);
  if (failure !== undefined) return failure;
  checkConnection();
  return new TransferBroken(percent === 0 ? "The server could not be reached." : `The connection was lost at ${percent}%.`);
}

async function unreadable(file: File): Promise<FileUnreadable | undefined> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return undefined;
  } catch {
    return new FileUnreadable("The file was changed, moved or deleted after you chose it. Choose it again.");
  }
}
