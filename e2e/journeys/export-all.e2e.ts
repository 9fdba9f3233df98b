import { readFile } from "node:fs/promises";
import { type ExportManifest, type ExportState, exports } from "@fairway/contract/exports";
import type { APIRequestContext, Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { act, alterAnswer, type Asked, katrina, openResults, portalApi } from "../support/results.ts";

// One export of a user runs at a time.
test.describe.configure({ mode: "default" });

/** Three million rows, to be sorted: long enough to be met while it runs. */
const flights: Asked = { category: "Aviation", dataset: "flights", filters: [["origin", "<>", "XXX"]], sort: [["distance", "asc"]] };
const states = /\/api\/exports\/[\w-]+$/;

const dialog = (page: Page) => page.getByRole("dialog", { name: "Export All Results" });
const start = (page: Page) => dialog(page).getByRole("button", { name: "Start Export" });
const progress = (page: Page) => dialog(page).getByRole("progressbar", { name: "Rows written" });
const downloadLink = (page: Page) => dialog(page).getByRole("link", { name: "Download" });
const manifestLink = (page: Page) => dialog(page).getByRole("link", { name: "Manifest" });

async function open(page: Page): Promise<void> {
  await act(page, "Export All Results");
  await expect(dialog(page)).toBeVisible();
}

async function saved(page: Page, click: () => Promise<void>): Promise<{ name: string; text: string }> {
  const download = page.waitForEvent("download");
  await click();
  const file = await download;
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
}

async function exportAs(page: Page, format: "CSV" | "JSON" | "Parquet"): Promise<void> {
  await dialog(page).getByRole("radio", { name: format, exact: true }).check();
  await start(page).click();
  await expect(downloadLink(page)).toBeVisible();
}

/** What the signed-in viewer has running without this page. */
async function runElsewhere(request: APIRequestContext) {
  const headers = { authorization: `Bearer ${(await portalApi(request)).token}` };
  const data = {
    format: "json",
    search: { filters: [{ name: "origin", operator: "<>", value: "XXX" }], sort: [{ column: "distance", direction: "asc" }] },
  };
  const answer = await request.post("/api/datasets/Aviation/flights/export", { headers, data });
  expect(answer.status()).toBe(202);
  const { exportId } = (await answer.json()) as { exportId: string };
  return { end: async () => expect((await request.delete(`/api/exports/${exportId}`, { headers })).status()).toBe(204) };
}

test("all rows as JSON, loaded or not: the file is the search's answer, the manifest says what it is", async ({
  page,
  request,
  signIn,
}) => {
  await signIn();
  await openResults(page, katrina);
  await open(page);
  await expect(dialog(page)).toContainText("Writes all 68 rows that the search finds, loaded or not, into a file.");
  const asked = page.waitForRequest("**/export");
  await exportAs(page, "JSON");
  expect((await asked).postDataJSON()).toEqual({
    format: "json",
    search: { filters: [{ name: "name", value: "Katrina", operator: "=" }] },
  });
  await expect(dialog(page)).toContainText(/^.*68 rows, \d+ kB\. The server keeps the file for an hour\./);
  await expect(downloadLink(page)).toBeFocused();
  const file = await saved(page, () => page.keyboard.press("Enter"));
  expect(file.name).toBe("Tropical weather_storm-tracks.json");
  expect(JSON.parse(file.text)).toEqual(await (await portalApi(request)).rows(katrina, { offset: 0, max: 1_000 }));
  const manifest = await saved(page, () => manifestLink(page).click());
  expect(manifest.name).toBe("Tropical weather_storm-tracks.manifest.json");
  expect(exports.manifest.response.parse(JSON.parse(manifest.text)) satisfies ExportManifest).toMatchObject({
    dataset: { datasetCategory: "Tropical weather", datasetId: "storm-tracks" },
    format: "json",
    query: { filters: [{ name: "name", value: "Katrina", operator: "=" }] },
    user: "viewer",
    rows: 68,
    totalRows: 68,
    cut: false,
  });
});

test("as CSV the visible columns in their order, of all rows; by keyboard alone", async ({ page, request, signIn }) => {
  await signIn();
  await openResults(page, katrina);
  await act(page, "Show Column Visibility");
  const columns = page.getByRole("region", { name: "Columns", exact: true });
  await columns.getByRole("button", { name: "Select None" }).click();
  for (const column of ["wind", "name", "time", "position"]) await columns.getByRole("checkbox", { name: column, exact: true }).check();
  await page.getByRole("columnheader").first().focus();
  await page.keyboard.press("Alt+ArrowRight");
  await page.getByRole("button", { name: "Actions", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Export All Results" }).focus();
  await page.keyboard.press("Enter");
  await expect(dialog(page)).toContainText("The 4 visible columns in their order.");
  await expect(start(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(downloadLink(page)).toBeFocused();
  const { name, text } = await saved(page, () => page.keyboard.press("Enter"));
  expect(name).toBe("Tropical weather_storm-tracks.csv");
  const rows = await (await portalApi(request)).rows(katrina, { offset: 0, max: 1_000 });
  const lines = rows.map((row) => {
    const time = new Date(Number(row["time"]) * 1_000).toISOString().replace(".000Z", "Z");
    return `${time},${row["name"]},"${row["latitude"]}, ${row["longitude"]}",${row["wind"]}`;
  });
  expect(text).toBe(["time,name,position,wind", ...lines, ""].join("\r\n"));
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Actions", exact: true })).toBeFocused();
});

test("a running export tells its rows, and goes on while the dialog is closed and over a reload", async ({ page, signIn }) => {
  let starts = 0;
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/export")) starts += 1;
  });
  await signIn();
  await openResults(page, flights);
  await open(page);
  await dialog(page).getByRole("radio", { name: "JSON", exact: true }).check();
  await start(page).click();
  await expect(progress(page)).toBeVisible();
  await dialog(page).getByText("Close", { exact: true }).click();
  await expect(dialog(page)).toHaveCount(0);
  await open(page);
  await expect(dialog(page)).toContainText(/[\d,]+ of 3,000,000 rows written/);
  await page.reload();
  await expect(page.getByRole("gridcell").first()).toBeVisible();
  await open(page);
  await expect(downloadLink(page)).toBeVisible({ timeout: 40_000 });
  await expect(dialog(page)).toContainText("3,000,000 rows, ");
  expect(starts).toBe(1);
});

test("a running export is cancelled, and another can be started", async ({ page, signIn }) => {
  await signIn();
  await openResults(page, flights);
  await open(page);
  await start(page).click();
  await expect(dialog(page).getByRole("button", { name: "Cancel Export" })).toBeFocused();
  const ended = page.waitForResponse((response) => response.request().method() === "DELETE");
  await page.keyboard.press("Enter");
  expect((await ended).status()).toBe(204);
  await expect(dialog(page)).toContainText("The export was cancelled.");
  await expect(start(page)).toBeVisible();
  await start(page).click();
  await expect(progress(page)).toBeVisible();
  await dialog(page).getByRole("button", { name: "Cancel Export" }).click();
  await expect(dialog(page)).toContainText("The export was cancelled.");
});

test("one that ends while the dialog is closed is told by a toast, and is there to be downloaded", async ({ page, signIn }) => {
  await signIn();
  await openResults(page, katrina);
  await open(page);
  // The real answers, of a server that is not done yet until the dialog is closed.
  let isClosed = false;
  await page.route(states, async (route) => {
    const response = await route.fetch();
    const state = (await response.json()) as ExportState;
    await route.fulfill({ response, json: isClosed ? state : { ...state, status: "running", file: null } });
  });
  await start(page).click();
  await expect(progress(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  isClosed = true;
  await expect(page.getByText("The export of storm-tracks is ready: Actions, Export All Results")).toBeVisible();
  await open(page);
  const { text } = await saved(page, () => downloadLink(page).click());
  expect(text.trimEnd().split("\r\n")).toHaveLength(69);
});

test("a start that is refused says why and can be tried again", async ({ page, request, signIn }) => {
  await signIn();
  await openResults(page, katrina);
  await open(page);
  const other = await runElsewhere(request);
  await start(page).click();
  await expect(dialog(page).getByRole("alert")).toHaveText("You have an export running already. Wait until it has finished, or cancel it.");
  await other.end();
  await start(page).click();
  await expect(downloadLink(page)).toBeVisible();
  await expect(dialog(page).getByRole("alert")).toHaveCount(0);
});

test("an export that fails on the server says why; one that is not kept any more can be started again", async ({ page, signIn }) => {
  await signIn();
  await openResults(page, katrina);
  await open(page);
  const failure = "There is no room left on the server's disk.";
  await page.route(states, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as ExportState), status: "failed", file: null, failure } });
  });
  await start(page).click();
  await expect(dialog(page).getByRole("alert")).toHaveText(failure);
  await page.unroute(states);
  await page.route(states, (route) =>
    route.fulfill({ status: 404, json: { errors: [{ code: "not-found", message: "There is no such export." }] } }),
  );
  await start(page).click();
  await expect(dialog(page).getByRole("alert")).toHaveText("The server does not keep this export any more. Start it again.");
  await page.unroute(states);
  await start(page).click();
  await expect(downloadLink(page)).toBeVisible();
});

