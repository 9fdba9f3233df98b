// Minimal types of packages that are installed on demand, so that types and lint work without them.

declare module "autocannon" {
  interface Result {
    readonly requests: { readonly average: number };
    readonly non2xx: number;
    readonly errors: number;
  }
  export default function autocannon(options: {
    url: string;
    connections: number;
    duration: number;
    headers?: Record<string, string>;
  }): Promise<Result>;
}

declare module "puppeteer-core" {
  export interface Page {
    goto(url: string): Promise<unknown>;
    setViewport(size: { width: number; height: number }): Promise<void>;
    waitForSelector(selector: string, options?: { timeout?: number; hidden?: boolean }): Promise<unknown>;
    waitForFunction<Arguments extends unknown[]>(
      run: (...values: Arguments) => unknown,
      options: { timeout?: number; polling?: number },
      ...values: Arguments
    ): Promise<unknown>;
    evaluateOnNewDocument(run: () => void): Promise<unknown>;
    click(selector: string, options?: { count?: number }): Promise<void>;
    readonly keyboard: {
      down(key: string): Promise<void>;
      up(key: string): Promise<void>;
      press(key: string): Promise<void>;
      type(text: string): Promise<void>;
    };
    readonly mouse: {
      move(x: number, y: number, options?: { steps: number }): Promise<void>;
      down(): Promise<void>;
      up(): Promise<void>;
    };
    readonly tracing: { start(options: { categories: string[] }): Promise<void>; stop(): Promise<Uint8Array | undefined> };
    createCDPSession(): Promise<ProtocolSession>;
    evaluate<Arguments extends unknown[], Answer>(run: (...values: Arguments) => Answer, ...values: Arguments): Promise<Awaited<Answer>>;
    close(): Promise<void>;
  }
  interface ProtocolSession {
    send(method: string, parameters?: object): Promise<Record<string, number>>;
    detach(): Promise<void>;
  }
  interface Browser {
    newPage(): Promise<Page>;
    close(): Promise<void>;
  }
  export function launch(options: { executablePath: string; args: string[]; protocolTimeout?: number }): Promise<Browser>;
}

declare module "lighthouse" {
  import type { Page } from "puppeteer-core";
  interface Audit {
    readonly title: string;
    readonly score: number | null;
    readonly displayValue?: string;
  }
  interface Result {
    readonly lhr: {
      readonly finalDisplayedUrl: string;
      readonly runtimeError?: { readonly message: string };
      readonly audits: Readonly<Record<string, Audit>>;
      readonly categories: Readonly<
        Record<string, { readonly score: number | null; readonly auditRefs: readonly { readonly id: string; readonly weight: number }[] }>
      >;
    };
  }
  export const desktopConfig: object;
  export default function lighthouse(
    url: string,
    flags: { onlyCategories: string[]; logLevel: string; disableStorageReset: boolean },
    config: object,
    page: Page,
  ): Promise<Result | undefined>;
}
