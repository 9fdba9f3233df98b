import type { Page } from "@playwright/test";

/** Stops a page's clock, which must have been installed before: from now on only `runFor` advances it. Returns its time. */
export async function stopClock(page: Page): Promise<number> {
  // Pending requests would time out as soon as the clock is advanced.
  await page.waitForLoadState("networkidle");
  const now = await page.evaluate(() => Date.now());
  await page.clock.pauseAt(now + 2_000);
  return page.evaluate(() => Date.now());
}
