// @ts-check
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { listen } from "../../lib/processes.mjs";

/** @typedef {import("node:http").IncomingMessage} Request */
/** @typedef {import("node:http").ServerResponse} Response */
/** @typedef {(response: Response) => void} Lie */

const megabyte = Buffer.alloc(1_000_000, " ");
const nested = "[".repeat(100_000) + "]".repeat(100_000);

/**
 * Writes as fast as it is read, until the caller hangs up.
 * @param {{ write: (chunk: Buffer) => boolean, once: (event: "drain", run: () => void) => void, destroyed: boolean }} target
 * @param {Buffer} chunk
 */
function pour(target, chunk) {
  while (!target.destroyed) {
    if (target.write(chunk)) continue;
    target.once("drain", () => pour(target, chunk));
    return;
  }
}

/** @param {Response} response @param {() => void} write */
function keepWriting(response, write) {
  const timer = setInterval(write, 50);
  response.on("close", () => clearInterval(timer));
}

/**
 * Lies of a server in place of an answer. `inner` is an address that must not be called.
 * @param {string} inner
 * @returns {Readonly<Record<string, Lie>>}
 */
export const liesTo = (inner) => ({
  "never answers": () => {},
  "sends a byte now and then": (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    keepWriting(response, () => response.write(" "));
  },
  "sends a header now and then": (response) => {
    response.socket?.write("HTTP/1.1 200 OK\r\n");
    keepWriting(response, () => response.socket?.write("x-more: 1\r\n"));
  },
  "sends gigabytes": (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    pour(response, megabyte);
  },
  "sends gigabytes in pieces of one byte": (response) => {
    response.socket?.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n");
    if (response.socket) pour(response.socket, Buffer.from("1\r\n \r\n".repeat(10_000)));
  },
  "announces an answer for ever": (response) => {
    if (response.socket) pour(response.socket, Buffer.from("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(2_000)));
  },
  "sends headers without end": (response) => {
    response.socket?.write("HTTP/1.1 200 OK\r\n");
    if (response.socket) pour(response.socket, Buffer.from(`x-more: ${"1".repeat(1_000)}\r\n`.repeat(100)));
  },
  "redirects to an inner address": (response) => void response.writeHead(307, { location: inner }).end(),
  "redirects to the cloud's metadata": (response) =>
    void response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data" }).end(),
  "answers with HTML": (response) => void response.writeHead(200, { "content-type": "text/html" }).end("<h1>Sign in</h1>"),
  "answers with nested lists": (response) => void response.writeHead(200, { "content-type": "application/json" }).end(nested),
  "answers with another type": (response) => void response.writeHead(200, { "content-type": "image/png" }).end(megabyte.subarray(0, 100)),
  "answers with null": (response) => void response.writeHead(200, { "content-type": "application/json" }).end("null"),
  "compresses its answer": (response) => void response.writeHead(200, { "content-encoding": "gzip" }).end(megabyte.subarray(0, 1_000)),
  "ends halfway": (response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "1000" }).write("{");
    setTimeout(() => response.destroy(), 50);
  },
  "hangs up": (response) => void response.destroy(),
  "does not speak HTTP": (response) => void response.socket?.end("220 mail.example ESMTP\r\n"),
  "answers with 500": (response) => void response.writeHead(500, { "content-type": "text/plain" }).end("out of order"),
});

/** Answers that are not refused before their time is over. */
export const isSlow = (/** @type {string} */ lie) => /^never|now and then$/.test(lie);

/**
 * Starts a server on this machine.
 * @param {(request: Request, body: string, response: Response) => void} answer
 * @param {{ key: string, cert: string }} [certificate] default: plain HTTP
 */
export async function openServer(answer, certificate) {
  const listener = (/** @type {Request} */ request, /** @type {Response} */ response) => {
    let body = "";
    // The portal hangs up on most lies.
    response.on("error", () => {});
    request.socket.on("error", () => {});
    request.setEncoding("utf8").on("data", (chunk) => (body += chunk));
    request.on("end", () => answer(request, body, response));
  };
  const secure = certificate && createSecureServer(certificate, listener);
  const server = secure ?? createServer(listener);
  const port = await listen(server);
  /** Of later connections. @param {{ key: string, cert: string }} next */
  const useCertificate = (next) => secure?.setSecureContext(next);
  return { useCertificate, port, close: () => server.closeAllConnections() ?? server.close() };
}

/** A server that must not be called. */
export async function openInner() {
  /** @type {string[]} */
  const calls = [];
  const { port, close } = await openServer((request, _, response) => {
    calls.push(`${request.method} ${request.url}`);
    response.end("a secret of the inner network");
  });
  return { url: `http://127.0.0.1:${port}/`, calls, close };
}
