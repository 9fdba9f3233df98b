// @ts-check
import { Caller } from "./caller.mjs";

/**
 * Stores a session in the tab as a sign-in does. The settings file is a page of the same origin that runs no scripts.
 * @param {import("puppeteer-core").Page} page
 * @param {string} origin
 */
export async function storeSession(page, origin) {
  const { wrapper } = await Caller.signIn(origin, "viewer");
  await page.goto(`${origin}/static/settings.json`);
  const stored = JSON.stringify({ ...wrapper, receivedMs: Date.now(), fresh: true });
  await page.evaluate((text) => sessionStorage.setItem("fairway.session", text), stored);
}
