import { columnsKey, type ColumnsPreference, preferences, type PreferenceValue } from "@fairway/contract/preferences";
import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { gateway, reloadScreen } from "#testing/open-screen.tsx";
import { act, alterRows, header, katrina, openResults, shownColumns } from "#testing/results.ts";
import { serve } from "#testing/table-preferences.ts";
import { useConnection } from "#lib/gateway/connection.ts";

const { category: datasetCategory, dataset: datasetId } = katrina;
const key = columnsKey({ datasetCategory, datasetId });
const inZone = (name: "utc" | "local"): PreferenceValue => ({ kind: "zone", zone: name });
const latitudeFirst: ColumnsPreference = { kind: "columns", order: ["latitude"], hidden: ["season"], pinned: ["latitude"], widths: {} };
const expectFirst = (...columns: readonly string[]) => expect.poll(() => shownColumns().slice(0, columns.length)).toEqual(columns);
const saved = () => gateway.received(preferences.save).map(({ params, body }) => [params.key, body.value]);
const editor = () => page.getByRole("region", { name: "Columns", exact: true });
const zone = (name: string) => page.getByText(`Times in ${name}`, { exact: true });
const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll("_", " ");

beforeEach(() => serveDatasets(gateway));

beforeEach(() => {
  serveDatasets(gateway);
  alterRows((rows) => rows.slice(0, 2));
});

it("removes the entry of columns that are as the dataset has them", async () => {
  serve({ [key]: { ...latitudeFirst, order: [], pinned: [] } });
  await openResults(katrina);
  await expectFirst("storm_id", "name", "time");
  await act("Show Column Visibility");
  await editor().getByRole("button", { name: "Select All" }).click();
  await expect.poll(() => gateway.received(preferences.remove).map(({ params }) => params.key)).toEqual([key]);
  expect(saved()).toEqual([]);
});

it("sends a change that could not be sent again: once the connection is back, or on the next page", async () => {
  serve({});
  await openResults(katrina);
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  gateway.disconnect(preferences.save, { times: 1 });
  await zone("UTC").click();
  await expect.element(zone(localZone)).toBeVisible();
  await expect.poll(() => gateway.received(preferences.save).length).toBe(1);
  await expect.poll(() => warn.mock.calls.length).toBeGreaterThan(0);
  useConnection.setState({ connection: "unreachable" });
  useConnection.setState({ connection: "online" });
  await expect.poll(saved).toEqual([
    ["zone", inZone("local")],
    ["zone", inZone("local")],
  ]);
  gateway.disconnect(preferences.save, { times: 1 });
  await zone(localZone).click();
  await expect.poll(() => gateway.received(preferences.save).length).toBe(3);
  await reloadScreen();
  await expect
    .poll(() => saved().slice(2))
    .toEqual([
      ["zone", inZone("utc")],
      ["zone", inZone("utc")],
    ]);
  await expect.element(zone("UTC")).toBeVisible();
  warn.mockRestore();
});

it("says what the account refuses, and keeps it in this browser", async () => {
  await openResults(katrina);
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  gateway.refuse(preferences.save, "conflict", "You have 500 preferences.");
  await zone("UTC").click();
  await expect.element(page.getByText("Your choice is kept in this browser only")).toBeVisible();
  await expect.element(page.getByText("You have 500 preferences.")).toBeVisible();
  await expect.element(zone(localZone)).toBeVisible();
  expect(saved()).toHaveLength(1);
  warn.mockRestore();
});

it("prefers the account's entry over one of an earlier release", async () => {
  localStorage.setItem("fairway.times.ada", "local");
  serve({ zone: inZone("utc") });
  await openResults(katrina);
  await expect.element(zone("UTC")).toBeVisible();
  expect(saved()).toEqual([]);
  expect(localStorage.getItem("fairway.times.ada")).toBeNull();
});

it("shows this browser's copy before the gateway answers, and then the answer", async () => {
  serve({ [key]: latitudeFirst });
  await openResults(katrina);
  await expectFirst("latitude", "storm_id", "name");
  serve({ [key]: { ...latitudeFirst, pinned: [], order: ["storm_id", "time"] } });
  const release = gateway.hold(preferences.list);
  // Without visible columns of its own.
  await openResults({ ...katrina, filters: [["name", "=", "Wilma"]] });
  await expectFirst("latitude", "storm_id", "name");
  release();
  await expect.poll(() => header("latitude").element().getAttribute("class")).not.toContain("pinned");
});
