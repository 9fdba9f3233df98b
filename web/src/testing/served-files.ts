import { vi } from "vitest";

/** Answers requests for files below `/files/`, ranges included; every other call goes on to the gateway of the test. */
export function serveFiles(files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>) {
  const requests: { name: string; range: string | null }[] = [];
  const failing = new Set<string>();
  const others = globalThis.fetch;
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const name = /\/files\/(.+)$/.exec(url)?.[1];
    const content = name === undefined ? undefined : files[decodeURIComponent(name)];
    if (name === undefined || content === undefined) return others(input, init);
    const range = new Headers(init?.headers).get("range");
    requests.push({ name, range });
    if (failing.has(name)) return Promise.resolve(new Response("{}", { status: 503 }));
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
    if (start === undefined || end === undefined) return Promise.resolve(new Response(bytes));
    return Promise.resolve(new Response(bytes.slice(Number(start), Number(end) + 1), { status: 206 }));
  });
  return {
    requests,
    /** Makes requests for a file fail until it is called again with `false`. */
    fail: (name: string, fails = true) => void (fails ? failing.add(name) : failing.delete(name)),
  };
}
