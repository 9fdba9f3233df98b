import { apiBase } from "@fairway/contract/api";

/** The activity of the page, as counts that only grow. */
export interface Activity {
  calls: number;
  answers: number;
  changes: number;
}

export const byText = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

export interface RequestLog {
  readonly activity: Activity;
  /** Ends the step and returns its calls. Parallel ones come in any order. */
  endStep(): Promise<string[]>;
  close(): void;
}

/** Logs the calls to the gateway and counts what happens on the page. Opened after the gateway, whose `fetch` it wraps. */
export function openRequestLog(): RequestLog {
  const answer = globalThis.fetch;
  const activity: Activity = { calls: 0, answers: 0, changes: 0 };
  let step: Promise<string>[] = [];
  const logging: typeof fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, location.origin);
    activity.calls += 1;
    if (url.origin === location.origin && url.pathname.startsWith(`${apiBase}/`))
      step.push(lineOf(init?.method ?? "GET", url.pathname.slice(apiBase.length) + url.search, init?.body));
    try {
      return await answer(input, init);
    } finally {
      activity.answers += 1;
    }
  };
  globalThis.fetch = logging;
  const observer = new MutationObserver((changes) => {
    activity.changes += changes.length;
  });
  observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  return {
    activity,
    endStep: async () => {
      const lines = await Promise.all(step);
      step = [];
      return lines;
    },
    close: () => {
      observer.disconnect();
      if (globalThis.fetch === logging) globalThis.fetch = answer;
    },
  };
}

async function lineOf(method: string, path: string, body: BodyInit | null | undefined): Promise<string> {
  if (body === undefined || body === null) return `${method} ${path}`;
  const bytes = await new Response(body instanceof FormData ? namesOf(body) : body).arrayBuffer();
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `${method} ${path} ${[...hash.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** The boundary between parts of a form is random. */
const namesOf = (form: FormData): string =>
  JSON.stringify(Array.from(form, ([name, value]) => [name, value instanceof File ? [value.name, value.size] : value]));
