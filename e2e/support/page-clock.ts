import type { Page } from "@playwright/test";

/** Stops the clock of a page whose clock was installed before it was opened: from now on only `runFor` moves it. Answers its time. */
export async function stopClock(page: Page): Promise<number> {
  // What still loads would run into its limit as soon as the clock is moved.
  await page.waitForLoadState("networkidle");
  const now = await page.evaluate(() => Date.now());
  await page.clock.pauseAt(now + 2_000);
  return page.evaluate(() => Date.now());
}
