import { connect } from "node:net";
import type { ErrorBody } from "@fairway/contract/errors";

export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly errors: ErrorBody["errors"] | undefined;
}

/** Sends exactly these bytes over a new socket and reads the response until the gateway closes it. */
export async function rawCall(port: number, request: string): Promise<RawResponse> {
  const text = await new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, "127.0.0.1", () => socket.write(request, "latin1"));
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("close", () => resolve(Buffer.concat(chunks).toString()));
  });
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [line = "", ...lines] = head.split("\r\n");
  const body = rest.join("\r\n\r\n");
  return {
    status: Number(line.split(" ")[1]),
    headers: Object.fromEntries(
      lines.map((text) => [text.slice(0, text.indexOf(":")).toLowerCase(), text.slice(text.indexOf(":") + 1).trim()]),
    ),
    body,
    errors: body.startsWith('{"errors"') ? (JSON.parse(body) as ErrorBody).errors : undefined,
  };
}

/** A request without a body that closes its connection. */
export const rawRequest = (method: string, target: string, headers: readonly string[] = ["Host: localhost"], version = "1.1"): string =>
  [`${method} ${target} HTTP/${version}`, ...headers, "Connection: close", "", ""].join("\r\n");
