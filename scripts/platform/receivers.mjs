// @ts-check
// A mail server and a receiver of traces, as an organization has them beside the portal.
import { createServer } from "node:http";
import { mailPassword, openMailServer } from "@fairway/gateway/testing/mail-server";
import { listen } from "../lib/processes.mjs";

/** @typedef {import("@fairway/gateway/testing/mail-server").ReceivedMail} ReceivedMail */
/** @typedef {Awaited<ReturnType<typeof startReceivers>>} Receivers */

/** Receives emails, and spans as OTLP/HTTP with JSON. */
export async function startReceivers() {
  /** @type {ReceivedMail[]} */
  const mails = [];
  /** Names of the spans of each service. There are too many spans to keep them. @type {Map<string, Set<string>>} */
  const spans = new Map();
  const mail = await openMailServer((received) => mails.push(received));
  const traces = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (/** @type {string} */ chunk) => (text += chunk));
    request.on("end", () => {
      for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
        const service = resource.attributes.find((/** @type {{ key: string }} */ { key }) => key === "service.name")?.value.stringValue;
        const names = spans.get(service) ?? new Set();
        spans.set(service, names);
        for (const { spans: received } of scopeSpans) for (const { name } of received) names.add(name);
      }
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  const tracesPort = await listen(traces);
  return {
    /** @type {readonly ReceivedMail[]} */
    mails,
    /** @type {ReadonlyMap<string, ReadonlySet<string>>} */
    spans,
    variables: {
      FAIRWAY_SMTP_URL: `smtp://portal:${encodeURIComponent(mailPassword)}@127.0.0.1:${mail.port}`,
      FAIRWAY_SMTP_FROM: "portal@fairway.example",
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${tracesPort}`,
    },
    async close() {
      traces.closeAllConnections();
      traces.close();
      await mail.close();
    },
  };
}

/** @param {string} gateway */
export const serviceOf = (gateway) => `fairway-${gateway}`;
