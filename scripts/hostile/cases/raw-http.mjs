// @ts-check
import { exchange } from "../lib/raw.mjs";

export const name = "Ambiguous requests for request smuggling, and other malformed HTTP";

const smuggled = "GET /api/health/ready HTTP/1.1\r\nHost: localhost\r\n\r\n";
const post = (/** @type {string[]} */ headers, /** @type {string} */ body) =>
  `POST /api/auth/logout HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers.map((header) => `${header}\r\n`).join("")}\r\n${body}`;
const get = (/** @type {string} */ line, /** @type {string[]} */ headers = ["Host: localhost"]) =>
  `${line}\r\n${headers.map((header) => `${header}\r\n`).join("")}\r\n`;

/** Each must be refused, and the request hidden in its body must not be answered. */
const refused = {
  "a length and chunks": post([`Content-Length: ${smuggled.length + 5}`, "Transfer-Encoding: chunked"], `0\r\n\r\n${smuggled}`),
  "two lengths": post(["Content-Length: 0", `Content-Length: ${smuggled.length}`], smuggled),
  "a list of lengths": post([`Content-Length: 0, ${smuggled.length}`], smuggled),
  "a negative length": post(["Content-Length: -1"], smuggled),
  "a length with a sign": post(["Content-Length: +2"], `{}${smuggled}`),
  "a hexadecimal length": post(["Content-Length: 0x2"], `{}${smuggled}`),
  "a space before the colon": post(["Transfer-Encoding : chunked"], `0\r\n\r\n${smuggled}`),
  "an unknown transfer coding": post(["Transfer-Encoding: xchunked"], `0\r\n\r\n${smuggled}`),
  "chunked that is not the last coding": post(["Transfer-Encoding: chunked, identity"], `0\r\n\r\n${smuggled}`),
  "chunked twice": post(["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"], `0\r\n\r\n${smuggled}`),
  "a folded header": post(["Transfer-Encoding:\r\n chunked"], `0\r\n\r\n${smuggled}`),
  "a chunk of a negative size": post(["Transfer-Encoding: chunked"], `-1\r\n${smuggled}`),
  "a chunk size beyond 64 bits": post(["Transfer-Encoding: chunked"], `${"f".repeat(20)}\r\n${smuggled}`),
  "a bare line feed in a header": "GET /api/profile HTTP/1.1\nHost: localhost\nX: y\n\n",
  "a bare carriage return": get("GET /api/profile HTTP/1.1", ["Host: localhost", "X: a\rb"]),
  "a null byte in a header": get("GET /api/profile HTTP/1.1", ["Host: localhost", "X: a\0b"]),
  "two hosts": get("GET /api/health/live HTTP/1.1", ["Host: localhost", "Host: evil.example"]),
  "no host": get("GET /api/health/live HTTP/1.1", []),
  "another host": get("GET /api/metrics HTTP/1.1", ["Host: evil.example"]),
  "another host in the target": get("GET http://evil.example/api/metrics HTTP/1.1"),
  "an unannounced HTTP/2 preface": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "HTTP/9.9": get("GET /api/health/live HTTP/9.9"),
  "a TLS client hello": `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${"\x00".repeat(50)}`,
  "a target of 100 kB": get(`GET /${"a".repeat(100_000)} HTTP/1.1`),
  "a header of 100 kB": get("GET /api/health/live HTTP/1.1", ["Host: localhost", `X: ${"a".repeat(100_000)}`]),
  "3,000 headers": get("GET /api/profile HTTP/1.1", ["Host: localhost", ...Array.from({ length: 3_000 }, (_, n) => `X-${n}: 1`)]),
  "an unknown method": get("BREW /api/auth/login HTTP/1.1"),
  TRACE: get("TRACE /api/auth/login HTTP/1.1"),
};

/** @param {import("../run.mjs").Context} context */
export async function run({ portal }) {
  /** @type {Record<string, number>} */
  const statuses = {};
  /** @type {string[]} */
  const problems = [];
  const outcome = await portal.measure(async () => {
    for (const [shape, bytes] of Object.entries(refused)) {
      const text = await exchange(portal, bytes);
      const found = [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
      for (const status of found) statuses[status] = (statuses[status] ?? 0) + 1;
      // Closing the connection without an answer is a refusal, too.
      if (found.length > 1 || found.some((status) => status < 400 || status >= 500) || text.includes('"checks"')) {
        problems.push(`${shape}: ${found.join(", ")}`);
      }
    }
    const note = `${Object.keys(refused).length} shapes refused, none answered twice`;
    return problems.length === 0 ? note : { note: "", problem: problems.join("; ") };
  });
  return { ...outcome, calls: Object.keys(refused).length, statuses };
}
