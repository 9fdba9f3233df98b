import { filesets } from "@fairway/contract/filesets";
import { call } from "#lib/call.ts";
import { checkConnection } from "#lib/connection.ts";
import { parseErrors } from "#lib/error-response.ts";
import { GatewayError } from "#lib/gateway-error.ts";

interface Sending {
  readonly fileset: string;
  /** Path from the root of the fileset. */
  readonly path: string;
  readonly file: File;
  readonly signal: AbortSignal;
  /** Receives 0 to 99: only the answer completes the file. */
  readonly onPercent: (percent: number) => void;
}

/** The transfer failed without an answer. */
export class TransferBroken extends Error {
  override readonly name = "TransferBroken";
}

/** Uploads one file. Rejects with a GatewayError or TransferBroken; an abort rejects with the signal's reason. */
export async function sendFile({ fileset, path, file, signal, onPercent }: Sending): Promise<void> {
  const { uploadUrl } = await call(filesets.uploadUrl, { params: { id: fileset }, query: { file: path } }, { signal });
  const url = new URL(uploadUrl, location.origin);
  const { status, responseText, retryAfterSeconds } = await put(url, file, signal, onPercent);
  if (status >= 300) throw new GatewayError(status, parseErrors(responseText), { retryAfterSeconds });
}

interface Answer {
  status: number;
  responseText: string;
  retryAfterSeconds: number | undefined;
}

function put(url: URL, file: File, signal: AbortSignal, onPercent: (percent: number) => void): Promise<Answer> {
  // fetch reports no upload progress.
  const request = new XMLHttpRequest();
  let percent = 0;
  const abort = () => request.abort();
  return new Promise<Answer>((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener("abort", abort);
    request.upload.addEventListener("progress", ({ loaded, total, lengthComputable }) => {
      if (!lengthComputable) return;
      percent = Math.min(99, Math.floor((loaded * 100) / total));
      onPercent(percent);
    });
    request.addEventListener("load", () => {
      const seconds = Number(request.getResponseHeader("retry-after") ?? Number.NaN);
      const retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined;
      resolve({ status: request.status, responseText: request.responseText, retryAfterSeconds });
    });
    request.addEventListener("abort", () => reject(signal.reason as Error));
    request.addEventListener("error", () => void reasonOf(file, percent).then((reason) => reject(new TransferBroken(reason)), reject));
    request.open("PUT", url.href);
    if (url.origin === location.origin) request.setRequestHeader("accept", "application/json");
    onPercent(0);
    request.send(file);
  }).finally(() => signal.removeEventListener("abort", abort));
}

/** Browsers report every failure alike. A file that has changed since it was chosen can no longer be read. */
async function reasonOf(file: File, percent: number): Promise<string> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch {
    return "The file was changed, moved or deleted after you chose it. Choose it again.";
  }
  checkConnection();
  return percent === 0 ? "The server could not be reached." : `The connection was lost at ${percent}%.`;
}
