import { vi } from "vitest";

/** Lets everything that waits on answers already given run its course. */
export const settled = (): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, 0);
  });

export interface Asked {
  method: string;
  /** Path below `/api`, with its percent-encoding. */
  path: string;
  body: unknown;
  signal: AbortSignal | null;
  /** Answers with JSON, or with the text as it is. */
  answer(json: unknown, status?: number): Promise<void>;
  refuse(status: number, message: string): Promise<void>;
}

/** Stands in for the network: every call waits until the test answers it, in any order. An abort rejects it like a browser does. */
export function fakeGateway() {
  const asked: Asked[] = [];
  vi.stubGlobal("fetch", (url: string, init: RequestInit = {}) => {
    const { signal = null } = init;
    const answered = new EventTarget();
    const promise = new Promise<Response>((resolve, reject) => {
      answered.addEventListener("answer", (event) => resolve((event as CustomEvent<Response>).detail));
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
    const resolve = (response: Response): boolean => answered.dispatchEvent(new CustomEvent("answer", { detail: response }));
    asked.push({
      method: init.method ?? "GET",
      path: url.replace(/^\/api/, ""),
      body: typeof init.body === "string" ? (JSON.parse(init.body) as unknown) : undefined,
      signal,
      answer: (json, status = 200) => {
        resolve(new Response(typeof json === "string" ? json : JSON.stringify(json), { status }));
        return settled();
      },
      refuse: (status, message) => {
        resolve(new Response(JSON.stringify({ errors: [{ code: "invalid-value", message }] }), { status }));
        return settled();
      },
    });
    return promise;
  });
  return {
    asked,
    /** The newest call whose path ends so. */
    last(ending: string): Asked {
      const found = asked.findLast(({ path }) => path.endsWith(ending));
      if (!found) throw new Error(`Nothing asked for …${ending}; asked: ${asked.map(({ path }) => path).join(", ")}`);
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
  // `Object.keys(sessionStorage)` names the entries in a browser.
  const proxy = new Proxy(storage, {
    ownKeys: () => [...entries.keys()],
    getOwnPropertyDescriptor: (_, key) =>
      entries.has(String(key)) ? { enumerable: true, configurable: true, value: entries.get(String(key)) } : undefined,
  });
  vi.stubGlobal("sessionStorage", proxy);
  return proxy as unknown as Storage;
}
