import type { Page } from "@playwright/test";

/** Lets the page poll, for journeys that wait until nothing is loading: a stream of live changes goes on. Call it before the page opens. */
export async function refuseLiveStream(page: Page): Promise<void> {
  await page.route("**/api/live", (route) => route.fulfill({ status: 404, body: "" }));
}
