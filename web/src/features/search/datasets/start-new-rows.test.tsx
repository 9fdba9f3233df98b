import { search } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectRows } from "#testing/datasets-screen.ts";
import { gateway } from "#testing/open-screen.tsx";
import { katrina, searches } from "#testing/results.ts";
import { runAndLeave, serveNewRows } from "#testing/new-rows.ts";

const recent = () => page.getByRole("region", { name: "Recently used" }).getByRole("link");
const counted = () => gateway.received(search.rowCount);

beforeEach(() => serveNewRows());

it("a recent search says how many rows are new since its last run, and opening it runs it again", async () => {
  await runAndLeave(katrina);
  await expect.element(recent()).toHaveAccessibleName(/^storm-tracks name = Katrina 68 rows \+?.*12 new rows since your last run/);
  await expect.element(page.getByText("+12", { exact: true })).toBeVisible();
  expect(counted().map(({ body }) => body)).toEqual([
    { filters: [{ name: "name", value: "Katrina", operator: "=" }], timeRange: { start: "2005-08-31T00:00:01.000Z" } },
  ]);
  expect(searches()).toHaveLength(1);
  await recent().click();
  await expectRows("storm-tracks");
  await expect.poll(() => searches().length).toBe(2);
});
