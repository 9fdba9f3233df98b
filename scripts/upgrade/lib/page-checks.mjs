// @ts-check
import { setTimeout as wait } from "node:timers/promises";
import { chromium } from "@playwright/test";
import { demoPassword } from "@fairway/contract/api";
import { entityTypes } from "@fairway/contract/entity-types";
import { ensureBrowser } from "../../lib/browser.mjs";
import { openMixingProxy } from "./mixing-proxy.mjs";

/** @typedef {{ readonly origin: string }} Gateway */
/** @typedef {{ path: string, alerts: string[] }} OpenedScreen */

/** Screens of the first release, which both versions have. */
const sharedScreens = [
  "/search",
  "/user-profile",
  "/keys",
  "/notices",
  "/auditing",
  "/feedback-settings",
  "/key-settings",
  ...Object.values(entityTypes).map(({ address }) => address),
];
const newerScreens = ["/about", "/data-catalog", "/filesets", "/tools", "/tutorials", "/FAQ", "/niflow-flows", "/niflow-requests"];
const quietMs = 500;

/**
 * The web app of the older version calls the newer gateway, as a tab does that stays open.
 * @param {{ older: Gateway, newer: Gateway }} gateways
 */
export async function checkOlderPages({ older, newer }) {
  const screens = await openScreens(sharedScreens, (path) => (isCall(path) ? newer : older));
  expectNoAlerts(screens);
}

/**
 * The web app of this version calls the older gateway, which does not know every call.
 * @param {{ older: Gateway, newer: Gateway }} gateways
 */
export async function checkNewerPages({ older, newer }) {
  const screens = await openScreens([...sharedScreens, ...newerScreens], (path) => (isCall(path) ? older : newer));
  // The profile shows what the first release does not record.
  const known = new Set(["/user-profile", ...newerScreens]);
  expectNoAlerts(screens.filter(({ path }) => !known.has(path)));
}

/**
 * A page that comes from one gateway gets its files from the other one, whose web app is of another version.
 * @param {Gateway} one
 * @param {Gateway} other
 */
export async function checkSharedFiles(one, other) {
  for (const [pages, files] of /** @type {const} */ ([
    [one, other],
    [other, one],
  ])) {
    let turn = 0;
    const choose = (/** @type {string} */ path) => {
      if (isCall(path)) return turn++ % 2 === 0 ? one : other;
      return path.startsWith("/assets/") ? files : pages;
    };
    expectNoAlerts(await openScreens(sharedScreens.slice(0, 8), choose));
  }
}

const isCall = (/** @type {string} */ path) => path.startsWith("/api/");

/** @param {OpenedScreen[]} screens */
function expectNoAlerts(screens) {
  const failed = screens.filter(({ alerts }) => alerts.length > 0);
  if (failed.length > 0) throw new Error(failed.map(({ path, alerts }) => `${path}: ${alerts.join(" ")}`).join("\n"));
}

/**
 * Signs in as an administrator and opens screens. Throws if one does not show its heading, or if a script fails.
 * @param {string[]} paths
 * @param {(path: string) => Gateway} choose the gateway that gets a call
 * @returns {Promise<OpenedScreen[]>}
 */
async function openScreens(paths, choose) {
  const executablePath = ensureBrowser();
  const proxy = await openMixingProxy(choose);
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: process.getuid?.() === 0 ? ["--no-sandbox", "--disable-gpu"] : ["--disable-gpu"],
  });
  try {
    const page = await browser.newPage({ baseURL: proxy.origin });
    page.setDefaultTimeout(60_000);
    /** @type {string[]} */
    const failures = [];
    page.on("pageerror", ({ message }) => failures.push(message));
    const isQuiet = untilQuiet(page);
    await page.goto("/login");
    await page.getByRole("textbox", { name: "Username" }).fill("admin");
    await page.getByLabel("Password", { exact: true }).fill(demoPassword);
    await page.getByRole("button", { name: "Login", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Datasets", exact: true }).waitFor();
    /** @type {OpenedScreen[]} */
    const screens = [];
    for (const path of paths) {
      await page.goto(path);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      await isQuiet();
      if (failures.length > 0) throw new Error(`${path}: ${failures.join("; ")}`);
      const alerts = await page.getByRole("alert").allInnerTexts();
      screens.push({ path, alerts: alerts.filter((text) => text.trim() !== "").map((text) => text.replaceAll(/\s+/g, " ")) });
    }
    return screens;
  } finally {
    await browser.close();
    proxy.close();
  }
}

/**
 * Returns a function that resolves once the page has made no call for a moment. Streams do not count.
 * @param {import("@playwright/test").Page} page
 */
function untilQuiet(page) {
  /** @type {Set<import("@playwright/test").Request>} */
  const pending = new Set();
  let lastMs = performance.now();
  const ended = (/** @type {import("@playwright/test").Request} */ request) => {
    pending.delete(request);
    lastMs = performance.now();
  };
  page.on("request", (request) => {
    if (!new URL(request.url()).pathname.startsWith("/api/live")) pending.add(request);
  });
  page.on("requestfinished", ended);
  page.on("requestfailed", ended);
  return async () => {
    while (pending.size > 0 || performance.now() - lastMs < quietMs) await wait(50);
  };
}
