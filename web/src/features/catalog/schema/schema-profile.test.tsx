import type { DatasetProfileState } from "@fairway/contract/dataset-profiles";
import { datasetProfiles } from "@fairway/contract/dataset-profiles";
import { descriptions } from "@fairway/contract/descriptions";
import { search } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount, expectTexts } from "#testing/assertions.ts";
import { Refused, Versioned } from "#testing/contract-gateway.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { schema, column, profile, row, year, profileCell } from "#testing/schema-profiles.ts";

const address = "/data-catalog/Tropical%20weather/storm-tracks";

let state: DatasetProfileState;
beforeEach(() => {
  state = { state: "done", profile: profile(), failure: null };
  gateway.answer(descriptions.schema, () => new Versioned(schema, '"c1.u1.x"'));
  gateway.answer(datasetProfiles.read, () => state);
});
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

it("a reader of a part of the rows is told that figures of all rows are not shown", async () => {
  state = { state: "restricted", profile: null, failure: null };
  await openScreen(address, { roles: ["admin"] });
  const overview = page.getByRole("region", { name: "Profile" });
  await expect.element(overview).toHaveTextContent("Figures of all rows are not shown, because you see a part of them.");
  await expect.element(overview.getByRole("button", { name: "Update profile" })).toBeEnabled();
  await expectTexts(page.getByRole("columnheader"), ["Column", "System", "Community", "Private"]);
  await expectCount(page.getByText("Not profiled yet"), 0);
  await expect.element(page.getByRole("button", { name: "Sample rows" })).toBeVisible();
});

it("an external dataset has neither profile nor sample rows", async () => {
  state = { state: "unsupported", profile: null, failure: null };
  await openScreen(address);
  await expectTexts(page.getByRole("columnheader"), ["Column", "System", "Community", "Private"]);
  await expectCount(page.getByRole("button", { name: "Sample rows" }), 0);
  await expectCount(page.getByText("Not profiled yet"), 0);
});
