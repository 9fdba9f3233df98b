// @ts-check
import { Caller } from "./caller.mjs";

/**
 * The tab's session as signing in leaves it behind. The settings file is a page of the same origin that runs nothing.
 * @param {import("puppeteer-core").Page} page
 * @param {string} origin
 */
export async function leaveSession(page, origin) {
  const { wrapper } = await Caller.signIn(origin, "viewer");
  await page.goto(`${origin}/static/settings.json`);
  const stored = JSON.stringify({ ...wrapper, receivedMs: Date.now(), fresh: true });
  await page.evaluate((text) => sessionStorage.setItem("fairway.session", text), stored);
}
