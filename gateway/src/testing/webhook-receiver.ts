import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export const above = { condition: { kind: "above", rows: 10 } } as const;

export const patience = { timeout: 10_000, interval: 10 };

export interface Post {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** A receiver of webhooks. `answers` are the statuses of the next posts, then 204; `hang`: no answer. */
export async function receiver() {
  const posts: Post[] = [];
  const answers: (number | "hang")[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      posts.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      const status = answers.shift() ?? 204;
      if (status === "hang") return;
      response.writeHead(status, status === 302 ? { location: "http://169.254.169.254/latest/meta-data" } : {}).end();
    });
  };
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { posts, answers, port, url: `http://127.0.0.1:${port}/hook?token=hush` };
}

export const eventsOf = (posts: readonly Post[]) =>
  posts.map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> });
