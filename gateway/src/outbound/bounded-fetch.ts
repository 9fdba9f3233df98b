import { type IncomingMessage, type RequestOptions, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { AddressPolicy } from "./address-policy.ts";

/** The response is too large, has an unexpected encoding or an invalid status. */
export class ResponseRefused extends Error {
  override readonly name = "ResponseRefused";
}

interface BoundedCall {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Aborts the call at any stage. */
  readonly signal: AbortSignal;
}

/**
 * Like `fetch`, for small responses of configured services: only calls addresses that the policy allows, does not follow
 * redirects, uses a new connection, and reads at most `maxBytes`.
 */
export async function boundedFetch(policy: AddressPolicy, maxBytes: number, url: URL, call: BoundedCall): Promise<Response> {
  policy.requireAllowed(url);
  const { method, headers, body, signal } = call;
  const options = { method, headers: { ...headers, "accept-encoding": "identity" }, agent: false, lookup: policy.lookup, signal };
  const response = await send(url, options, body);
  const bytes = await readAll(response, maxBytes);
  const status = response.statusCode ?? 0;
  if (status < 200 || status > 599) throw new ResponseRefused(`the answer has the status ${status}`);
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : bytes, { status, headers: { "content-type": response.headers["content-type"] ?? "" } });
}

function send(url: URL, options: RequestOptions, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === "https:" ? httpsRequest : httpRequest)(url, options, resolve);
    request.once("error", reject);
    request.end(body);
  });
}

async function readAll(response: IncomingMessage, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const encoding = response.headers["content-encoding"];
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    if (encoding !== undefined && encoding !== "identity") throw new ResponseRefused(`the answer is encoded as ${encoding.slice(0, 20)}`);
    for await (const chunk of response as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBytes) throw new ResponseRefused(`the answer is larger than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
  } finally {
    response.destroy();
  }
  return Buffer.concat(chunks);
}
