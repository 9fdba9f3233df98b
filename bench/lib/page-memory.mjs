// @ts-check

/** Until work that goes on has ended. */
export const settle = () => new Promise((resolve) => setTimeout(resolve, 2_000));

/** JavaScript memory of a page after garbage collection. @param {import("puppeteer-core").Page} page */
export async function memoryMb(page) {
  const session = await page.createCDPSession();
  await session.send("HeapProfiler.collectGarbage");
  const usage = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return ((usage["usedSize"] ?? 0) + (usage["embedderHeapUsedSize"] ?? 0) + (usage["backingStorageSize"] ?? 0)) / 1e6;
}