test("a server that does not answer is asked again", async ({ page, signIn }) => {
  await signIn();
  await openResults(page, katrina);
  await open(page);
  await page.route(states, (route) => route.abort(), { times: 1 });
  await start(page).click();
  await expect(dialog(page).getByRole("alert")).toHaveText("The server could not be reached. Asking again …");
  await expect(downloadLink(page)).toBeVisible();
});

test("a cut is told before the start where it is known, and with the file", async ({ page, signIn }) => {
  await signIn();
  await alterAnswer(page, "**/static/settings.json", (answer) => ({
    ...answer,
    limits: { ...(answer["limits"] as object), exportMaxRows: 50 },
  }));
  await openResults(page, katrina);
  await open(page);
  await expect(dialog(page)).toContainText("The search finds 68 rows, and one export may hold 50: the file will be cut after them.");
  await page.route(states, async (route) => {
    const response = await route.fetch();
    const state = (await response.json()) as ExportState;
    await route.fulfill({ response, json: state.status === "done" ? { ...state, rows: 50, cut: true } : state });
  });
  await start(page).click();
  await expect(dialog(page).getByRole("alert")).toHaveText(
    "This file is cut: it holds 50 rows, the most that one export may hold, and 68 match. Its name ends in -cut, and the manifest says so.",
  );
});

