// @ts-check
import { launch } from "puppeteer-core";
import { Caller } from "./caller.mjs";

/**
 * Gives a page of a new browser, with an empty cache, and closes it. Everything is drawn without a GPU.
 * @template Result
 * @param {string} executablePath
 * @param {{ origin: string, signedIn?: boolean, args?: readonly string[] }} options
 * @param {(page: import("puppeteer-core").Page) => Promise<Result>} work
 */
export async function withPage(executablePath, { origin, signedIn = true, args = [] }, work) {
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await launch({
    executablePath,
    args: ["--headless=new", "--disable-gpu", "--no-first-run", ...sandbox, ...args],
    protocolTimeout: 300_000,
  });
  try {
    const page = await browser.newPage();
    await page.setViewport({ width: 1440, height: 900 });
    if (signedIn) await storeSession(page, origin);
    return await work(page);
  } finally {
    await browser.close();
  }
}

/**
 * Stores a session in the tab as a sign-in does. The settings file is a page of the same origin that runs no scripts.
 * @param {import("puppeteer-core").Page} page
 * @param {string} origin
 */
async function storeSession(page, origin) {
  const { wrapper } = await Caller.signIn(origin, "viewer");
  await page.goto(`${origin}/static/settings.json`);
  const stored = JSON.stringify({ ...wrapper, receivedMs: Date.now(), fresh: true });
  await page.evaluate((text) => sessionStorage.setItem("fairway.session", text), stored);
}

/** The address of a screen with a search. @param {object} search */
export const linkTo = (search) => `/search/${crypto.randomUUID()}#1.${Buffer.from(JSON.stringify(search)).toString("base64url")}`;
