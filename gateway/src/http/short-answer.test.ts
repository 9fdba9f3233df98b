import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { shortOrStream } from "./short-answer.ts";

/** Yields texts, then ends. A pause before a text lasts for more than one turn of the event loop. */
async function* texts(...parts: readonly (string | { readonly pauseMs: number })[]): AsyncGenerator<string> {
  for (const part of parts) {
    if (typeof part === "string") yield part;
    else await sleep(part.pauseMs);
  }
}

/** Rows whose reader has to end them. */
function endless(onEnd: () => void): AsyncIterable<string> {
  return (async function* rows() {
    try {
      for (;;) {
        yield "row,";
        await sleep(5);
      }
    } finally {
      onEnd();
    }
  })();
}

const textOf = async (body: Buffer | Readable): Promise<string> => {
  if (!(body instanceof Readable)) return body.toString();
  const parts: string[] = [];
  for await (const part of body) parts.push(String(part));
  return parts.join("");
};

describe("an answer", () => {
  it("is whole if it is short and complete at once", async () => {
    expect(await shortOrStream(texts('{"results":[', "1,2", "]}"))).toEqual(Buffer.from('{"results":[1,2]}'));
    expect(await shortOrStream(["é", "b"])).toEqual(Buffer.from("éb"));
    expect(await shortOrStream(texts())).toEqual(Buffer.alloc(0));
  });

  it("is whole if it is bytes", async () => {
    const bytes = [new Uint8Array([1, 2]), "A"] as unknown as Iterable<string>;
    expect(await shortOrStream(bytes)).toEqual(Buffer.from([1, 2, 65]));
  });

  it.each([
    ["its next part takes time", () => texts("first,", { pauseMs: 5 }, "second"), "first,second"],
    ["its first part takes time", () => texts({ pauseMs: 5 }, "first"), "first"],
    ["it is long", () => texts("x".repeat(40_000), "y"), `${"x".repeat(40_000)}y`],
  ])("is a stream of the same text if %s", async (_why, chunks, text) => {
    const body = await shortOrStream(chunks());
    expect(body).toBeInstanceOf(Readable);
    expect(await textOf(body)).toBe(text);
  });

  it("fails as a whole if it fails at once, and while it is read if it fails later", async () => {
    const failing = async function* rows(pauseMs: number) {
      yield "first";
      if (pauseMs > 0) await sleep(pauseMs);
      throw new Error("the disk is gone");
    };
    await expect(shortOrStream(failing(0))).rejects.toThrow("the disk is gone");
    const body = await shortOrStream(failing(5));
    await expect(textOf(body)).rejects.toThrow("the disk is gone");
  });

  it("ends its rows if the reader leaves, also before it has read any", async () => {
    for (const readsFirst of [true, false]) {
      let isEnded = false;
      const body = (await shortOrStream(endless(() => (isEnded = true)))) as Readable;
      if (readsFirst) await new Promise((resolve) => body.once("data", resolve));
      body.destroy();
      await sleep(20);
      expect({ readsFirst, isEnded }).toEqual({ readsFirst, isEnded: true });
    }
  });
});
