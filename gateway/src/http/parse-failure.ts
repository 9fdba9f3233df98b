import type { Socket } from "node:net";
import { STATUS_CODES } from "node:http";
import type { ErrorBody } from "@fairway/contract/errors";
import type { KnownPaths } from "./known-paths.ts";
import { Refusal } from "./refusal.ts";

interface ParseFailure extends Error {
  readonly code?: string;
  /** The bytes that Node could not parse. */
  readonly rawPacket?: unknown;
}

/** A request line with a method that Node's parser may not know. */
const requestLine = /^([A-Z][A-Z\d_-]{0,30}) (\/[^\s\0]*) HTTP\/1\.[01]\r?\n/;

/** Responds to input that Node cannot parse as HTTP. There is no request object, so no hooks run. */
export function answerParseFailure(failure: ParseFailure, socket: Socket, paths: KnownPaths): void {
  if (failure.code === "ECONNRESET" || !socket.writable) return;
  const refusal = refusalOf(failure, paths);
  const body: ErrorBody = { errors: refusal.errors.map((error) => ({ ...error })) };
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(text)}`,
    ...(refusal.allow === undefined ? [] : [`allow: ${refusal.allow.join(", ")}`]),
    "cache-control: no-store",
    "x-content-type-options: nosniff",
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${text}`);
}

function refusalOf({ code, rawPacket }: ParseFailure, paths: KnownPaths): Refusal {
  const [, method, path] =
    (code === "HPE_INVALID_METHOD" && Buffer.isBuffer(rawPacket) && requestLine.exec(rawPacket.toString("latin1"))) || [];
  if (method === undefined || path === undefined) return new Refusal("invalid-request", "The request is not valid HTTP.");
  return paths.refusal(method, path);
}
