import { search } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectCount } from "#testing/assertions.ts";
import { alterDescription, expectRows, sampleButton, storms } from "#testing/datasets-screen.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { act, fewRows, katrina, openResults, searches } from "#testing/results.ts";
import { runAndLeave, serveNewRows, toStart } from "#testing/new-rows.ts";

const recent = () => page.getByRole("region", { name: "Recently used" }).getByRole("link");
const counted = () => gateway.received(search.rowCount);

beforeEach(() => serveNewRows());

it("counts are kept for a while, and nothing is said without new rows", async () => {
  gateway.answer(search.rowCount, { rows: 0 });
  await runAndLeave(katrina);
  await expect.poll(() => counted().length).toBe(1);
  await recent().click();
  await expectRows("storm-tracks");
  expect(searches()).toHaveLength(1);
  await toStart();
  await expect.element(recent()).toHaveAccessibleName(/^storm-tracks/);
  await expectCount(page.getByText(/^\+/), 0);
  expect(counted()).toHaveLength(1);
});

it("counts are made one after the other, and end when the screen is left", async () => {
  const release = gateway.hold(search.rowCount, ({ body }) => body.filters.length === 1);
  await runAndLeave(katrina);
  await expect.poll(() => counted().length).toBe(1);
  await recent().click();
  await expectRows("storm-tracks");
  expect(counted()[0]?.signal?.aborted).toBe(true);
  await runAndLeave(fewRows);
  await expect.poll(() => counted().map(({ body }) => body.filters.length)).toEqual([1, 2, 1]);
  await expectCount(page.getByText("+12", { exact: true }), 1);
  release();
  await expectCount(page.getByText("+12", { exact: true }), 2);
});

it("never counts for samples", async () => {
  alterDescription(storms, (one) => ({ ...one, filterSupport: { ...one.filterSupport, requiredOrFields: null } }));
  serveNewRows();
  await runAndLeave({ ...katrina, filters: [] });
  await expect.element(page.getByText("+12", { exact: true })).toBeVisible();
  await page
    .getByRole("region", { name: storms[0] })
    .getByRole("button", { name: /^storm-tracks/ })
    .click();
  await sampleButton().click();
  await expectRows("storm-tracks");
  // The sample, which has the same filters as the search, has not run since the page was loaded.
  await openScreen("/search");
  await expectCount(recent(), 2);
  await expect.element(recent().nth(1)).toHaveTextContent("+12");
  await expectCount(page.getByText("+12", { exact: true }), 1);
});

it("never counts for datasets of other services", async () => {
  await runAndLeave(katrina);
  await expect.element(page.getByText("+12", { exact: true })).toBeVisible();
  // Another search with the same newest row.
  alterDescription(storms, (description) => ({ ...description, assists: [] }));
  gateway.answer(search.rowCount, { rows: 12 });
  await openResults({ ...katrina, filters: [...(katrina.filters ?? []), ["wind", ">=", 1]] });
  await toStart();
  await expectCount(recent(), 2);
  await expect.element(recent().nth(1)).toHaveTextContent("+12");
  await expectCount(page.getByText("+12", { exact: true }), 1);
});

it("says nothing after a later run that did not look for its newest row", async () => {
  await runAndLeave(katrina);
  await expect.element(page.getByText("+12", { exact: true })).toBeVisible();
  await recent().click();
  await expectRows("storm-tracks");
  await page.getByText("Raw", { exact: true }).click();
  await act("Rerun Search");
  await expect.poll(() => searches().length).toBe(3);
  await toStart();
  await expectCount(recent(), 1);
  await expectCount(page.getByText(/^\+/), 0);
});

it("a count that fails is left out", async () => {
  gateway.refuse(search.rowCount, "internal", "Broken.");
  await runAndLeave(katrina);
  await expect.poll(() => counted().length).toBe(1);
  await expect.element(recent()).toHaveAccessibleName(/^storm-tracks name = Katrina 68 rows \d/);
  await expectCount(page.getByRole("alert"), 0);
});
