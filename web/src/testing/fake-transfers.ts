import { vi } from "vitest";

/** A PUT of a file, whose progress and answer the test controls. */
export class FakeTransfer extends EventTarget {
  /** Oldest first. */
  static sent: FakeTransfer[] = [];
  readonly upload = new EventTarget();
  readonly headers = new Map<string, string>();
  readonly #answered = new Map<string, string>();
  status = 0;
  responseText = "";
  url = "";
  aborted = false;
  file: File | null = null;

  open(method: string, url: string): void {
    this.url = `${method} ${url}`;
  }

  setRequestHeader(name: string, value: string): void {
    this.headers.set(name, value);
  }

  getResponseHeader(name: string): string | null {
    return this.#answered.get(name) ?? null;
  }

  getAllResponseHeaders(): string {
    return [...this.#answered].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  }

  send(file: File): void {
    this.file = file;
    FakeTransfer.sent.push(this);
  }

  abort(): void {
    this.aborted = true;
    this.dispatchEvent(new Event("abort"));
  }

  progress(percent: number): void {
    this.upload.dispatchEvent(new ProgressEvent("progress", { lengthComputable: true, loaded: percent, total: 100 }));
  }

  answer(status: number, body: unknown = {}, headers: Readonly<Record<string, string>> = {}): void {
    for (const [name, value] of Object.entries(headers)) this.#answered.set(name, value);
    Object.assign(this, { status, responseText: JSON.stringify(body) });
    this.dispatchEvent(new Event("load"));
  }

  /** Ends without an answer, as when the connection is lost. */
  break(): void {
    this.dispatchEvent(new Event("error"));
  }
}

/** Replaces XMLHttpRequest until the test calls `vi.unstubAllGlobals`. */
export function fakeTransfers(): void {
  FakeTransfer.sent = [];
  vi.stubGlobal("XMLHttpRequest", FakeTransfer);
}

/** Waits for the transfer of a file with this name that is sent after those before `from`. */
export async function transferOf(name: string, from = 0): Promise<FakeTransfer> {
  return vi.waitUntil(() => FakeTransfer.sent.slice(from).find(({ file }) => file?.name === name), { timeout: 10_000 });
}
