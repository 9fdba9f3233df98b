import { currentToken } from "#lib/gateway/call.ts";
import { checkConnection } from "#lib/gateway/connection.ts";
import { parseErrors } from "#lib/gateway/error-response.ts";
import { GatewayError } from "#lib/gateway/gateway-error.ts";
import type { PreviewFile } from "./preview-type.ts";

/** The header that authorizes requests of libraries that load by themselves. */
export async function authorization(): Promise<Record<string, string>> {
  const token = await currentToken();
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

/** The bytes of a file from `start` up to, without, `end`. Throws GatewayError if the file cannot be read. */
export async function loadBytes(
  { downloadUrl, size }: PreviewFile,
  signal: AbortSignal,
  { start = 0, end = size }: { start?: number; end?: number } = {},
): Promise<ArrayBuffer> {
  const headers = await authorization();
  const isPart = start > 0 || end < size;
  if (isPart) headers["range"] = `bytes=${start}-${end - 1}`;
  try {
    const response = await fetch(downloadUrl, { headers, signal });
    if (!response.ok) throw new GatewayError(response.status, parseErrors(await response.text()));
    if (isPart && response.status !== 206) return await readStart(response, start, end);
    return await response.arrayBuffer();
  } catch (cause) {
    if (signal.aborted || cause instanceof GatewayError) throw cause;
    checkConnection();
    throw new GatewayError(0, [], { cause });
  }
}

/** A server that ignores ranges sends the whole file: read only as much of it as is needed. */
async function readStart(response: Response, start: number, end: number): Promise<ArrayBuffer> {
  if (!response.body) return new ArrayBuffer(0);
  const reader = response.body.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  while (received < end) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    received += value.length;
  }
  await reader.cancel();
  return new Blob(chunks).slice(start, end).arrayBuffer();
}
