import { checkConnection } from "#lib/gateway/connection.ts";
import { parseErrors } from "#lib/gateway/error-response.ts";
import { GatewayError } from "#lib/gateway/gateway-error.ts";

/** The transfer failed without an answer. */
export class TransferBroken extends Error {
  override readonly name = "TransferBroken";
}

/** The browser can no longer read the file. */
export class FileUnreadable extends Error {
  override readonly name = "FileUnreadable";
}

export interface Put {
  readonly file: File;
  /** The file or a part of it. */
  readonly content: Blob;
  /** Bytes of the file that are sent already. */
  readonly sentBytes: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Receives 0 to 99 of the file: only the answer completes it. */
  readonly onPercent: (percent: number) => void;
  /** Called when everything is sent. */
  readonly onSent: () => void;
}

/** Whether an address is one of the portal, and not of a file store. */
export const isOwnAddress = (address: string): boolean => new URL(address, location.origin).origin === location.origin;

export const percentOf = (bytes: number, size: number): number => Math.min(99, Math.floor((bytes * 100) / Math.max(1, size)));

/** Sends a content to an address. Resolves with the ETag of the answer, if the page may read it. */
export function putContent(
  address: string,
  { file, content, sentBytes, headers, signal, onPercent, onSent }: Put,
): Promise<string | undefined> {
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
      const seconds = Number((isOwnAddress(address) ? request.getResponseHeader("retry-after") : null) ?? Number.NaN);
      const retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined;
      if (status < 300) resolve(/^etag: *(\S+)/im.exec(request.getAllResponseHeaders())?.[1]);
      else reject(new GatewayError(status, parseErrors(responseText), { retryAfterSeconds }));
    });
    request.addEventListener("abort", () => reject(signal.reason as Error));
    request.addEventListener("error", () => void failureOf(file, percent).then(reject, reject));
    request.open("PUT", new URL(address, location.origin).href);
    if (isOwnAddress(address)) request.setRequestHeader("accept", "application/json");
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

export async function unreadable(file: File): Promise<FileUnreadable | undefined> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return undefined;
  } catch {
    return new FileUnreadable("The file was changed, moved or deleted after you chose it. Choose it again.");
  }
}
