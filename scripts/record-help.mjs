// @ts-check
// Records the demo's tutorial videos, prints its guides and takes the pictures of the documents from the running product:
// `node scripts/record-help.mjs`, after a build, with a browser, and for videos Debian's ffmpeg. Names of tours, guides or pictures
// restrict it to these. With PORTAL, the address of a demo portal that is already running, it starts none.
import { mkdir, mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { demoPassword } from "@fairway/contract/api";
import { chromium } from "@playwright/test";
import { pictures } from "./help/pictures.mjs";
import { Recorder, showPointer } from "./help/recorder.mjs";
import { tours } from "./help/tours.mjs";
import { end, spawnPortal } from "./lib/processes.mjs";
import { systemBrowser } from "./lib/browser.mjs";
import { readyOrigin } from "./lib/ready-origin.mjs";

const data = fileURLToPath(new URL("../demo/data/", import.meta.url));
const guides = fileURLToPath(new URL("help/", import.meta.url));
const images = fileURLToPath(new URL("../docs/images/", import.meta.url));
const wanted = new Set(process.argv.slice(2));
const isWanted = (/** @type {string} */ name) => wanted.size === 0 || wanted.has(name);

const running = process.env["PORTAL"];
const home = await mkdtemp(join(tmpdir(), "fairway-help-"));
const portal = running === undefined ? startPortal() : undefined;
try {
  const baseURL = portal === undefined ? running : await readyOrigin(portal, "the portal");
  const executablePath = systemBrowser();
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), "--disable-gpu"],
  });
  const visit = async ({ viewport = { width: 1280, height: 720 }, showsPointer = true } = {}) => {
    const context = await browser.newContext({
      viewport,
      ...(baseURL === undefined ? {} : { baseURL }),
      locale: "en-US",
      timezoneId: "UTC",
    });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    if (showsPointer) await showPointer(page);
    await page.goto("/login");
    await page.getByRole("textbox", { name: "Username" }).fill("viewer");
    await page.getByLabel("Password", { exact: true }).fill(demoPassword);
    await page.getByRole("button", { name: "Login", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Datasets", exact: true }).waitFor();
    return page;
  };
  for (const tour of tours.filter(({ id }) => isWanted(id))) {
    const page = await visit();
    const folder = join(data, "docs", tour.id);
    await mkdir(folder, { recursive: true });
    const recorder = await Recorder.start(page);
    await tour.play(recorder);
    await recorder.finish(join(folder, "object.mp4"), join(folder, "captions.vtt"), join(folder, "preview.jpg"));
    await page.context().close();
  }
  for (const file of (await readdir(guides)).filter((name) => name.endsWith(".html") && isWanted(name.slice(0, -".html".length)))) {
    const page = await visit();
    const screens = await takePictures(page);
    const html = (await readFile(join(guides, file), "utf8")).replaceAll(/\{(\w+)\}/g, (all, name) => screens[name] ?? all);
    const sheet = await (await browser.newContext()).newPage();
    await sheet.setContent(html);
    await sheet.addStyleTag({ path: join(guides, "guide.css") });
    await sheet.pdf({
      path: join(data, "help", file.replace(/html$/, "pdf")),
      format: "A4",
      printBackground: true,
      preferCSSPageSize: true,
    });
  }
  for (const { name, prepare } of pictures.filter((picture) => isWanted(picture.name))) {
    const page = await visit({ viewport: { width: 1440, height: 900 }, showsPointer: false });
    await prepare(page);
    await page.screenshot({ path: join(images, `${name}.png`), animations: "disabled" });
    await page.context().close();
  }
  await browser.close();
} finally {
  if (portal) await end(portal, "SIGTERM");
  await rm(home, { recursive: true });
}

function startPortal() {
  const variables = { FAIRWAY_HOME: home, PORT: process.env["PORT"] ?? "8099" };
  return spawnPortal("scripts/portal.mjs", { variables });
}

/**
 * Pictures of screens, as addresses of their content, by the name that the guides use.
 * @param {import("@playwright/test").Page} page
 * @returns {Promise<Record<string, string>>}
 */
async function takePictures(page) {
  const picture = async () => `data:image/jpeg;base64,${(await page.screenshot({ type: "jpeg", quality: 80 })).toString("base64")}`;
  await page.getByRole("region", { name: "Choose a dataset" }).getByText("storm-tracks", { exact: true }).click();
  await page.getByRole("textbox", { name: "Storm name", exact: true }).fill("Katrina");
  const datasets = await picture();
  await page.getByRole("form").getByRole("button", { name: "Search", exact: true }).click();
  await page.getByRole("grid").getByRole("gridcell").first().waitFor();
  const results = await picture();
  await page.getByRole("radiogroup", { name: "View" }).getByText("Map", { exact: true }).click();
  await page.getByRole("application", { name: "Map of items" }).and(page.locator("[data-ready=true]")).waitFor();
  await page.waitForTimeout(1_000);
  return { datasets, results, map: await picture() };
}
