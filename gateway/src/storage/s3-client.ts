import { Readable } from "node:stream";
import { S3Client } from "@aws-sdk/client-s3";
import { describeCall } from "#tracing/describe-call.ts";
import { traced } from "#tracing/trace.ts";
import { Turns } from "#turns/turns.ts";
import { boundAnswers } from "./s3-answers.ts";
import { type S3Address, type S3Settings, regionOf, usesPathStyle } from "./s3-settings.ts";

export interface S3Clients {
  readonly reader: S3Client;
  /** For uploads, whose time depends on their size. */
  readonly writer: S3Client;
  close(): void;
}

/** Calls that await their response; more wait. Downloads count until their first byte. */
const callsAtOnce = 64;
const callsPerCaller = 32;

/** The SDK writes some warnings to the console otherwise. Failures are logged where calls are answered. */
const ignore = () => {};
const logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Clients that call allowed addresses only. */
export function openS3Clients(address: S3Address, settings: S3Settings): S3Clients {
  const { credentials, addresses, limits } = settings;
  const agent = { lookup: addresses.lookup, keepAlive: true, maxSockets: Infinity };
  const open = (timeouts: { requestTimeout?: number; socketTimeout: number }, maxAttempts: number): S3Client =>
    new S3Client({
      endpoint: address.url,
      region: regionOf(address),
      forcePathStyle: usesPathStyle(address, settings),
      ...(credentials && { credentials }),
      // Other servers store checksums of streams as content, and presigned addresses would contain that of an empty body.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      maxAttempts,
      logger,
      requestHandler: {
        connectionTimeout: limits.storeConnectMs,
        throwOnRequestTimeout: true,
        ...timeouts,
        httpAgent: agent,
        httpsAgent: agent,
      },
    });
  // The socket of a download is idle while its reader waits.
  const reader = open({ requestTimeout: limits.storeReadMs, socketTimeout: 0 }, 2);
  const writer = open({ socketTimeout: limits.storeReadMs }, 3);
  for (const client of [reader, writer]) {
    boundAnswers(client, limits.storeReadMs);
    const turns = new Turns(
      { turns: callsAtOnce, perOwner: callsPerCaller, queue: Infinity, queuePerOwner: Infinity, waitMs: Infinity },
      { subject: "The S3 service", work: "calls" },
    );
    client.middlewareStack.add(
      (next, { commandName = "S3" }) =>
        (call) => {
          const send = () => {
            const url = new URL(address.url);
            // A host that is a number is not looked up.
            addresses.requireAllowed(url);
            return traced(
              () => describeCall("S3", commandName, url),
              () => next(call),
            );
          };
          // Content that is passed on lasts as long as its sender likes. Uploads have turns of their own.
          return "Body" in call.input && call.input.Body instanceof Readable ? send() : turns.run(send);
        },
      { step: "initialize", name: "requireAllowedAddress" },
    );
  }
  return {
    reader,
    writer,
    close: () => {
      reader.destroy();
      writer.destroy();
    },
  };
}
