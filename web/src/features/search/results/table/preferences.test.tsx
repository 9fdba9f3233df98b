import { columnsKey, type ColumnsPreference, preferences, type PreferenceValue } from "@fairway/contract/preferences";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { focus, press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { act, alterRows, header, katrina, openResults, shownColumns } from "#testing/results.ts";
import { serve } from "#testing/table-preferences.ts";

const { category: datasetCategory, dataset: datasetId } = katrina;
const key = columnsKey({ datasetCategory, datasetId });
const copyKey = "fairway.user.preferences";
const inZone = (name: "utc" | "local"): PreferenceValue => ({ kind: "zone", zone: name });
const latitudeFirst: ColumnsPreference = { kind: "columns", order: ["latitude"], hidden: ["season"], pinned: ["latitude"], widths: {} };
const expectFirst = (...columns: readonly string[]) => expect.poll(() => shownColumns().slice(0, columns.length)).toEqual(columns);
const saved = () => gateway.received(preferences.save).map(({ params, body }) => [params.key, body.value]);
const editor = () => page.getByRole("region", { name: "Columns", exact: true });
const zone = (name: string) => page.getByText(`Times in ${name}`, { exact: true });
const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll("_", " ");

/** As if another tab had stored its copy. */
function storeInAnotherTab(values: Record<string, PreferenceValue>): void {
  localStorage.setItem(copyKey, JSON.stringify({ owner: "u-ada", state: { values, unsaved: [] } }));
  dispatchEvent(new StorageEvent("storage", { storageArea: localStorage, key: copyKey }));
}

beforeEach(() => {
  serveDatasets(gateway);
  alterRows((rows) => rows.slice(0, 2));
});

it("shows columns as the account has them, and saves what is changed", async () => {
  serve({ [key]: latitudeFirst });
  await openResults(katrina);
  await expectFirst("latitude", "storm_id", "name", "time");
  await act("Show Column Visibility");
  await editor().getByRole("checkbox", { name: "season", exact: true }).click();
  await expectFirst("latitude", "storm_id", "name", "season");
  await expect.poll(saved).toEqual([[key, expect.objectContaining({ hidden: [], pinned: ["latitude"] })]]);
  await focus(header("latitude"));
  await press("Alt+ArrowDown");
  await page.getByRole("menuitem", { name: "Unpin column" }).click();
  await expect.poll(() => saved().at(-1)).toEqual([key, expect.objectContaining({ pinned: [] })]);
});

it("follows another tab of the same user", async () => {
  await openResults(katrina);
  await expect.element(zone("UTC")).toBeVisible();
  storeInAnotherTab({ zone: inZone("local"), [key]: latitudeFirst });
  await expect.element(zone(localZone)).toBeVisible();
  await expectFirst("latitude", "storm_id", "name", "time");
  expect(saved()).toEqual([]);
});

it("[SESSION-15] takes over once what earlier releases stored under the username", async () => {
  localStorage.setItem("fairway.times.ada", "local");
  localStorage.setItem(`fairway.columns.ada/${encodeURIComponent(datasetCategory)}/${datasetId}`, JSON.stringify(latitudeFirst));
  localStorage.setItem("fairway.filesets", JSON.stringify({ username: "ada", fileset: "reports", path: "2024", filter: "" }));
  localStorage.setItem("fairway.seen.ada", JSON.stringify({ abc: { newestMs: 1, ranMs: 2 } }));
  await openResults(katrina);
  await expectFirst("latitude", "storm_id", "name", "time");
  await expect.element(zone(localZone)).toBeVisible();
  await expect.poll(() => Object.fromEntries(saved())).toEqual({ zone: inZone("local"), [key]: latitudeFirst });
  const filesets = page.getByRole("link", { name: "Filesets", exact: true });
  await expect.poll(() => filesets.element().getAttribute("href")).toBe("/filesets?fileset=reports&path=2024");
  expect(
    Object.keys(localStorage)
      .filter((name) => name.includes("ada") || localStorage.getItem(name)?.includes('ada"'))
      .toSorted(),
  ).toEqual(["fairway.user.filesets", "fairway.user.preferences", "fairway.user.seen"]);
  expect(localStorage.getItem("fairway.user.seen")).toContain('"abc"');
});

it("shows nothing of another user who was signed in before", async () => {
  serve({ zone: inZone("local") });
  await openResults(katrina);
  await expect.element(zone(localZone)).toBeVisible();
  serve({});
  await openScreen(location.pathname + location.search + location.hash, { sub: "u-grace", preferred_username: "grace" });
  await expect.element(zone("UTC")).toBeVisible();
  expect(Object.values(localStorage).join()).not.toContain("u-ada");
});
