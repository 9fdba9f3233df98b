import type { DatasetProfile, DatasetProfileState, ProfiledColumn } from "@fairway/contract/dataset-profiles";
import { datasetProfiles } from "@fairway/contract/dataset-profiles";
import type { DatasetSchema } from "@fairway/contract/datasets";
import { descriptions } from "@fairway/contract/descriptions";
import { search } from "@fairway/contract/search";
import { beforeEach, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount, expectTexts } from "#testing/assertions.ts";
import { Refused, Versioned } from "#testing/contract-gateway.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";

const address = "/data-catalog/Tropical%20weather/storm-tracks";
const hour = 3_600_000;
const year = (value: number) => Date.UTC(value, 0, 1);

const schemaColumn = (name: string, type: number) => ({
  id: name,
  name,
  type,
  description: "",
  communityDescription: "",
  userDescription: "",
});
const schema: DatasetSchema = {
  dataset: { datasetCategory: "Tropical weather", datasetId: "storm-tracks" },
  description: "",
  communityDescription: "",
  userDescription: "",
  containsLocationData: true,
  supportsMapResults: true,
  columns: [schemaColumn("storm_id", 0), schemaColumn("wind", 2), schemaColumn("at", 5), schemaColumn("note", 0), schemaColumn("place", 0)],
};
const column = (name: string, type: ProfiledColumn["type"], more: Partial<ProfiledColumn>): ProfiledColumn => ({
  name,
  type,
  distinct: 1,
  isApproximate: false,
  empty: 0,
  min: null,
  max: null,
  top: [],
  histogram: [],
  ...more,
});
const profile = (): DatasetProfile => ({
  measuredMs: Date.now() - 3 * hour - 1_000,
  rows: 11_840,
  oldestMs: year(1975),
  newestMs: year(2021) - 1,
  coverage: {
    unit: "year",
    buckets: [
      { startMs: year(1975), rows: 90 },
      { startMs: year(1977), rows: 1 },
      { startMs: year(2005), rows: 497 },
    ],
  },
  columns: [
    column("storm_id", "STRING", {
      distinct: 511,
      min: "1975-01",
      max: "2020-31",
      top: [
        { value: "2012-12", rows: 1_089 },
        { value: "<img src=x onerror=alert(1)>", rows: 81 },
        { value: "third", rows: 80 },
      ],
    }),
    column("wind", "integer", {
      distinct: 31,
      empty: 7,
      min: 10,
      max: 160,
      histogram: [
        { from: 10, to: 90, rows: 5_000 },
        { from: 90, to: 170, rows: 6_833 },
      ],
    }),
    column("at", "TIMESTAMP_MILLS", {
      distinct: 4_512,
      isApproximate: true,
      min: year(1975),
      max: year(2020),
      histogram: [
        { from: year(1975), to: year(1998), rows: 1 },
        { from: year(1998), to: year(2020), rows: 2 },
      ],
    }),
    column("note", "STRING", { distinct: 0, empty: 11_840 }),
  ],
});

let state: DatasetProfileState;
beforeEach(() => {
  serveDatasets(gateway);
  state = { state: "done", profile: profile(), failure: null };
  gateway.answer(descriptions.schema, () => new Versioned(schema, '"c1.u1.x"'));
  gateway.answer(datasetProfiles.read, () => state);
});

const row = (name: string) =>
  page
    .getByRole("table", { name: "Columns" })
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name: new RegExp(`^${name}`) }) });
const profileCell = (name: string) => row(name).getByRole("cell").nth(3);
const coverage = () => page.getByRole("region", { name: /^Coverage/ });

it("a schema shows the coverage of the dataset and a profile of each column", async () => {
  await openScreen(address);
  await expect.element(page.getByRole("columnheader", { name: "Profile 11,840 rows" })).toBeVisible();
  await expectTexts(profileCell("storm_id").getByRole("listitem"), ["2012-12 1,089", "<img src=x onerror=alert(1)> 81"]);
  await expect.element(profileCell("storm_id")).toHaveTextContent("511 distinct, 0 empty");
  await expect
    .element(profileCell("wind").getByRole("img", { name: "Values from 10 to 160, most often from 90 to 170 (6,833 rows)" }))
    .toBeVisible();
  await expect.element(profileCell("wind")).toHaveTextContent("31 distinct, 7 empty");
  await expect.element(profileCell("at").getByRole("img", { name: /^Values from 01\/01\/1975 to 01\/01\/2020/ })).toBeVisible();
  await expect.element(profileCell("at")).toHaveTextContent("about 4,512 distinct, 0 empty");
  await expect.element(profileCell("note")).toHaveTextContent(/^0 distinct, 11,840 empty$/);
  await expect.element(profileCell("place")).toHaveTextContent("");
  await expect.element(coverage().getByRole("status")).toHaveTextContent("Profiled 3 hours ago");
  await expectCount(page.getByRole("button", { name: "Update profile" }), 0);
  await expectAccessible();

  // Years without rows are shown, too; the keyboard goes from bar to bar.
  const bars = coverage().getByRole("button");
  await expectCount(bars, 31);
  bars.nth(30).element().focus();
  await expect.element(coverage().getByText("2005: 497 rows")).toBeVisible();
  await userEvent.keyboard("{ArrowLeft}");
  await expect.element(coverage().getByRole("button", { name: "2004: 0 rows" })).toHaveFocus();
  await userEvent.keyboard("{Home}");
  await expect.element(coverage().getByText("1975: 90 rows")).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expectCount(coverage().getByText("1975: 90 rows"), 0);

  await page.viewport(390, 844);
  await expect.element(row("wind").getByText("31 distinct, 7 empty")).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  await expectAccessible();
  await page.viewport(1280, 800);
});

