import { cdp } from "vitest/browser";

declare module "vitest/internal/browser" {
  interface CDPSession {
    send(method: "HeapProfiler.collectGarbage"): Promise<void>;
    send(method: "Runtime.getHeapUsage"): Promise<{ usedSize: number }>;
  }
}

/** The memory that the page's JavaScript uses after a garbage collection, in bytes. */
export async function heapBytes(): Promise<number> {
  const devtools = cdp();
  await devtools.send("HeapProfiler.collectGarbage");
  return (await devtools.send("Runtime.getHeapUsage")).usedSize;
}
