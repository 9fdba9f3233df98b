import { type LiveMessage, liveMessage } from "@fairway/contract/live";
import { onTestFinished, vi } from "vitest";

/** A stream of live changes, read as a browser does. */
export interface LiveReader {
  readonly headers: Headers;
  /** Messages received so far. */
  readonly messages: readonly LiveMessage[];
  /** The same as text, with comments and fields. */
  readonly text: () => string;
  /** Resolves once a message like this was received. */
  untilReceived(expected: Partial<LiveMessage>): Promise<void>;
  /** Resolves when the gateway has ended the stream; rejects if it breaks. */
  readonly ended: Promise<void>;
  leave(): void;
}

/** Opens a stream and waits until nothing is missed any more. */
export async function readLive(address: string, token: string): Promise<LiveReader> {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const response = await fetch(address, { headers: { authorization: `Bearer ${token}` }, signal: leaving.signal });
  if (!response.ok || response.body === null) throw new Error(`${response.status} ${await response.text()}`);
  const messages: LiveMessage[] = [];
  let text = "";
  let parsed = 0;
  const read = async (body: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      for (let end = text.indexOf("\n\n", parsed); end >= 0; end = text.indexOf("\n\n", parsed)) {
        const data = /^data: (.*)$/m.exec(text.slice(parsed, end))?.[1];
        parsed = end + 2;
        if (data !== undefined) messages.push(liveMessage.parse(JSON.parse(data)));
      }
    }
  };
  const ended = read(response.body);
  ended.catch(() => undefined);
  const isLike = (expected: object, message: object) =>
    Object.entries(expected).every(([name, value]) => (message as Record<string, unknown>)[name] === value);
  const reader: LiveReader = {
    headers: response.headers,
    messages,
    text: () => text,
    untilReceived: async (expected) =>
      void (await vi.waitUntil(() => messages.some((one) => isLike(expected, one)), { timeout: 20_000, interval: 10 })),
    ended,
    leave: () => leaving.abort(),
  };
  await reader.untilReceived({ kind: "open" });
  return reader;
}