it("a profile that is missing, running or failed is said in words, and administrators start it", async () => {
  state = { state: "none", profile: null, failure: null };
  gateway.answer(datasetProfiles.update, () => {
    state = { state: "running", profile: null, failure: null };
    return { requestedMs: Date.now() };
  });
  await openScreen(address, { roles: ["admin"] });
  const section = page.getByRole("region", { name: "Profile", exact: true });
  await expect.element(section.getByRole("status")).toHaveTextContent("Not profiled yet");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"], shouldAdvanceTime: true });
  await section.getByRole("button", { name: "Update profile" }).click();
  await expect.element(section.getByRole("status")).toHaveTextContent("Profiling now");
  await expect.element(section.getByRole("button", { name: "Update profile" })).toBeDisabled();
  expect(gateway.received(datasetProfiles.update).map(({ params }) => params)).toEqual([{ id: "storm-tracks" }]);
  // The page notices the end by itself.
  state = {
    state: "failed",
    profile: { ...profile(), coverage: null },
    failure: { problem: "Its data files are missing.", failedMs: Date.now() - 5_000 },
  };
  await vi.advanceTimersByTimeAsync(10_000);
  vi.useRealTimers();
  await expect.element(section.getByRole("status")).toHaveTextContent("Profiling failed just now, last profiled 3 hours ago");
  await expect.element(section).toHaveTextContent("Its data files are missing.");
  await expect.element(profileCell("wind")).toHaveTextContent("31 distinct, 7 empty");
  await expectAccessible();

  gateway.answer(datasetProfiles.read, () => {
    throw new Refused("internal", "The database is away.");
  });
  await openScreen(address);
  await expect.element(page.getByRole("alert")).toHaveTextContent("The profile could not be loaded. The database is away.");
  await expect.element(row("wind")).toBeVisible();
});

it("sample rows load when they are opened, with an error of their own", async () => {
  await openScreen(address);
  const toggle = page.getByRole("button", { name: "Sample rows" });
  await expect.element(toggle).toHaveAttribute("aria-expanded", "false");
  expect(gateway.received(search.sample)).toEqual([]);
  gateway.answer(search.sample, () => {
    throw new Refused("internal", "The query engine is busy.");
  });
  await toggle.click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("The query engine is busy.");
  gateway.answer(search.sample, () => ({ results: [{ storm_id: "x".repeat(500), wind: 64, at: year(2000), note: null }] }));
  await page.getByRole("button", { name: "Retry" }).click();
  const rows = page.getByRole("region", { name: "Sample rows", exact: true }).getByRole("table");
  await expectTexts(rows.getByRole("columnheader"), ["storm_id", "wind", "at", "note"]);
  await expectTexts(rows.getByRole("cell"), [/^x{120}$/, "64", "01/01/2000, 12:00:00 AM", ""]);
  await expectAccessible();
});

it("whole days have no clock in profiles and sample rows", async () => {
  const columns = schema.columns.map((one) => (one.name === "at" ? { ...one, day: true } : one));
  gateway.answer(descriptions.schema, () => new Versioned({ ...schema, columns }, '"c1.u1.x"'));
  const at = column("at", "TIMESTAMP_MILLS", { min: year(2000), max: year(2000) });
  state = { state: "done", profile: { ...profile(), columns: [at] }, failure: null };
  gateway.answer(search.sample, () => ({ results: [{ at: year(2000) }] }));
  await openScreen(address);
  await expect.element(profileCell("at")).toHaveTextContent(/^01\/01\/2000 to 01\/01\/2000/);
  await page.getByRole("button", { name: "Sample rows" }).click();
  await expectTexts(page.getByRole("region", { name: "Sample rows", exact: true }).getByRole("cell"), ["01/01/2000"]);
});

it("an external dataset has neither profile nor sample rows", async () => {
  state = { state: "unsupported", profile: null, failure: null };
  await openScreen(address);
  await expectTexts(page.getByRole("columnheader"), ["Column", "System", "Community", "Private"]);
  await expectCount(page.getByRole("button", { name: "Sample rows" }), 0);
  await expectCount(page.getByText("Not profiled yet"), 0);
});
