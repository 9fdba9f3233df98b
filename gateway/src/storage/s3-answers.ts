import type { Readable } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";

/** A page of a listing has at most some megabytes: 1,000 keys of 1,024 bytes, with their escapes. */
const maxAnswerBytes = 8_000_000;

/** S3 answers it at once, and sends blanks for as long as it takes, which can be minutes. */
const slowCommand = "CompleteMultipartUploadCommand";
const slowMs = 1_800_000;

/** An HTTP response, as the middleware of the SDK passes it on. */
interface Answered {
  readonly statusCode: number;
  body: unknown;
}

/**
 * Lets a client read answers only in time and up to a size. The SDK reads everything but the content of files into memory, for as long
 * as the service sends.
 */
export function boundAnswers(client: S3Client, maxWaitMs: number): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (call) => {
        const answered = await next(call);
        const response = answered.response as Answered;
        const isContent = commandName === "GetObjectCommand" && response.statusCode < 300;
        if (!isContent && isReadable(response.body))
          response.body = await readAll(response.body, commandName === slowCommand ? slowMs : maxWaitMs);
        return answered;
      },
    // Before the SDK reads it.
    { step: "deserialize", priority: "low", name: "boundAnswers" },
  );
}

const isReadable = (body: unknown): body is Readable => typeof body === "object" && body !== null && Symbol.asyncIterator in body;

async function readAll(body: Readable, maxWaitMs: number): Promise<Uint8Array> {
  const tooSlow = () =>
    body.destroy(Object.assign(new Error(`the answer was not complete within ${maxWaitMs} ms`), { name: "TimeoutError" }));
  const timer = setTimeout(tooSlow, maxWaitMs);
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of body as AsyncIterable<Buffer>) {
      length += part.length;
      if (length > maxAnswerBytes)
        throw Object.assign(new Error(`the answer is larger than ${maxAnswerBytes} bytes`), { name: "AnswerTooLarge" });
      parts.push(part);
    }
  } finally {
    clearTimeout(timer);
    body.destroy();
  }
  return new Uint8Array(Buffer.concat(parts));
}
