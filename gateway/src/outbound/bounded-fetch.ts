import { type IncomingMessage, type RequestOptions, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { AddressPolicy } from "./address-policy.ts";

/** An answer that no one reads to its end: larger than allowed, or encoded although nobody asked for it. */
export class AnswerRefused extends Error {
  override readonly name = "AnswerRefused";
}

interface BoundedCall {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Ends the call, however far it came. */
  readonly signal: AbortSignal;
}

/**
 * Like `fetch`, for small answers of services that an operator names: only to addresses of the policy, never on to another
 * address, on a connection of its own, and with no more of an answer in memory than `maxBytes`.
 */
export async function boundedFetch(policy: AddressPolicy, maxBytes: number, url: URL, call: BoundedCall): Promise<Response> {
  policy.requireAllowed(url);
  const { method, headers, body, signal } = call;
  const options = { method, headers: { ...headers, "accept-encoding": "identity" }, agent: false, lookup: policy.lookup, signal };
  const answer = await answerOf(url, options, body);
  const bytes = await readAll(answer, maxBytes);
  const status = answer.statusCode ?? 0;
  if (status < 200 || status > 599) throw new AnswerRefused(`the answer has the status ${status}`);
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : bytes, { status, headers: { "content-type": answer.headers["content-type"] ?? "" } });
}

function answerOf(url: URL, options: RequestOptions, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === "https:" ? httpsRequest : httpRequest)(url, options, resolve);
    request.once("error", reject);
    request.end(body);
  });
}

async function readAll(answer: IncomingMessage, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const encoding = answer.headers["content-encoding"];
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    if (encoding !== undefined && encoding !== "identity") throw new AnswerRefused(`the answer is encoded as ${encoding.slice(0, 20)}`);
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBytes) throw new AnswerRefused(`the answer is larger than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
  } finally {
    answer.destroy();
  }
  return Buffer.concat(chunks);
}