test("closing the search ends its export", async ({ page, signIn }) => {
  await signIn();
  await openResults(page, flights);
  await open(page);
  await start(page).click();
  await expect(progress(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  const ended = page.waitForResponse((response) => response.request().method() === "DELETE");
  await act(page, "Close Search");
  await page.getByRole("dialog", { name: "Close Search?" }).getByRole("button", { name: "Close Search" }).click();
  expect((await ended).status()).toBe(204);
});

test("a sample, and a dataset whose rows cannot be exported as a whole, do not offer it", async ({ page, signIn }) => {
  await signIn();
  await openResults(page, { category: katrina.category, dataset: katrina.dataset, isSample: true });
  await page.getByRole("button", { name: "Actions", exact: true }).click();
  await expect(page.getByRole("menuitem", { name: "Export Current Results" })).toBeVisible();
  await expect(page.getByRole("menuitem", { name: "Export All Results" })).toHaveCount(0);
  await alterAnswer(page, "**/api/datasets/*/*/describe", (answer) => ({ ...answer, assists: [] }));
  await openResults(page, katrina);
  await page.getByRole("button", { name: "Actions", exact: true }).click();
  await expect(page.getByRole("menuitem", { name: "Export Current Results" })).toBeVisible();
  await expect(page.getByRole("menuitem", { name: "Export All Results" })).toHaveCount(0);
});

for (const [device, colorScheme, viewport] of [
  ["desktop", "light", { width: 1440, height: 900 }],
  ["phone", "dark", { width: 390, height: 844 }],
] as const) {
  test.describe(`on a ${device} in the ${colorScheme} theme`, () => {
    test.use({ colorScheme, viewport });

    test("axe finds nothing in the dialog, which fits the screen in every phase", async ({ page, signIn }) => {
      await signIn();
      await openResults(page, katrina);
      await open(page);
      const expectFit = async () => {
        const violations = await axeViolations(page);
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`)).toEqual([]);
        const box = await dialog(page).boundingBox();
        expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= viewport.width).toBe(true);
      };
      await expectFit();
      let cut = false;
      let isRunning = true;
      await page.route(states, async (route) => {
        const response = await route.fetch();
        const state = (await response.json()) as ExportState;
        await route.fulfill({ response, json: isRunning ? { ...state, status: "running", file: null, rows: 34 } : { ...state, cut } });
      });
      await start(page).click();
      await expect(dialog(page)).toContainText("34 of 68 rows written");
      await expectFit();
      cut = true;
      isRunning = false;
      await expect(dialog(page).getByRole("alert")).toContainText("This file is cut");
      await expectFit();
    });
  });
}
