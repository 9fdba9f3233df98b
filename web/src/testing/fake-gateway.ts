import { vi } from "vitest";

/** Waits until all pending continuations of answered calls have run. */
export const settleRequests = (): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, 0);
  });

export interface FakeCall {
  method: string;
  /** Path below `/api`, percent-encoded. */
  path: string;
  body: unknown;
  signal: AbortSignal | null;
  /** Answers with JSON, or with a raw text. */
  answer(json: unknown, status?: number): Promise<void>;
  refuse(status: number, message: string): Promise<void>;
}

/** A fake network: every call waits until the test answers it, in any order. An abort rejects the call, as in a browser. */
export function fakeGateway() {
  const calls: FakeCall[] = [];
  vi.stubGlobal("fetch", (url: string, init: RequestInit = {}) => {
    const { signal = null } = init;
    const answered = new EventTarget();
    const promise = new Promise<Response>((resolve, reject) => {
      answered.addEventListener("answer", (event) => resolve((event as CustomEvent<Response>).detail));
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
    const resolve = (response: Response): boolean => answered.dispatchEvent(new CustomEvent("answer", { detail: response }));
    calls.push({
      method: init.method ?? "GET",
      path: url.replace(/^\/api/, ""),
      body: typeof init.body === "string" ? (JSON.parse(init.body) as unknown) : undefined,
      signal,
      answer: (json, status = 200) => {
        resolve(new Response(typeof json === "string" ? json : JSON.stringify(json), { status }));
        return settleRequests();
      },
      refuse: (status, message) => {
        resolve(new Response(JSON.stringify({ errors: [{ code: "invalid-value", message }] }), { status }));
        return settleRequests();
      },
    });
    return promise;
  });
  return {
    calls,
    /** The latest call with this path ending. */
    last(ending: string): FakeCall {
      const found = calls.findLast(({ path }) => path.endsWith(ending));
      if (!found) throw new Error(`No call to …${ending}; calls: ${calls.map(({ path }) => path).join(", ")}`);
      return found;
    },
  };
}

/** Session storage for tests that run without a browser. */
export function fakeSessionStorage(): Storage {
  const entries = new Map<string, string>();
  const storage = {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  };
  // In a browser, `Object.keys(sessionStorage)` lists the entries.
  const proxy = new Proxy(storage, {
    ownKeys: () => [...entries.keys()],
    getOwnPropertyDescriptor: (_, key) =>
      entries.has(String(key)) ? { enumerable: true, configurable: true, value: entries.get(String(key)) } : undefined,
  });
  vi.stubGlobal("sessionStorage", proxy);
  return proxy as unknown as Storage;
}
